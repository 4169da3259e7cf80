#pragma once

// Status, code and message of errors, by kind. Data with defaults; `errors:` in operations.yaml
// replaces entries. fixtures/README.md shows the table.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::api {

enum class ErrorKind : std::uint8_t {
  kMalformedRequest,
  kUndecodableParameters,  // of the query
  kUndecodablePath,
  kUndecodableHeaders,
  kUndecodableCookies,
  kInvalidParameters,
  kInvalidBody,
  kUnreadablePreference,
  kUnknownPreference,
  kUnauthorized,
  kForbidden,
  kUnknownPath,
  kNotFound,
  kMethodNotAllowed,
  kNotAcceptable,
  kConflict,
  kTooLarge,
  kUnsupportedMediaType,
  kRangeNotSatisfiable,
  kTooManyRequests,
  kInternal,
  kNotImplemented
};

struct ErrorEntry {
  int status = 500;
  std::string code;
  std::string message;  // "{details}" is replaced by the details

  std::string message_with(std::string_view details) const;
};

class ErrorTable {
 public:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(ErrorKind::kNotImplemented) + 1;

  // The defaults.
  ErrorTable();

  const ErrorEntry& operator[](ErrorKind kind) const {
    return entries_[static_cast<std::size_t>(kind)];
  }

  ErrorEntry& operator[](ErrorKind kind) { return entries_[static_cast<std::size_t>(kind)]; }

  // The entry for a status: the first kind that has it, else a code made from the reason phrase.
  ErrorEntry for_status(int status) const;

 private:
  std::array<ErrorEntry, kKinds> entries_;
};

// "not_found" and so on; nothing for an unknown name.
std::optional<ErrorKind> parse_error_kind(std::string_view name);
// Every name, in the table's order.
std::vector<std::string_view> error_kind_names();

}  // namespace mock_server::api
