#pragma once

// Reads `content` maps: media types, their schemas and examples, how forms are encoded, and how the
// bytes of each will be read.

#include "spec/contract/loading/context.hpp"

#include <vector>

namespace spec::contract::loading {

// Every entry of `map` in document order. Source: OpenAPI 3.1.0 §4.8.14, §4.8.15.
std::vector<MediaTypeObject> load_contents(LoadContext& context, const document::Node& map,
                                           schema::Direction direction);

}  // namespace spec::contract::loading
