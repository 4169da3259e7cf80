#pragma once

// JSON Patch: a list of operations, applied to a value. Source: RFC 6902.
// Pure functions, safe from any thread.

#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace spec::json {

struct PatchError {
  bool is_of_target = false;  // the patch is one, but the value is not as it needs it
  std::string pointer;        // into the patch: "/1/path"
  std::string message;        // "must be the place of a value, but there is none at /a/b"
};

// Applies all operations of `patch` to `target`, or none. Numbers are compared exactly (§4.6). A
// result that nests more than 128 levels, as readers take it, or holds more than 4 MiB of values
// and texts is an error of the patch.
Result<nlohmann::json, PatchError> apply_patch(nlohmann::json target, const nlohmann::json& patch);

}  // namespace spec::json
