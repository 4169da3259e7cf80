#pragma once

// The values of YAML scalars and tags: the core schema of YAML 1.2.2 (§10.3.2), as far as JSON has
// them. `no`, `on`, `y`, dates and 1_000 are strings; 0o17 and 0x1F are numbers. Pure functions.

#include "spec/document/document.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::document {

struct Scalar {
  Kind kind = Kind::kString;
  // A number as JSON text, a boolean as "true" or "false"; unused for other kinds.
  std::string text{};
  // The reason why the scalar is rejected, if its value is none of JSON's.
  std::string problem{};
};

// The value of a scalar; `tag` is resolved ("tag:yaml.org,2002:int"). A tag that is not the core
// schema's, or that the text does not match, is a problem.
Scalar resolve_scalar(std::string_view text, bool plain,
                      const std::optional<std::string_view>& tag);

// The value of a plain scalar without tag.
Scalar resolve_plain(std::string_view text);

// The problem of `tag` on a collection of `kind`; "" if there is none.
std::string collection_tag_problem(Kind kind, const std::optional<std::string_view>& tag);

}  // namespace spec::document
