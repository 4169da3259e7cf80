#include "contract_tests/demands/share.hpp"

#include <algorithm>
#include <tuple>

namespace contract_tests::demands {

bool Share::has_room(std::string_view rule) const {
  const auto found = rules_.find(rule);
  const bool is_plain = found != rules_.end() && found->second.number == 0;
  const std::size_t earlier = found == rules_.end() || is_plain ? 0 : found->second.cases;
  std::size_t before = 0;
  for (const auto& [name, other] : rules_) {
    before += other.number == 0 ? other.cases : std::min(other.cases, earlier);
  }
  return before < limit_;
}

void Share::add(std::string_view rule) {
  auto& [number, cases] = rules_.try_emplace(std::string(rule), Rule{rules_.size()}).first->second;
  ++cases;
  places_.emplace_back(number == 0 ? 0 : cases, number);
}

std::vector<bool> Share::staying() const {
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> ranks;  // turn, rule, case
  for (const auto& [turn, number] : places_) {
    const auto rank = number == 0 ? 0 : 1 + (number + operation_ * limit_) % rules_.size();
    ranks.emplace_back(turn, rank, ranks.size());
  }
  std::ranges::sort(ranks);
  std::vector<bool> stays(ranks.size(), false);
  for (std::size_t rank = 0; rank < std::min(limit_, ranks.size()); ++rank) {
    stays[std::get<2>(ranks[rank])] = true;
  }
  return stays;
}

std::size_t Share::left_out() const {
  return places_.size() - std::min(places_.size(), limit_) + not_made_;
}

}  // namespace contract_tests::demands
