#pragma once

// Fills the body of an error that a contract declares with what is known of the error. Pure
// functions.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::checks {

// One violation of a request.
struct ErrorDetail {
  std::string part;     // "body"
  std::string pointer;  // "/address/city" inside that part
  std::string rule;     // "required"
  std::string words;    // "must be at most 100, but is 101"
};

struct ErrorFacts {
  int status = 500;
  std::string_view code;      // "NOT_FOUND"
  std::string_view words;     // UTF-8
  bool is_generated = false;  // other members may be replaced, or left out, too
  std::vector<ErrorDetail> details;
  std::string_view path{};  // of the request
  std::string now{};        // "2026-01-31T12:00:00.000000Z"
  std::int64_t seconds = 0;
  // What the schema lists at a place of the body: the values of an enum, the members of an object.
  std::function<std::vector<std::string>(const std::vector<std::string>& at)> listed{};
};

// True if a changed body still satisfies its schema.
using Fits = std::function<bool(const nlohmann::json&)>;

// Makes each change only if the body stays valid. True if the body now has the whole message. A
// list of errors has one element for each detail, an object of errors a member for each field; of a
// generated body, members that nothing is known of are left out. Source for `status`, `title` and
// `detail`: RFC 9457 §3.1; for `source`: JSON:API 1.1, Error Objects.
bool fill_error_body(nlohmann::json& body, const ErrorFacts& facts, const Fits& fits);

}  // namespace mock_server::service::checks
