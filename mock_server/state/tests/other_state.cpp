#include "mock_server/state/tests/other_state.hpp"

#include "mock_server/state/ring_journal.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

namespace mock_server::state::testing {
namespace {

constexpr std::int64_t kNever = -1;

class TextCells final : public CellStore {
 public:
  explicit TextCells(std::shared_ptr<Budget> budget) : budget_(std::move(budget)) {}

  ~TextCells() override { book(0); }

  TextCells(const TextCells&) = delete;
  TextCells& operator=(const TextCells&) = delete;
  TextCells(TextCells&&) = delete;
  TextCells& operator=(TextCells&&) = delete;

  std::size_t count() const override { return all().size(); }

  Cell read(std::string_view key) const override {
    const Cells cells = all();
    const auto found = cells.find(key);
    return found == cells.end() ? Cell{} : found->second;
  }

  Cells all() const override {
    const std::lock_guard lock(mutex_);
    return parse();
  }

  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires, TimePoint /*now*/) override {
    const std::lock_guard lock(mutex_);
    Cells cells = parse();
    const auto found = cells.find(key);
    if ((found == cells.end() ? 0 : found->second.version) != expected) {
      return Put::kStale;
    }
    cells.erase(std::string(key));
    if (text) {
      cells[std::string(key)] = {++version_, std::make_shared<const std::string>(*text), expires};
    }
    return keep(cells);
  }

  void expire(TimePoint now) override {
    const std::lock_guard lock(mutex_);
    Cells cells = parse();
    std::erase_if(cells, [now](const auto& entry) {
      return entry.second.expires && *entry.second.expires <= now;
    });
    keep(cells);
  }

  Put replace(const Cells& cells) override {
    const std::lock_guard lock(mutex_);
    Cells fresh = cells;
    for (auto& entry : fresh) {
      entry.second.version = ++version_;
    }
    return keep(fresh);
  }

 private:
  Cells parse() const {
    Cells cells;
    std::istringstream in(text_);
    std::uint64_t version = 0;
    std::int64_t expires = kNever;
    std::size_t key_size = 0;
    std::size_t text_size = 0;
    while (in >> version >> expires >> key_size >> text_size && in.get() == '\n') {
      std::string key(key_size, '\0');
      std::string text(text_size, '\0');
      in.read(key.data(), static_cast<std::streamsize>(key_size));
      in.read(text.data(), static_cast<std::streamsize>(text_size));
      Cell& cell = cells[key];
      cell = {version, std::make_shared<const std::string>(std::move(text)), {}};
      if (expires != kNever) {
        cell.expires = TimePoint(std::chrono::microseconds(expires));
      }
    }
    return cells;
  }

  Put keep(const Cells& cells) {
    if (!book(weight(cells))) {
      return Put::kFull;
    }
    std::ostringstream out;
    for (const auto& [key, cell] : cells) {
      out << cell.version << ' '
          << (cell.expires ? cell.expires->time_since_epoch().count() : kNever) << ' ' << key.size()
          << ' ' << cell.text->size() << '\n'
          << key << *cell.text;
    }
    text_ = out.str();
    return Put::kDone;
  }

  bool book(std::size_t bytes) {
    if (budget_ && bytes > bytes_ && !budget_->take(bytes - bytes_)) {
      return false;
    }
    if (budget_ && bytes < bytes_) {
      budget_->give_back(bytes_ - bytes);
    }
    bytes_ = bytes;
    return true;
  }

  const std::shared_ptr<Budget> budget_;
  mutable std::mutex mutex_;
  std::string text_;
  std::size_t bytes_ = 0;
  std::uint64_t version_ = 0;
};

// Each exchange in a ring of its own, which knows what to hide.
class ListJournal final : public Journal {
 public:
  std::uint64_t next_id() override { return ++last_id_; }

  std::uint64_t last_id() const override { return last_id_; }

  void add(const Exchange& exchange) override {
    auto ring = std::make_shared<RingJournal>(kEntryBytes);
    ring->add(exchange);
    const std::lock_guard lock(mutex_);
    kept_.push_back({exchange.session, exchange.id, exchange.time, std::move(ring), ++added_});
    ++windows_[exchange.session].noted;
    ++windows_[exchange.session].kept;
    if (kept_.size() > kMax) {
      const Kept& lost = kept_.front();
      JournalWindow& window = windows_[lost.session];
      --window.kept;
      window.last_lost_id = std::max(window.last_lost_id, lost.id);
      window.last_lost_time = std::max(window.last_lost_time, lost.time);
      kept_.pop_front();
    }
  }

  std::optional<Entry> find(std::uint64_t session, std::uint64_t id) const override {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        kept_, [&](const Kept& one) { return one.session == session && one.id == id; });
    return found == kept_.end() ? std::nullopt : found->ring->find(session, id);
  }

  void each(std::uint64_t session, const std::function<void(const Entry&)>& visit) const override {
    std::deque<Kept> all;
    {
      const std::lock_guard lock(mutex_);
      all = kept_;
    }
    for (const Kept& one : all) {
      one.ring->each(session, visit);
    }
  }

  // By places that count from 1; a reader that is too late for an entry does not learn of the loss.
  JournalMark mark(std::optional<std::uint64_t> session,
                   std::optional<std::uint64_t> after) const override {
    const std::lock_guard lock(mutex_);
    const auto next = std::ranges::find_if(
        kept_, [&](const Kept& one) { return after && (*after > last_id_ || one.id > *after); });
    const std::uint64_t place = next == kept_.end() ? added_ + 1 : next->place;
    const auto id = after && *after <= last_id_ ? *after : kept_.empty() ? 0 : kept_.back().id;
    return {place, session.value_or(0), id};
  }

  std::uint64_t follow(std::optional<std::uint64_t> session, JournalMark& mark,
                       const std::function<bool(const Entry&)>& visit) const override {
    std::deque<Kept> all;
    {
      const std::lock_guard lock(mutex_);
      all = kept_;
    }
    bool goes_on = true;
    for (const Kept& one : all) {
      if (!goes_on || one.place < mark.place) {
        continue;
      }
      mark = {one.place + 1, mark.added, one.id};
      if (!session || one.session == *session) {
        one.ring->each(one.session, [&](const Entry& entry) { goes_on = visit(entry); });
      }
    }
    return 0;
  }

  JournalWindow window(std::uint64_t session) const override {
    const std::lock_guard lock(mutex_);
    const auto found = windows_.find(session);
    return found == windows_.end() ? JournalWindow{} : found->second;
  }

  void clear(std::uint64_t session) override {
    const std::lock_guard lock(mutex_);
    std::erase_if(kept_, [session](const Kept& one) { return one.session == session; });
    windows_[session] = {};
  }

  std::size_t limit_bytes() const override { return kMax * kEntryBytes; }

  std::size_t used_bytes() const override {
    const std::lock_guard lock(mutex_);
    std::size_t sum = 0;
    for (const Kept& one : kept_) {
      sum += one.ring->used_bytes();
    }
    return sum;
  }

 private:
  static constexpr std::size_t kEntryBytes = 256 * 1024;
  static constexpr std::size_t kMax = 4'000;

  struct Kept {
    std::uint64_t session = 0;
    std::uint64_t id = 0;
    TimePoint time;
    std::shared_ptr<const RingJournal> ring;
    std::uint64_t place = 0;
  };

  mutable std::mutex mutex_;
  std::deque<Kept> kept_;
  std::uint64_t added_ = 0;
  std::map<std::uint64_t, JournalWindow> windows_;
  std::atomic<std::uint64_t> last_id_{0};
};

}  // namespace

std::unique_ptr<CellStore> open_as_text(std::string_view /*name*/, std::uint64_t /*serial*/,
                                        const std::shared_ptr<Budget>& budget) {
  return std::make_unique<TextCells>(budget);
}

std::unique_ptr<Journal> make_list_journal() {
  return std::make_unique<ListJournal>();
}

bool is_other_state_wanted() {
  return std::getenv("COUNTERPART_OTHER_STATE") != nullptr;
}

}  // namespace mock_server::state::testing
