#pragma once

// Exact numbers over nlohmann::json, which has only int64, uint64 and double. A double stands for
// the shortest decimal that reads back as it (0.07 is 7/100). A number that none of the three
// prints back as it was written is stored with its text, in a way that only this folder knows; so
// use these functions, never nlohmann's `value.is_number()`, `value.get<double>()` or `a == b`.
// Pure functions, safe from any thread.

#include <nlohmann/json_fwd.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spec::json {

class KeyedHash;

// JSON's six types, as JSON Schema 2020-12 Core §4.2.1 names them.
enum class Type : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

// The type of `value`, exact numbers included.
Type type_of(const nlohmann::json& value);

bool is_number(const nlohmann::json& value);

// True when `text` is a JSON number, and nothing else, whose exponent a reader takes (at most 18
// digits). Source: RFC 8259 §6.
bool is_number_text(std::string_view text);

// The number that `text` spells, in its lasting form. Precondition: `text` is a JSON number (RFC
// 8259 §6). An exponent beyond ±10^18 counts as that; readers reject it.
nlohmann::json make_number(std::string_view text);

// The number as JSON text: as it was written where it was read, else the shortest.
// Precondition: is_number(number) (also below).
std::string number_text(const nlohmann::json& number);

// The number as a text that names a record: the same for equal numbers however they are written,
// another for any other. "7" for 7.00, "1.5" for 15e-1; with an exponent only where it would have
// more than 40 zeros at an end ("1e400").
std::string number_key(const nlohmann::json& number);

// Appends number_text(number) to `out`.
void append_number(std::string& out, const nlohmann::json& number);

// True for a number without fractional part: 1, 1.0, 1e2 (JSON Schema 2020-12 Core §4.2.3); false
// for any other value.
bool is_integer(const nlohmann::json& value);

// Exact order of two numbers of any size.
std::strong_ordering compare_numbers(const nlohmann::json& left, const nlohmann::json& right);

// True when `number` / `divisor` is an integer, exactly. Precondition: divisor > 0.
bool is_multiple_of(const nlohmann::json& number, const nlohmann::json& divisor);

// Adds the number to the hash: equal numbers add the same, others do not.
void add_number(KeyedHash& hash, const nlohmann::json& number);

// The value as int64 if it is an integer in that range, whatever its spelling; none for any other
// value.
std::optional<std::int64_t> to_int64(const nlohmann::json& value);

// The nearest double; infinite beyond the range.
double to_double(const nlohmann::json& number);

}  // namespace spec::json
