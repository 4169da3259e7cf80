#pragma once

// What was wrong, in an error body of a shape that is the contract's own: the words go into
// `message` and `detail`, else into `title` or `error`, of the body or of an object further in; the
// status into `status`, the code into `code`. Every other member stays as it is. Pure.

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string_view>

namespace mock_server::service {

struct ErrorFacts {
  int status = 500;
  std::string_view code;      // "NOT_FOUND"
  std::string_view words;     // UTF-8
  bool is_generated = false;  // what the body says besides may be replaced too
};

// Whether a changed body still satisfies its schema.
using Fits = std::function<bool(const nlohmann::json&)>;

// Each change is made only if the body then fits. True when the body now has the words, uncut.
// Source for `status`, `title` and `detail`: RFC 9457 §3.1.
bool fill_error_body(nlohmann::json& body, const ErrorFacts& facts, const Fits& fits);

}  // namespace mock_server::service
