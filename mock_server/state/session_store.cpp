#include "mock_server/state/session_store.hpp"

#include "mock_server/state/scenario_state.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::state {

namespace {

std::shared_ptr<Budget> make_budget(std::size_t bytes) {
  auto budget = std::make_shared<Budget>();
  budget->limit = bytes;
  return budget;
}

// The cells of a new session, with these scenarios armed.
Cells start_cells(const std::vector<std::string>& scenarios, TimePoint now) {
  std::vector<ArmedScenario> armed;
  armed.reserve(scenarios.size());
  for (const std::string& scenario : scenarios) {
    armed.push_back({scenario, now});
  }
  Cells cells;
  if (!armed.empty()) {
    cells[std::string(kArmedCell)].text = std::make_shared<const std::string>(write_armed(armed));
  }
  return cells;
}

}  // namespace

bool is_session_name(std::string_view name) {
  constexpr std::size_t kMaxLength = 64;
  const auto fits = [](char c) {
    return spec::text::is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kMaxLength && std::ranges::all_of(name, fits);
}

Store::Store(TimeSource source, StoreLimits limits, OpenCells open)
    : source_(std::move(source)),
      limits_(limits),
      open_(std::move(open)),
      budget_(make_budget(limits.bytes)),
      default_(std::make_shared<Session>("", 0, source_, budget_, open_)) {
  default_->report_to(changes_);
}

void Store::restore(const std::vector<KeptSession>& sessions, std::uint64_t next_serial,
                    std::vector<std::string> armed_for_all) {
  const TimePoint now = source_();
  const std::lock_guard lock(mutex_);
  for (const KeptSession& kept : sessions) {
    std::shared_ptr<Session> session = default_;
    if (!kept.name.empty()) {
      session = std::make_shared<Session>(kept.name, kept.serial, source_, budget_, open_);
      session->report_to(changes_);
      touch(sessions_.emplace(kept.name, Entry{session, 0, {}}).first->second, now);
    }
    for (const std::string& snapshot : kept.snapshots) {
      session->reopen_snapshot(snapshot);
    }
  }
  next_serial_ = next_serial;
  armed_for_all_ = std::move(armed_for_all);
}

// Not counted: the threads of all requests would count in one place.
std::shared_ptr<Session> Store::default_session() const {
  return {std::shared_ptr<Session>(), default_.get()};
}

std::shared_ptr<Session> Store::session(std::string_view name) {
  if (name.empty()) {
    return default_session();
  }
  const TimePoint now = source_();
  const std::lock_guard lock(mutex_);
  drop_idle(now);
  const auto found = sessions_.find(std::string(name));
  Entry& entry = found != sessions_.end() ? found->second : start(name);
  touch(entry, now);
  // A quarter stays free, so that a change seldom meets a full store.
  if (used_bytes() > limits_.bytes / 4 * 3 && sessions_.size() > 1) {
    evict_idlest(name);
  }
  return entry.session;
}

std::shared_ptr<Session> Store::find(std::string_view name) {
  if (name.empty()) {
    return default_session();
  }
  const TimePoint now = source_();
  const std::lock_guard lock(mutex_);
  drop_idle(now);
  const auto found = sessions_.find(std::string(name));
  return found == sessions_.end() ? nullptr : found->second.session;
}

std::vector<SessionSummary> Store::list() {
  const TimePoint now = source_();
  std::vector<SessionSummary> all;
  {
    const std::lock_guard lock(mutex_);
    drop_idle(now);
    all.reserve(sessions_.size() + 1);
    for (const auto& [name, entry] : sessions_) {
      all.push_back({name, entry.session->serial(), entry.session->cell_count(), entry.last_used});
    }
  }
  all.push_back({"", default_->serial(), default_->cell_count(), {}});
  std::ranges::sort(all, {}, &SessionSummary::name);
  return all;
}

bool Store::remove(std::string_view name) {
  if (name.empty()) {
    reset(*default_);
    return true;
  }
  const std::lock_guard lock(mutex_);
  if (sessions_.erase(std::string(name)) == 0) {
    return false;
  }
  changes_->note(name, Change::kSession);
  return true;
}

Put Store::reset(Session& session) {
  return session.replace(start_cells(armed_for_all(), session.machine_now()));
}

std::vector<std::shared_ptr<Session>> Store::sessions() {
  std::vector<std::shared_ptr<Session>> all{default_};
  const TimePoint now = source_();
  const std::lock_guard lock(mutex_);
  drop_idle(now);
  for (const auto& [name, entry] : sessions_) {
    all.push_back(entry.session);
  }
  return all;
}

std::vector<std::string> Store::armed_for_all() {
  const std::lock_guard lock(mutex_);
  return armed_for_all_;
}

void Store::arm_for_all(std::string_view scenario) {
  const std::lock_guard lock(mutex_);
  std::erase(armed_for_all_, scenario);
  armed_for_all_.emplace_back(scenario);
  if (note_armed_) {
    note_armed_(armed_for_all_);
  }
}

void Store::disarm_for_all(std::string_view scenario) {
  const std::lock_guard lock(mutex_);
  std::erase(armed_for_all_, scenario);
  if (note_armed_) {
    note_armed_(armed_for_all_);
  }
}

Fork Store::fork(const Session& from, std::string_view name) {
  const Cells cells = from.cells();
  const TimePoint now = source_();
  const std::lock_guard lock(mutex_);
  drop_idle(now);
  if (sessions_.contains(std::string(name))) {
    return Fork::kTaken;
  }
  const auto made = make(name);
  if (made->replace(cells) != Put::kDone) {
    return Fork::kFull;
  }
  touch(add(made), now);
  return Fork::kDone;
}

std::size_t Store::size() {
  const TimePoint now = source_();
  const std::lock_guard lock(mutex_);
  drop_idle(now);
  return sessions_.size() + 1;
}

// The lock is held, here and below.
std::shared_ptr<Session> Store::make(std::string_view name) {
  if (sessions_.size() >= limits_.sessions) {
    evict_idlest();
  }
  return std::make_shared<Session>(std::string(name), next_serial_++, source_, budget_, open_);
}

Store::Entry& Store::add(const std::shared_ptr<Session>& session) {
  session->report_to(changes_);
  changes_->note(session->name(), Change::kSession);
  return sessions_.emplace(session->name(), Entry{session, 0, {}}).first->second;
}

Store::Entry& Store::start(std::string_view name) {
  const auto made = make(name);
  if (!armed_for_all_.empty()) {
    made->replace(start_cells(armed_for_all_, source_()));
  }
  return add(made);
}

void Store::touch(Entry& entry, TimePoint now) {
  entry.used = ++uses_;
  entry.last_used = now;
}

// At most once a second, so that a request never pays for it twice.
void Store::drop_idle(TimePoint now) {
  if (limits_.idle.count() == 0 || now < next_sweep_) {
    return;
  }
  next_sweep_ = now + std::chrono::seconds(1);
  std::erase_if(sessions_, [&](const auto& entry) {
    const bool goes = entry.second.last_used + limits_.idle <= now;
    if (goes) {
      changes_->note(entry.first, Change::kSession);
    }
    return goes;
  });
}

void Store::evict_idlest(std::string_view but) {
  auto idlest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    if (at->first != but && (idlest == sessions_.end() || at->second.used < idlest->second.used)) {
      idlest = at;
    }
  }
  if (idlest != sessions_.end()) {
    changes_->note(idlest->first, Change::kSession);
    sessions_.erase(idlest);
  }
}

namespace {

thread_local std::uint64_t changes_made = 0;

}  // namespace

std::uint64_t Session::changes_of_thread() {
  return changes_made;
}

Session::Session(std::string name, std::uint64_t serial, TimeSource source,
                 std::shared_ptr<Budget> budget, OpenCells open)
    : name_(std::move(name)),
      serial_(serial),
      source_(std::move(source)),
      budget_(std::move(budget)),
      open_(std::move(open)),
      cells_(open_(name_, serial_, budget_)) {}

void Session::reopen_snapshot(std::string_view name) {
  snapshots_.emplace(name, open_(name_ + '/' + std::string(name), serial_, budget_));
}

Cell Session::read(std::string_view key) const {
  return cells_->read(key);
}

Put Session::compare_and_set(std::string_view key, std::uint64_t expected,
                             std::optional<std::string> text, std::optional<TimePoint> expires) {
  return noted_if_done(cells_->compare_and_set(key, expected, std::move(text), expires, now()),
                       change_of_cell(key));
}

std::optional<std::uint64_t> Session::count_up(std::string_view key, std::uint64_t least) {
  while (true) {
    const Cell cell = read(key);
    const std::uint64_t next = std::max(number_in(cell), least) + 1;
    const Put put = compare_and_set(key, cell.version, std::to_string(next));
    if (put == Put::kDone) {
      return next;
    }
    if (put == Put::kFull) {
      return std::nullopt;
    }
  }
}

void Session::note(Change change) const {
  ++changes_made;
  if (changes_ != nullptr) {
    changes_->note(name_, change);
  }
}

Put Session::noted_if_done(Put put, Change change) const {
  if (put == Put::kDone) {
    note(change);
  }
  return put;
}

Cells Session::cells() const {
  return cells_->all();
}

Cells Session::cells(std::string_view prefix) const {
  return is_untouched() ? Cells{} : cells_->starting_with(prefix);
}

ClockSetting Session::clock() const {
  return ClockSetting::read(read(kClockCell).view());
}

Put Session::set_clock(std::uint64_t expected, const ClockSetting& setting) {
  const bool is_machines = setting == ClockSetting{};
  return compare_and_set(kClockCell, expected,
                         is_machines ? std::nullopt : std::optional(setting.text()));
}

Put Session::replace(const Cells& cells) {
  return noted_if_done(cells_->replace(cells), Change::kSession);
}

Put Session::take_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (const auto found = snapshots_.find(name); found != snapshots_.end()) {
    return noted_if_done(found->second->replace(cells_->all()), Change::kSnapshots);
  }
  if (snapshots_.size() >= kMaxSnapshots) {
    return Put::kFull;
  }
  auto made = open_(name_ + '/' + std::string(name), serial_, budget_);
  const Put put = made->replace(cells_->all());
  if (put == Put::kDone) {
    snapshots_.emplace(name, std::move(made));
  }
  return noted_if_done(put, Change::kSnapshots);
}

std::optional<Put> Session::restore_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  return found == snapshots_.end() ? std::nullopt
                                   : std::optional(noted_if_done(
                                         cells_->replace(found->second->all()), Change::kSession));
}

bool Session::drop_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found == snapshots_.end()) {
    return false;
  }
  snapshots_.erase(found);
  note(Change::kSnapshots);
  return true;
}

std::optional<Cells> Session::snapshot(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  return found == snapshots_.end() ? std::nullopt : std::optional(found->second->all());
}

std::vector<std::string> Session::snapshots() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& entry : snapshots_) {
    names.push_back(entry.first);
  }
  return names;
}

}  // namespace mock_server::state
