#pragma once

// Bodies of both directions: which declared content a message's media type falls under, what its
// bytes spell, and whether that satisfies the schema.

#include "spec/contract/checking/violation_list.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace spec::contract::checking {

// The field Content-Type of a message.
struct ContentType {
  std::optional<http::MediaType> media_type;  // set when it could be read
  bool is_given = false;
  bool is_sound = true;  // given at most once, readable, of UTF-8 if it is JSON; else reported
};

ContentType read_content_type(Violations& violations, const http::Headers& headers);

// The content that names `media_type` most closely; null if none includes it.
const MediaTypeObject* select_content(std::span<const MediaTypeObject> contents,
                                      const http::MediaType& media_type);

// That of the message's Content-Type; null without one that can be read.
const MediaTypeObject* select_content(std::span<const MediaTypeObject> contents,
                                      const http::Headers& headers);

// "application/json or text/csv".
std::string list_media_types(std::span<const MediaTypeObject> contents);

struct BodyRules {
  const http::MediaType& media_type;  // of the message
  const MediaTypeObject& content;
  const Shapes& shapes;
  schema::Direction direction = schema::Direction::kRequest;
  const nlohmann::json* json = nullptr;  // the body in JSON, where the caller has read it already
};

// The value of a body: parsed JSON, a form as an object, text as a string; nothing for bytes, for
// what could not be read, and for what the caller has. Violations are added.
std::optional<nlohmann::json> read_body(Violations& violations, std::string_view body,
                                        const BodyRules& rules);

// `bytes` as UTF-8, from the character set that the media type names. Nothing where they are not of
// it, a violation, or it is not known here, which leaves the message undecided.
std::optional<std::string> decoded_text(Violations& violations, const Where& where,
                                        std::string_view bytes, const http::MediaType& media_type,
                                        const BodyRules& rules);

}  // namespace spec::contract::checking
