#include "mock_server/state/ring_journal.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <cstring>

namespace mock_server::state {
namespace {

// An entry takes at most this share of the ring, so that one huge body does not empty it.
constexpr std::size_t kBodyShare = 16;
// Slots are bookkeeping beside the ring; more than this many would outgrow it.
constexpr std::size_t kSmallestEntry = 64;
constexpr std::size_t kManyWindows = 100'000;
constexpr std::size_t kMaxLooks = 4'096;  // at slots, while the lock is held

using spec::http::Headers;

// The stored value of a field: the visible part, and a replacement for the rest.
struct Shown {
  std::string_view first;
  std::string_view second;
};

bool is_one_of(std::string_view name, std::span<const std::string> names) {
  return std::ranges::any_of(
      names, [&](const std::string& one) { return spec::text::equals_ignoring_case(name, one); });
}

Shown shown_value(std::string_view name, std::string_view value,
                  std::span<const std::string> hidden) {
  using spec::text::equals_ignoring_case;
  if (equals_ignoring_case(name, "Authorization") ||
      equals_ignoring_case(name, "Proxy-Authorization")) {
    const std::size_t blank = value.find(' ');
    return {value.substr(0, blank == std::string_view::npos ? 0 : blank + 1), kHidden};
  }
  if (equals_ignoring_case(name, "X-Counterpart-Control-Token") || is_one_of(name, hidden)) {
    return {{}, kHidden};
  }
  return {value, {}};
}

// Lengths first, bytes after; read back in the same order by Reader.
class Writer {
 public:
  explicit Writer(char* at) : at_(at) {}

  const char* end() const { return at_; }

  template <typename T>
  void number(T value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }

  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    if (!text.empty()) {
      std::memcpy(at_, text.data(), text.size());
      at_ += text.size();
    }
  }

  // Two pieces that are read back as one text.
  void text(std::string_view first, std::string_view second) {
    number(static_cast<std::uint32_t>(first.size() + second.size()));
    for (const std::string_view piece : {first, second}) {
      if (!piece.empty()) {
        std::memcpy(at_, piece.data(), piece.size());
        at_ += piece.size();
      }
    }
  }

  void headers(const Headers& headers, std::span<const std::string> hidden) {
    number(static_cast<std::uint32_t>(headers.lines().size()));
    for (const auto& [name, value] : headers.lines()) {
      const Shown shown = shown_value(name, value, hidden);
      text(name);
      text(shown.first, shown.second);
      number(static_cast<std::uint8_t>(shown.second.empty() ? 0 : 1));
      if (!shown.second.empty()) {
        number(secret_mark(value));
      }
    }
  }

 private:
  char* at_;
};

class Reader {
 public:
  explicit Reader(const char* at) : at_(at) {}

  template <typename T>
  T number() {
    T value{};
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  std::string text() {
    const auto size = number<std::uint32_t>();
    std::string text(at_, size);
    at_ += size;
    return text;
  }

  Headers headers(std::vector<HiddenField>& hidden) {
    Headers headers;
    for (auto left = number<std::uint32_t>(); left > 0; --left) {
      std::string name = text();
      std::string value = text();
      if (number<std::uint8_t>() != 0) {
        hidden.push_back({name, number<std::uint64_t>()});
      }
      headers.add(std::move(name), std::move(value));
    }
    return headers;
  }

 private:
  const char* at_;
};

constexpr std::size_t kLength = sizeof(std::uint32_t);

std::size_t size_of(std::string_view text) {
  return kLength + text.size();
}

// As if every value might be hidden: which are, is found out when they are written.
std::size_t most_size_of(const Headers& headers) {
  std::size_t size = kLength;
  for (const auto& [name, value] : headers.lines()) {
    size += size_of(name) + size_of(value) + kHidden.size() + sizeof(std::uint8_t) +
            sizeof(std::uint64_t);
  }
  return size;
}

std::string_view target_of(const Exchange& exchange) {
  return exchange.target.empty() ? std::string_view(exchange.request->target) : exchange.target;
}

// The parts of an exchange that may be long, cut to what an entry may take.
struct Cut {
  std::string_view request_body;
  std::string_view response_body;
};

Cut cut_bodies(const Exchange& exchange, std::size_t limit) {
  const std::size_t share = limit / kBodyShare;
  return {std::string_view(exchange.request->body).substr(0, share),
          std::string_view(exchange.response->body).substr(0, share)};
}

// Bytes that the entry takes at most.
std::size_t most_size_of(const Exchange& exchange, const Cut& cut) {
  return 6 * sizeof(std::uint64_t) + sizeof(std::int32_t) + size_of(exchange.peer) +
         size_of(exchange.operation) + size_of(exchange.chosen_by) + size_of(exchange.violations) +
         size_of(exchange.broken) + size_of(exchange.fault) + size_of(exchange.request->method) +
         size_of(target_of(exchange)) + most_size_of(exchange.request->headers) +
         size_of(cut.request_body) + size_of(exchange.response->reason) +
         most_size_of(exchange.response->headers) + size_of(cut.response_body);
}

// Gives the end of what was written.
const char* write(const Exchange& exchange, const Cut& cut, char* at) {
  Writer out(at);
  out.number(exchange.id);
  out.number(exchange.session);
  out.number(static_cast<std::int64_t>(exchange.time.time_since_epoch().count()));
  out.number(static_cast<std::int64_t>(exchange.took.count()));
  out.number(static_cast<std::uint64_t>(exchange.request->body.size()));
  out.number(static_cast<std::uint64_t>(exchange.response->body.size()));
  out.number(static_cast<std::int32_t>(exchange.response->status));
  for (const std::string_view text :
       {exchange.peer, exchange.operation, exchange.chosen_by, exchange.violations, exchange.broken,
        exchange.fault, std::string_view(exchange.request->method), target_of(exchange)}) {
    out.text(text);
  }
  out.headers(exchange.request->headers, exchange.hidden_fields);
  out.text(cut.request_body);
  out.text(exchange.response->reason);
  out.headers(exchange.response->headers, {});
  out.text(cut.response_body);
  return out.end();
}

Entry read_entry(const char* at) {
  Reader in(at);
  Entry entry;
  entry.id = in.number<std::uint64_t>();
  entry.session = in.number<std::uint64_t>();
  entry.time = TimePoint(std::chrono::microseconds(in.number<std::int64_t>()));
  entry.took = std::chrono::nanoseconds(in.number<std::int64_t>());
  entry.request_body_bytes = in.number<std::uint64_t>();
  entry.response_body_bytes = in.number<std::uint64_t>();
  entry.response.status = in.number<std::int32_t>();
  for (std::string* text :
       {&entry.peer, &entry.operation, &entry.chosen_by, &entry.violations, &entry.broken,
        &entry.fault, &entry.request.method, &entry.request.target}) {
    *text = in.text();
  }
  entry.request.headers = in.headers(entry.hidden);
  entry.request.body = in.text();
  entry.response.reason = in.text();
  std::vector<HiddenField> none;
  entry.response.headers = in.headers(none);
  entry.response.body = in.text();
  return entry;
}

void lose(JournalWindow& window, std::uint64_t id, TimePoint time) {
  window.last_lost_id = std::max(window.last_lost_id, id);
  window.last_lost_time = std::max(window.last_lost_time, time);
}

}  // namespace

RingJournal::RingJournal(std::size_t limit_bytes)
    : limit_bytes_(limit_bytes), ring_(std::make_unique_for_overwrite<char[]>(limit_bytes)) {}

void RingJournal::add(const Exchange& exchange) {
  const Cut cut = cut_bodies(exchange, limit_bytes_);
  const std::size_t most = most_size_of(exchange, cut);
  const std::lock_guard lock(mutex_);
  JournalWindow& window = window_of(exchange.session);
  ++window.noted;
  ++window.added;
  if (most > limit_bytes_) {  // noted, but not kept: the window says so
    lose(window, exchange.id, exchange.time);
    return;
  }
  char* const place = make_room(most);
  const char* const end = write(exchange, cut, place);
  next_offset_ = static_cast<std::size_t>(end - ring_.get());
  const auto size = static_cast<std::size_t>(end - place);
  slots_.push_back({static_cast<std::size_t>(place - ring_.get()), size, exchange.id,
                    exchange.session, exchange.time, true});
  live_bytes_ += size;
  ++window.kept;
}

std::string RingJournal::written(const Exchange& exchange, std::size_t limit_bytes) {
  const Cut cut = cut_bodies(exchange, limit_bytes);
  std::string bytes(most_size_of(exchange, cut), '\0');
  bytes.resize(static_cast<std::size_t>(write(exchange, cut, bytes.data()) - bytes.data()));
  return bytes;
}

void RingJournal::add_written(std::string_view bytes) {
  const Entry entry = read_entry(bytes.data());
  const std::lock_guard lock(mutex_);
  JournalWindow& window = window_of(entry.session);
  ++window.noted;
  ++window.added;
  if (bytes.size() > limit_bytes_) {
    lose(window, entry.id, entry.time);
    return;
  }
  last_id_.store(std::max(last_id_.load(), entry.id));
  char* const place = make_room(bytes.size());
  std::ranges::copy(bytes, place);
  next_offset_ = static_cast<std::size_t>(place - ring_.get()) + bytes.size();
  slots_.push_back({static_cast<std::size_t>(place - ring_.get()), bytes.size(), entry.id,
                    entry.session, entry.time, true});
  live_bytes_ += bytes.size();
  ++window.kept;
}

std::optional<Entry> RingJournal::find(std::uint64_t session, std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  // Ids are taken before they are noted, so the order of slots is only nearly that of ids.
  const auto found = std::ranges::find_if(slots_, [&](const Slot& slot) {
    return slot.id == id && slot.session == session && slot.live;
  });
  if (found == slots_.end()) {
    return std::nullopt;
  }
  return read_entry(ring_.get() + found->offset);
}

void RingJournal::each(std::uint64_t session,
                       const std::function<void(const Entry&)>& visit) const {
  std::uint64_t end = 0;
  {
    const std::lock_guard lock(mutex_);
    end = dropped_ + slots_.size();
  }
  for (std::uint64_t at = 0; at < end; ++at) {
    std::optional<Entry> entry;
    {
      const std::lock_guard lock(mutex_);
      at = std::max(at, dropped_);
      if (at >= end) {
        return;
      }
      const Slot& slot = slots_[static_cast<std::size_t>(at - dropped_)];
      if (slot.session == session && slot.live) {
        entry = read_entry(ring_.get() + slot.offset);
      }
    }
    if (entry) {
      visit(*entry);
    }
  }
}

// The lock is held in this one and the three below.
// Behind the slot of `id`; if that is gone, the first with a higher id.
std::size_t RingJournal::slot_after(std::uint64_t id) const {
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

// How many of the session's entries were added before that slot.
std::uint64_t RingJournal::added_before(std::uint64_t session, std::size_t slot) const {
  const auto found = windows_.find(session);
  const std::uint64_t added = found == windows_.end() ? 0 : found->second.added;
  const auto from = slots_.begin() + static_cast<std::ptrdiff_t>(slot);
  const auto later =
      static_cast<std::uint64_t>(std::ranges::count(from, slots_.end(), session, &Slot::session));
  return added - std::min(added, later);
}

// Moves the mark to the oldest slot if what it points to is gone. Returns how many are.
std::uint64_t RingJournal::pass_lost(std::optional<std::uint64_t> session,
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
std::optional<Entry> RingJournal::next_entry(std::optional<std::uint64_t> session,
                                             JournalMark& mark) const {
  for (std::size_t looks = 0; looks < kMaxLooks && mark.place < dropped_ + slots_.size(); ++looks) {
    const Slot& slot = slots_[static_cast<std::size_t>(mark.place - dropped_)];
    ++mark.place;
    mark.id = slot.id;
    const bool is_asked_for = !session || slot.session == *session;
    mark.added += session && is_asked_for ? 1 : 0;
    if (is_asked_for && slot.live) {
      return read_entry(ring_.get() + slot.offset);
    }
  }
  return std::nullopt;
}

JournalMark RingJournal::mark(std::optional<std::uint64_t> session,
                              std::optional<std::uint64_t> after) const {
  const std::lock_guard lock(mutex_);
  const std::size_t slot = after ? slot_after(*after) : slots_.size();
  JournalMark mark;
  mark.place = dropped_ + slot;
  if (session) {
    mark.added = added_before(*session, slot);
  }
  if (after && slot == 0 && *after < last_dropped_id_) {
    // What is gone behind that id counts as lost. Ids are one for each entry.
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

std::uint64_t RingJournal::follow(std::optional<std::uint64_t> session, JournalMark& mark,
                                  const std::function<bool(const Entry&)>& visit) const {
  std::uint64_t lost = 0;
  std::optional<Entry> entry;
  do {
    bool is_over = false;
    {
      const std::lock_guard lock(mutex_);
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

JournalWindow RingJournal::window(std::uint64_t session) const {
  const std::lock_guard lock(mutex_);
  const auto found = windows_.find(session);
  return found == windows_.end() ? JournalWindow{} : found->second;
}

void RingJournal::clear(std::uint64_t session) {
  const std::lock_guard lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.live && slot.session == session) {
      slot.live = false;
      live_bytes_ -= slot.size;
    }
  }
  JournalWindow fresh;  // counted from nothing, and known to be
  fresh.added = windows_[session].added;
  windows_[session] = fresh;
}

std::size_t RingJournal::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return live_bytes_;
}

JournalWindow& RingJournal::window_of(std::uint64_t session) {
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
void RingJournal::forget_windows(std::uint64_t but) {
  std::erase_if(windows_, [&](const auto& entry) {
    const auto& [session, window] = entry;
    const bool goes = window.kept == 0 && session != but && session != 0;
    if (goes && (window.noted != 0 || window.is_partial)) {
      forgotten_up_to_ = std::max(forgotten_up_to_, session);
    }
    return goes;
  });
}

// Frees the `size` bytes from next_offset_ on, or from the start of the ring when they do not fit
// before its end. What is not written of them stays free: nothing lies there. Precondition: size <=
// limit_bytes_, and the lock is held.
char* RingJournal::make_room(std::size_t size) {
  while (slots_.size() >= std::max<std::size_t>(limit_bytes_ / kSmallestEntry, 1)) {
    drop_oldest();
  }
  if (next_offset_ + size > limit_bytes_) {
    while (!slots_.empty() && slots_.front().offset >= next_offset_) {
      drop_oldest();
    }
    next_offset_ = 0;
  }
  const std::size_t end = next_offset_ + size;
  while (!slots_.empty() && slots_.front().offset >= next_offset_ && slots_.front().offset < end) {
    drop_oldest();
  }
  return ring_.get() + next_offset_;
}

void RingJournal::drop_oldest() {
  const Slot& oldest = slots_.front();
  if (oldest.live) {
    JournalWindow& window = windows_[oldest.session];
    --window.kept;
    lose(window, oldest.id, oldest.time);
    live_bytes_ -= oldest.size;
  }
  last_dropped_id_ = std::max(last_dropped_id_, oldest.id);
  slots_.pop_front();
  ++dropped_;
}

}  // namespace mock_server::state
