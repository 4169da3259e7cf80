#pragma once

// The streams of items that clients of this process have open, so that whoever controls the mock
// can push an item into them. Each takes what was pushed when its connection asks for more. Safe
// from any thread.

#include "mock_server/state/session_clock.hpp"
#include "spec/non_copyable.hpp"

#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::state {

struct StreamDescription {
  std::string session;     // by name
  std::string operation;   // its id
  std::string media_type;  // the response's Content-Type
  int status = 200;
  TimePoint opened;  // by the session's clock
};

class OpenStreams {
 public:
  // What a client may leave unread; beyond, nothing is pushed into its stream.
  static constexpr std::size_t kMaxWaitingBytes = 1024UL * 1024;

  // Of the session, oldest first; of `operation` alone if it is not "".
  std::vector<StreamDescription> list(std::string_view session, std::string_view operation = {});

  // Into all of the session and the operation that have this media type; their number.
  std::size_t push(const StreamDescription& into, std::string bytes);

  // Ends those of the session and the operation; their number.
  std::size_t end(std::string_view session, std::string_view operation);

 private:
  friend class OpenStream;

  struct Entry {
    StreamDescription description;
    std::deque<std::shared_ptr<const std::string>> pushed{};
    std::size_t waiting_bytes = 0;
    bool is_ended = false;
  };

  template <typename Visit>
  std::size_t visit(std::string_view session, std::string_view operation, Visit visit_one);

  std::mutex mutex_;
  std::list<Entry> entries_;
};

// One of them, while it exists. `streams` must outlive it.
class OpenStream : spec::NonCopyable {
 public:
  OpenStream(OpenStreams& streams, StreamDescription description);
  ~OpenStream();

  enum class State { kEmpty, kHasMore, kEnded };

  // Appends what was pushed since, up to about `max_bytes` in all.
  State take(std::string& bytes, std::size_t max_bytes);

 private:
  OpenStreams& streams_;
  std::list<OpenStreams::Entry>::iterator entry_;
};

}  // namespace mock_server::state
