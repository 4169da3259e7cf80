#include "mock_server/record/fixture_plan.hpp"

#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_source.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/api/response_template.hpp"
#include "mock_server/examples/header_table.hpp"
#include "mock_server/record/call_verdict.hpp"
#include "spec/http/items.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace mock_server::record {
namespace {

using api::Behaviour;
using api::Binding;
using api::Collection;
using api::Shows;
using nlohmann::json;

bool is_success(int status) {
  return status >= 200 && status < 300;
}

class Planner {
 public:
  Planner(const api::LoadedApi& api, bool keep_violating)
      : api_(api), keep_violating_(keep_violating) {}

  Plan make(std::span<const ValidatedCall> calls) {
    for (const ValidatedCall& call : calls) {
      path_secrets_.add(call);
    }
    for (const ValidatedCall& call : calls) {
      if (call.operation != nullptr && call.call.response) {
        add(call);
      }
    }
    check_records();
    add_rules();
    return std::move(plan_);
  }

 private:
  // Equal requests and their different responses, in order.
  struct Group {
    const spec::contract::Operation* operation = nullptr;
    json when;
    std::vector<std::pair<json, std::int64_t>> steps;  // with how many calls took each
    bool is_record = false;  // the last one is what the mock sends by itself
  };

  // True if the response says something to any client that sends GET, say: none of HEAD does, nor
  // an interim one, nor 304 without the response that the client has.
  static bool can_be_played(const ValidatedCall& call) {
    constexpr int kNotModified = 304;
    constexpr int kFirstFinal = 200;
    const int status = call.call.response->status;
    return call.call.request.method != "HEAD" && status >= kFirstFinal && status != kNotModified;
  }

  void add(const ValidatedCall& call) {
    if (!can_be_played(call)) {
      return;
    }
    const Binding* const binding = api_.fixtures.binding(*call.operation);
    const int status = call.call.response->status;
    const bool may_change = binding != nullptr && api::row_of(binding->behaviour).changes;
    if (may_change && is_success(status)) {
      changed_.insert(binding->collection->name());
    }
    bool is_record = false;
    if (binding != nullptr && is_success(status) && call.verdict == Verdict::kValid) {
      is_record = take_records(*binding, call);
    }
    if (may_change && is_success(status)) {
      if (binding->behaviour == Behaviour::kCreate) {
        add_step(call, false);
      }
      return;
    }
    // A record that is read after a change is sent by the mock after the same change, too.
    if (is_record && changed_.contains(binding->collection->name())) {
      return;
    }
    add_step(call, is_record || is_expected_error(binding, status));
  }

  // The mock says that by itself.
  static bool is_expected_error(const Binding* binding, int status) {
    return status == 401 || (binding != nullptr && binding->collection != nullptr && status == 404);
  }

  static bool has_header(const spec::contract::Response& declared, const std::string& name) {
    return std::ranges::any_of(declared.headers, [&](const auto& one) {
      return spec::http::Headers{{name, ""}}.has(one.name);
    });
  }

  // The step's response; nothing for what cannot be played. Where the body is not in the recording,
  // the mock makes one.
  std::optional<json> step_of(const ValidatedCall& call) {
    const auto& response = *call.call.response;
    json said{{"status", response.status}};
    json headers = json::object();
    const auto* const declared = call.operation->response(response.status);
    for (const auto& [name, value] : response.headers.lines()) {
      if (declared != nullptr && has_header(*declared, name) && !examples::is_about_bytes(name)) {
        headers[name] = value;
      }
    }
    const BodyForm form = form_of(response.headers, response.body);
    const bool is_json = form == BodyForm::kJson;
    const auto body = is_json ? spec::json::read(response.body) : spec::json::read("null");
    if (call.verdict == Verdict::kValid && (form == BodyForm::kNone || (is_json && body))) {
      if (is_json) {
        said["body"] = api::as_literal(*body);
      }
      add_headers(said, headers);
      return json{{"response", said}};
    }
    if (call.verdict == Verdict::kViolating && !keep_violating_) {
      return std::nullopt;
    }
    if (!call.call.has_response_body || form == BodyForm::kBytes) {
      add_headers(said, headers);
      return declared == nullptr ? std::nullopt : std::optional(json{{"force", said}});
    }
    if (const auto type = response.headers.find("Content-Type")) {
      headers["Content-Type"] = *type;
    }
    said["text"] = response.body;
    add_headers(said, headers);
    return json{{"force", said}};
  }

  // How the recorded items are sent: with their usual pace, and open where the client left. Nothing
  // for an operation that declares no items: fixtures can say nothing of them.
  static json stream_of(const ValidatedCall& call) {
    constexpr std::int64_t kMaxPace = 60'000;
    const auto& times = call.call.item_times;
    const auto has_items = [](const auto& response) {
      return std::ranges::any_of(response.contents, [](const auto& content) {
        return spec::http::item_form(content.media_type).has_value();
      });
    };
    json stream = json::object();
    if (times.empty() || std::ranges::none_of(call.operation->responses, has_items)) {
      return stream;
    }
    const auto gaps = static_cast<std::int64_t>(times.size()) - 1;
    const std::int64_t pace =
        (times.back() - times.front()).count() / std::max<std::int64_t>(gaps, 1);
    if (pace > 0) {
      stream["pace_ms"] = std::min(pace, kMaxPace);
    }
    if (call.call.items_go_on) {
      stream["end"] = "open";
    }
    return stream;
  }

  static bool are_equal(json one, json other) {
    one.erase("stream");
    other.erase("stream");
    return one == other;
  }

  static void add_headers(json& said, const json& headers) {
    if (!headers.empty()) {
      said["headers"] = headers;
    }
  }

  void note(const ValidatedCall& call, const std::string& why) {
    plan_.notes.push_back(call.operation->name + ' ' + std::to_string(call.call.response->status) +
                          ": " + why + "; it is in calls.jsonl alone");
  }

  void add_step(const ValidatedCall& call, bool is_record) {
    if (!call.reading.violations.empty()) {
      return;  // the mock rejects such a request
    }
    auto step = step_of(call);
    if (json stream = stream_of(call); step && !stream.empty()) {
      (*step)["stream"] = std::move(stream);
    }
    if (step && !call.call.has_response_body) {
      plan_.notes.push_back(call.operation->name + ' ' +
                            std::to_string(call.call.response->status) +
                            ": its body is not in the recording; the mock makes one");
    }
    if (!step) {
      note(call, call.verdict == Verdict::kViolating
                     ? "the response violates the contract (" + call.findings.front() + ')'
                     : "the body is no text");
      return;
    }
    const json when = conditions_of(api_, call, path_secrets_);
    const std::string id = call.operation->id + ' ' + spec::json::write(when);
    const auto [found, is_new] = groups_.try_emplace(id, Group{call.operation, when, {}, false});
    if (is_new) {
      order_.push_back(id);
    }
    Group& group = found->second;
    group.is_record = is_record;
    if (!group.steps.empty() && are_equal(group.steps.back().first, *step)) {
      ++group.steps.back().second;
    } else {
      group.steps.emplace_back(*step, 1);
    }
  }

  void add_rules() {
    for (const std::string& id : order_) {
      Group& group = groups_.at(id);
      if (group.is_record && group.steps.size() == 1) {
        continue;  // the mock sends that without help
      }
      json steps = json::array();
      for (std::size_t at = 0; at < group.steps.size(); ++at) {
        auto& [step, times] = group.steps[at];
        const bool is_last = at + 1 == group.steps.size();
        json one = is_last && group.is_record ? json::object() : step;
        if (!is_last) {
          one["times"] = times;
        }
        steps.push_back(std::move(one));
      }
      json rule{{"operations", json::array({group.operation->id})}, {"steps", std::move(steps)}};
      if (!group.when.empty()) {
        rule["when"] = group.when;
      }
      plan_.rules.push_back(std::move(rule));
    }
  }

  std::optional<std::string> prefix_of(const Binding& binding, const ValidatedCall& call) const {
    std::string prefix;
    if (binding.collection->is_scoped()) {
      for (const api::Within& within : binding.within) {
        const json* const given = api::find(within.given, {call.reading});
        if (given == nullptr) {
          return std::nullopt;
        }
        prefix += api::parent_part(api::key_text(*given));
      }
    }
    return prefix;
  }

  // False if the response shows no record that can be kept.
  bool take_records(const Binding& binding, const ValidatedCall& call) {
    const auto body = spec::json::read(call.call.response->body);
    if (!body || binding.collection == nullptr) {
      return false;
    }
    switch (binding.shows()) {
      case Shows::kRecords: return take_list(binding, call, *body);
      case Shows::kElements: return take_elements(binding, call, *body);
      case Shows::kRecord:
      case Shows::kMade: {
        const json* const record = api::walk(&*body, binding.into);
        return binding.shows_record && record != nullptr && take_one(binding, call, *record, false);
      }
      case Shows::kNothing:
      case Shows::kFile:
      case Shows::kRemoved: break;
    }
    return false;
  }

  std::optional<std::string> key_of(const Binding& binding, const ValidatedCall& call,
                                    const json& record) const {
    const auto& id = binding.collection->id();
    const json* own = id && !id->empty() ? api::walk(&record, *id) : nullptr;
    auto key =
        own != nullptr && !own->is_null() ? std::optional(api::key_text(*own)) : std::nullopt;
    if (binding.shows() != Shows::kRecords) {
      if (auto given = api::key_given(binding, {call.reading})) {
        key = std::move(given);
      }
    }
    const auto prefix = prefix_of(binding, call);
    return key && prefix ? std::optional(*prefix + *key) : std::nullopt;
  }

  // `is_part`: lists may show less of a record than a read.
  bool take_one(const Binding& binding, const ValidatedCall& call, json record, bool is_part) {
    const auto key = record.is_object() ? key_of(binding, call, record) : std::nullopt;
    if (!key) {
      return false;
    }
    for (const api::Within& within : binding.within) {
      const json* const given = api::find(within.given, {call.reading});
      if (given != nullptr && api::walk(&record, within.at) == nullptr && within.at.size() == 1) {
        record[within.at.front()] = *given;
      }
    }
    auto& records = plan_.records[binding.collection->name()];
    const auto found = records.find(*key);
    if (found == records.end()) {
      records.emplace(*key, std::move(record));
    } else if (!changed_.contains(binding.collection->name())) {
      if (is_part) {
        found->second.update(record);
      } else {
        found->second = std::move(record);
      }
    }
    return true;
  }

  bool take_list(const Binding& binding, const ValidatedCall& call, const json& body) {
    const json* const elements = api::walk(&body, binding.list.into);
    if (elements == nullptr || !elements->is_array()) {
      return false;
    }
    return std::ranges::all_of(
        *elements, [&](const json& element) { return take_one(binding, call, element, true); });
  }

  // A page of the list in a record is added to the pages before it.
  bool take_elements(const Binding& binding, const ValidatedCall& call, const json& body) {
    const json* const page = api::walk(&body, binding.list.into);
    const bool is_filtered = std::ranges::any_of(binding.list.filters, [&](const auto& filter) {
      return api::find(filter.given, {call.reading}) != nullptr;
    });
    const auto key = key_of(binding, call, json());
    if (page == nullptr || !page->is_array() || is_filtered || !key) {
      return false;
    }
    auto& records = plan_.records[binding.collection->name()];
    const auto [found, is_new] = records.try_emplace(*key);
    json& record = found->second;
    if (api::walk(&record, binding.list.elements) == nullptr) {
      record = api::wrap_elements(binding.list.elements, json::array());
    }
    const auto& id = binding.collection->id();
    if (id && api::walk(&record, *id) == nullptr) {
      api::set_at(record, *id, *key);
    }
    json& elements = *api::walk(&record, binding.list.elements);
    for (const json& element : *page) {
      add_element(binding, element, elements);
    }
    // A record that needs more than the list shows cannot be made of it.
    if (is_new && !api::validate_record(api_, *binding.collection, *key, found->second).empty()) {
      records.erase(found);
      return false;
    }
    return true;
  }

  static void add_element(const Binding& binding, const json& element, json& elements) {
    const auto same = [&](const json& other) {
      const json* const mine =
          binding.list.order_by ? api::walk(&element, *binding.list.order_by) : nullptr;
      const json* const its =
          binding.list.order_by ? api::walk(&other, *binding.list.order_by) : nullptr;
      return other == element || (mine != nullptr && its != nullptr && *mine == *its);
    };
    const auto found = std::ranges::find_if(elements, same);
    if (found == elements.end()) {
      elements.push_back(element);
    } else {
      *found = element;
    }
  }

  // A record that the mock would not start with is none.
  void check_records() {
    for (auto& of_collection : plan_.records) {
      const std::string& name = of_collection.first;
      const Collection& collection = api_.fixtures.collections().find(name)->second;
      std::erase_if(of_collection.second, [&](const auto& one) {
        const auto problems = api::validate_record(api_, collection, one.first, one.second);
        if (!problems.empty()) {
          plan_.notes.push_back(name + '/' + one.first +
                                ": is no record for the mock: " + problems.front().pointer + ' ' +
                                api::in_short(problems.front()) + "; it is in calls.jsonl alone");
        }
        return !problems.empty();
      });
    }
  }

  const api::LoadedApi& api_;
  const bool keep_violating_;
  Plan plan_;
  PathSecrets path_secrets_;
  std::set<std::string> changed_;  // collections
  std::map<std::string, Group> groups_;
  std::vector<std::string> order_;
};

}  // namespace

Plan make_plan(const api::LoadedApi& api, std::span<const ValidatedCall> calls,
               bool keep_violating) {
  return Planner(api, keep_violating).make(calls);
}

}  // namespace mock_server::record
