#pragma once

// Bodies of both directions: which declared content a message's media type falls under, what its
// bytes spell, and whether that satisfies the schema.

#include "spec/contract/checking/violations.hpp"
#include "spec/contract/plan.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace spec::contract::checking {

// The field Content-Type of a message.
struct ContentType {
  std::optional<http::MediaType> media_type;  // set when it could be read
  bool is_given = false;
  bool is_sound = true;  // given at most once, readable, of UTF-8 if it is JSON; else reported
};

ContentType read_content_type(Violations& violations, const http::Headers& headers);

// The index of the content that names `media_type` most closely; nothing if none includes it.
std::optional<std::size_t> select_content(std::span<const MediaTypeObject> contents,
                                          const http::MediaType& media_type);

// "application/json or text/csv".
std::string list_media_types(std::span<const MediaTypeObject> contents);

struct BodyRules {
  const http::MediaType& media_type;  // of the message
  const MediaTypeObject& content;
  const MediaTypePlan& plan;
  const Shapes& shapes;
  schema::Direction direction = schema::Direction::kRequest;
};

// The value of a body: parsed JSON, a form as an object, text as a string; nothing for bytes and
// for what could not be read. Violations are added.
std::optional<nlohmann::json> read_body(Violations& violations, std::string_view body,
                                        const BodyRules& rules);

}  // namespace spec::contract::checking
