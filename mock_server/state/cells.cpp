#include "mock_server/state/cells.hpp"

#include "spec/text/quote.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace mock_server::state {

constexpr std::size_t kBookkeeping = 128;

bool Budget::take(std::size_t bytes) {
  if (used.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit) {
    return true;
  }
  give_back(bytes);
  return false;
}

std::size_t weight(std::string_view key, const Cell& cell) {
  return kBookkeeping + key.size() + (cell.text ? cell.text->size() : 0);
}

std::size_t weight(const Cells& cells) {
  std::size_t sum = 0;
  for (const auto& [key, cell] : cells) {
    sum += weight(key, cell);
  }
  return sum;
}

namespace {

std::vector<std::string> operations_of(const ContractMark& mark) {
  auto all = read_lines(mark.operations);
  std::ranges::sort(all);
  return all;
}

}  // namespace

std::string contract_problem(const ContractMark& kept, const ContractMark& now) {
  if (kept.title != now.title) {
    return "another contract, " + spec::text::in_quotes(kept.title);
  }
  const auto before = operations_of(kept);
  const auto after = operations_of(now);
  if (before.empty() || after.empty()) {
    return "";
  }
  std::vector<std::string> common;
  std::ranges::set_intersection(before, after, std::back_inserter(common));
  return common.empty() ? "another contract of the same title, with no operation of this one" : "";
}

}  // namespace mock_server::state
