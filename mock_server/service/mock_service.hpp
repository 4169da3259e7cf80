#pragma once

// The pipeline of the mock: a request in, a reply out, no sockets. Finds session, operation and
// preferences, checks credentials, validates the request, makes the response, validates it, writes
// the journal. Never throws. Safe to call from several threads.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/control/control_request.hpp"
#include "mock_server/journal/journal_coverage.hpp"
#include "mock_server/journal/metrics.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/service_options.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/session_store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::request {
struct RequestContext;
}  // namespace mock_server::service::request

namespace mock_server::service {

struct FinishedExchange;

class MockService {
 public:
  // `store` and `journal` must outlive the service.
  MockService(std::shared_ptr<const api::LoadedApi> api, state::Store& store,
              state::Journal& journal, ServiceOptions options);
  ~MockService();

  // True if handle() may ask the real service, which is asked here if it can be, and if
  // `may_await`. Quick.
  reply::RequestNeeds begin(const spec::http::Request& request, bool may_await) noexcept;

  reply::Reply handle(const spec::http::Request& request, const reply::Peer& peer) noexcept;

  // Writes a request that the transport rejected to journal and log, and adds to `response` where
  // the journal explains it. `request` is what was read of it; `reason` is a sentence.
  void record_rejection(const spec::http::Request& request, spec::http::Response& response,
                        const reply::Peer& peer, std::string_view reason) noexcept;

  std::shared_ptr<const api::LoadedApi> api() const;
  // Requests in progress end with the loaded API that they began with; waits shortly for them. Not
  // from two threads at once.
  // Sessions keep the changes that are valid with the new one; returns which were dropped, and why.
  std::vector<std::string> replace_api(std::shared_ptr<const api::LoadedApi> api);

  journal::Metrics& metrics() { return metrics_; }

 private:
  struct Generation;

  // The first kShards threads have one each, later ones share: a request begins with a lock and a
  // count that no other of them writes.
  struct alignas(64) Shard {
    std::mutex mutex;
    std::shared_ptr<Generation> generation;
  };

  static constexpr std::size_t kShards = 8;

  bool try_respond(const spec::http::Request& request, const reply::Peer& peer,
                   reply::Reply& reply);
  void watch(const request::RequestContext& context, const spec::http::Response& response) const;
  // The same, when all items of a stream have passed.
  void watch_to_its_end(const request::RequestContext& context,
                        const std::shared_ptr<Generation>& current, const FinishedExchange& done,
                        reply::Reply& reply);
  std::shared_ptr<Generation> generation() const;

  state::Store& store_;
  state::Journal& journal_;
  ServiceOptions options_;
  control::Api control_api_;
  journal::CoverageCount coverage_;
  journal::Metrics metrics_;
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace mock_server::service
