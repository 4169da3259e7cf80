#pragma once

// State on disk for the program: memory that is read from a SQLite file at the start, and whose
// changes are in the file before a client sees them. Used by `--state sqlite:FILE` alone.

#include "mock_server/reply/reply.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/disk/write_log.hpp"
#include "mock_server/state/memory_journal.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/non_copyable.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::state::disk {

class DiskState : spec::NonCopyable {
 public:
  // Opens or makes the file and reads it. Throws spec::LoadError with one problem: see StateFile;
  // also when the file has the state of another contract than this one.
  DiskState(const std::string& path, const ContractMark& contract);
  // Opens a file that is there, whatever its contract. Throws also if no state was written to it.
  explicit DiskState(const std::string& path);

  // For the Store. This must outlive it.
  OpenCells open_cells();
  // Puts back sessions and journal, and keeps what changes from now on. Both were just made. A
  // journal that may lack entries since the process ended without a word says so.
  void restore(Store& store, MemoryJournal& journal);
  // The service, with responses that wait until what they changed is in the file.
  reply::Handler keeping(reply::Handler service);

  // The contract that the state belongs to.
  const ContractMark& contract() const { return contract_; }

  // Bytes of the journal that the file holds. Before restore().
  std::size_t kept_journal_bytes() const;

  // True if the contract was changed since the file was written last.
  bool has_other_version() const { return has_other_version_; }

  // Entries of the journal that are damaged, and left out.
  std::size_t damaged_entries() const { return damaged_entries_; }

  // From now on the state is that of `contract`: it was loaded again.
  void use_contract(const ContractMark& contract);

  // Why changes are rejected now; "" if they are not.
  std::string problem() const { return log_->problem(); }

  // Until finish() nothing is written, and then all in one transaction. Before restore().
  void hold_back() { log_->hold_back(); }

  // Ends like finish(), but writes nothing: after hold_back(), the file is as it was. Without
  // effect after finish().
  void discard() { log_->discard(ended_well_); }

  // Writes what waits, and nothing after that. Before loops end that wait for it.
  void finish() { log_->finish(); }

 private:
  using Place = std::pair<std::uint64_t, std::string>;  // serial, and name of the cells

  struct StoredSession {
    Owner owner;
    Cells cells;
  };

  void open(const std::string& path, const ContractMark* contract);
  void read(StateFile& file, const std::string& path, const ContractMark* contract);
  void read_owners(StateFile& file);
  void restore_journal(MemoryJournal& journal);
  void report_from(MemoryJournal& journal);

  ContractMark contract_;
  std::map<Place, StoredSession> kept_;  // until it is opened
  std::vector<KeptSession> sessions_;
  std::uint64_t next_serial_ = 1;
  std::uint64_t last_id_ = 0;
  bool ended_well_ = true;
  bool has_other_version_ = false;
  std::size_t damaged_entries_ = 0;
  std::vector<std::string> armed_for_all_;
  std::vector<StoredEntry> entries_;  // until they are restored, as
  std::map<std::uint64_t, JournalWindow> windows_;
  std::unique_ptr<WriteLog> log_;
};

}  // namespace mock_server::state::disk
