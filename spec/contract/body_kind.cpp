#include "spec/contract/body_kind.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace spec::contract {

namespace {

bool is_text(const http::MediaType& media_type) {
  return media_type.type == "text" || media_type.subtype == "xml" ||
         media_type.subtype.ends_with("+xml") || is_json_lines(media_type) ||
         is_json_sequence(media_type) || media_type.subtype == "yaml" ||
         media_type.subtype == "x-yaml" || media_type.subtype == "javascript";
}

// Binary formats that carry arrays and objects of their own: there an array of integers is not the
// bytes.
bool is_structured_format(const http::MediaType& media_type) {
  static constexpr std::array<std::string_view, 9> kNames{
      "msgpack",  "x-msgpack",  "vnd.msgpack",        "cbor", "bson", "avro",
      "protobuf", "x-protobuf", "vnd.google.protobuf"};
  return std::ranges::find(kNames, media_type.subtype) != kNames.end() ||
         media_type.subtype.ends_with("+cbor") || media_type.subtype.ends_with("+protobuf");
}

// Bytes can be read as text or as an array of integers.
bool describes_bytes(const http::MediaType& media_type, const Shape* shape, const Shapes& shapes) {
  if (shape == nullptr || !shape->is_typed || shape->is_binary ||
      shape->allows(schema::kStringType)) {
    return true;
  }
  if (!shape->allows(schema::kArrayType) || is_text(media_type) ||
      is_structured_format(media_type) || !shape->prefix_items.empty()) {
    return false;
  }
  return !shape->items || shapes[*shape->items].allows(schema::kIntegerType);
}

}  // namespace

BodyKind body_kind(const http::MediaType& media_type, const Shape* shape, const Shapes& shapes) {
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
  return describes_bytes(media_type, shape, shapes) ? BodyKind::kBytes : BodyKind::kUnchecked;
}

bool is_json_sequence(const http::MediaType& media_type) {
  return media_type.subtype == "json-seq" || media_type.subtype.ends_with("+json-seq");
}

bool is_json_lines(const http::MediaType& media_type) {
  static constexpr std::array<std::string_view, 5> kNames{"x-ndjson", "ndjson", "jsonl",
                                                          "x-jsonlines", "jsonlines"};
  return std::ranges::find(kNames, media_type.subtype) != kNames.end();
}

bool is_event_stream(const http::MediaType& media_type) {
  return media_type.type == "text" && media_type.subtype == "event-stream";
}

bool is_binary_format(const http::MediaType& media_type) {
  static constexpr std::array<std::string_view, 10> kNames{
      "octet-stream", "pdf",   "zip",     "gzip",    "x-gzip",
      "x-tar",        "x-zip", "x-bzip2", "vnd.rar", "wasm"};
  const bool is_media = media_type.type == "image" || media_type.type == "audio" ||
                        media_type.type == "video" || media_type.type == "font";
  return (is_media && !is_text(media_type)) || is_structured_format(media_type) ||
         (media_type.type == "application" &&
          std::ranges::find(kNames, media_type.subtype) != kNames.end());
}

bool is_opaque_format(const http::MediaType& media_type) {
  return is_binary_format(media_type) && !is_structured_format(media_type) &&
         media_type.subtype != "octet-stream";
}

}  // namespace spec::contract
