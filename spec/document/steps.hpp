#pragma once

// From a node to those below it, as JSON pointers name them. Pure functions. Source: RFC 6901 §4.

#include "spec/document/document.hpp"

#include <string_view>

namespace spec::document {

// The element or member of `node` that a token of a pointer names; an empty handle if there is
// none.
Node step(const Node& node, std::string_view token);

// What `pointer` names below `node`, or the last node on the way to it.
Node nearest_below(Node node, std::string_view pointer);

}  // namespace spec::document
