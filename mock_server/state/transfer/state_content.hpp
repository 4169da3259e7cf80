#pragma once

// The content of a store and its journal, as a value: taken out of them for a file, and put into
// others. Works with every store. Not meant for a mock that serves meanwhile.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/session_store.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::state::transfer {

struct SessionContent {
  std::string name;                        // "" is the default session
  Cells cells;                             // versions are not taken along
  std::map<std::string, Cells> snapshots;  // by name
  std::vector<Entry> entries;              // of its journal, oldest first
  bool is_partial = false;                 // the journal once had more
};

struct StateContent {
  ContractMark contract;
  // Set if every session is in it.
  std::optional<std::vector<std::string>> armed_for_all;
  std::vector<SessionContent> sessions;
};

// Takes out every session, or the one that is named; nothing if there is none of that name.
std::optional<StateContent> take_out(Store& store, const Journal& journal,
                                     const ContractMark& contract,
                                     const std::optional<std::string>& session);

// Makes sessions of these names anew, as `content` has them; others stay. Returns what went wrong
// in words, and then the store holds a part; "" if all is in.
std::string put_in(Store& store, Journal& journal, const StateContent& content);

// State as a JSON file: `mock_server state export` and `import`. README.md describes the format.
// Pure functions.

// The version that write_content() writes, and the highest that read_content() takes.
inline constexpr int kVersion = 1;

// Ends with a line feed. The same content gives the same bytes.
std::string write_content(const StateContent& content);

// Throws spec::LoadError with one problem, which names `file` and the place: no JSON, cut, another
// file, of a newer version, a member that is missing or of another type.
StateContent read_content(const std::string& file, std::string_view text);

}  // namespace mock_server::state::transfer
