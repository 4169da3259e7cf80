#include "contract_tests/tests/faulty_server/lists.hpp"

#include "contract_tests/tests/faulty_server/transform.hpp"
#include "spec/json/pointer.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace contract_tests::faulty_server {

using nlohmann::json;

namespace {

std::optional<spec::time::Instant> instant(const json* value) {
  return value != nullptr && value->is_string()
             ? spec::time::parse_date_time(value->get_ref<const std::string&>())
             : std::nullopt;
}

void drop_equal(const json& how, const spec::http::Request& request, json& items) {
  const auto bound =
      spec::time::parse_date_time(query_value(request, how.at("parameter").get<std::string>()));
  if (!bound) {
    return;
  }
  auto kept = json::array();
  for (auto& item : items) {
    const auto time = instant(spec::json::find(item, how.at("at").get<std::string>()));
    if (!time || *time != *bound) {
      kept.push_back(std::move(item));
    }
  }
  items = std::move(kept);
}

int number_of(const spec::http::Request& request, const char* name, int otherwise) {
  const auto text = query_value(request, name);
  int value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// True when `item` passes the bound of `rule` by the rule's own wrong comparison.
bool passes(const json& item, const json& rule, const spec::http::Request& request, bool as_text) {
  const auto bound = query_value(request, rule.at("parameter").get<std::string>());
  const auto* found = spec::json::find(item, rule.at("at").get<std::string>());
  if (bound.empty() || found == nullptr || !found->is_string()) {
    return true;
  }
  const bool upper = rule.value("upper", false);
  if (as_text) {
    const auto& text = found->get_ref<const std::string&>();
    return upper ? text <= bound : text >= bound;
  }
  const auto time = instant(found);
  const auto limit = spec::time::parse_date_time(bound);
  return !time || !limit || (upper ? *time <= *limit : *time >= *limit);
}

json kept(const json& items, const json& rule, const spec::http::Request& request, bool as_text) {
  auto left = json::array();
  std::ranges::copy_if(items, std::back_inserter(left),
                       [&](const json& item) { return passes(item, rule, request, as_text); });
  return left;
}

// A period that goes on while it is read; all of them where none is named.
void grow(const json& how, std::size_t turn, json& item) {
  if (how.value("start_date", item.at("start_date")) != item.at("start_date")) {
    return;
  }
  for (auto& meter : item.at("meters")) {
    meter["total_price"] =
        meter.at("total_price").get<std::int64_t>() + static_cast<std::int64_t>(turn);
  }
  if (how.value("ends_now", false)) {
    auto fraction = std::to_string(turn);
    fraction.insert(0, 6 - std::min<std::size_t>(fraction.size(), 6), '0');
    item["end_date"] = item.at("end_date").get<std::string>().substr(0, 19) + '.' + fraction + 'Z';
  }
}

}  // namespace

json page_of(json items, const json& how, const spec::http::Request& request, std::size_t turn) {
  if (how.contains("new_item") && turn >= how.at("from").get<std::size_t>()) {
    auto grown = json::array({how.at("new_item")});
    grown = kept(grown, {{"parameter", "start_date"}, {"at", "/start_date"}}, request, false);
    grown = kept(grown, {{"parameter", "end_date"}, {"at", "/end_date"}, {"upper", true}}, request,
                 false);
    if (query_value(request, "meter_id").empty()) {
      items.insert(items.begin(), grown.begin(), grown.end());
    }
  }
  if (how.contains("as_text")) {
    items = kept(items, how.at("as_text"), request, true);
  }
  for (const auto& rule : how.value("within", json::array())) {
    items = kept(items, rule, request, false);
  }
  if (how.contains("cap") && items.size() > how.at("cap").at("over").get<std::size_t>()) {
    items.erase(items.begin(), items.end() - how.at("cap").at("keep").get<std::ptrdiff_t>());
  }
  if (how.value("backwards", false)) {
    std::ranges::reverse(items);
  }
  const auto size =
      std::min(number_of(request, "page_size", how.value("default", 10)), how.value("most", 100));
  const auto number = std::max(number_of(request, "page_number", 0) - how.value("first", 0), 0);
  const auto step = size + how.value("lose", 0) - how.value("overlap", 0);
  auto page = json::array();
  for (int at = number * step; at < number * step + size; ++at) {
    if (at >= 0 && static_cast<std::size_t>(at) < items.size()) {
      page.push_back(std::move(items[static_cast<std::size_t>(at)]));
    }
  }
  return how.contains("late") ? kept(page, how.at("late"), request, false) : page;
}

void change_items(const json& how, const spec::http::Request& request, std::size_t turn,
                  json& body) {
  if (!body.is_object() || !body.contains("items")) {
    return;
  }
  auto& items = body["items"];
  if (how.value("reverse_every_other", false) && turn % 2 == 0) {
    std::ranges::reverse(items);
  }
  if (how.value("reverse_meters", false)) {
    for (auto& item : items) {
      std::ranges::reverse(item["meters"]);
    }
  }
  if (how.value("reverse", false)) {
    std::ranges::reverse(items);
  }
  if (how.contains("drop_equal")) {
    drop_equal(how.at("drop_equal"), request, items);
  }
  if (how.contains("growing")) {
    for (auto& item : items) {
      grow(how.at("growing"), turn, item);
    }
  }
  for (int count = how.value("drop_first", 0); count > 0 && !items.empty(); --count) {
    items.erase(items.begin());
  }
  for (int count = how.value("drop_last", 0); count > 0 && !items.empty(); --count) {
    items.erase(items.end() - 1);
  }
  if (how.value("repeat_first", false) && items.size() > 1) {
    items[items.size() - 1] = items[0];
  }
}

}  // namespace contract_tests::faulty_server
