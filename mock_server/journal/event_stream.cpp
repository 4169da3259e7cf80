#include "mock_server/journal/event_stream.hpp"

#include "mock_server/journal/journal_json.hpp"
#include "spec/json/value.hpp"
#include "spec/text/random.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace mock_server::journal {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenChanges{250};
constexpr milliseconds kBetweenKeeps{15'000};
constexpr std::size_t kMaxChanges = 100;          // sessions in one ask
constexpr std::size_t kMaxSessionNames = 20'000;  // of sessions, known at a time
constexpr milliseconds kTimeOfAll{200};           // of each second, for all readers together
constexpr std::size_t kMaxWhole = 5;              // entries in one ask whose bodies are compared
constexpr std::string_view kKeep = ": keep\n\n";

// Tells this start of the program from others.
const std::string& boot_id() {
  static const std::string boot = spec::text::random_hex(16);
  return boot;
}

void add_event(std::string& bytes, std::string_view name, const json& data,
               std::optional<std::uint64_t> id = std::nullopt) {
  bytes.append("event: ").append(name);
  if (id) {
    bytes.append("\nid: ").append(std::to_string(*id));
  }
  bytes.append("\ndata: ").append(spec::json::write(data)).append("\n\n");
}

std::optional<std::uint64_t> serial_of(state::Store& store,
                                       const std::optional<std::string>& session) {
  if (!session) {
    return std::nullopt;
  }
  const auto found = store.find(*session);
  return found == nullptr ? 0 : found->serial();
}

}  // namespace

EventStream::EventStream(const state::Journal& journal, state::Store& store, EventFilter filter,
                         TimeSource now)
    : journal_(journal),
      store_(store),
      filter_(std::move(filter)),
      now_(std::move(now)),
      watch_(store.changes()),
      serial_(serial_of(store, filter_.session)),
      mark_(journal.mark(serial_, filter_.after)),
      reloads_(store.changes().reloads()) {
  filter_.query.after = 0;  // the mark says more
  mark_.needed = needed_to_show(filter_.query);
}

reply::Growth EventStream::ask(std::string& bytes) {
  const TimePoint began = now_();
  if (!is_greeted_) {
    add_hello(bytes);
  }
  bool has_more = false;
  if (has_time_left(began)) {
    has_more = add_requests(bytes);
    spent_ += now_() - began;
  }
  if (began >= next_changes_) {
    add_changes(bytes);
    next_changes_ = began + kBetweenChanges;
  }
  if (const std::uint64_t reloads = store_.changes().reloads(); reloads != reloads_) {
    reloads_ = reloads;
    add_event(bytes, "reload", json::object());
  }
  if (bytes.empty() && began >= next_keep_) {
    bytes = kKeep;
  }
  if (!bytes.empty()) {
    next_keep_ = began + kBetweenKeeps;
  }
  return has_more ? reply::Growth::kHasMore : reply::Growth::kWaits;
}

void EventStream::add_hello(std::string& bytes) {
  is_greeted_ = true;
  add_event(bytes, "hello",
            {{"boot", boot_id()},
             {"newest", journal_.mark(std::nullopt, std::nullopt).id},
             {"session", filter_.session.value_or("*")}},
            mark_.id);
}

// Many readers share what one may take of a second, so that they do not slow down who is served.
bool EventStream::has_time_left(TimePoint now) {
  if (now >= second_began_ + std::chrono::seconds(1)) {
    second_began_ = now;
    spent_ = std::chrono::nanoseconds(0);
  }
  return spent_ * store_.changes().watchers() < kTimeOfAll;
}

// A session that was deleted and made again is followed by its name.
void EventStream::find_session_again() {
  const auto session = filter_.session ? store_.find(*filter_.session) : nullptr;
  if (session != nullptr && session->serial() != serial_) {
    serial_ = session->serial();
    mark_.added = 0;
  }
}

// null for a session that is gone. Looks the names up once for all requests that are added
// together.
json EventStream::session_name(std::uint64_t serial, bool& has_looked) {
  if (filter_.session) {
    return *filter_.session;
  }
  auto found = names_.find(serial);
  if (found == names_.end() && !has_looked) {
    has_looked = true;
    if (names_.size() > kMaxSessionNames) {
      names_.clear();
    }
    for (auto& summary : store_.list()) {
      names_.insert_or_assign(summary.serial, std::move(summary.name));
    }
    found = names_.find(serial);
  }
  return found == names_.end() ? json(nullptr) : json(found->second);
}

// True when there is more.
bool EventStream::add_requests(std::string& bytes) {
  find_session_again();
  std::string requests;
  std::size_t seen = 0;
  std::size_t shown = 0;
  bool has_looked = false;
  bool is_full = false;
  const std::size_t max_seen = mark_.needed == state::NeededParts::kAll ? kMaxWhole : kMaxSeen;
  const std::uint64_t lost = journal_.follow(serial_, mark_, [&](const state::Entry& entry) {
    if (is_in_range(filter_.query, entry) && compare(filter_.query, entry).fits()) {
      json summary = summarise(entry);
      summary["session"] = session_name(entry.session, has_looked);
      add_event(requests, "request", summary, entry.id);
      ++shown;
    }
    is_full = ++seen >= max_seen || shown >= kMaxShown || requests.size() >= kMaxBytes;
    return !is_full;
  });
  if (lost != 0) {
    add_event(bytes, "lost", {{"count", lost}});
  }
  bytes.append(requests);
  return is_full;
}

void EventStream::add_changes(std::string& bytes) {
  for (const state::SessionChange& change : watch_.take(filter_.session, kMaxChanges)) {
    json what = json::array();
    for (const state::Change kind : change.what) {
      what.push_back(to_text(kind));
    }
    add_event(bytes, "change", {{"session", change.session}, {"what", std::move(what)}});
  }
}

}  // namespace mock_server::journal
