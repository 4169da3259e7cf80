#pragma once

// What was wrong, told in an error body of a shape that is not the service's own: the words go into
// the members that hold words (`message`, `detail`, `title` ..., nested ones too), the status into
// those that hold one. The rest is left as it is. Pure.

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string_view>

namespace mock_server::service {

struct ErrorFacts {
  int status = 500;
  std::string_view code;    // "NOT_FOUND"
  std::string_view words;   // UTF-8
  std::string_view path;    // of the request, still encoded
  bool is_made_up = false;  // the body is a sample: what it says besides may be replaced too
};

// Whether a changed body still keeps its schema.
using Fits = std::function<bool(const nlohmann::json&)>;

// Each change is made only if the body then fits. True when the words now stand in it, uncut.
// Source for `status`, `title`, `type` and `instance` of a problem: RFC 9457 §3.1.
bool tell(nlohmann::json& body, const ErrorFacts& facts, const Fits& fits);

}  // namespace mock_server::service
