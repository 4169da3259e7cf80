#include "contract_tests/report/planned_value.hpp"

#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <set>
#include <utility>

namespace contract_tests::report {

using nlohmann::json;

namespace {

// Bytes of compact JSON: a request with a huge body would take the place of many cases.
constexpr std::size_t kMaxPlanned = 20'000;

json without_secrets(json value, const run::display::Secrets& secrets) {
  if (value.is_string()) {
    return secrets.redacted(value.get_ref<const std::string&>());
  }
  if (value.is_structured()) {
    for (auto& element : value) {
      element = without_secrets(std::move(element), secrets);
    }
  }
  return value;
}

json requests_json(const run::Case& item) {
  auto requests = json::array();
  for (const plan::RequestPlan& request : run::requests_of(item)) {
    requests.push_back(plan::to_json(request));
  }
  return requests;
}

json expect_json(const run::Expectation& expect) {
  json value{{"want", run::to_text(expect.want)}};
  if (!expect.statuses.empty()) {
    value["statuses"] = expect.statuses;
  }
  if (!expect.body.empty()) {
    value["body"] = expect.body;
  }
  return value;
}

// Of the requests and the expectation; the same for the same plan on any machine.
std::string planned_hash(const run::Case& item) {
  return checks::stable_hash(
      spec::json::write(json{requests_json(item), expect_json(item.expect)}));
}

json needs_json(const run::Needs& needs) {
  auto names = json::array();
  const auto add = [&names](bool needed, const char* name) {
    if (needed) {
      names.push_back(name);
    }
  };
  add(needs.probes, "probes");
  add(needs.mock_only, "mock");
  add(needs.other_token, "other_token");
  return names;
}

// "nothing" for a member that is not there.
std::string shown(const json& object, const std::string& key) {
  return object.contains(key) ? spec::text::shortened(spec::json::write(object.at(key)), 200)
                              : "nothing";
}

void add_difference(const std::string& place, const std::string& before, const std::string& now,
                    std::string& differences) {
  spec::text::append_to_list(differences, place + " was " + before + ", is " + now);
}

void add_differences(const json& was, const json& is, const std::string& where,
                     std::string& differences) {
  std::set<std::string> keys;
  for (const auto* object : {&was, &is}) {
    for (const auto& [key, value] : object->items()) {
      keys.insert(key);
    }
  }
  for (const auto& key : keys) {
    const auto before = shown(was, key);
    const auto now = shown(is, key);
    if (before != now) {
      add_difference(where + key, before, now, differences);
    }
  }
}

}  // namespace

json planned_json(const run::Case& item, const run::Outcome& outcome,
                  const run::display::Secrets& secrets) {
  json value{{"hash", planned_hash(item)}};
  json whole{{"requests", requests_json(item)}, {"expect", expect_json(item.expect)}};
  if (outcome.smallest) {
    whole["smallest"] = plan::to_json(*outcome.smallest);
  }
  if (auto needs = needs_json(item.needs); !needs.empty()) {
    whole["needs"] = std::move(needs);
  }
  whole["more"] = item.run && !item.sends_its_request_alone;
  if (spec::json::write(whole).size() <= kMaxPlanned) {
    value.update(without_secrets(std::move(whole), secrets));
  }
  return value;
}

std::string planned_difference(const json& recorded, const run::Case& item,
                               const run::display::Secrets& secrets) {
  if (recorded.at("hash") == planned_hash(item)) {
    return {};
  }
  if (!recorded.contains("requests")) {
    return "it is too long to be shown";
  }
  const auto& was = recorded.at("requests");
  const auto is = without_secrets(requests_json(item), secrets);
  std::string differences;
  if (was.size() != is.size()) {
    differences =
        std::to_string(was.size()) + " requests were planned, now " + std::to_string(is.size());
  }
  for (std::size_t at = 0; at < std::min(was.size(), is.size()); ++at) {
    const auto where = at == 0 ? "" : "request " + std::to_string(at + 1) + ": ";
    add_differences(was.at(at), is.at(at), where, differences);
  }
  add_differences(recorded.at("expect"), without_secrets(expect_json(item.expect), secrets),
                  "expected ", differences);
  return differences.empty() ? "in what is not shown" : differences;
}

}  // namespace contract_tests::report
