#include "mock_server/state/shared/shared_store.hpp"

#include "mock_server/state/scenario_state.hpp"
#include "mock_server/state/unavailable.hpp"

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

  Put take_snapshot(std::string_view snapshot) override {
    const Value added = redis_.run(
        Script::kSnapshots, {"add", name(), std::string(snapshot), std::to_string(kMaxSnapshots)});
    return added.number == 0 ? Put::kFull : cells_of(snapshot).replace(cells());
  }

  std::optional<Put> restore_snapshot(std::string_view snapshot) override {
    const auto names = snapshots();
    if (std::ranges::find(names, snapshot) == names.end()) {
      return std::nullopt;
    }
    SharedCells kept = cells_of(snapshot);
    kept.load();
    return replace(kept.all());
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
    return {redis_, name() + '/' + std::string(snapshot), name(), serial(), limit_bytes_};
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
      std::this_thread::sleep_for(kBetweenRefreshes);
    }
  });
}

void SharedStore::refresh() {
  redis_.probe();
  if (redis_.is_down()) {
    return;
  }
  try {
    journal_.refresh(changes().watchers() > 0);
    size_.store(redis_.run(Script::kSessions, {now_ms(), idle_ms()}).list.size() / 4 + 1);
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
SharedStore::Known SharedStore::known(std::string_view name, std::uint64_t serial) {
  const std::lock_guard lock(mutex_);
  if (known_.size() > kManyKnown) {
    known_.clear();
  }
  Known& known = known_[std::string(name)];
  if (known.session == nullptr || known.session->serial() != serial) {
    SharedCells* made = nullptr;
    const std::size_t limit = limits().bytes;
    const auto open = [&, this](const auto&...) {
      auto cells = std::make_unique<SharedCells>(redis_, std::string(name), std::string(name),
                                                 serial, limit);
      made = cells.get();
      return cells;
    };
    known.session =
        std::make_shared<SharedSession>(redis_, std::string(name), serial, source_, limit, open);
    known.cells = made;
    known.session->report_to(shared_changes());
  }
  return known;
}

std::shared_ptr<Session> SharedStore::begin(std::string_view name, bool is_use) {
  std::uint64_t serial = 0;
  std::uint64_t version = 0;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(std::string(name)); found != known_.end()) {
      serial = found->second.session->serial();
      version = found->second.cells->version();
    }
  }
  if (!may_wait()) {
    return known(name, serial).session;
  }
  const Value begun = redis_.run(
      Script::kBegin, {std::string(name), std::to_string(version), now_ms(), idle_ms(),
                       std::to_string(limits().sessions),
                       std::to_string(source_().time_since_epoch().count()), is_use ? "1" : "0"});
  if (begun.is_nothing) {
    return nullptr;
  }
  if (is_use) {
    SharedJournal::expect_id(begun.list.at(2).count());
  }
  const Known session = known(name, begun.list.at(0).count());
  if (const std::uint64_t now = begun.list.at(1).count(); now != version) {
    session.cells->take(now, begun.list.at(3).list);
  } else if (session.cells->version() == 0 && now != 0) {
    session.cells->load();
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

Put SharedStore::reset(Session& session) {
  std::vector<Armed> armed;
  for (const std::string& scenario : armed_for_all()) {
    armed.push_back({scenario, session.machine_now()});
  }
  Cells start;
  if (!armed.empty()) {
    start[std::string(kArmedCell)].text = std::make_shared<const std::string>(write_armed(armed));
  }
  return session.reset(start);
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
    arguments.insert(
        arguments.end(),
        {key, cell.expires ? std::to_string(cell.expires->time_since_epoch().count()) : "-",
         *cell.text});
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

std::size_t SharedStore::size() {
  return size_.load();
}

}  // namespace mock_server::state::shared
