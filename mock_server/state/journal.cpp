#include "mock_server/state/journal.hpp"

#include <array>
#include <random>

namespace mock_server::state {

std::uint64_t secret_mark(std::string_view value) {
  static const std::array<std::uint64_t, 2> kKey = [] {
    std::random_device device;
    std::uniform_int_distribution<std::uint64_t> any;
    return std::array{any(device), any(device) | 1U};
  }();
  std::uint64_t mark = (std::hash<std::string_view>{}(value) ^ kKey[0]) * kKey[1];
  mark = (mark ^ (mark >> 32U)) * kKey[1];
  return mark ^ (mark >> 29U);
}

// Not what comes while it looks: a busy mock would never be done.
void Journal::each(std::uint64_t session, const std::function<void(Entry&)>& visit) const {
  const std::uint64_t end = mark(std::nullopt, std::nullopt).place;
  JournalMark at;
  follow(session, at, [&](Entry& entry) {
    visit(entry);
    return at.place < end;
  });
}

}  // namespace mock_server::state
