#pragma once

// Values of a response that are made for each call: from the request or the record, by the
// session's clock, its counters and its seed. Data, no language: fixtures/README.md lists them.
// Const after load.

#include "mock_server/api/condition.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/contract/contract.hpp"
#include "spec/document/document.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::api {

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct TemplateValue {
  enum class Kind : std::uint8_t { kFrom, kNow, kNext, kRandom };
  // The form that the response's schema takes: as it is made; as a text; of a time the date, or
  // the seconds since 1970.
  enum class Form : std::uint8_t { kAsIs, kText, kDate, kSeconds };

  Kind kind = Kind::kFrom;
  Place from;
  std::chrono::seconds later{0};  // than now
  std::string name;               // of the counter, or of what is drawn
  std::optional<Form> form;       // chosen when the response is validated
  std::string header;             // that has the value; "" for the body
  std::vector<std::string> at;    // in the body
  spec::document::Node node;
};

// NOLINTNEXTLINE(bugprone-exception-escape): as above.
struct ResponseTemplate {
  nlohmann::json body;
  std::vector<TemplateValue> values;
  const spec::contract::MediaTypeObject* items = nullptr;  // if set, the body is a stream of it
};

// The bytes of a body: JSON, or items.
std::string body_text(const ResponseTemplate& made, const nlohmann::json& body);

// The words of templates, each the only member of its object.
inline constexpr std::array<std::string_view, 4> kTemplateWords{"from", "now", "next", "random"};
// The word before an object that would be a template: it is sent as it is.
inline constexpr std::string_view kLiteral = "literal";

// The names of what can be drawn.
inline constexpr std::array<std::string_view, 3> kDrawn{"uuid", "hex", "integer"};

// `body` as a template that makes exactly this body.
nlohmann::json as_literal(nlohmann::json body);

// Puts `made` at the value's place; nothing: that member, element or header is left out.
void put_made(const TemplateValue& value, std::optional<nlohmann::json> made, nlohmann::json& body,
              spec::http::Headers& headers);

// The value in its form; nothing if the request, or the record, has none there.
std::optional<nlohmann::json> make_value(const TemplateValue& value, const Scope& scope,
                                         state::Session& session, std::uint64_t seed);

// The same for a time, a number or a text that was made.
nlohmann::json in_form(TemplateValue::Form form, nlohmann::json made);

// Makes body and headers of `response` anew. Counters of the session go on.
void fill(const ResponseTemplate& made, const Scope& scope, state::Session& session,
          std::uint64_t seed, spec::http::Response& response);

}  // namespace mock_server::api
