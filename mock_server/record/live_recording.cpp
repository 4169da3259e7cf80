#include "mock_server/record/live_recording.hpp"

#include "mock_server/state/session_clock.hpp"
#include "spec/load_error.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace mock_server::record {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kRest{2};  // without a call, until the HAR is written
constexpr std::size_t kMaxWaiting = 64;   // lines of items; more are without a body
constexpr int kRestFactor = 10;           // rests are longer than writing took

// The call, without a body with which it cannot be redacted; a finding says so.
spec::Result<ValidatedCall, std::string> validate_in_part(const api::LoadedApi& api,
                                                          Redactor& redactor,
                                                          spec::har::Call call) {
  constexpr int kBodies = 2;
  std::string why;
  auto validated = validate_call(api.contract, redactor, call);
  for (int left_out = 0; left_out < kBodies && !validated; ++left_out) {
    why += (why.empty() ? "" : "; ") + validated.error();
    if (validated.error().starts_with("request: ") || !call.response) {
      call.request.body.clear();
      call.has_request_body = false;
    } else {
      call.response->body.clear();
      call.has_response_body = false;
    }
    validated = validate_call(api.contract, redactor, call);
  }
  if (validated && !why.empty()) {
    validated->findings.push_back("written without a body that cannot be redacted: " + why);
  }
  return validated;
}

// The lines with late secrets replaced.
std::string replaced(std::string_view lines, const Redactor& redactor) {
  std::string made;
  made.reserve(lines.size());
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    made += replace_late(lines.substr(0, end), redactor);
    lines.remove_prefix(end);
    if (!lines.empty()) {
      made += '\n';
      lines.remove_prefix(1);
    }
  }
  return made;
}

}  // namespace

struct Live::Files {
  FolderLock lock;
  std::unique_ptr<Redaction> redaction;
  std::unique_ptr<LineFile> lines;
  std::size_t begin = 0;  // of our lines in the file
  std::size_t known = 0;  // secrets, when lines were searched for late ones
};

Live::Live(std::shared_ptr<const api::LoadedApi> api, RecordOptions options, std::string version,
           Warn warn, Warn note)
    : options_(std::move(options)),
      version_(std::move(version)),
      warn_(std::move(warn)),
      note_(std::move(note)) {
  const Folder folder(options_.into, options_.merge, options_.flags);
  try {
    folder.prepare(options_.key_file.empty());
    files_ = std::make_unique<Files>(
        Files{FolderLock(options_.into),
              std::make_unique<Redaction>(std::move(api), key_of(options_), options_.redaction,
                                          RedactionLimits{}),
              std::make_unique<LineFile>(options_.into / kLinesFile)});
  } catch (const spec::LoadError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw spec::LoadError("", std::string(error.what()) +
                                  "; name a folder that this program can write with " +
                                  options_.flags + "into");
  }
  files_->begin = files_->lines->size();
  writing_ = std::jthread([this](const std::stop_token& stop) { write_waiting(stop); });
  resting_ = std::jthread([this](const std::stop_token& stop) { rest(stop); });
}

Live::~Live() = default;

LiveHealth Live::health() const {
  const std::lock_guard lock(mutex_);
  return health_;
}

Redaction& Live::redaction() {
  return *files_->redaction;
}

// Precondition: the mutex is held.
void Live::fail(const std::string& why) noexcept {
  if (health_.problem != why) {
    warn_("recording: " + why);
  }
  health_.problem = why;
}

void Live::add(const upstream::ForwardedExchange& exchange) noexcept {
  try {
    if (exchange.item_times != nullptr) {
      write_later(call_of(exchange));
    } else {
      try_to_write(call_of(exchange));
    }
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    ++health_.not_written;
    fail(error.what());
  }
}

void Live::try_to_write(const spec::har::Call& call) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    write_line(call);
  } catch (const std::exception& error) {
    ++health_.not_written;
    fail(error.what());
  }
}

void Live::write_later(spec::har::Call call) {
  const std::lock_guard lock(waiting_mutex_);
  if (waiting_.size() >= kMaxWaiting) {
    call.response->body.clear();
    call.item_times.clear();
    call.has_response_body = false;
  }
  waiting_.push_back(std::move(call));
  waiting_woken_.notify_one();
}

// Ends when it is stopped and none is left.
void Live::write_waiting(const std::stop_token& stop) {
  while (true) {
    spec::har::Call call;
    {
      std::unique_lock lock(waiting_mutex_);
      if (!waiting_woken_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
        return;
      }
      call = std::move(waiting_.front());
      waiting_.pop_front();
    }
    try_to_write(call);
  }
}

// Precondition: the mutex is held.
void Live::write_line(const spec::har::Call& call) {
  const auto [lock, redactor, api] = files_->redaction->use();
  redactor.learn(call.request, call.response ? &*call.response : nullptr,
                 operation_of(api.contract, call.request));
  const auto validated = validate_in_part(api, redactor, call);
  if (!validated) {
    ++health_.not_written;
    warn_("recording: not written: " + call.request.method + ' ' +
          redactor.text(spec::http::path_of(call.request.target)) + ": " + validated.error());
    return;
  }
  if (files_->lines == nullptr) {
    files_->lines = std::make_unique<LineFile>(options_.into / kLinesFile);
  }
  files_->lines->append(to_line(*validated, redactor));
  ++health_.written;
  health_.problem.clear();
  has_news_ = true;
  last_call_ = steady_clock::now();
  woken_.notify_one();
}

// Takes out of the lines what was not known as a secret when they were written. Precondition: the
// mutex is held.
void Live::tidy() {
  const auto used = files_->redaction->use();
  const Redactor& redactor = used.redactor;
  if (redactor.known() == files_->known) {
    return;
  }
  const std::string before = read_lines_file(options_.into);
  const std::size_t begin = std::min(files_->begin, before.size());
  const std::string others = replaced(std::string_view(before).substr(0, begin), redactor);
  const std::string after = others + replaced(std::string_view(before).substr(begin), redactor);
  if (after != before) {
    constexpr unsigned kPrivate = 0600;
    write_whole(options_.into / kLinesFile, after, kPrivate);
    files_->lines.reset();  // the file of that name is another one now
    files_->begin = others.size();
  }
  files_->known = redactor.known();
}

void Live::rest(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  steady_clock::duration pause = kRest;
  while (!stop.stop_requested()) {
    woken_.wait(lock, stop, [this] { return has_news_; });
    const auto due = last_call_ + pause;
    if (steady_clock::now() < due) {
      woken_.wait_until(lock, stop, due, [] { return false; });
      continue;
    }
    has_news_ = false;
    const auto began = steady_clock::now();
    std::string problem;
    try {
      tidy();
      lock.unlock();
      write_har(options_.into, version_);
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (!lock.owns_lock()) {
      lock.lock();
    }
    if (!problem.empty()) {
      fail(problem);
    }
    pause = std::max<steady_clock::duration>(kRest, kRestFactor * (steady_clock::now() - began));
  }
}

// Precondition: the mutex is held.
void Live::make_fixtures() {
  const auto [lock, redactor, api] = files_->redaction->use();
  const std::string text = read_lines_file(options_.into);
  std::vector<spec::Problem> problems;
  std::vector<ValidatedCall> calls;
  const auto own = std::string_view(text).substr(std::min(files_->begin, text.size()));
  for (const LineCall& line : read_lines(own, std::string(kLinesFile), problems, &redactor.key())) {
    if (auto call = validate_call(api.contract, redactor, line.call, line.redacted)) {
      calls.push_back(std::move(*call));
    }
  }
  const Folder folder(options_.into, options_.merge, options_.flags);
  const Plan plan = make_plan(api, calls, options_.keep_violating);
  const Changes changes = folder.changes(api, plan);
  folder.write(changes);
  write_har(options_.into, version_);
  for (const std::string& note : plan.notes) {
    warn_("recording: " + redactor.text(note));
  }
  for (const std::string& change : changes.lines) {
    note_("recording: " + redactor.text(change));
  }
}

bool Live::finish() noexcept {
  writing_ = {};
  resting_ = {};
  const std::lock_guard lock(mutex_);
  try {
    tidy();
    make_fixtures();
    if (health_.written > 0) {
      note_("recording: the calls are in " + (options_.into / kHarFile).string());
    }
    return health_.not_written == 0;
  } catch (const std::exception& error) {
    fail(std::string(error.what()) + "; make the fixtures with: mock_server record --from " +
         (options_.into / kLinesFile).string() + " --into " + options_.into.string());
    return false;
  }
}

spec::har::Call call_of(const upstream::ForwardedExchange& exchange) {
  using std::chrono::microseconds;
  spec::har::Call call;
  call.url = exchange.url;
  call.origin = exchange.url.substr(
      0, exchange.url.size() - std::min(exchange.url.size(), exchange.request.target.size()));
  call.request = exchange.request;
  call.response = exchange.decoded;
  call.has_response_body = exchange.is_whole;
  if (exchange.item_times != nullptr) {
    call.item_times = *exchange.item_times;
    call.items_go_on = exchange.items_go_on;
  }
  call.started = state::to_text(std::chrono::time_point_cast<microseconds>(exchange.started));
  call.time_ms = std::chrono::duration<double, std::milli>(exchange.took).count();
  return call;
}

}  // namespace mock_server::record
