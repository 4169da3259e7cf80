#pragma once

// The recording of a mock that passes requests on. A call's line is written before its client gets
// the response, so that no call that got its response is lost when the program is killed. HAR and
// fixtures are made of the lines: the HAR also when no call came for a while, the fixtures at the
// end, when every secret of the recording is known. Safe from any thread; blocks: never call it on
// an event loop.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/record/recorder.hpp"
#include "mock_server/record/redacted_journal.hpp"
#include "mock_server/upstream/gateway.hpp"
#include "spec/non_copyable.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace mock_server::record {

// Says something to people, as a warning or as an event; must not throw.
using Warn = std::function<void(const std::string&)>;

struct LiveHealth {
  std::size_t written = 0;
  std::size_t not_written =
      0;  // without a line, since they could not be redacted, or nothing could be written
  std::string problem;  // why nothing can be written now; "" if it can
};

class Live : spec::NonCopyable {
 public:
  // Throws LoadError for a folder that cannot be recorded into: see Folder; also one that another
  // program records into. `api` should have the fixtures that are served beside the recording.
  Live(std::shared_ptr<const api::LoadedApi> api, RecordOptions options, std::string version,
       Warn warn, Warn note);
  // Writes nothing any more; finish() does.
  ~Live();

  // Writes the line of the call; without a body that cannot be redacted. Waits while others write
  // theirs, but for a call whose items passed: its line is written later. What goes wrong is warned
  // of and in health(); the next call is tried again.
  void add(const upstream::ForwardedExchange& exchange) noexcept;

  // Makes the fixtures and the HAR of all calls since the start. False if that failed, which is
  // warned of; the lines are there then. Says what became of the calls. False also if there is a
  // call without a line.
  bool finish() noexcept;

  LiveHealth health() const;

  // The secrets that are known here.
  Redaction& redaction();

 private:
  struct Files;  // what is open

  void write_line(const spec::har::Call& call);
  void try_to_write(const spec::har::Call& call) noexcept;
  void write_later(spec::har::Call call);
  void write_waiting(const std::stop_token& stop);
  void tidy();
  void rest(const std::stop_token& stop);
  void make_fixtures();
  void fail(const std::string& why) noexcept;

  const RecordOptions options_;
  const std::string version_;
  const Warn warn_;
  const Warn note_;
  mutable std::mutex mutex_;  // of all below; taken before that of the redaction
  std::condition_variable_any woken_;
  std::unique_ptr<Files> files_;
  LiveHealth health_;
  std::chrono::steady_clock::time_point last_call_;
  bool has_news_ = false;     // calls since the HAR was written
  std::mutex waiting_mutex_;  // of the next two
  std::condition_variable_any waiting_woken_;
  std::deque<spec::har::Call> waiting_;  // calls from event loops, which must not wait for a disk
  // Last: they end before all above.
  std::jthread writing_;
  std::jthread resting_;
};

// The exchange as a call, with bodies without content coding.
spec::har::Call call_of(const upstream::ForwardedExchange& exchange);

}  // namespace mock_server::record
