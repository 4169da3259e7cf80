#include "mock_server/state/cells.hpp"

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

}  // namespace mock_server::state
