#include "spec/contract/body_kind.hpp"

namespace spec::contract {

namespace {

// An array of integers, or text, is what bytes can be read as.
bool describes_bytes(const Shape& shape) {
  return !shape.is_typed || shape.is_binary || shape.allows(kStringBit | kArrayBit);
}

bool is_text(const http::MediaType& media_type) {
  return media_type.type == "text" || media_type.subtype == "xml" ||
         media_type.subtype.ends_with("+xml") || media_type.subtype == "x-ndjson" ||
         media_type.subtype == "yaml" || media_type.subtype == "javascript";
}

}  // namespace

BodyKind body_kind(const http::MediaType& media_type, const Shape* shape) {
  if (media_type.subtype == "*") {
    return BodyKind::kByMediaType;
  }
  if (media_type.is_json()) {
    return BodyKind::kJson;
  }
  if (media_type.type == "application" && media_type.subtype == "x-www-form-urlencoded") {
    return BodyKind::kForm;
  }
  if (media_type.type == "multipart") {
    return media_type.subtype == "form-data" ? BodyKind::kMultipart : BodyKind::kUnchecked;
  }
  const bool is_scalar = shape == nullptr || !shape->is_typed || shape->allows(kScalarBits);
  if (is_text(media_type) && is_scalar && (shape == nullptr || !shape->is_binary)) {
    return BodyKind::kText;
  }
  return shape == nullptr || describes_bytes(*shape) ? BodyKind::kBytes : BodyKind::kUnchecked;
}

}  // namespace spec::contract
