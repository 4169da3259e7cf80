#pragma once

// A few threads for the requests that may take long, compressed or large ones, so that the loops go
// on serving the others meanwhile. The queue is bounded: beyond, the caller must reject.

#include "mock_server/reply/reply.hpp"
#include "mock_server/transport/clock.hpp"
#include "mock_server/transport/memory.hpp"
#include "mock_server/transport/wire_response.hpp"
#include "spec/http/message.hpp"
#include "spec/http/request_parser.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace mock_server::transport {

struct Limits;

// Names a connection on its loop. No other one gets the same number, so what comes for a connection
// that has ended finds nothing. 0 names none.
using ConnectionId = std::uint64_t;

// A response, or the reason why the content could not be read.
struct WorkResult {
  ConnectionId connection = 0;  // only handed back
  WireResponse answer;
  std::optional<spec::http::Rejection> rejection;
  spec::http::Request rejected;  // what the reason is about
};

struct Job {
  spec::http::Request request;
  reply::Peer peer;
  ResponseForm form;
  Charge charge;  // for the request's body; given back with the job, whatever the client does
  // One, made before the work begins: what is done can be handed back without any more memory.
  std::list<WorkResult> result;
  // Called with the result from the worker's thread; must not throw.
  std::function<void(std::list<WorkResult>)> done;
};

class Workers {
 public:
  // All must outlive the workers.
  Workers(const Limits& limits, const reply::Handler& handler, MemoryBudget& budget,
          unsigned threads = 2);
  // Drops what waits and ends what runs.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // False, with `job` untouched, when too many wait. Safe from any thread.
  bool submit(Job& job);

 private:
  void run(const std::stop_token& token);
  void perform(Job& job, DateText& date) noexcept;
  void work_on(Job& job, DateText& date);

  const Limits& limits_;
  const reply::Handler& handler_;
  MemoryBudget& budget_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<Job> queue_;  // guarded by mutex_
  std::vector<std::jthread> threads_;
};

// Takes the content coding off. A reason to reject the request, or nothing.
std::optional<spec::http::Rejection> decode_body(spec::http::Request& request,
                                                 const Limits& limits);

}  // namespace mock_server::transport
