#pragma once

// The tables of words/: people and places by region, texts by kind, and what the names of members
// mean. Built into the program, read at first use. Used by this folder only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::generate {

using Words = std::vector<std::string>;

struct Place {
  std::string city;
  std::string region;
  std::string region_code;
  std::string postal_code;
  std::string time_zone;
  std::string latitude;
  std::string longitude;
};

// A country, and what is usual there.
struct Region {
  std::string country;
  std::string code;
  std::string code3;
  std::string currency;
  std::string language;
  std::string phone;  // the start of a number
  std::size_t phone_digits = 0;
  Words first_names;
  Words last_names;
  Words streets;
  std::vector<Place> places;
};

// Names that mean one kind, in the spelling of is_named().
struct NameRow {
  std::string kind;
  Words names;
};

// The usual range of a number.
struct NumberRange {
  std::int64_t low = 1;
  std::int64_t high = 1000;
};

// A total and what it is made of: the sum or the product of one name of each list.
struct TotalRow {
  Words total;
  std::vector<Words> parts;
  Words minus;  // what is taken off a sum
};

struct WordTables {
  std::vector<Region> regions;
  std::map<std::string, Words, std::less<>> pools;  // by kind
  std::vector<NameRow> texts;
  std::map<std::string, std::string, std::less<>> things;  // the kind of their names
  Words wrappers;
  Words persons;        // names that only people have of their own
  Words roles;          // what somebody is to somebody or something else: "manager"
  Words personal_ends;  // what follows a role in a name: "_name"
  std::map<std::string, std::string, std::less<>> formats;  // kinds
  std::map<std::string, std::string, std::less<>> hints;    // kinds
  std::vector<NameRow> times;
  Words epochs;
  std::vector<std::pair<NumberRange, Words>> ranges;
  Words absent;
  Words usable;      // booleans that are true of a new record
  Words counters;    // numbers that are 0 of it
  Words outputs;     // lists that a creation fills
  Words beginnings;  // times of the creation that are no others'
  Words money_ends;
  std::vector<TotalRow> sums;
  std::vector<TotalRow> products;
  std::vector<std::array<std::string, 2>> orders;
  std::map<std::string, Words, std::less<>> lists;
};

const WordTables& word_tables();

// The texts of words/.
std::string_view regions_text();
std::string_view pools_text();
std::string_view usage_text();

// A name in one spelling: "created_at" for "createdAt" and "Created-At".
std::string snake_case(std::string_view name);

// True if a name in snake case fits `form`: "=x" is the whole name, "x$" ends it, "x*" begins one
// of its words, and "x" is one or more of its words.
bool is_named(std::string_view snake, std::string_view form);
bool is_named(std::string_view snake, const Words& forms);

}  // namespace spec::schema::generate
