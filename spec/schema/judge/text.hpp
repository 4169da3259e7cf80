#pragma once

// Questions about instances that judging and explaining share. Used only by this folder.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace spec::schema::judge {

// The number of code points in UTF-8 text (RFC 8259 §1 with JSON Schema 2020-12 Validation §6.3).
std::size_t character_count(std::string_view text);

// Two equal elements of an array.
struct Repeated {
  std::size_t first = 0;
  std::size_t second = 0;
};

// The equal pair whose second element comes first, if there is one. Linear, whatever the elements:
// their hashes are keyed.
std::optional<Repeated> find_repeated(const nlohmann::json& array);

}  // namespace spec::schema::judge
