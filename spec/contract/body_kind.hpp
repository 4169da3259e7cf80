#pragma once

// How the bytes under a media type are read.

#include "spec/contract/plan.hpp"

namespace spec::contract {

// `shape` is that of the schema, null for none. kByMediaType for a range.
BodyKind body_kind(const http::MediaType& media_type, const Shape* shape);

}  // namespace spec::contract
