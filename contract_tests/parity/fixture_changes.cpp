#include "contract_tests/parity/fixture_changes.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace contract_tests::parity {

using nlohmann::json;
using spec::json::text_at;

namespace {

constexpr std::size_t kMaxDifferences = 20;

json no_value() {
  return {json::value_t::discarded};
}

// True if a recording wrote this text in the place of a private one.
bool is_replacement(const json& value) {
  constexpr std::string_view kReplaced = "redacted-";
  constexpr std::size_t kDigits = 12;
  if (!value.is_string()) {
    return false;
  }
  const std::string_view text = value.get_ref<const std::string&>();
  for (auto at = text.find(kReplaced); at != std::string_view::npos;
       at = text.find(kReplaced, at + 1)) {
    const auto digits = text.substr(at + kReplaced.size(), kDigits);
    if (digits.size() == kDigits &&
        digits.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

class Comparison {
 public:
  void compare(const json& mock, const json& service, const std::string& at, std::size_t depth) {
    if (found.size() == kMaxDifferences || spec::json::equal(mock, service)) {
      return;
    }
    const bool deep = depth == static_cast<std::size_t>(checks::kMaxDepth);
    if (!deep && mock.is_object() && service.is_object()) {
      compare_members(mock, service, at, depth);
    } else if (!deep && mock.is_array() && service.is_array() && mock.size() == service.size()) {
      for (std::size_t index = 0; index < mock.size(); ++index) {
        compare(mock[index], service[index], at + '/' + std::to_string(index), depth + 1);
      }
    } else {
      add({at, mock, service});
    }
  }

  std::vector<Difference> found;

 private:
  void compare_members(const json& mock, const json& service, const std::string& at,
                       std::size_t depth) {
    for (const auto& [name, value] : mock.items()) {
      const auto below = at + spec::json::pointer_of({name});
      const auto other = service.find(name);
      if (other != service.end()) {
        compare(value, *other, below, depth + 1);
      } else {
        add({below, value, no_value()});
      }
    }
    for (const auto& [name, value] : service.items()) {
      if (!mock.contains(name)) {
        add({at + spec::json::pointer_of({name}), no_value(), value});
      }
    }
  }

  void add(Difference difference) {
    if (found.size() < kMaxDifferences && !is_replacement(difference.mock) &&
        !is_replacement(difference.service)) {
      found.push_back(std::move(difference));
    }
  }
};

}  // namespace

std::vector<Difference> differences(const json& mock, const json& service) {
  Comparison comparison;
  comparison.compare(mock, service, "", 0);
  return std::move(comparison.found);
}

std::string shown_value(const json& value) {
  return value.is_discarded() ? "absent" : checks::shown(value);
}

namespace {

// The texts of a request that may be the key of a record, the likeliest first: segments of the
// path, from its end, then members of its body.
std::vector<std::string> possible_keys(const ObservedResponse& seen) {
  std::vector<std::string> keys;
  auto target = std::string_view(seen.request).substr(seen.request.find(' ') + 1);
  target = target.substr(0, target.find('?'));
  while (!target.empty()) {
    const auto slash = target.rfind('/');
    const auto segment = target.substr(slash == std::string_view::npos ? 0 : slash + 1);
    if (const auto key = spec::text::percent_decode(segment, false); key && !key->empty()) {
      keys.push_back(*key);
    }
    target = slash == std::string_view::npos ? std::string_view() : target.substr(0, slash);
  }
  if (const auto body = spec::json::read(seen.request_body); body && body.value().is_object()) {
    for (const auto& [name, value] : body.value().items()) {
      if (value.is_string()) {
        keys.push_back(value.get<std::string>());
      }
    }
  }
  return keys;
}

// A key that is a file's name as it is.
bool is_file_name(const std::string& key) {
  return !key.empty() && !key.starts_with('.') && key.find_first_of("/\\") == std::string::npos;
}

std::string target_of(const std::string& collection, const std::string& key) {
  return "/_mock/records/" + spec::text::percent_encode(collection) + '/' +
         spec::text::percent_encode(key);
}

// The first value in `whole` that equals `wanted`, an object or a list; null for none.
json* find_equal(json& whole, const json& wanted, std::size_t depth) {
  constexpr std::size_t kMaxSearchDepth = 16;
  if (!whole.is_structured() || depth == kMaxSearchDepth) {
    return nullptr;
  }
  if (spec::json::equal(whole, wanted)) {
    return &whole;
  }
  for (auto& inner : whole) {
    if (auto* found = find_equal(inner, wanted, depth + 1)) {
      return found;
    }
  }
  return nullptr;
}

std::pair<std::string, std::string> split_last(const std::string& pointer) {
  const auto slash = pointer.rfind('/');
  return {pointer.substr(0, slash), pointer.substr(slash + 1)};
}

void set_member(json& parent, const std::string& name, const json& value) {
  if (parent.is_object() && value.is_discarded()) {
    parent.erase(name);
  } else if (parent.is_object()) {
    parent[name] = value;
  } else if (const auto index = spec::json::array_index(name);
             parent.is_array() && index && *index < parent.size()) {
    parent[*index] = value;
  }
}

// True if the record is, at this place, what the response shows.
bool is_shown_in_place(const json& record, const json& shown, const std::string& at,
                       const std::string& changed) {
  const auto* parent = spec::json::find(record, at);
  const auto* parent_shown = spec::json::find(shown, at);
  if (parent == nullptr || parent_shown == nullptr || !parent->is_object() ||
      !parent_shown->is_object()) {
    return false;
  }
  return std::ranges::all_of(parent_shown->items(), [&](const auto& member) {
    const auto found = parent->find(member.key());
    return member.key() == changed ||
           (found != parent->end() && found->type() == member.value().type());
  });
}

// The place in the record of the object or list at `at` in the response: that of the widest part
// around it that the record has, too. Null for none.
json* find_shown(json& record, const json& shown, const std::string& at) {
  for (auto end = at.find('/', 1); !at.empty(); end = at.find('/', end + 1)) {
    const auto* part = spec::json::find(shown, at.substr(0, end));
    auto* found = part == nullptr ? nullptr : find_equal(record, *part, 0);
    if (found != nullptr) {
      return spec::json::find(*found, end == std::string::npos ? "" : at.substr(end));
    }
    if (end == std::string::npos) {
      break;
    }
  }
  return nullptr;
}

// Changes the place of the record that the mock's response shows at `difference`, and the response
// with it. False if the response does not show the record there, as it is.
bool change(json& record, json& shown, const json& wanted, const Difference& difference) {
  auto [above, token] = split_last(difference.pointer);
  auto* parent_shown = spec::json::find(shown, above);
  if (difference.pointer.empty() || parent_shown == nullptr) {
    return false;
  }
  const auto name = spec::json::split_pointer('/' + token).value().front();
  auto* parent = is_shown_in_place(record, shown, above, name) ? spec::json::find(record, above)
                                                               : find_shown(record, shown, above);
  if (parent == nullptr) {
    return false;
  }
  const auto* value = spec::json::find(wanted, difference.pointer);
  const json now =
      difference.service.is_discarded() || value == nullptr ? difference.service : *value;
  set_member(*parent, name, now);
  set_member(*parent_shown, name, now);
  return true;
}

// The kinds of errors whose status `errors` in operations.yaml sets, by the mock's own codes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kErrorKinds{{
    {"BAD_REQUEST", "malformed_request"},
    {"INVALID_QUERY_PARAMS", "undecodable_parameters"},
    {"INVALID_PATH_PARAMS", "undecodable_path"},
    {"INVALID_HEADERS", "undecodable_headers"},
    {"INVALID_COOKIES", "undecodable_cookies"},
    {"INVALID_REQUEST_PARAMETERS", "invalid_parameters"},
    {"INVALID_REQUEST_BODY", "invalid_body"},
    {"UNAUTHORIZED", "unauthorized"},
    {"FORBIDDEN", "forbidden"},
    {"CONFLICT", "conflict"},
    {"UNSUPPORTED_MEDIA_TYPE", "unsupported_media_type"},
}};

}  // namespace

const FixSuggester::Binding* FixSuggester::binding_of(const std::string& operation_id) {
  if (!bindings_) {
    bindings_.emplace();
    const auto response = ask_ ? ask_("/_mock/operations") : std::nullopt;
    const auto* operations = response ? spec::json::find(*response, "/operations") : nullptr;
    for (const auto& one :
         operations != nullptr && operations->is_array() ? *operations : json::array()) {
      const auto* played = spec::json::find(one, "/played");
      if (played != nullptr) {
        (*bindings_)[std::string(text_at(one, "/id"))] = {
            std::string(text_at(*played, "/behaviour")),
            std::string(text_at(*played, "/collection")),
            !played->value("keys", json::array()).empty()};
      }
    }
  }
  const auto found = bindings_->find(operation_id);
  return found == bindings_->end() || found->second.collection.empty() ? nullptr : &found->second;
}

bool FixSuggester::is_of_fixtures(const std::string& operation_id) {
  const auto* binding = binding_of(operation_id);
  return binding != nullptr && binding->has_records;
}

std::optional<json> FixSuggester::record(const std::string& collection, const std::string& key) {
  return is_file_name(key) ? ask_(target_of(collection, key)) : std::nullopt;
}

std::optional<SuggestedFix> FixSuggester::fix_values(const std::string& operation_id,
                                                     const ObservedResponse& mock,
                                                     const ObservedResponse& service,
                                                     const std::vector<Difference>& values) {
  const auto* binding = binding_of(operation_id);
  if (binding == nullptr || !mock.body || !service.body) {
    return std::nullopt;
  }
  for (const auto& key : possible_keys(mock)) {
    auto stored = record(binding->collection, key);
    if (!stored || !stored->is_object()) {
      continue;
    }
    auto shown = *mock.body;
    const auto before = *stored;
    const bool all = std::ranges::all_of(values, [&](const Difference& difference) {
      return change(*stored, shown, *service.body, difference);
    });
    if (!all) {
      return std::nullopt;
    }
    SuggestedFix fix{binding->collection + '/' + key + ".json",
                     spec::json::write_pretty(*stored) + '\n'};
    for (const auto& changed : differences(before, *stored)) {
      fix.changes.push_back(changed.pointer + ": " + shown_value(changed.service));
    }
    return fix;
  }
  return std::nullopt;
}

std::optional<SuggestedFix> FixSuggester::fix_missing(const std::string& operation_id,
                                                      const ObservedResponse& service) {
  const auto* binding = binding_of(operation_id);
  const auto keys = possible_keys(service);
  if (binding == nullptr || keys.empty() || !is_file_name(keys.front())) {
    return std::nullopt;
  }
  if (service.body && service.body->is_object() && binding->behaviour == "read") {
    return SuggestedFix{binding->collection + '/' + keys.front() + ".json",
                        spec::json::write_pretty(*service.body) + '\n'};
  }
  return SuggestedFix{"",
                      "add a record " + keys.front() + " to the collection " + binding->collection};
}

std::optional<SuggestedFix> FixSuggester::fix_surplus(const std::string& operation_id,
                                                      const ObservedResponse& mock) {
  const auto* binding = binding_of(operation_id);
  if (binding == nullptr) {
    return std::nullopt;
  }
  for (const auto& key : possible_keys(mock)) {
    if (record(binding->collection, key)) {
      return SuggestedFix{"",
                          "remove the record " + key + " of the collection " + binding->collection};
    }
  }
  return std::nullopt;
}

std::optional<SuggestedFix> FixSuggester::fix_status(const ObservedResponse& mock, int status) {
  const auto* const found = std::ranges::find(
      kErrorKinds, mock.code, &std::pair<std::string_view, std::string_view>::first);
  constexpr int kUnauthorizedOfService = 401;  // about the credentials, not about this error
  if (found == kErrorKinds.end() || status < 400 || status > 499 ||
      status == kUnauthorizedOfService) {
    return std::nullopt;
  }
  return SuggestedFix{"operations.yaml", "errors:\n  " + std::string(found->second) +
                                             ": {status: " + std::to_string(status) + "}\n"};
}

}  // namespace contract_tests::parity
