#include "mock_server/record/bodies.hpp"

#include "spec/contract/checking/message_body.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/media_type.hpp"
#include "spec/text/utf8.hpp"

namespace mock_server::record {

BodyForm form_of(const spec::http::Headers& headers, std::string_view body) {
  if (body.empty()) {
    return BodyForm::kNone;
  }
  const auto type = spec::http::parse_media_type(headers.find("Content-Type").value_or(""));
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  const bool looks_like_json =
      !type && first != std::string_view::npos && (body[first] == '{' || body[first] == '[');
  if (looks_like_json || (type && type->is_json())) {
    return BodyForm::kJson;
  }
  if (!spec::text::is_utf8(body)) {
    return BodyForm::kBytes;
  }
  if (type && type->essence() == "application/x-www-form-urlencoded") {
    return BodyForm::kForm;
  }
  const bool is_text = !type || type->type == "text" || type->subtype.ends_with("xml") ||
                       type->subtype == "javascript";
  return is_text ? BodyForm::kText : BodyForm::kBytes;
}

std::optional<spec::schema::SchemaId> request_schema(const spec::contract::Operation* operation,
                                                     const spec::http::Request& request) {
  const auto type = spec::http::parse_media_type(
      request.headers.find("Content-Type").value_or("application/json"));
  if (operation == nullptr || !operation->body || !type) {
    return std::nullopt;
  }
  const auto& contents = operation->body->contents;
  const auto* const content = spec::contract::checking::select_content(contents, *type);
  return content != nullptr ? content->schema : std::nullopt;
}

spec::http::Headers without_transfer(const spec::http::Headers& headers) {
  spec::http::Headers kept;
  for (const auto& [name, value] : headers.lines()) {
    if (!spec::http::is_of_transfer(name)) {
      kept.add(name, value);
    }
  }
  return kept;
}

}  // namespace mock_server::record
