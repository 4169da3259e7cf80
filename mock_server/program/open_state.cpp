#include "mock_server/program/open_state.hpp"

#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/memory_journal.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "mock_server/state/shared/shared_journal.hpp"
#include "mock_server/state/shared/shared_store.hpp"
#include "spec/document/text_file.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

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

constexpr int kMaxWaits = 16;  // requests at once that wait for later calls, each on a worker
constexpr milliseconds kAskAgain{20};

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
    reply.response = reply::unavailable(error.what());
  }
  waits.fetch_sub(1);
  reply.later = nullptr;
}

// SHA-256 in hexadecimal digits.
std::string hash_of(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_sha256(), nullptr);
  return spec::text::to_hex({reinterpret_cast<const char*>(hash.data()), size});
}

}  // namespace

state::ContractMark mark_of(const spec::contract::Contract& contract) {
  std::string texts;
  for (const auto& file : contract.files()) {
    const auto text = spec::document::read_file(file);
    texts += text ? *text : "";
    texts.push_back('\0');
  }
  std::vector<std::string> names;
  for (const auto& operation : contract.operations()) {
    names.push_back(operation.name);
  }
  std::ranges::sort(names);
  state::ContractMark mark{std::string(contract.title()), hash_of(texts), ""};
  for (const std::string& name : names) {
    mark.operations += name + '\n';
  }
  return mark;
}

OpenState open_state(const Options& options, const spec::contract::Contract& contract) {
  OpenState made;
  const StateAddress& address = options.state;
  if (address.kind == StateAddress::Kind::kRedis) {
    made.redis = std::make_unique<state::shared::Redis>(address.redis, mark_of(contract));
    made.redis->check(options.allow_eviction);
    auto journal = std::make_unique<state::shared::SharedJournal>(
        *made.redis, options.journal_bytes, options.journal_age);
    made.store = std::make_unique<state::shared::SharedStore>(*made.redis, *journal,
                                                              state::system_now, options.sessions);
    made.journal = std::move(journal);
    return made;
  }
  if (address.kind == StateAddress::Kind::kSqlite) {
    made.disk = std::make_unique<state::disk::DiskState>(address.file, mark_of(contract));
  }
  auto journal = std::make_unique<state::MemoryJournal>(options.journal_bytes, options.journal_age);
  made.store =
      std::make_unique<state::Store>(state::system_now, options.sessions,
                                     made.disk ? made.disk->open_cells() : state::open_in_memory);
  if (made.disk) {
    made.disk->restore(*made.store, *journal);
  }
  made.journal = std::move(journal);
  return made;
}

void arm_for_all(const std::vector<std::string>& scenarios, const OpenState& state) {
  const auto armed = state.store->armed_for_all();
  for (const std::string& scenario : scenarios) {
    if (std::ranges::find(armed, scenario) == armed.end()) {
      state.store->arm_for_all(scenario);
    }
  }
  const auto first = state.store->session("");
  if (!first->is_untouched()) {
    return;  // what an earlier start left goes on
  }
  std::vector<state::ArmedScenario> start;
  for (const std::string& scenario : state.store->armed_for_all()) {
    start.push_back({scenario, first->machine_now()});
  }
  if (!start.empty()) {  // another mock may just have done it
    first->compare_and_set(state::kArmedCell, 0, state::write_armed(start));
  }
}

bool needs_no_state(const spec::http::Request& request) {
  constexpr std::array<std::string_view, 5> kPaths{
      "/_mock/health", "/_mock/ready", "/_mock/metrics", "/_mock/spec", "/_mock/operations"};
  const std::string_view target = request.target;
  const bool is_page =
      target == "/_mock/" && request.headers.find("Accept").value_or("").starts_with("text/html");
  return is_page || std::ranges::any_of(
                        kPaths, [&](std::string_view path) { return target.starts_with(path); });
}

void let_wait(const OpenState& state, transport::ListenerOptions& options) {
  if (state.redis == nullptr) {
    return;
  }
  // A loop must not wait for the state that says whether a request is passed on.
  options.begin = [](const auto& request, bool /*may_await*/) {
    return reply::RequestNeeds{.may_block = !needs_no_state(request)};
  };
  options.on_rejection = [note = std::move(options.on_rejection)](const auto& rejected) {
    const NoWait loop;
    note(rejected);
  };
}

reply::Handler with_state(const OpenState& state, reply::Handler service) {
  if (state.disk != nullptr) {
    return state.disk->keeping(std::move(service));
  }
  if (state.redis == nullptr) {
    return service;
  }
  return
      [service = std::move(service)](const spec::http::Request& request, const reply::Peer& peer) {
        if (needs_no_state(request)) {
          const NoWait loop;
          return service(request, peer);
        }
        reply::Reply reply = service(request, peer);
        if (reply.pending_response) {
          reply.pending_response->needs_worker = true;
        }
        if (reply.later) {
          wait_for_later(reply);
        }
        if (reply.stream && !reply.passed_on) {
          reply.stream = [stream = std::move(reply.stream)](std::string& bytes) {
            const NoWait loop;
            return stream(bytes);
          };
        }
        return reply;
      };
}

nlohmann::json health_of(const OpenState& state) {
  nlohmann::json health{{"state",
                         {{"kind", state.redis  ? "redis"
                                   : state.disk ? "sqlite"
                                                : "memory"}}}};
  if (!state.is_kept()) {
    return health;
  }
  const std::string problem = state.redis ? state.redis->problem() : state.disk->problem();
  if (state.redis) {
    health["state"]["address"] = state.redis->address().text();
    health["state"]["losses"] = state.redis->losses();
  }
  if (!problem.empty()) {
    health["state"]["problem"] = problem;
    health["status"] = "degraded";
  }
  return health;
}

StateEnd::~StateEnd() {
  if (state_.disk != nullptr) {
    state_.disk->finish();
  }
}

}  // namespace mock_server::program
