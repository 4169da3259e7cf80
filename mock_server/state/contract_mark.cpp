#include "mock_server/state/contract_mark.hpp"

#include "mock_server/state/numbers.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace mock_server::state {
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
