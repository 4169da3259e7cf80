#include "mock_server/state/cell_store.hpp"

namespace mock_server::state {

Cells CellStore::starting_with(std::string_view prefix) const {
  Cells found = all();
  std::erase_if(found, [&](const auto& entry) { return !entry.first.starts_with(prefix); });
  return found;
}

}  // namespace mock_server::state
