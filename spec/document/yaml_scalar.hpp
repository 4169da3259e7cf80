#pragma once

// What YAML scalars and tags mean: the core schema of YAML 1.2.2 (§10.3.2), and what of it JSON can
// hold. `no`, `on`, `y`, dates and 1_000 are strings; 0o17 and 0x1F are numbers. Pure functions.

#include "spec/document/document.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::document {

struct Scalar {
  Kind kind = Kind::kString;
  // A number as JSON text, a boolean as "true" or "false"; unused for other kinds.
  std::string text{};
  // Set when the scalar has a meaning that no JSON value has: why it is rejected.
  std::string problem{};
};

// The meaning of a scalar; `tag` is resolved ("tag:yaml.org,2002:int"). A tag that is not the core
// schema's, or that the text does not fit, is a problem.
Scalar resolve_scalar(std::string_view text, bool plain,
                      const std::optional<std::string_view>& tag);

// The meaning of a plain scalar without tag.
Scalar resolve_plain(std::string_view text);

// What is wrong with `tag` on a collection of `kind`; empty if nothing.
std::string collection_tag_problem(Kind kind, const std::optional<std::string_view>& tag);

}  // namespace spec::document
