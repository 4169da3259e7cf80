#include "spec/schema/validator/text.hpp"

#include "spec/json/value.hpp"

#include <bit>
#include <vector>

namespace spec::schema::validator {

std::optional<Repeated> find_repeated(const nlohmann::json& array) {
  // Open addressing: 1 + index of an element, 0 if free. Beside each its hash, so that most that
  // are in the way are passed without a look at them.
  const auto bits = static_cast<unsigned>(std::bit_width(array.size() * 2 + 1));
  const std::size_t mask = (std::size_t{1} << bits) - 1;
  std::vector<std::size_t> slots(mask + 1);
  std::vector<std::size_t> hashes(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    hashes[i] = json::hash(array[i]);
    // The upper bits of a hash are the well mixed ones.
    std::size_t slot = hashes[i] >> (64 - bits);
    for (; slots[slot] != 0; slot = (slot + 1) & mask) {
      const std::size_t other = slots[slot] - 1;
      if (hashes[other] == hashes[i] && json::equal(array[other], array[i])) {
        return Repeated{.first = other, .second = i};
      }
    }
    slots[slot] = i + 1;
  }
  return std::nullopt;
}

}  // namespace spec::schema::validator
