#include "mock_server/state/disk/logged_cells.hpp"

#include "spec/non_copyable.hpp"

#include <limits>
#include <utility>

namespace mock_server::state::disk {
namespace {

constexpr std::uint64_t kChanging = std::numeric_limits<std::uint64_t>::max();

}  // namespace

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

}  // namespace mock_server::state::disk
