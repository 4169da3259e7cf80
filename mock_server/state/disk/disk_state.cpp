#include "mock_server/state/disk/disk_state.hpp"

#include "mock_server/state/cells.hpp"
#include "mock_server/state/disk/write_log.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/memory_cells.hpp"
#include "spec/non_copyable.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace mock_server::state::disk {

// Cells in memory whose every change also goes to the file.

namespace {

class LoggedCells final : public CellStore {
 public:
  // New ones. `log` must outlive them.
  LoggedCells(WriteLog& log, std::string name, std::uint64_t serial,
              const std::shared_ptr<Budget>& budget);
  // Those of the file.
  LoggedCells(WriteLog& log, const Owner& owner, Cells cells,
              const std::shared_ptr<Budget>& budget);
  ~LoggedCells() override;

  std::size_t count() const override { return shown(memory_.count()); }

  Cell read(std::string_view key) const override { return shown(memory_.read(key)); }

  Cells all() const override { return shown(memory_.all()); }

  Cells starting_with(std::string_view prefix) const override {
    return shown(memory_.starting_with(prefix));
  }

  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires, TimePoint now) override;
  Put replace(const Cells& cells) override;

 private:
  class Changing;

  WriteLog::GoBack go_back();

  // No client may see it before it is in the file. Costs two loads if it is.
  template <typename Value>
  Value shown(Value value) const {
    if (last_change_.load(std::memory_order_acquire) > log_.settled()) {
      wait_for_last_change();
    }
    return value;
  }

  void wait_for_last_change() const;
  Owner owner_at(std::uint64_t next_version) const;

  WriteLog& log_;
  MemoryCells memory_;
  const std::string name_;
  const std::uint64_t serial_;
  mutable std::mutex mutex_;                   // so that the log has changes in their order
  std::atomic<std::uint64_t> last_change_{0};  // its number; kChanging before it has one
  std::uint64_t owner_ = 0;
};

constexpr std::uint64_t kChanging = std::numeric_limits<std::uint64_t>::max();

// While it exists, who reads waits for its end. The mutex is held.
class LoggedCells::Changing : spec::NonCopyable {
 public:
  explicit Changing(LoggedCells& cells) : cells_(cells), number_(cells.last_change_.load()) {
    cells_.last_change_.store(kChanging, std::memory_order_release);
  }

  ~Changing() { cells_.last_change_.store(number_, std::memory_order_release); }

  void is(std::uint64_t number) { number_ = number; }

 private:
  LoggedCells& cells_;
  std::uint64_t number_;
};

// New cells show that those before them are gone.
LoggedCells::LoggedCells(WriteLog& log, std::string name, std::uint64_t serial,
                         const std::shared_ptr<Budget>& budget)
    : log_(log),
      memory_(budget),
      name_(std::move(name)),
      serial_(serial),
      last_change_(log.last_change()) {
  owner_ = log_.add_owner(go_back());
  log_.note_surely([owner = owner_at(1)](StateFile& file) {
    file.put_owner(owner);
    file.use_serial(owner.serial);
  });
}

LoggedCells::LoggedCells(WriteLog& log, const Owner& owner, Cells cells,
                         const std::shared_ptr<Budget>& budget)
    : log_(log), memory_(budget), name_(owner.name), serial_(owner.serial), owner_(owner.id) {
  memory_.restore(std::move(cells), owner.next_version);
  log_.add_owner(owner_, go_back());
}

LoggedCells::~LoggedCells() {
  log_.drop_owner(owner_);
}

void LoggedCells::wait_for_last_change() const {
  const std::lock_guard lock(mutex_);
  WriteLog::wait_for(last_change_.load());
}

Owner LoggedCells::owner_at(std::uint64_t next_version) const {
  return {owner_, name_, serial_, next_version};
}

Put LoggedCells::compare_and_set(std::string_view key, std::uint64_t expected,
                                 std::optional<std::string> text, std::optional<TimePoint> expires,
                                 TimePoint now) {
  const std::lock_guard lock(mutex_);
  log_.reject_while_failing();
  Changing changing(*this);
  const std::size_t before = memory_.count();
  const bool adds = text && expected == 0;
  const Put put = memory_.compare_and_set(key, expected, std::move(text), expires, now);
  if (put != Put::kDone) {
    return put;
  }
  changing.is(log_.change(owner_, [owner = owner_at(memory_.next_version()), key = std::string(key),
                                   cell = memory_.read(key)](StateFile& file) {
    file.put_owner(owner);
    if (cell) {
      file.put_cell(owner.id, key, cell);
    } else {
      file.remove_cell(owner.id, key);
    }
  }));
  if (adds && memory_.count() != before + 1) {  // it made room among those whose time is over
    log_.change(owner_, [owner = owner_, now](StateFile& file) { file.expire_cells(owner, now); });
  }
  return put;
}

Put LoggedCells::replace(const Cells& cells) {
  const std::lock_guard lock(mutex_);
  log_.reject_while_failing();
  Changing changing(*this);
  const Put put = memory_.replace(cells);
  if (put == Put::kDone) {
    changing.is(log_.change(
        owner_, [owner = owner_at(memory_.next_version()), all = memory_.all()](StateFile& file) {
          file.put_owner(owner);
          file.clear_cells(owner.id);
          for (const auto& [key, cell] : all) {
            file.put_cell(owner.id, key, cell);
          }
        }));
  }
  return put;
}

// Versions go on; the file learns them with the next change.
WriteLog::GoBack LoggedCells::go_back() {
  return [this](const Cells& cells) {
    const std::lock_guard lock(mutex_);
    memory_.restore(cells, memory_.next_version());
  };
}

// After an end without a word, numbers that were given last may not be in the file: none of so many
// is given again. More than the log lets wait.
constexpr std::uint64_t kMaxForgotten = 1'000'000;

std::uint64_t number_of(StateFile& file, std::string_view name) {
  const auto numbers = read_numbers(file.value(name).value_or(""));
  return numbers.empty() ? 0 : static_cast<std::uint64_t>(numbers.front());
}

std::optional<ContractMark> kept_mark(StateFile& file) {
  auto title = file.value("contract");
  return title ? std::optional<ContractMark>({std::move(*title),
                                              file.value("fingerprint").value_or(""),
                                              file.value("operations").value_or("")})
               : std::nullopt;
}

void put_mark(StateFile& file, const ContractMark& contract) {
  file.put_value("contract", contract.title);
  file.put_value("fingerprint", contract.fingerprint);
  file.put_value("operations", contract.operations);
}

// True if the response names sessions, snapshots, or what is armed for all sessions: no cell says
// which changes it rests on.
bool shows_what_there_is(std::string_view target) {
  constexpr std::array<std::string_view, 3> kLists{"/_mock/sessions", "/_mock/snapshots",
                                                   "/_mock/scenarios"};
  const std::string_view path = target.substr(0, target.find('?'));
  return std::ranges::any_of(kLists, [&](std::string_view list) { return path.ends_with(list); });
}

}  // namespace

DiskState::DiskState(const std::string& path, const ContractMark& contract) {
  open(path, &contract);
}

DiskState::DiskState(const std::string& path) {
  open(path, nullptr);
}

// Without a contract: as the file has it.
void DiskState::open(const std::string& path, const ContractMark* contract) {
  auto file = std::make_unique<StateFile>(path);
  try {
    read(*file, path, contract);
  } catch (const FileError& error) {
    reject_file(path, "is damaged (" + error.reason + "); restore a copy, or name another file");
  }
  log_ = std::make_unique<WriteLog>(std::move(file));
}

void DiskState::read(StateFile& file, const std::string& path, const ContractMark* contract) {
  file.check();
  const auto kept = kept_mark(file);
  if (!kept && contract == nullptr) {
    reject_file(path, "holds no state; name the file that the mock keeps its state in");
  }
  contract_ = contract == nullptr ? *kept : *contract;
  if (const auto problem = kept ? contract_problem(*kept, contract_) : ""; !problem.empty()) {
    reject_file(path, "has the state of " + problem + "; name another file");
  }
  has_other_version_ = kept && *kept != contract_;
  ended_well_ = !kept || file.value("end").value_or("") == "clean";
  armed_for_all_ = read_lines(file.value("armed_for_all").value_or(""));
  last_id_ = number_of(file, "last_id") + (ended_well_ ? 0 : kMaxForgotten);
  entries_ = file.entries();
  damaged_entries_ =
      std::erase_if(entries_, [](const StoredEntry& entry) { return !read_entry(entry.bytes); });
  windows_ = file.windows();
  read_owners(file);
  next_serial_ = std::max(next_serial_, number_of(file, "next_serial"));
  next_serial_ += ended_well_ ? 0 : kMaxForgotten;
  file.begin();
  if (kept != contract_) {
    put_mark(file, contract_);
  }
  file.put_value("end", "running");
  file.put_value("last_id", std::to_string(last_id_));
  file.put_value("next_serial", std::to_string(next_serial_));
  file.commit();
}

// The later of two sessions with one name counts: the first was deleted.
void DiskState::read_owners(StateFile& file) {
  auto cells = file.cells();
  std::map<std::string, KeptSession> sessions;
  for (const Owner& owner : file.owners()) {
    next_serial_ = std::max(next_serial_, owner.serial + 1);
    StoredSession& kept = kept_[{owner.serial, owner.name}] = {owner, std::move(cells[owner.id])};
    kept.owner.next_version += ended_well_ ? 0 : kMaxForgotten;
    const std::size_t slash = owner.name.find('/');
    KeptSession& session = sessions[owner.name.substr(0, slash)];
    if (owner.serial > session.serial) {
      session.snapshots.clear();
    }
    session.name = owner.name.substr(0, slash);
    session.serial = std::max(session.serial, owner.serial);
    if (slash != std::string::npos && owner.serial == session.serial) {
      session.snapshots.push_back(owner.name.substr(slash + 1));
    }
  }
  for (auto& entry : sessions) {
    sessions_.push_back(std::move(entry.second));
  }
}

OpenCells DiskState::open_cells() {
  return [this](std::string_view name, std::uint64_t serial,
                const std::shared_ptr<Budget>& budget) -> std::unique_ptr<CellStore> {
    // Only restore() finds any here, before other threads come.
    if (!kept_.empty()) {
      if (auto kept = kept_.extract({serial, std::string(name)})) {
        return std::make_unique<LoggedCells>(*log_, kept.mapped().owner,
                                             std::move(kept.mapped().cells), budget);
      }
    }
    return std::make_unique<LoggedCells>(*log_, std::string(name), serial, budget);
  };
}

void DiskState::restore(Store& store, MemoryJournal& journal) {
  store.restore(sessions_, next_serial_, armed_for_all_);
  for (const auto& entry : kept_) {  // of sessions that were replaced
    log_->drop_owner(entry.second.owner.id);
  }
  kept_.clear();
  store.on_armed_for_all([this](const std::vector<std::string>& armed) {
    log_->change(
        0, [text = write_lines(armed)](StateFile& file) { file.put_value("armed_for_all", text); });
  });
  restore_journal(journal);
  report_from(journal);
}

std::size_t DiskState::kept_journal_bytes() const {
  std::size_t bytes = 0;
  for (const StoredEntry& entry : entries_) {
    bytes += entry.bytes.size();
  }
  return bytes;
}

void DiskState::use_contract(const ContractMark& contract) {
  log_->note_surely([contract](StateFile& file) { put_mark(file, contract); });
}

void DiskState::restore_journal(MemoryJournal& journal) {
  const bool is_partial = !ended_well_ || damaged_entries_ > 0;
  windows_[0];
  for (const KeptSession& session : sessions_) {
    windows_[session.serial];
  }
  for (auto& [session, window] : windows_) {
    window.is_partial = window.is_partial || is_partial;
    journal.restore_window(session, window);
  }
  if (is_partial) {  // also if nothing more is noted before the next end
    log_->note_surely([windows = windows_](StateFile& file) {
      for (const auto& [session, window] : windows) {
        file.put_window(session, window);
      }
    });
  }
  std::vector<StoredEntry> moved;
  bool is_moved = false;
  for (StoredEntry& entry : entries_) {
    const auto place = journal.restore(entry.place, entry.bytes, entry.noted_at);
    is_moved = is_moved || place != entry.place;
    if (place) {
      moved.push_back({*place, entry.noted_at, std::move(entry.bytes)});
    }
  }
  entries_.clear();
  if (is_moved) {
    log_->note_surely([moved = std::move(moved)](StateFile& file) {
      file.drop_entries();
      for (const StoredEntry& entry : moved) {
        std::uint64_t session = 0;  // an entry's second number
        std::copy_n(entry.bytes.data() + sizeof session, sizeof session,
                    reinterpret_cast<char*>(&session));
        file.add_entry(entry, session);
      }
    });
  }
  journal.continue_after(std::max(journal.last_id(), last_id_));
}

void DiskState::report_from(MemoryJournal& journal) {
  journal.report_to(
      [this, &journal](const AddedEntry& added) {
        log_->note(
            [entry = StoredEntry{added.place, added.noted_at, std::string(added.bytes)},
             oldest = added.oldest_place, session = added.session, window = added.window,
             last_id = journal.last_id()](StateFile& file) {
              file.add_entry(entry, session);
              file.drop_entries_before(oldest);
              file.put_window(session, window);
              file.put_value("last_id", std::to_string(last_id));
            },
            added.bytes.size());
      },
      [this](std::uint64_t session, const JournalWindow& window) {
        log_->change(0, [session, window](StateFile& file) {
          file.clear_entries(session);
          file.put_window(session, window);
        });
      });
}

reply::Handler DiskState::keeping(reply::Handler service) {
  return [this, service = std::move(service)](const spec::http::Request& request,
                                              const reply::Peer& peer) {
    WriteLog::began();
    reply::Reply reply = service(request, peer);
    if (shows_what_there_is(request.target)) {
      log_->wait_for_all();
    }
    reply.pending_write = log_->pending_write(request);
    return reply;
  };
}

}  // namespace mock_server::state::disk
