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

// The key of the first record, if the path parameter `name` is the key of records.
std::optional<std::string> record_key(const fixtures::Binding* binding, const std::string& name) {
  const bool has_key = binding != nullptr && binding->key && binding->collection != nullptr &&
                       !binding->collection->records().empty() &&
                       binding->key->root == fixtures::Place::Root::kPath &&
                       binding->key->tokens.size() == 1 && binding->key->tokens.front() == name;
  return has_key ? std::optional(binding->collection->records().front().key) : std::nullopt;
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
