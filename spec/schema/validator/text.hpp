#pragma once

// Questions about instances that validating and explaining share. Used only by this folder.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>

namespace spec::schema::validator {

// Two equal elements of an array.
struct Repeated {
  std::size_t first = 0;
  std::size_t second = 0;
};

// The equal pair whose second element comes first, if there is one. Linear, whatever the elements:
// their hashes are keyed.
std::optional<Repeated> find_repeated(const nlohmann::json& array);

}  // namespace spec::schema::validator
