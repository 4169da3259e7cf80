#include "mock_server/program/open_state.hpp"

#include "mock_server/reply/error_response.hpp"
#include "mock_server/state/ring_journal.hpp"
#include "mock_server/state/shared/shared_journal.hpp"
#include "mock_server/state/shared/shared_store.hpp"
#include "mock_server/state/unavailable.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

namespace mock_server::program {
namespace {

using state::shared::NoWait;
using std::chrono::milliseconds;

constexpr unsigned kWorkers = 32;
constexpr int kMaxWaits = 16;  // requests at once that wait for later calls, each on a worker
constexpr milliseconds kAskAgain{20};

spec::http::Response away(const char* why) {
  auto response = reply::error_response(503, "SERVICE_UNAVAILABLE", why);
  response.headers.set("Retry-After", "1");
  return response;
}

// Waits for a response that is to come. The worker's thread does that: asking may wait for Redis.
void wait_for_later(reply::Reply& reply) {
  static std::atomic<int> waits{0};
  const bool is_one_too_many = waits.fetch_add(1) >= kMaxWaits;
  try {
    auto made = reply.later(is_one_too_many);
    while (!made) {
      std::this_thread::sleep_for(kAskAgain);
      made = reply.later(false);
    }
    reply.response = std::move(*made);
  } catch (const state::Unavailable& error) {
    reply.response = away(error.what());
  }
  waits.fetch_sub(1);
  reply.later = nullptr;
}

}  // namespace

OpenState open_state(const Options& options, const std::string& contract) {
  OpenState made;
  if (options.state.kind == StateAddress::Kind::kMemory) {
    made.journal = std::make_unique<state::RingJournal>(options.journal_bytes);
    made.store = std::make_unique<state::Store>(state::system_now, options.sessions);
    return made;
  }
  made.redis = std::make_unique<state::shared::Redis>(state::shared::RedisAddress{
      options.state.host, options.state.port, options.state.database, options.state.password});
  made.redis->check(contract);
  auto journal = std::make_unique<state::shared::SharedJournal>(*made.redis, options.journal_bytes);
  made.store = std::make_unique<state::shared::SharedStore>(*made.redis, *journal,
                                                            state::system_now, options.sessions);
  made.journal = std::move(journal);
  return made;
}

void arm_for_all(const std::vector<std::string>& scenarios, const OpenState& state) {
  bool is_new = state.redis == nullptr;
  const auto armed = state.store->armed_for_all();
  for (const std::string& scenario : scenarios) {
    if (std::ranges::find(armed, scenario) == armed.end()) {
      state.store->arm_for_all(scenario);
      is_new = true;
    }
  }
  if (is_new) {
    state.store->reset(*state.store->session(""));
  }
}

bool needs_no_state(const spec::http::Request& request) {
  constexpr std::array<std::string_view, 7> kPaths{
      "/_mock/health", "/_mock/live", "/_mock/ready",     "/_mock/metrics",
      "/_mock/spec/",  "/_mock/ui",   "/_mock/operations"};
  const std::string_view target = request.target;
  return std::ranges::any_of(kPaths,
                             [&](std::string_view path) { return target.starts_with(path); });
}

void use_workers(const OpenState& state, transport::ListenerOptions& options) {
  if (state.redis == nullptr) {
    return;
  }
  options.workers = kWorkers;
  options.may_take_long = [](const auto& request) { return !needs_no_state(request); };
  options.on_rejection = [note = std::move(options.on_rejection)](const auto& rejected) {
    const NoWait loop;
    note(rejected);
  };
}

reply::Handler on_workers(const OpenState& state, reply::Handler handler) {
  if (state.redis == nullptr) {
    return handler;
  }
  return
      [handler = std::move(handler)](const spec::http::Request& request, const reply::Peer& peer) {
        if (needs_no_state(request)) {
          const NoWait loop;
          return handler(request, peer);
        }
        reply::Reply reply = handler(request, peer);
        if (reply.later) {
          wait_for_later(reply);
        }
        if (reply.stream) {
          reply.stream = [stream = std::move(reply.stream)](std::string& bytes) {
            const NoWait loop;
            return stream(bytes);
          };
        }
        return reply;
      };
}

nlohmann::json health_of(const OpenState& state) {
  if (state.redis == nullptr) {
    return nlohmann::json::object();
  }
  const std::string problem = state.problem();
  nlohmann::json health{{"state", {{"kind", "redis"}, {"address", state.redis->address().text()}}}};
  health["state"]["status"] = problem.empty() ? "ok" : "degraded";
  if (!problem.empty()) {
    health["state"]["problem"] = problem;
    health["status"] = "degraded";
  }
  return health;
}

}  // namespace mock_server::program
