#include "spec/schema/judge/text.hpp"

#include "spec/json/value.hpp"
#include "spec/schema/judge/judge.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace spec::schema::judge {

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

Repeated find_repeated(const nlohmann::json& array, Judge& judge) {
  std::vector<std::pair<std::size_t, std::size_t>> hashes;  // of each element, with its index
  hashes.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    hashes.emplace_back(json::hash(array[i]), i);
  }
  std::ranges::sort(hashes);
  Repeated result;
  for (std::size_t i = 1; i < hashes.size(); ++i) {
    for (std::size_t j = i; j-- > 0 && hashes[j].first == hashes[i].first;) {
      const auto [first, second] = std::pair(hashes[j].second, hashes[i].second);
      if (!judge.spend(1)) {
        result.undecided = !result.found;
        return result;
      }
      if ((!result.found || second < result.second) && json::equal(array[first], array[second])) {
        result = {.found = true, .first = first, .second = second};
      }
    }
  }
  return result;
}

}  // namespace spec::schema::judge
