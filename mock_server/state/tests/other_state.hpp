#pragma once

// State kept in another way than the program's, for tests that nothing above the seams knows the
// difference: cells as one text that is read and written whole, and a journal that is a list.

#include "mock_server/state/cell_store.hpp"
#include "mock_server/state/journal.hpp"

#include <memory>
#include <string_view>

namespace mock_server::state::testing {

// An OpenCells.
std::unique_ptr<CellStore> open_as_text(std::string_view name, std::uint64_t serial,
                                        const std::shared_ptr<Budget>& budget);

std::unique_ptr<Journal> make_list_journal();

// True when the environment asks for this state: COUNTERPART_OTHER_STATE is set.
bool is_other_state_wanted();

}  // namespace mock_server::state::testing
