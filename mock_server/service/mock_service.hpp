#pragma once

// The pipeline of the mock: a request in, a reply out, no sockets. Finds session, operation and
// preferences, checks credentials, asks the validator about the request, lets the behaviour answer, asks the
// validate about the response, notes the exchange. Never throws. Safe to call from several threads.

#include "mock_server/control/control.hpp"
#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/metrics.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/store.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service {

// What a log line is made from. Views live during the call only.
struct LogLine {
  std::string_view method;
  std::string_view target;
  int status = 0;
  std::string_view operation;
  std::string_view session;
  std::chrono::nanoseconds took{0};
  std::size_t violations = 0;
  std::string_view broken;   // the first thing that the response breaks, in one line; "" for nothing
  bool is_control = false;   // a request to the control API
  std::string_view fault{};  // that breaks the delivery, by name; "" for none
  bool undecided = false;    // `broken` is what was left open, of request or answer: no violation
  std::span<const std::string> warnings{};  // about the response, each a sentence
  std::string_view violation{};             // the first of the request's, in a line; "" for none
};

struct ServiceOptions {
  std::vector<std::string>
      tokens;               // taken instead of the fixtures' credentials, when there are any
  std::string extra_token;  // taken besides the fixtures' credentials; "" for none
  std::optional<state::RateLimit> rate_limit;  // for each operation and caller
  bool unknown_records_are_samples = false;
  bool examples_as_written = false;  // also those that violate their schemas
  bool strict_query = false;         // a query parameter that the operation has not is rejected
  std::uint64_t seed = 0;            // of samples
  control::Settings control;
  std::function<void(const LogLine&)> log;  // called for each request; may be empty
  // Called for each exchange but preflights; may be empty.
  std::function<void(const reply::Seen&)> watch;
};

class MockService {
 public:
  // `store` and `journal` must outlive the service.
  MockService(std::shared_ptr<const fixtures::LoadedApi> api, state::Store& store,
              state::Journal& journal, ServiceOptions options);
  ~MockService();

  reply::Reply handle(const spec::http::Request& request, const reply::Peer& peer) noexcept;

  // Notes in journal and log a request that never came this far: `response` says why, and is told
  // where the journal explains it. `request` is what was read of it; `reason` is a sentence.
  void note_rejection(const spec::http::Request& request, spec::http::Response& response,
                    const reply::Peer& peer, std::string_view reason) noexcept;

  std::shared_ptr<const fixtures::LoadedApi> api() const;
  // Requests that are under way end in the loaded API that they began in; waits a little for them.
  // Sessions keep those of their changes that fit the new one; says which were dropped, and why.
  std::vector<std::string> replace_api(std::shared_ptr<const fixtures::LoadedApi> api);

  state::Metrics& metrics() { return metrics_; }

 private:
  struct Generation;

  reply::Reply answer(const spec::http::Request& request, const reply::Peer& peer);
  std::shared_ptr<Generation> generation() const;

  state::Store& store_;
  state::Journal& journal_;
  ServiceOptions options_;
  control::Api control_api_;
  state::Metrics metrics_;
  mutable std::mutex mutex_;
  std::shared_ptr<Generation> generation_;
};

}  // namespace mock_server::service
