#pragma once

// The conditions of rules: data, no expressions (fixtures/README.md lists them). Evaluated in a
// scope; a place without a value makes every condition but `absent` and `not` false.

#include "mock_server/state/session_clock.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::api {

// The place of a value that a binding needs: a JSON pointer into the values of one call. Parsed
// once at load, then a plain walk.

// The values of a call. `record` is null if there is none.
struct Scope {
  const spec::contract::RequestReading& request;
  const nlohmann::json* record = nullptr;
};

struct Place {
  enum class Root : std::uint8_t { kPath, kQuery, kHeader, kCookie, kBody, kRecord };
  Root root = Root::kBody;
  std::vector<std::string> tokens;  // below the root, unescaped
  std::string text;                 // as it was written, "/query/page_size"
};

// Nothing when `text` is no JSON pointer or its first token is not a root.
std::optional<Place> parse_place(std::string_view text);

// The value there; null pointer when there is none.
const nlohmann::json* find(const Place& place, const Scope& scope);

// The value under `tokens`; null pointer when there is none.
const nlohmann::json* walk(const nlohmann::json* value, const std::vector<std::string>& tokens);
nlohmann::json* walk(nlohmann::json* value, const std::vector<std::string>& tokens);

// Sets the value under `tokens`, with the objects on the way there, unless something else is there.
void set_at(nlohmann::json& record, const std::vector<std::string>& tokens, nlohmann::json value);

// The value as the text that templates use: a string as it is, anything else as JSON.
std::string plain_text(const nlohmann::json& value);

// The value as the key of a record: plain_text, but for integers, which have one key however they
// are written: "7" for 7.00.
std::string key_text(const nlohmann::json& value);

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct Condition {
  enum class Kind : std::uint8_t {
    kEquals,
    kEqualsAt,
    kExists,
    kAbsent,
    kBeforeNow,
    kAfterNow,
    kAfterAt,
    kAmong,
    kContains,
    kMatches,
    kLess,
    kGreater,
    kAny,  // of `parts`
    kNot   // the one of `parts`
  };
  Kind kind = Kind::kExists;
  Place at;
  Place other;           // of kEqualsAt, kAfterAt, kAmong
  nlohmann::json value;  // of kEquals, kContains, kLess, kGreater
  std::shared_ptr<const spec::schema::patterns::Pattern> pattern{};
  std::vector<Condition> parts{};
  std::string text{};  // for people: "/query/page equals 2"
};

bool holds(const Condition& condition, const Scope& scope, state::TimePoint now);

// All of them.
bool holds(const std::vector<Condition>& conditions, const Scope& scope, state::TimePoint now);

// ", because /query/page equals 2 and ...": conditions that hold, of `any` the first part that
// does; "" for no conditions.
std::string because(const std::vector<Condition>& conditions, const Scope& scope,
                    state::TimePoint now);

// The instant that a JSON string spells.
std::optional<spec::time::Instant> instant_of(const nlohmann::json* value);

}  // namespace mock_server::api
