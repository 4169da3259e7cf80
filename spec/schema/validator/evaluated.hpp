#pragma once

// Which members or elements of one instance have been evaluated, for unevaluatedProperties and
// unevaluatedItems: a set of their places, on the stack while they are few. Used only by this
// folder.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spec::schema::validator {

class Evaluated {
 public:
  // For an instance of `size` members or elements.
  explicit Evaluated(std::size_t size) : size_(size) {
    if (size > kFew) {
      many_.resize((size + 63) / 64);
    }
  }

  std::size_t size() const { return size_; }

  void mark(std::size_t place) { words()[place / 64] |= std::uint64_t{1} << (place % 64); }

  void mark_all() { all_ = true; }

  bool has(std::size_t place) const {
    return all_ || ((words()[place / 64] >> (place % 64)) & 1U) != 0;
  }

  bool has_all() const { return all_; }

  // Adds what `other`, of the same instance, has.
  void merge(const Evaluated& other) {
    all_ = all_ || other.all_;
    uncertain_ = uncertain_ || other.uncertain_;
    for (std::size_t i = 0; i < (size_ + 63) / 64; ++i) {
      words()[i] |= other.words()[i];
    }
  }

  // A limit was hit where more might have been evaluated.
  void mark_uncertain() { uncertain_ = true; }

  bool uncertain() const { return uncertain_; }

 private:
  static constexpr std::size_t kFew = 256;

  std::uint64_t* words() { return size_ > kFew ? many_.data() : few_.data(); }

  const std::uint64_t* words() const { return size_ > kFew ? many_.data() : few_.data(); }

  std::size_t size_;
  bool all_ = false;
  bool uncertain_ = false;
  std::array<std::uint64_t, kFew / 64> few_{};
  std::vector<std::uint64_t> many_;
};

}  // namespace spec::schema::validator
