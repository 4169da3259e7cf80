#pragma once

// How the bytes under a media type are read.

#include "spec/contract/contract.hpp"

namespace spec::contract {

// `shape` is that of the schema, one of `shapes`; null for none. kByMediaType for a range.
BodyKind body_kind(const http::MediaType& media_type, const Shape* shape, const Shapes& shapes);

// Lines of JSON, and JSON texts that each follow a record separator.
// Source: RFC 7464 §4, RFC 8091, and the specifications of NDJSON and JSON Lines.
bool is_json_sequence(const http::MediaType& media_type);
bool is_json_lines(const http::MediaType& media_type);

// Source: HTML, §9.2.
bool is_event_stream(const http::MediaType& media_type);

// Whether a media type is binary: PDF, images, application/octet-stream.
bool is_binary_format(const http::MediaType& media_type);

// Of those, the ones whose bytes are opaque: no format that carries arrays and objects of its own
// (MessagePack, CBOR), and not octet-stream, which may be anything.
bool is_opaque_format(const http::MediaType& media_type);

}  // namespace spec::contract
