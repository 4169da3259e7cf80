#pragma once

// Fills an error body of the contract's own shape: the message goes into `message` and `detail`,
// else into `title` or `error`, of the body or of a nested object; the status into `status`, the
// code into `code`. Other members stay. Pure.

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string_view>

namespace mock_server::service::checks {

struct ErrorFacts {
  int status = 500;
  std::string_view code;      // "NOT_FOUND"
  std::string_view words;     // UTF-8
  bool is_generated = false;  // other members may be replaced, too
};

// Whether a changed body still satisfies its schema.
using Fits = std::function<bool(const nlohmann::json&)>;

// Makes each change only if the body stays valid. True if the body now has the whole message.
// Source for `status`, `title` and `detail`: RFC 9457 §3.1.
bool fill_error_body(nlohmann::json& body, const ErrorFacts& facts, const Fits& fits);

}  // namespace mock_server::service::checks
