#include "mock_server/state/shared/shared_cells.hpp"

#include "spec/text/number.hpp"

#include <utility>

namespace mock_server::state::shared {
namespace {

constexpr std::size_t kSweepAt = 4096;  // cells: from here on expired ones are dropped

std::string expiry_text(const std::optional<TimePoint>& expires) {
  return expires ? std::to_string(expires->time_since_epoch().count()) : "-";
}

// "VERSION EXPIRES TEXT".
Cell read_cell(std::string_view text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  Cell cell;
  cell.version = spec::text::parse_number<std::uint64_t>(text.substr(0, first)).value_or(0);
  if (const auto at =
          spec::text::parse_number<std::int64_t>(text.substr(first + 1, second - first - 1))) {
    cell.expires = TimePoint(std::chrono::microseconds(*at));
  }
  cell.text = std::make_shared<const std::string>(text.substr(second + 1));
  return cell;
}

}  // namespace

SharedCells::SharedCells(Redis& redis, std::string name, std::string owner, std::uint64_t serial,
                         std::size_t limit_bytes)
    : redis_(redis),
      name_(std::move(name)),
      owner_(std::move(owner)),
      serial_(serial),
      limit_bytes_(limit_bytes) {}

Cell SharedCells::read(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = cells_.find(key);
  return found == cells_.end() ? Cell{} : found->second;
}

Cells SharedCells::all() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

std::uint64_t SharedCells::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

void SharedCells::take(std::uint64_t version, const std::vector<Value>& cells) {
  const std::lock_guard lock(mutex_);
  if (version != 0 && version <= version_) {
    return;
  }
  cells_.clear();
  for (std::size_t at = 0; at + 1 < cells.size(); at += 2) {
    cells_.emplace(cells[at].text, read_cell(cells[at + 1].text));
  }
  bytes_ = weight(cells_);
  version_ = version;
  count_.store(cells_.size(), std::memory_order_release);
}

void SharedCells::load() {
  const Value found = redis_.run(Script::kLoad, {name_});
  take(found.list.at(0).count(), found.list.at(1).list);
}

// The copy follows a change of our own only if no other came between.
Put SharedCells::note_change(std::string_view key, Cell next, std::uint64_t before,
                             std::uint64_t after) {
  {
    const std::lock_guard lock(mutex_);
    if (version_ == before) {
      if (const auto old = cells_.find(key); old != cells_.end()) {
        bytes_ -= weight(key, old->second);
        cells_.erase(old);
      }
      if (next) {
        bytes_ += weight(key, next);
        cells_.emplace(key, std::move(next));
      }
      version_ = after;
      count_.store(cells_.size(), std::memory_order_release);
      return Put::kDone;
    }
  }
  load();
  return Put::kDone;
}

Put SharedCells::compare_and_set(std::string_view key, std::uint64_t expected,
                                 std::optional<std::string> text, std::optional<TimePoint> expires,
                                 TimePoint now) {
  Cell next;
  if (text) {
    next = {0, std::make_shared<const std::string>(std::move(*text)), expires};
    const std::size_t count = this->count();
    if (count >= kSweepAt && count % kSweepAt == 0) {
      expire(now);
    }
    const std::lock_guard lock(mutex_);
    if (bytes_ + weight(key, next) > limit_bytes_) {
      return Put::kFull;
    }
  }
  try {
    const Value done =
        redis_.run(Script::kPut, {name_, owner_, std::to_string(serial_), std::string(key),
                                  std::to_string(expected), next ? "1" : "0", expiry_text(expires),
                                  next ? *next.text : ""});
    if (done.list.at(0).number == 0) {
      load();
      return Put::kStale;
    }
    const std::uint64_t after = done.list.at(2).count();
    next.version = after;
    return note_change(key, std::move(next), done.list.at(1).count(), after);
  } catch (const OutOfRoom&) {
    return Put::kFull;
  }
}

void SharedCells::expire(TimePoint now) {
  for (const auto& [key, cell] : all()) {
    if (cell.expires && *cell.expires <= now) {
      compare_and_set(key, cell.version, std::nullopt, std::nullopt, now);
    }
  }
}

Put SharedCells::replace(const Cells& cells) {
  if (weight(cells) > limit_bytes_) {
    return Put::kFull;
  }
  std::vector<std::string> arguments{name_, owner_, std::to_string(serial_)};
  for (const auto& [key, cell] : cells) {
    arguments.insert(arguments.end(), {key, expiry_text(cell.expires), *cell.text});
  }
  try {
    redis_.run(Script::kReplace, arguments);
    load();
    return Put::kDone;
  } catch (const OutOfRoom&) {
    return Put::kFull;
  }
}

}  // namespace mock_server::state::shared
