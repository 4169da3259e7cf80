#include "mock_server/state/disk/logged_cells.hpp"

#include <utility>

namespace mock_server::state::disk {

LoggedCells::LoggedCells(WriteLog& log, std::string name, std::uint64_t serial,
                         const std::shared_ptr<Budget>& budget)
    : log_(log), memory_(budget), name_(std::move(name)), serial_(serial) {
  owner_ = log_.add_owner(*this);
  log_.note_surely([owner = owner_at(1)](StateFile& file) {
    file.put_owner(owner);
    file.use_serial(owner.serial);
  });
}

LoggedCells::LoggedCells(WriteLog& log, const Owner& owner, Cells cells,
                         const std::shared_ptr<Budget>& budget)
    : log_(log), memory_(budget), name_(owner.name), serial_(owner.serial), owner_(owner.id) {
  memory_.restore(std::move(cells), owner.next_version);
  log_.add_owner(owner_, *this);
}

LoggedCells::~LoggedCells() {
  log_.drop_owner(owner_);
}

Owner LoggedCells::owner_at(std::uint64_t next_version) const {
  return {owner_, name_, serial_, next_version};
}

Put LoggedCells::compare_and_set(std::string_view key, std::uint64_t expected,
                                 std::optional<std::string> text, std::optional<TimePoint> expires,
                                 TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (log_.is_failing()) {
    log_.note_rejection();
    return Put::kFull;
  }
  const std::size_t before = memory_.count();
  const bool adds = text && expected == 0;
  const Put put = memory_.compare_and_set(key, expected, std::move(text), expires, now);
  if (put != Put::kDone) {
    return put;
  }
  log_.change(owner_, [owner = owner_at(memory_.next_version()), key = std::string(key),
                       cell = memory_.read(key)](StateFile& file) {
    file.put_owner(owner);
    if (cell) {
      file.put_cell(owner.id, key, cell);
    } else {
      file.remove_cell(owner.id, key);
    }
  });
  if (adds && memory_.count() != before + 1) {  // it made room among those whose time is over
    log_.change(owner_, [owner = owner_, now](StateFile& file) { file.expire_cells(owner, now); });
  }
  return put;
}

void LoggedCells::expire(TimePoint now) {
  const std::lock_guard lock(mutex_);
  memory_.expire(now);
  log_.note([owner = owner_, now](StateFile& file) { file.expire_cells(owner, now); });
}

Put LoggedCells::replace(const Cells& cells) {
  const std::lock_guard lock(mutex_);
  if (log_.is_failing()) {
    log_.note_rejection();
    return Put::kFull;
  }
  const Put put = memory_.replace(cells);
  if (put == Put::kDone) {
    log_.change(owner_,
                [owner = owner_at(memory_.next_version()), all = memory_.all()](StateFile& file) {
                  file.put_owner(owner);
                  file.clear_cells(owner.id);
                  for (const auto& [key, cell] : all) {
                    file.put_cell(owner.id, key, cell);
                  }
                });
  }
  return put;
}

// Versions go on; the file learns them with the next change.
void LoggedCells::go_back_to(const Cells& cells) {
  const std::lock_guard lock(mutex_);
  memory_.restore(cells, memory_.next_version());
}

}  // namespace mock_server::state::disk
