#pragma once

// Names of the members of errors, and words of their codes, as data. To add one, add it to its
// list; names are plain: "statuscode" for "status_code".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::checks {

// What a member of an error says.
enum class Says : std::uint8_t {
  kNothing,
  kMessage,
  kTitle,
  kStatus,
  kCode,
  kField,
  kPointer,
  kPart,  // of the request
  kSource,
  kPath,  // of the request
  kTime,
  kIdentifier,  // of the request or of this error
};

// `is_element`: of an object in a list.
Says said_by(std::string_view plain_name, bool is_element);

// Flags, and objects with a member for each field.
inline constexpr std::string_view kSuccesses = "success ok succeeded issuccess issuccessful";
inline constexpr std::string_view kFailures = "error iserror haserror haserrors failed failure";
inline constexpr std::string_view kMaps =
    "errors fielderrors fields details violations validationerrors validation messages "
    "errormessages invalidparams modelstate";

bool has_word(std::string_view list, std::string_view word);

// Codes that services send with the status, or for a violated rule: the best first.
std::string words_of_status(int status);
std::string_view rule_words(std::string_view rule);

// The value that is one of the words, else that contains one, else the first; null of none.
const std::string* best_of(const std::vector<std::string>& values, std::string_view words);

}  // namespace mock_server::service::checks
