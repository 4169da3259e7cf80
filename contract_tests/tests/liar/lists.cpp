#include "contract_tests/tests/liar/lists.hpp"

#include "contract_tests/tests/liar/transform.hpp"
#include "spec/json/pointer.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>

namespace contract_tests::liar {

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

}  // namespace

void change_items(const json& how, const spec::http::Request& request, json& body) {
  static std::atomic<unsigned> turn = 0;
  if (!body.is_object() || !body.contains("items")) {
    return;
  }
  auto& items = body["items"];
  if (how.value("reverse_every_other", false) && turn++ % 2 == 0) {
    std::ranges::reverse(items);
  }
  if (how.contains("drop_equal")) {
    drop_equal(how.at("drop_equal"), request, items);
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

}  // namespace contract_tests::liar
