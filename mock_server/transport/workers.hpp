#pragma once

// Threads for the requests that may take long, so that the loops go on serving the others
// meanwhile: a few for compressed or large ones, many for those that may wait for another server.
// The queue is bounded: beyond, the caller must reject.

#include "mock_server/reply/memory.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/transport/transport_clock.hpp"
#include "mock_server/transport/wire_response.hpp"
#include "spec/http/message.hpp"
#include "spec/http/request_parser.hpp"
#include "spec/non_copyable.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore.h>
#include <thread>
#include <vector>

namespace mock_server::transport {

struct Limits;

// Names a connection on its loop. No other one gets the same number, so what comes for a connection
// that has ended finds nothing. 0 names none.
using ConnectionId = std::uint64_t;

struct Job;

// A response, or the reason why the content could not be read, or the job itself: another server
// was asked, and a loop can wait for what it says.
struct WorkResult {
  ConnectionId connection = 0;  // only handed back
  WireResponse wire;
  std::optional<spec::http::Rejection> rejection;
  spec::http::Request rejected;  // what the reason is about
  std::list<Job> awaiting;       // one, or none
  bool is_release = false;       // instead of all this: what a connection holds may be ready
};

struct Job {
  spec::http::Request request;
  reply::Peer peer;
  ResponseForm form;
  // The handler may wait for another server, and gets the request with its content coding, too.
  bool may_block = false;
  reply::Charge
      charge;  // for the request's body; given back with the job, whatever the client does
  Time due{};  // when the client gets a 503: later there is nothing to do
  // One, made before the work begins: what is done can be handed back without any more memory.
  std::list<WorkResult> result;
  // Called with the result from the worker's thread; must not throw.
  std::function<void(std::list<WorkResult>)> done;
};

struct WorkersSize {
  std::size_t threads = 2;  // made when they are first needed
  std::size_t waiting = 256;
};

class Workers : spec::NonCopyable {
 public:
  // All must outlive the workers.
  Workers(const Limits& limits, const reply::Handler& handler, reply::MemoryBudget& budget,
          WorkersSize size = {});
  // Drops what waits and ends what runs.
  ~Workers();

  // False, with `job` untouched, when too many wait or there is no thread. Safe from any thread.
  bool submit(Job& job);

 private:
  // A thread, and the next job that it was given.
  struct Worker : spec::NonCopyable {
    Worker();
    ~Worker();

    std::optional<Job> job;  // before `wake` is raised, guarded by mutex_; then the thread's own
    sem_t wake{};
    std::jthread thread;
  };

  bool start_worker(Job& job);
  void run(Worker& worker);
  bool take_next(Worker& worker);
  void perform(Job& job, DateText& date) noexcept;
  void work_on(Job& job, DateText& date);

  const Limits& limits_;
  const reply::Handler& handler_;
  reply::MemoryBudget& budget_;
  const WorkersSize size_;
  std::mutex mutex_;
  std::deque<Job> queue_;      // guarded by mutex_, as the others are; empty while a worker is idle
  std::vector<Worker*> idle_;  // the one that worked last is last: its memory is still in the cache
  std::atomic<bool> ends_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

// Takes the content coding off. A reason to reject the request, or nothing.
std::optional<spec::http::Rejection> decode_body(spec::http::Request& request,
                                                 const Limits& limits);

}  // namespace mock_server::transport
