#include "mock_server/state/shared/shared_store.hpp"

#include "mock_server/state/cells.hpp"

#include <algorithm>
#include <csignal>
#include <pthread.h>
#include <utility>

namespace mock_server::state::shared {
namespace {

constexpr std::chrono::milliseconds kBetweenRefreshes{100};
constexpr std::size_t kManyKnown = 20'000;  // sessions that this process keeps copies of

// Its snapshots are in Redis, too.
class SharedSession final : public Session {
 public:
  SharedSession(Redis& redis, std::string name, std::uint64_t serial, TimeSource source,
                std::size_t limit_bytes, const OpenCells& open)
      : Session(std::move(name), serial, std::move(source), nullptr, open),
        redis_(redis),
        limit_bytes_(limit_bytes) {}

  Commit commit() override {
    RequestScope* const scope = RequestScope::current();
    return scope != nullptr ? scope->commit() : Commit::kDone;
  }

  Put take_snapshot(std::string_view snapshot) override {
    const Value added = redis_.run(
        Script::kSnapshots, {"add", name(), std::string(snapshot), std::to_string(kMaxSnapshots)});
    return added.number == 0 ? Put::kFull : cells_of(snapshot).replace(cells());
  }

  std::optional<Put> restore_snapshot(std::string_view name) override {
    const auto kept = snapshot(name);
    return kept ? std::optional(replace(*kept)) : std::nullopt;
  }

  std::optional<Cells> snapshot(std::string_view wanted) const override {
    const auto names = snapshots();
    if (std::ranges::find(names, wanted) == names.end()) {
      return std::nullopt;
    }
    SharedCells kept = cells_of(wanted);
    kept.load();
    return kept.all();
  }

  bool drop_snapshot(std::string_view snapshot) override {
    return redis_.run(Script::kSnapshots, {"drop", name(), std::string(snapshot)}).number != 0;
  }

  std::vector<std::string> snapshots() const override {
    std::vector<std::string> names;
    for (const Value& one : redis_.run(Script::kSnapshots, {"list", name(), ""}).list) {
      names.push_back(one.text);
    }
    std::ranges::sort(names);
    return names;
  }

 private:
  SharedCells cells_of(std::string_view snapshot) const {
    return {redis_, name() + '/' + std::string(snapshot), name(), serial(), limit_bytes_, 0};
  }

  Redis& redis_;
  const std::size_t limit_bytes_;
};

TimePoint of_ms(std::uint64_t ms) {
  return TimePoint(std::chrono::milliseconds(ms));
}

}  // namespace

SharedStore::SharedStore(Redis& redis, SharedJournal& journal, TimeSource source,
                         StoreLimits limits)
    : Store(source, limits), redis_(redis), journal_(journal), source_(std::move(source)) {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "shared-state");
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    while (!stop.stop_requested()) {
      refresh();
      std::unique_lock lock(wait_mutex_);
      wait_.wait_for(lock, stop, kBetweenRefreshes, [] { return false; });
    }
  });
}

void SharedStore::refresh() {
  redis_.probe();
  if (redis_.is_down()) {
    return;
  }
  try {
    load("", false);  // that older data came back is noticed before new data is as far
    journal_.refresh(changes().watchers() > 0);
    size_.store(count_sessions());
  } catch (const std::exception&) {  // the next probe says more
  }
}

std::string SharedStore::now_ms() const {
  return std::to_string(
      std::chrono::duration_cast<std::chrono::milliseconds>(source_().time_since_epoch()).count());
}

std::string SharedStore::idle_ms() const {
  return std::to_string(std::chrono::milliseconds(limits().idle).count());
}

// The session as this process knows it, made or made anew if it has another serial.
SharedStore::KnownSession SharedStore::known(std::string_view name, std::uint64_t serial) {
  const std::lock_guard lock(mutex_);
  if (known_.size() > kManyKnown) {
    known_.clear();
  }
  KnownSession& known = known_[std::string(name)];
  if (known.session == nullptr || known.session->serial() != serial) {
    SharedCells* made = nullptr;
    const std::size_t limit = limits().bytes;
    const auto open = [&, this](const auto&...) {
      auto cells = std::make_unique<SharedCells>(redis_, std::string(name), std::string(name),
                                                 serial, limit, journal_.limit_bytes());
      made = cells.get();
      return cells;
    };
    known.session =
        std::make_shared<SharedSession>(redis_, std::string(name), serial, source_, limit, open);
    known.cells = std::shared_ptr<SharedCells>(known.session, made);
    known.session->report_to(shared_changes());
  }
  return known;
}

// The session as this process knows it; empty if it does not.
SharedStore::KnownSession SharedStore::find_known(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(std::string(name));
  return found == known_.end() ? KnownSession{} : found->second;
}

SharedStore::DataVersion SharedStore::data_version() {
  const std::lock_guard lock(mutex_);
  return version_;
}

// Copies of data that was lost are of no use.
void SharedStore::note_version(const DataVersion& now) {
  const std::lock_guard lock(mutex_);
  if (version_.epoch == now.epoch) {
    version_.done = std::max(version_.done, now.done);
    return;
  }
  if (!version_.epoch.empty()) {
    journal_.note_loss();
    redis_.note_loss();
  }
  known_.clear();
  version_ = now;
}

// Idle sessions are looked for once a second; a session that is asked for shows its own idleness.
bool SharedStore::is_time_to_sweep() {
  const TimePoint now = source_();
  const auto before = swept_.load(std::memory_order_relaxed);
  if (now >= before && now < before + std::chrono::seconds(1)) {
    return false;
  }
  swept_.store(now, std::memory_order_relaxed);
  return true;
}

Value SharedStore::ask_for(std::string_view name, const KnownSession& before, std::uint64_t version,
                           bool is_use) {
  const DataVersion before_now = data_version();
  Value begun = redis_.run(
      Script::kBegin,
      {std::string(name), std::to_string(before.session ? before.session->serial() : 0),
       std::to_string(version), now_ms(), idle_ms(), std::to_string(limits().sessions),
       std::to_string(source_().time_since_epoch().count()), is_use ? "1" : "0",
       is_time_to_sweep() ? "1" : "0", before_now.epoch, std::to_string(before_now.done)});
  if (!begun.is_nothing) {
    note_version({begun.list.at(3).text, begun.list.at(6).count()});
  }
  return begun;
}

SharedStore::KnownSession SharedStore::load(std::string_view name, bool is_use) {
  const KnownSession before = find_known(name);
  if (RequestScope* const scope = RequestScope::current(); scope != nullptr && is_use) {
    scope->take_turn(before.cells);
  }
  const std::uint64_t version = before.cells ? before.cells->version() : 0;
  Value begun = ask_for(name, before, version, is_use);
  if (begun.is_nothing) {
    return {};
  }
  if (is_use) {
    SharedJournal::expect_id(begun.list.at(2).count());
  }
  const KnownSession session = known(name, begun.list.at(0).count());
  const std::uint64_t now = begun.list.at(1).count();
  const bool is_all = begun.list.at(4).number != 0;
  if (is_all) {
    session.cells->take_all(now, begun.list.at(5).list);
  } else if (session.session == before.session) {
    session.cells->take_changes(version, now, begun.list.at(5).list);
  } else {  // another thread forgot what this one knew
    session.cells->load();
  }
  return session;
}

std::shared_ptr<Session> SharedStore::begin(std::string_view name, bool is_use) {
  if (!may_wait()) {
    const KnownSession found = find_known(name);
    return found.session ? found.session : known(name, 0).session;
  }
  KnownSession session = load(name, is_use);
  RequestScope* const scope = RequestScope::current();
  if (scope != nullptr && is_use) {
    scope->begin(session.cells);
  }
  return session.session;
}

std::shared_ptr<Session> SharedStore::session(std::string_view name) {
  return begin(name, true);
}

std::shared_ptr<Session> SharedStore::find(std::string_view name) {
  return begin(name, false);
}

std::vector<SessionSummary> SharedStore::known_sessions() {
  std::vector<SessionSummary> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, one] : known_) {
    all.push_back({name, one.session->serial(), one.session->cell_count(), {}});
  }
  return all;
}

std::vector<SessionSummary> SharedStore::list() {
  if (!may_wait()) {
    return known_sessions();
  }
  const auto standard = begin("", false);
  std::vector<SessionSummary> all{{"", 0, standard->cell_count(), {}}};
  const Value found = redis_.run(Script::kSessions, {now_ms(), idle_ms()});
  for (std::size_t at = 0; at + 3 < found.list.size(); at += 4) {
    all.push_back({found.list[at].text, found.list[at + 1].count(), found.list[at + 3].count(),
                   of_ms(found.list[at + 2].count())});
  }
  std::ranges::sort(all, {}, &SessionSummary::name);
  return all;
}

bool SharedStore::remove(std::string_view name) {
  if (name.empty()) {
    reset(*begin("", false));
    return true;
  }
  const bool was_there = redis_.run(Script::kDrop, {std::string(name)}).number != 0;
  if (was_there) {
    changes().note(name, Change::kSession);
  }
  return was_there;
}

std::vector<std::shared_ptr<Session>> SharedStore::sessions() {
  std::vector<std::shared_ptr<Session>> all;
  for (const SessionSummary& one : list()) {
    if (auto found = find(one.name)) {
      all.push_back(std::move(found));
    }
  }
  return all;
}

std::vector<std::string> SharedStore::armed_for_all() {
  std::vector<std::string> names;
  for (const Value& one : redis_.run(Script::kArm, {"list", ""}).list) {
    names.push_back(one.text);
  }
  return names;
}

void SharedStore::arm_for_all(std::string_view scenario) {
  redis_.run(Script::kArm, {"arm", std::string(scenario)});
}

void SharedStore::disarm_for_all(std::string_view scenario) {
  redis_.run(Script::kArm, {"disarm", std::string(scenario)});
}

Fork SharedStore::fork(const Session& from, std::string_view name) {
  std::vector<std::string> arguments{std::string(name), now_ms(), idle_ms(),
                                     std::to_string(limits().sessions)};
  for (const auto& [key, cell] : from.cells()) {
    arguments.insert(arguments.end(), {key, expiry_text(cell.expires), *cell.text});
  }
  try {
    if (redis_.run(Script::kFork, arguments).number == 0) {
      return Fork::kTaken;
    }
    changes().note(name, Change::kSession);
    return Fork::kDone;
  } catch (const OutOfRoom&) {
    return Fork::kFull;
  }
}

std::size_t SharedStore::count_sessions() {
  return static_cast<std::size_t>(redis_.run(Script::kCount, {}).number) + 1;
}

std::size_t SharedStore::size() {
  return may_wait() ? count_sessions() : size_.load();
}

}  // namespace mock_server::state::shared
