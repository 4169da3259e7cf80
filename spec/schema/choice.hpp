#pragma once

// Which branches of a oneOf or anyOf an instance may keep, told from its type and from the text of
// one member (the tag, "kind": "cat") before any branch is run. A branch that is left out is surely
// broken; one that is left in may be too. Built at load, then const.

#include <nlohmann/json.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace spec::schema {

// A set of branches by their place, of the first 64; those after them are always in it.
class Branches {
 public:
  static constexpr std::size_t kMost = 64;

  constexpr Branches() = default;  // all of them

  static constexpr Branches none() { return Branches(0); }

  constexpr bool has(std::size_t branch) const {
    return branch >= kMost || ((bits_ >> branch) & 1U) != 0;
  }

  constexpr void add(std::size_t branch) {
    if (branch < kMost) {
      bits_ |= std::uint64_t{1} << branch;
    }
  }

  // Of the first 64.
  constexpr std::size_t count() const { return static_cast<std::size_t>(std::popcount(bits_)); }

  friend constexpr Branches operator&(Branches left, Branches right) {
    return Branches(left.bits_ & right.bits_);
  }

  friend constexpr bool operator==(Branches, Branches) = default;

 private:
  explicit constexpr Branches(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_ = std::numeric_limits<std::uint64_t>::max();
};

// A value of the tag.
struct TaggedText {
  std::uint64_t prefix = 0;  // of the text (prefix.hpp)
  std::string text;
  Branches branches;  // those that list it, or do not say
};

struct Choice {
  std::array<Branches, 16> by_type;  // by nlohmann's number of the type
  std::string tag;                   // the member that tells; "" when none does
  std::vector<TaggedText> texts;
  Branches others;  // for a text that no branch lists

  // The branches that `instance` may keep.
  Branches candidates(const nlohmann::json& instance) const {
    const Branches typed = by_type[static_cast<std::size_t>(instance.type())];
    return tag.empty() || !instance.is_object() ? typed : typed & tagged(instance);
  }

 private:
  Branches tagged(const nlohmann::json& object) const;
};

}  // namespace spec::schema
