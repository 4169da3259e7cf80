#include "mock_server/api/error_table.hpp"

#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>

namespace mock_server::api {
namespace {

struct DefaultError {
  std::string_view name;
  int status;
  std::string_view code;
  std::string_view message;
};

// In the order of ErrorKind.
constexpr std::array<DefaultError, ErrorTable::kKinds> kDefaults{{
    {"malformed_request", 400, "BAD_REQUEST", "{details}"},
    {"undecodable_parameters", 400, "INVALID_QUERY_PARAMS", "{details}"},
    {"undecodable_path", 400, "INVALID_PATH_PARAMS", "{details}"},
    {"undecodable_headers", 400, "INVALID_HEADERS", "{details}"},
    {"undecodable_cookies", 400, "INVALID_COOKIES", "{details}"},
    {"invalid_parameters", 422, "INVALID_REQUEST_PARAMETERS", "{details}"},
    {"invalid_body", 422, "INVALID_REQUEST_BODY", "{details}"},
    {"unreadable_preference", 400, "INVALID_PREFERENCE", "{details}"},
    {"unknown_preference", 404, "UNKNOWN_PREFERENCE", "{details}"},
    {"unauthorized", 401, "UNAUTHORIZED", "{details}"},
    {"forbidden", 403, "FORBIDDEN", "{details}"},
    {"unknown_path", 404, "NOT_FOUND", "{details}"},
    {"not_found", 404, "NOT_FOUND", "{details}"},
    {"method_not_allowed", 405, "METHOD_NOT_ALLOWED", "{details}"},
    {"not_acceptable", 406, "NOT_ACCEPTABLE", "{details}"},
    {"conflict", 409, "CONFLICT", "{details}"},
    {"too_large", 413, "PAYLOAD_TOO_LARGE", "{details}"},
    {"unsupported_media_type", 415, "UNSUPPORTED_MEDIA_TYPE", "{details}"},
    {"range_not_satisfiable", 416, "RANGE_NOT_SATISFIABLE", "{details}"},
    {"too_many_requests", 429, "TOO_MANY_REQUESTS", "{details}"},
    {"internal", 500, "INTERNAL_SERVER_ERROR", "{details}"},
    {"not_implemented", 501, "NOT_IMPLEMENTED", "{details}"},
}};

// "Not Found" -> "NOT_FOUND".
std::string upper_snake(std::string_view phrase) {
  std::string code;
  for (const char c : phrase) {
    code += spec::text::is_letter_or_digit(c) ? spec::text::to_upper(c) : '_';
  }
  return code;
}

}  // namespace

std::string ErrorEntry::message_with(std::string_view details) const {
  constexpr std::string_view kSlot = "{details}";
  std::string text = message;
  if (const std::size_t at = text.find(kSlot); at != std::string::npos) {
    text.replace(at, kSlot.size(), details);
  }
  return text;
}

ErrorTable::ErrorTable() {
  for (std::size_t index = 0; index < kKinds; ++index) {
    const DefaultError& entry = kDefaults[index];
    entries_[index] = {entry.status, std::string(entry.code), std::string(entry.message)};
  }
}

ErrorEntry ErrorTable::for_status(int status) const {
  for (std::size_t index = 0; index < kKinds; ++index) {
    const auto kind = static_cast<ErrorKind>(index);
    const bool is_preference =
        kind == ErrorKind::kUnreadablePreference || kind == ErrorKind::kUnknownPreference;
    if (!is_preference && entries_[index].status == status) {
      return entries_[index];
    }
  }
  const std::string_view phrase = spec::http::reason_phrase(status);
  return {status, phrase.empty() ? "ERROR_" + std::to_string(status) : upper_snake(phrase),
          "{details}"};
}

std::optional<ErrorKind> parse_error_kind(std::string_view name) {
  const auto found = std::ranges::find(kDefaults, name, &DefaultError::name);
  if (found == kDefaults.end()) {
    return std::nullopt;
  }
  return static_cast<ErrorKind>(found - kDefaults.begin());
}

std::vector<std::string_view> error_kind_names() {
  std::vector<std::string_view> names;
  for (const DefaultError& entry : kDefaults) {
    names.push_back(entry.name);
  }
  return names;
}

}  // namespace mock_server::api
