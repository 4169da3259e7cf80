#pragma once

// Believable values, by a member's name or a format, that agree with the other values of their
// object. Pure functions. Used by this folder only.

#include "spec/schema/generate/scene.hpp"
#include "spec/schema/generate/word_tables.hpp"
#include "spec/text/random.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace spec::schema::generate {

// The use of a text.
struct TextContext {
  std::string_view name;  // of the member; "" if there is none
  const Scene& scene;
  std::uint64_t index = 0;  // in an array of texts
  bool is_spread = false;   // many must differ, or the usual text is not valid
  std::uint64_t max_length = std::numeric_limits<std::uint64_t>::max();
  std::string_view id_start{};  // of an identifier, where something says it
};

// A way to make texts: a function, or one of a list of words.
struct Kind {
  std::string_view name;
  std::string (*make)(const TextContext&, text::Random&) = nullptr;
  const Words* words = nullptr;
};

// Null for an unknown kind.
const Kind* find_kind(std::string_view name);

// The kind of a format (JSON Schema's and OpenAPI's names), and of a method of faker.js; null for
// an unknown one.
const Kind* kind_of_format(std::string_view format);
const Kind* kind_of_hint(std::string_view method);

// What the names of an object are, by its schema's or its member's name; null if unknown.
const Kind* kind_of_thing(std::string_view name);

// True for names of members that only hold what the whole is: "data", "attributes".
bool is_wrapper(std::string_view name);

bool is_of_person(const Kind* thing);
// True if its names are those of a company, a shop or a team, and nobody's.
bool is_of_company(const Scene& scene);

// The time of a member, seen from the creation of its record.
enum class NameTime : std::uint8_t { kOther, kBirth, kCreation, kSoon, kLater };

// What a member's name says of its values.
struct NameUsage {
  std::string snake;            // the name in snake case
  std::string plain;            // its letters and digits in lower case
  std::string amount;           // that without "cents" and the like
  const Kind* thing = nullptr;  // what an object of that name is, or a schema
  bool agrees = false;          // its value has to do with those beside it: make_agree()
  const Kind* text = nullptr;   // null if unknown
  NameTime time = NameTime::kOther;
  bool is_date = false;    // its texts are dates
  bool is_id = false;      // "id", "customer_id"
  bool is_epoch = false;   // its integers are seconds since 1970
  bool is_absent = false;  // in a success
  bool is_person = false;  // only people have it
  bool is_own = false;     // only people have it of their own: no "author" of something else
  std::string role;        // whose it is: "manager" of "manager_name"; "" if it is no role's
  bool is_mail = false;    // people and companies have it
  bool is_place = false;   // only addresses have it
  bool is_record = false;  // what has it is more than the frame of a list
  std::optional<NumberRange> range;
};

// Kept for each name.
const NameUsage& usage_of(std::string_view name);

// A word in lower case, for names of members.
std::string some_word(text::Random& random);

std::string text_of(const Kind& kind, const TextContext& context, text::Random& random);

// A text for a member of that name; a plain word for an unknown name.
std::string text_for(const TextContext& context, text::Random& random);

// The time of the member in seconds since 1970.
std::int64_t time_for(const TextContext& context, text::Random& random);

// Another text of the same form as the example of an identifier or code: "INV-0417" for "INV-2231".
std::string alike(std::string_view example, text::Random& random);

}  // namespace spec::schema::generate
