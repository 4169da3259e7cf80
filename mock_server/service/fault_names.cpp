#include "mock_server/service/fault_names.hpp"

#include <algorithm>
#include <array>

namespace mock_server::service {
namespace {

constexpr std::array<std::string_view, 10> kNames{
    "reset",   "empty",     "truncate",   "wrong-length", "bad-chunk",
    "garbage", "slow-body", "slow-close", "stall",        "split-writes"};

}  // namespace

std::span<const std::string_view> fault_names() {
  return kNames;
}

std::optional<Fault> fault_of(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    return std::nullopt;
  }
  return static_cast<Fault>(found - kNames.begin() + 1);
}

std::string_view name_of(Fault fault) {
  return fault == Fault::kNone ? "none" : kNames[static_cast<std::size_t>(fault) - 1];
}

}  // namespace mock_server::service
