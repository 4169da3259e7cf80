#pragma once

// Bodies of requests and responses: selects the declared content for a message's media type,
// decodes the bytes and validates the value.

#include "spec/contract/checking/violation_list.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace spec::contract::checking {

// The Content-Type field of a message.
struct ContentType {
  std::optional<http::MediaType> media_type;  // set when it could be read
  bool is_given = false;
  bool is_sound = true;  // given at most once, readable, of UTF-8 if it is JSON; else reported
};

ContentType read_content_type(Violations& violations, const http::Headers& headers);

// The content that names `media_type` most closely; null if none includes it.
const MediaTypeObject* select_content(std::span<const MediaTypeObject> contents,
                                      const http::MediaType& media_type);

// The content for the message's Content-Type; null if the message has none that can be read.
const MediaTypeObject* select_content(std::span<const MediaTypeObject> contents,
                                      const http::Headers& headers);

// "application/json or text/csv".
std::string list_media_types(std::span<const MediaTypeObject> contents);

struct BodyRules {
  const http::MediaType& media_type;  // of the message
  const MediaTypeObject& content;
  const Shapes& shapes;
  schema::Direction direction = schema::Direction::kRequest;
  const nlohmann::json* json = nullptr;  // the body in JSON, if the caller has read it already
  bool goes_on = false;                  // more items would have come
};

// The value of a body: parsed JSON, a form as an object, text as a string. None for bytes, for a
// body that cannot be read, and for a value that the caller has already. Adds violations.
std::optional<nlohmann::json> read_body(Violations& violations, std::string_view body,
                                        const BodyRules& rules);

// Validates the items of a body: events, lines of JSON, records. The item at fault is the first
// token of a violation's instance.
void validate_items(Violations& violations, std::string_view body, const BodyRules& rules);

// `bytes` as UTF-8, decoded from the character set that the media type names. None if they are
// invalid there, a violation, or if the character set is unknown, which leaves the message
// undecided.
std::optional<std::string> decoded_text(Violations& violations, const MessagePlace& where,
                                        std::string_view bytes, const http::MediaType& media_type,
                                        const BodyRules& rules);

}  // namespace spec::contract::checking
