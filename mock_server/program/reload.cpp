#include "mock_server/program/reload.hpp"

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/program/check_report.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/document/text_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace mock_server::program {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kNanoseconds + time.tv_nsec;
}

Stamp stamp_of(const fs::path& path) {
  struct stat found {};

  if (::stat(path.c_str(), &found) != 0) {
    return {};
  }
  return {found.st_dev, found.st_ino, found.st_size, nanoseconds(found.st_mtim),
          nanoseconds(found.st_ctim)};
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

// Notes each file below `folder`, hidden ones not among them.
void stamp_files(const fs::path& folder, Stamps& stamps, int depth = 0) {
  constexpr int kDeepest = 32;  // a link may lead back up
  for (const fs::path& path : spec::document::paths_in(folder)) {
    std::error_code error;
    if (is_hidden(path)) {
      continue;
    }
    if (!fs::is_directory(path, error)) {
      stamps[path.string()] = stamp_of(path);
    } else if (depth < kDeepest) {
      stamp_files(path, stamps, depth + 1);
    }
  }
}

}  // namespace

Stamps look(const WatchedPaths& paths) {
  Stamps stamps;
  for (const fs::path& file : paths.files) {
    stamps[file.string()] = stamp_of(file);
  }
  for (const fs::path& folder : paths.folders) {
    stamp_files(folder, stamps);
  }
  return stamps;
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPollInterval{500};  // between two looks at the files
constexpr milliseconds kForever{24 * 3'600'000};
constexpr milliseconds kQuietInterval{100};  // a save is over when nothing changes for so long
constexpr milliseconds kMaxSaveTime{1'000};  // for that
constexpr std::chrono::seconds kTimestampGrain{1};  // a file's times are coarser than the clock
constexpr std::size_t kShownProblems = 100;

using std::chrono::system_clock;

std::int64_t nanoseconds(system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

nlohmann::json to_json(const spec::Problem& problem) {
  return {{"file", problem.file},       {"line", problem.line},       {"column", problem.column},
          {"pointer", problem.pointer}, {"message", problem.message}, {"text", to_line(problem)}};
}

}  // namespace

Reloader::Reloader(const Parts& parts, TimePoint read_at,
                   std::function<void(const api::LoadedApi&)> reloaded)
    : options_(parts.options),
      service_(parts.service),
      listener_(parts.listener),
      log_(parts.log),
      redaction_(parts.redaction),
      reloaded_(std::move(reloaded)) {
  watch_again({}, {}, read_at);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Reloader::request_reload() noexcept {
  const std::lock_guard lock(mutex_);
  is_requested_ = true;
  requested_.notify_one();
}

void Reloader::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      if (wait_for_reason(stop) && !stop.stop_requested()) {
        reload();
      }
    } catch (...) {
      log_.warn("reload: not finished, probably out of memory; free some and send SIGHUP again");
    }
  }
}

// True when there is a reason to read everything again.
bool Reloader::wait_for_reason(const std::stop_token& stop) {
  const auto is_requested_within = [&](milliseconds time) {
    std::unique_lock lock(mutex_);
    requested_.wait_for(lock, stop, time, [this] { return is_requested_; });
    return std::exchange(is_requested_, false);
  };
  if (!options_.watch) {
    return is_requested_within(kForever);
  }
  if (is_requested_within(kPollInterval)) {
    return true;
  }
  const auto end = std::chrono::steady_clock::now() + kMaxSaveTime;
  Stamps now = look(paths_);
  while (now != seen_ && std::chrono::steady_clock::now() < end) {
    const bool is_requested = is_requested_within(kQuietInterval);
    Stamps later = look(paths_);
    if (is_requested || later == now) {
      return true;
    }
    now = std::move(later);
  }
  return now != seen_;
}

void Reloader::reload() {
  const auto read_at = system_clock::now();
  const Stamps before = options_.watch ? look(paths_) : Stamps{};
  const auto problems = try_to_swap();
  service_.metrics().count_reload(problems.empty());
  report(problems);
  watch_again(problems, before, read_at);
}

// The problems of the new files; none if they are in use now.
std::vector<spec::Problem> Reloader::try_to_swap() {
  std::vector<spec::Problem> problems;
  missing_files_.clear();
  const auto add = [&](const spec::LoadError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    missing_files_.insert(missing_files_.end(), error.missing_files().begin(),
                          error.missing_files().end());
  };
  std::function<void()> use_certificates;
  std::vector<std::string> dropped;
  try {
    use_certificates = listener_.read_certificates();
  } catch (const spec::LoadError& error) {
    add(error);
  }
  try {
    auto api = api::load_api(options_.api);
    if (problems.empty()) {
      if (redaction_ != nullptr) {
        redaction_->use(api);  // before the first call that is served by it
      }
      dropped = service_.replace_api(std::move(api));
      use_certificates();
      reloaded_(*service_.api());
    }
  } catch (const spec::LoadError& error) {
    add(error);
  } catch (const std::exception& error) {  // out of memory: the old loaded API needs no more of it
    add(spec::LoadError("", error.what()));
  }
  for (const std::string& change : dropped) {
    log_.warn("reload: dropped, because it is no longer valid: " + change);
  }
  return problems;
}

void Reloader::report(const std::vector<spec::Problem>& problems) {
  const std::string time =
      state::to_text(std::chrono::time_point_cast<state::TimePoint::duration>(system_clock::now()));
  {
    const std::lock_guard lock(mutex_);
    (problems.empty() ? report_.done : report_.rejected) += 1;
    report_.last = problems.empty() ? "done" : "rejected";
    report_.last_time = time;
    report_.problems = problems;
  }
  if (problems.empty()) {
    log_.note("reload: done, the contract and fixtures on disk are in use");
    for (const std::string& line : start_warnings(*service_.api())) {
      log_.warn("reload: " + line);
    }
    return;
  }
  log_.warn("reload: rejected, the last good contract and fixtures stay in use; problems: " +
            std::to_string(problems.size()));
  for (std::size_t at = 0; at < std::min(problems.size(), kShownProblems); ++at) {
    log_.warn("reload: " + to_line(problems[at]));
  }
}

// The files of the loaded API, those with problems, and those that are missing.
WatchedPaths Reloader::paths_to_watch(const std::vector<spec::Problem>& problems) const {
  const auto api = service_.api();
  WatchedPaths paths{{options_.api.contract}, options_.api.folders};
  for (const auto& files : {api->contract.files(), api->contract.missing_files(),
                            api->fixtures.files(), api->fixtures.missing_files(), missing_files_}) {
    paths.files.insert(paths.files.end(), files.begin(), files.end());
  }
  for (const auto& file : {options_.listener.tls_certificate, options_.listener.tls_key}) {
    if (!file.empty()) {
      paths.files.emplace_back(file);
    }
  }
  for (const spec::Problem& problem : problems) {
    if (!problem.file.empty() && !problem.file.starts_with("--")) {
      paths.files.emplace_back(problem.file);
    }
  }
  std::ranges::sort(paths.files);
  // Not std::ranges::unique, whose result clang-tidy 14 cannot read.
  paths.files.erase(std::unique(paths.files.begin(), paths.files.end()), paths.files.end());
  return paths;
}

// A file that changed while it was read keeps its older stamp, so that it counts as changed. A new
// file that was written just now may still change and gets a stamp that no file has.
void Reloader::watch_again(const std::vector<spec::Problem>& problems, const Stamps& before,
                           TimePoint read_at) {
  if (!options_.watch) {
    return;
  }
  paths_ = paths_to_watch(problems);
  seen_ = look(paths_);
  for (auto& [path, stamp] : seen_) {
    const auto known = before.find(path);
    if (known != before.end()) {
      stamp = known->second;
    } else if (stamp.changed_ns > nanoseconds(read_at - kTimestampGrain)) {
      stamp.size = -1;
    }
  }
}

nlohmann::json Reloader::health() const {
  const std::lock_guard lock(mutex_);
  nlohmann::json reload{{"watching", options_.watch},
                        {"done", report_.done},
                        {"rejected", report_.rejected},
                        {"last", nullptr}};
  if (!report_.last.empty()) {
    auto problems = nlohmann::json::array();
    for (std::size_t at = 0; at < std::min(report_.problems.size(), kShownProblems); ++at) {
      problems.push_back(to_json(report_.problems[at]));
    }
    reload["last"] = {{"time", report_.last_time},
                      {"outcome", report_.last},
                      {"problem_count", report_.problems.size()},
                      {"problems", std::move(problems)}};
  }
  return {{"reload", std::move(reload)}};
}

}  // namespace mock_server::program
