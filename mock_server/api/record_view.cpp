#include "mock_server/api/record_view.hpp"

#include "mock_server/reply/json_response.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace mock_server::api {

namespace {

// Null where the operation declares no JSON for the status.
const spec::contract::MediaTypeObject* json_content_of(const spec::contract::Operation& operation,
                                                       int status) {
  const auto* const declared = operation.response(status);
  return declared != nullptr ? spec::contract::json_content(declared->contents) : nullptr;
}

void set_type_of(const spec::contract::MediaTypeObject& content, spec::http::Response& response) {
  if (content.media_type.is_json()) {
    response.headers.set("Content-Type", std::string(content.place.key()));
  }
}

}  // namespace

void set_json_type(const spec::contract::Operation& operation, spec::http::Response& response) {
  if (const auto* const content = json_content_of(operation, response.status)) {
    set_type_of(*content, response);
  }
}

spec::http::Response operation_response(const spec::contract::Contract& contract,
                                        const spec::contract::Operation& operation, int status,
                                        const nlohmann::json& body) {
  const auto* const content = json_content_of(operation, status);
  if (content == nullptr) {
    return reply::json_response(status, body);
  }
  spec::http::Response response =
      contract.schemas().has_write_only()
          ? reply::json_response(status, without_write_only(contract, content->schema, body))
          : reply::json_response(status, body);
  set_type_of(*content, response);
  return response;
}

std::optional<spec::schema::AppliedSchema> response_schema(
    const spec::contract::Contract& contract, const spec::contract::Operation& operation,
    int status) {
  const auto* const content = json_content_of(operation, status);
  return content != nullptr && content->schema
             ? std::optional(spec::schema::AppliedSchema{&contract.schemas(), *content->schema})
             : std::nullopt;
}

nlohmann::json named_record(const Binding& binding, const nlohmann::json& record) {
  nlohmann::json shown = record;
  for (const auto& [name, own] : binding.names) {
    if (const auto value = record.find(own); value != record.end() && !record.contains(name)) {
      shown[name] = *value;
    }
  }
  return shown;
}

nlohmann::json shown_record(const Binding& binding, const nlohmann::json& record) {
  nlohmann::json shown = named_record(binding, record);
  for (const std::string& name : binding.hide) {
    shown.erase(name);
  }
  return shown;
}

nlohmann::json wrap_elements(const std::vector<std::string>& into, nlohmann::json elements) {
  nlohmann::json body = std::move(elements);
  for (auto token = into.rbegin(); token != into.rend(); ++token) {
    nlohmann::json outer =
        *token == "0" ? nlohmann::json::array() : nlohmann::json(nlohmann::json::object());
    if (*token == "0") {
      outer.push_back(std::move(body));
    } else {
      outer[*token] = std::move(body);
    }
    body = std::move(outer);
  }
  return body;
}

std::string describe(const Collection& collection, const Record& record) {
  return record.node.file_and_line() + ": " + collection.name() + '/' + record.key;
}

std::optional<std::string> key_given(const Binding& binding, const Scope& scope) {
  if (binding.collection->is_single()) {
    return binding.collection->name();
  }
  const nlohmann::json* const key = binding.key ? find(*binding.key, scope) : nullptr;
  return key != nullptr ? std::optional(key_text(*key)) : std::nullopt;
}

std::optional<std::filesystem::path> find_record_file(
    const std::vector<std::filesystem::path>& folders, std::string_view name) {
  const std::filesystem::path path = std::string(name);
  const bool stays_inside = !path.empty() && path.is_relative() &&
                            std::ranges::find(path, "..") == path.end() &&
                            name.find('\0') == std::string_view::npos;
  const auto found = std::find_if(folders.rbegin(), folders.rend(), [&](const auto& folder) {
    std::error_code error;
    return stays_inside && std::filesystem::is_regular_file(folder / path, error);
  });
  return found == folders.rend() ? std::nullopt : std::optional(*found / path);
}

}  // namespace mock_server::api
