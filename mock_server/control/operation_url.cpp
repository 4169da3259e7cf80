#include "mock_server/control/operation_url.hpp"

#include "spec/contract/state.hpp"
#include "spec/contract/write/generate.hpp"
#include "spec/contract/write/parameter.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace mock_server::control {
namespace {

using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Parameter;

bool is_path_parameter(const fixtures::Place& place, const std::string& name) {
  return place.root == fixtures::Place::Root::kPath && place.tokens.size() == 1 &&
         place.tokens.front() == name;
}

// The keys in the path of a request for a record: of the parents by Binding::within, and its own.
fixtures::ScopedKey keys_of(const fixtures::Binding& binding, const fixtures::Record& record) {
  auto keys =
      fixtures::split_key(record.key, binding.collection->is_scoped() ? binding.within.size() : 0);
  for (std::size_t at = keys.parents.size(); at < binding.within.size(); ++at) {
    const nlohmann::json* const parent = fixtures::walk(&record.value, binding.within[at].at);
    keys.parents.push_back(parent != nullptr ? fixtures::key_text(*parent) : std::string{});
  }
  return keys;
}

// What the path parameter `name` is for the first record, if it is the key of that or of a parent;
// where there is no record, the key of the first parent.
std::optional<std::string> record_key(const fixtures::Binding* binding, const std::string& name) {
  if (binding == nullptr || binding->collection == nullptr) {
    return std::nullopt;
  }
  static const std::vector<fixtures::Record> kNone;
  const auto& records = binding->collection->is_seeded() ? binding->collection->records() : kNone;
  const auto keys = records.empty() ? fixtures::ScopedKey{} : keys_of(*binding, records.front());
  if (binding->key && is_path_parameter(*binding->key, name) && !records.empty()) {
    return keys.own;
  }
  for (std::size_t at = 0; at < binding->within.size(); ++at) {
    const fixtures::Within& within = binding->within[at];
    if (!is_path_parameter(within.given, name)) {
      continue;
    }
    if (at < keys.parents.size()) {
      return keys.parents[at];
    }
    const bool has_first = within.in != nullptr && !within.in->is_scoped() &&
                           within.in->is_seeded() && !within.in->records().empty();
    return has_first ? std::optional(within.in->records().front().key) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<nlohmann::json> OperationUrls::generated(const Parameter& parameter) {
  if (!generator_) {
    generator_.emplace(api_.contract.schemas());
  }
  return spec::contract::write::generate_value(*generator_, parameter, {.name = parameter.name});
}

std::string OperationUrls::path_value(const Operation& operation, const std::string& name) {
  constexpr std::string_view kAnything = "1";
  const Parameter* const parameter = operation.parameter(Location::kPath, name);
  const auto key = record_key(api_.fixtures.binding(operation), name);
  if (parameter == nullptr) {
    return spec::text::percent_encode(key.value_or(std::string(kAnything)));
  }
  const auto value = key ? std::optional<nlohmann::json>(*key) : generated(*parameter);
  const auto text =
      value ? spec::contract::write::write_path(*parameter, *value, api_.contract.state().version)
            : std::nullopt;
  return text.value_or(std::string(kAnything));
}

std::string OperationUrls::url_of(const Operation& operation) {
  std::string url;
  for (std::string_view rest = operation.path; !rest.empty();) {
    const std::size_t open = std::min(rest.find('{'), rest.size());
    url += spec::contract::write::write_literal(rest.substr(0, open));
    const std::size_t close = rest.find('}', open);
    if (close == std::string_view::npos) {
      break;
    }
    url += path_value(operation, std::string(rest.substr(open + 1, close - open - 1)));
    rest.remove_prefix(close + 1);
  }
  char mark = '?';
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.location != Location::kQuery || !parameter.required) {
      continue;
    }
    const auto value = generated(parameter);
    const auto fields =
        value ? spec::contract::write::write_fields(parameter, *value) : std::nullopt;
    if (fields && !fields->empty()) {
      url += mark + spec::contract::write::join_fields(*fields, "&");
      mark = '&';
    }
  }
  return url;
}

}  // namespace mock_server::control
