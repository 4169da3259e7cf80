#pragma once

// Questions about instances that judging and explaining share. Used only by this folder.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>

namespace spec::schema::judge {

class Judge;

// The number of code points in UTF-8 text (RFC 8259 §1 with JSON Schema 2020-12 Validation §6.3).
std::size_t character_count(std::string_view text);

// Two equal elements of an array.
struct Repeated {
  bool found = false;
  bool undecided = false;  // a limit was hit first
  std::size_t first = 0;
  std::size_t second = 0;
};

// The equal pair whose second element comes first. Linear but for elements with the same hash,
// which count as steps of `judge`.
Repeated find_repeated(const nlohmann::json& array, Judge& judge);

}  // namespace spec::schema::judge
