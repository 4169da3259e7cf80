#include "mock_server/state/memory_journal.hpp"

#include "mock_server/state/journal.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::state {
namespace {

constexpr std::size_t kManyWindows = 100'000;
constexpr std::size_t kMaxLooks = 4'096;  // at slots, while the lock is held

void lose(JournalWindow& window, std::uint64_t id, TimePoint time) {
  window.last_lost_id = std::max(window.last_lost_id, id);
  window.last_lost_time = std::max(window.last_lost_time, time);
}

}  // namespace

// The memory that an entry takes, which is what the journal's limit bounds: its slot, and its bytes
// with the zero behind them and the eight bytes before them in which the allocator notes their
// size, rounded up to 16. A short text is a part of the slot.
std::size_t MemoryJournal::cost_of(const Slot& slot) {
  static const std::size_t short_size = std::string().capacity();
  constexpr std::size_t kStep = 16;
  if (slot.bytes.size() <= short_size) {
    return sizeof(Slot);
  }
  return sizeof(Slot) + (slot.bytes.size() + 1 + sizeof(std::size_t) + kStep - 1) / kStep * kStep;
}

std::optional<Entry> MemoryJournal::entry_of(const Slot& slot) {
  auto entry = read_entry(slot.bytes);
  if (entry) {
    entry->redacted_at = slot.redacted_at;
  }
  return entry;
}

MemoryJournal::MemoryJournal(std::size_t limit_bytes, std::chrono::seconds max_age,
                             TimeSource source)
    : limit_bytes_(limit_bytes), max_age_(max_age), source_(std::move(source)) {}

void MemoryJournal::add(const Exchange& exchange) {
  std::string bytes = write_entry(exchange, limit_bytes_);
  const std::lock_guard lock(mutex_);
  drop_old();
  const std::uint32_t noted_at = max_age_.count() == 0 ? 0 : seconds_now();
  JournalWindow& window = window_of(exchange.session);
  const bool is_kept =
      note(window, {exchange.id, exchange.session, exchange.time, noted_at,
                    exchange.chosen_by == kPreflight, std::move(bytes), exchange.redacted_at});
  if (is_kept && added_) {
    added_({dropped_ + slots_.size() - 1, dropped_, exchange.session, slots_.back().bytes, noted_at,
            window});
  }
}

void MemoryJournal::amend(const Exchange& exchange) {
  std::string bytes = write_entry(exchange, limit_bytes_);
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto slot = std::ranges::find(slots_, exchange.id, &Slot::id);
  if (slot == slots_.end() || slot->session != exchange.session || slot->bytes.empty()) {
    return;
  }
  used_bytes_ -= cost_of(*slot);
  slot->bytes = std::move(bytes);
  slot->redacted_at = exchange.redacted_at;
  used_bytes_ += cost_of(*slot);
  if (added_) {
    const auto place = dropped_ + static_cast<std::uint64_t>(slot - slots_.begin());
    added_({place, dropped_, slot->session, slot->bytes, slot->noted_at, window_of(slot->session)});
  }
  while (used_bytes_ > limit_bytes_ && !slots_.empty()) {
    drop_oldest();
  }
}

// Counts the entry and keeps it; false if it is larger than the journal. The lock is held, here and
// in the next.
bool MemoryJournal::note(JournalWindow& window, Slot slot) {
  ++window.noted;
  ++window.added;
  if (cost_of(slot) > limit_bytes_) {  // noted, but not kept: the window says so
    lose(window, slot.id, slot.time);
    return false;
  }
  window.preflights += slot.is_preflight ? 1 : 0;
  keep(std::move(slot));
  ++window.kept;
  return true;
}

void MemoryJournal::keep(Slot slot) {
  const std::size_t cost = cost_of(slot);
  while (!slots_.empty() && used_bytes_ + cost > limit_bytes_) {
    drop_oldest();
  }
  slots_.push_back(std::move(slot));
  used_bytes_ += cost;  // not if there was no memory for the slot
}

void MemoryJournal::report_to(
    std::function<void(const AddedEntry&)> added,
    std::function<void(std::uint64_t session, const JournalWindow&)> cleared) {
  added_ = std::move(added);
  cleared_ = std::move(cleared);
}

std::optional<std::uint64_t> MemoryJournal::restore(std::uint64_t place, std::string_view bytes,
                                                    std::uint32_t noted_at) {
  const auto entry = read_entry(bytes);
  if (!entry) {
    return std::nullopt;
  }
  Slot slot{entry->id,
            entry->session,
            entry->time,
            noted_at == 0 ? seconds_now() : noted_at,
            entry->chosen_by == kPreflight,
            std::string(bytes)};
  if (cost_of(slot) > limit_bytes_) {
    return std::nullopt;
  }
  const std::lock_guard lock(mutex_);
  if (slots_.empty()) {
    dropped_ = place;
  }
  const bool is_preflight = slot.is_preflight;
  keep(std::move(slot));
  JournalWindow& window = windows_[entry->session];
  ++window.kept;
  window.preflights += is_preflight ? 1 : 0;
  window.noted = std::max(window.noted, window.kept);
  window.added = std::max(window.added, window.noted);
  continue_after(std::max(last_id(), entry->id));
  return dropped_ + slots_.size() - 1;
}

void MemoryJournal::restore_window(std::uint64_t session, const JournalWindow& window) {
  const std::lock_guard lock(mutex_);
  windows_[session] = window;
  windows_[session].kept = windows_[session].preflights = 0;
  last_dropped_id_ = std::max(last_dropped_id_, window.last_lost_id);
}

void MemoryJournal::continue_after(std::uint64_t last) {
  last_id_.store(last, std::memory_order_relaxed);
}

void MemoryJournal::add_written(std::string_view bytes, std::uint32_t noted_at) {
  const auto entry = read_entry(bytes);
  if (!entry) {
    return;
  }
  const std::lock_guard lock(mutex_);
  continue_after(std::max(last_id(), entry->id));
  note(window_of(entry->session), {entry->id, entry->session, entry->time, noted_at,
                                   entry->chosen_by == kPreflight, std::string(bytes)});
}

void MemoryJournal::add_gap() {
  constexpr std::uint64_t kNobody = ~std::uint64_t{0};
  const std::lock_guard lock(mutex_);
  keep({0, kNobody, {}, slots_.empty() ? 0 : slots_.back().noted_at, false, {}});
}

void MemoryJournal::start_over(std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  for (const Slot& slot : slots_) {
    last_dropped_id_ = std::max(last_dropped_id_, slot.id);
  }
  slots_.clear();
  windows_.clear();
  dropped_ = place;
  used_bytes_ = 0;
}

void MemoryJournal::drop_before(std::uint64_t place) {
  const std::lock_guard lock(mutex_);
  while (!slots_.empty() && dropped_ < place) {
    drop_oldest();
  }
}

std::optional<Entry> MemoryJournal::find(std::uint64_t session, std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  drop_old();
  // Ids are taken before they are noted, so the order of slots is only nearly that of ids.
  const auto found = std::ranges::find_if(
      slots_, [&](const Slot& slot) { return slot.id == id && slot.session == session; });
  return found == slots_.end() ? std::nullopt : entry_of(*found);
}

// The lock is held in this one and the three below.
// Behind the slot of `id`; if that is gone, the first with a higher id.
std::size_t MemoryJournal::slot_after(std::uint64_t id) const {
  if (id > last_id()) {
    return 0;
  }
  auto found = std::ranges::find(slots_, id, &Slot::id);
  if (found != slots_.end()) {
    ++found;
  } else {
    found = std::ranges::find_if(slots_, [&](const Slot& slot) { return slot.id > id; });
  }
  return static_cast<std::size_t>(found - slots_.begin());
}

// The number of the session's entries that were added before that slot.
std::uint64_t MemoryJournal::added_before(std::uint64_t session, std::size_t slot) const {
  const auto found = windows_.find(session);
  const std::uint64_t added = found == windows_.end() ? 0 : found->second.added;
  const auto from = slots_.begin() + static_cast<std::ptrdiff_t>(slot);
  const auto later =
      static_cast<std::uint64_t>(std::ranges::count(from, slots_.end(), session, &Slot::session));
  return added - std::min(added, later);
}

// Moves the mark to the oldest slot if what it points to is gone. Returns how many are.
std::uint64_t MemoryJournal::pass_lost(std::optional<std::uint64_t> session,
                                       JournalMark& mark) const {
  if (mark.place >= dropped_) {
    return 0;
  }
  std::uint64_t lost = dropped_ - mark.place;
  if (session) {
    const std::uint64_t added = added_before(*session, 0);
    lost = added - std::min(added, mark.added);
    mark.added = added;
  }
  mark.place = dropped_;
  mark.id = last_dropped_id_;
  return lost;
}

// The next entry of `session`, if there is one; looks at no more than so many slots at a time.
std::optional<Entry> MemoryJournal::next_entry(std::optional<std::uint64_t> session,
                                               JournalMark& mark) const {
  for (std::size_t looks = 0; looks < kMaxLooks && mark.place < dropped_ + slots_.size(); ++looks) {
    const Slot& slot = slots_[static_cast<std::size_t>(mark.place - dropped_)];
    ++mark.place;
    mark.id = slot.id;
    const bool is_asked_for = !session || slot.session == *session;
    mark.added += session && is_asked_for ? 1 : 0;
    if (is_asked_for && !slot.bytes.empty()) {
      return entry_of(slot);
    }
  }
  return std::nullopt;
}

JournalMark MemoryJournal::mark(std::optional<std::uint64_t> session,
                                std::optional<std::uint64_t> after) const {
  const std::lock_guard lock(mutex_);
  drop_old();
  const std::size_t slot = after ? slot_after(*after) : slots_.size();
  JournalMark mark;
  mark.place = dropped_ + slot;
  if (session) {
    mark.added = added_before(*session, slot);
  }
  if (after && slot == 0 && *after < last_dropped_id_) {
    // Entries that are gone behind that id count as lost. Ids are one for each entry.
    mark.place -= std::min(mark.place, last_dropped_id_ - *after);
    const auto found = session ? windows_.find(*session) : windows_.end();
    if (found != windows_.end() && found->second.last_lost_id > *after) {
      mark.added -= std::min({mark.added, found->second.lost(), last_dropped_id_ - *after});
    }
  }
  mark.id = slot > 0 ? slots_[slot - 1].id : last_dropped_id_;
  if (after) {
    mark.id = *after <= last_id() ? *after : 0;
  }
  return mark;
}

std::uint64_t MemoryJournal::follow(std::optional<std::uint64_t> session, JournalMark& mark,
                                    const std::function<bool(Entry&)>& visit) const {
  std::uint64_t lost = 0;
  std::optional<Entry> entry;
  do {
    bool is_over = false;
    {
      const std::lock_guard lock(mutex_);
      drop_old();
      lost += pass_lost(session, mark);
      entry = next_entry(session, mark);
      is_over = mark.place >= dropped_ + slots_.size();
    }
    if (!entry && is_over) {
      return lost;
    }
  } while (!entry || visit(*entry));
  return lost;
}

JournalWindow MemoryJournal::window(std::uint64_t session) const {
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto found = windows_.find(session);
  return found == windows_.end() ? JournalWindow{} : found->second;
}

void MemoryJournal::clear(std::uint64_t session) {
  clear(session, false);
}

void MemoryJournal::clear_in_part(std::uint64_t session) {
  clear(session, true);
}

void MemoryJournal::clear(std::uint64_t session, bool in_part) {
  const std::lock_guard lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.session == session) {
      used_bytes_ -= cost_of(slot);
      std::string().swap(slot.bytes);  // an assignment would keep its memory
      used_bytes_ += cost_of(slot);
    }
  }
  JournalWindow fresh;  // counted from nothing, and known to be
  fresh.added = windows_[session].added;
  fresh.is_partial = in_part;
  windows_[session] = fresh;
  if (cleared_) {
    cleared_(session, fresh);
  }
}

std::size_t MemoryJournal::used_bytes() const {
  const std::lock_guard lock(mutex_);
  drop_old();
  return used_bytes_;
}

JournalWindow& MemoryJournal::window_of(std::uint64_t session) {
  const auto found = windows_.find(session);
  if (found != windows_.end()) {
    return found->second;
  }
  if (windows_.size() > kManyWindows) {
    forget_windows(session);
  }
  JournalWindow& made = windows_[session];
  made.is_partial = session <= forgotten_up_to_ && session != 0;
  return made;
}

// If there are very many windows, those of sessions without entries are dropped, except for the
// default session's. If such a session is used again, its window is marked as partial.
void MemoryJournal::forget_windows(std::uint64_t but) {
  std::erase_if(windows_, [&](const auto& entry) {
    const auto& [session, window] = entry;
    const bool goes = window.kept == 0 && session != but && session != 0;
    if (goes && (window.noted != 0 || window.is_partial)) {
      forgotten_up_to_ = std::max(forgotten_up_to_, session);
    }
    return goes;
  });
}

std::uint32_t MemoryJournal::seconds_now() const {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::seconds>(source_().time_since_epoch()).count());
}

void MemoryJournal::drop_old() const {
  if (max_age_.count() == 0) {
    return;
  }
  const auto now = seconds_now();
  while (!slots_.empty() && slots_.front().noted_at + max_age_.count() <= now) {
    drop_oldest();
  }
}

void MemoryJournal::drop_oldest() const {
  const Slot& oldest = slots_.front();
  if (!oldest.bytes.empty()) {
    JournalWindow& window = windows_[oldest.session];
    --window.kept;
    window.preflights -= oldest.is_preflight ? 1 : 0;
    lose(window, oldest.id, oldest.time);
  }
  used_bytes_ -= cost_of(oldest);
  last_dropped_id_ = std::max(last_dropped_id_, oldest.id);
  slots_.pop_front();
  ++dropped_;
}

}  // namespace mock_server::state
