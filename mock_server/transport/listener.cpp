#include "mock_server/transport/listener.hpp"

#include "mock_server/transport/acceptor.hpp"
#include "mock_server/transport/endpoint.hpp"
#include "mock_server/transport/flags.hpp"
#include "mock_server/transport/loop.hpp"
#include "mock_server/transport/shared.hpp"
#include "mock_server/transport/tls.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <sys/resource.h>
#include <thread>
#include <utility>
#include <vector>

namespace mock_server::transport {

namespace {

constexpr std::size_t kReservedDescriptors = 64;
constexpr Milliseconds kLook{20};  // how often a drain looks whether all is done

// Raises the soft limit of descriptors as far as it goes and returns it.
std::size_t descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < limit.rlim_max) {
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
      limit.rlim_cur = before;
    }
  }
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1'000'000));
}

std::size_t connection_limit(std::size_t wanted) {
  const std::size_t descriptors = descriptor_limit();
  const std::size_t possible = descriptors > 2 * kReservedDescriptors
                                   ? descriptors - kReservedDescriptors
                                   : std::max<std::size_t>(1, descriptors / 4);
  return wanted == 0 ? possible : std::min(wanted, possible);
}

struct CounterName {
  const char* name;
  Counter Counters::*counter;
};

constexpr std::array kCounterNames = std::to_array<CounterName>({
    {"open", &Counters::open},
    {"opened", &Counters::opened},
    {"requests", &Counters::requests},
    {"rejected", &Counters::rejected},
    {"timed_out", &Counters::timed_out},
    {"shed", &Counters::shed},
    {"faults", &Counters::faults},
    {"aborted", &Counters::aborted},
    {"streams", &Counters::streams},
    {"bytes_in", &Counters::bytes_in},
    {"bytes_out", &Counters::bytes_out},
});

unsigned loop_count(unsigned wanted) {
  return wanted == 0 ? std::max(1U, std::thread::hardware_concurrency()) : wanted;
}

}  // namespace

struct Listener::State {
  State(ListenerOptions options_in, reply::Handler handler_in)
      : options(std::move(options_in)),
        handler(std::move(handler_in)),
        tls(options.tls_certificate.empty()
                ? nullptr
                : std::make_unique<TlsContext>(options.tls_certificate, options.tls_key)),
        endpoint(options.host, options.port),
        connections(connection_limit(options.limits.connections)),
        url(endpoint.url(!options.tls_certificate.empty())),
        port(endpoint.port()),
        shared(options, handler) {
    const unsigned count = loop_count(options.loops);
    for (unsigned at = 0; at < count; ++at) {
      loops.push_back(
          std::make_unique<Loop>(shared, std::max<std::size_t>(1, connections / count)));
    }
    acceptor = std::make_unique<Acceptor>(endpoint, loops, tls.get());
  }

  bool all_ended() const {
    return std::all_of(loops.begin(), loops.end(),
                       [](const auto& loop) { return loop->has_ended(); });
  }

  const ListenerOptions options;
  const reply::Handler handler;
  const std::unique_ptr<TlsContext> tls;
  Endpoint endpoint;
  const std::size_t connections;
  const std::string url;
  const int port;
  std::vector<std::unique_ptr<Loop>> loops;
  Shared shared;  // after the loops: its workers end first, for they hand back to them
  std::unique_ptr<Acceptor> acceptor;
};

Listener::Listener(ListenerOptions options, reply::Handler handler)
    : state_(std::make_unique<State>(std::move(options), std::move(handler))) {}

Listener::~Listener() = default;

int Listener::port() const {
  return state_->port;
}

std::string Listener::url() const {
  return state_->url;
}

void Listener::run() {
  State& state = *state_;
  for (const auto& loop : state.loops) {
    loop->start();
  }
  state.acceptor->run();
  state.endpoint.close();
  for (const auto& loop : state.loops) {
    loop->drain();
  }
  const Time grace_ends = SteadyClock::now() + state.options.limits.drain;
  while (!state.all_ended() && SteadyClock::now() < grace_ends && !state.acceptor->is_urgent()) {
    state.acceptor->wait(kLook);
  }
  for (const auto& loop : state.loops) {
    loop->end();
    loop->join();
  }
}

void Listener::stop() noexcept {
  state_->acceptor->stop();
}

std::function<void()> Listener::read_certificates() {
  if (state_->tls == nullptr) {
    return [] {};
  }
  auto read =
      std::make_shared<TlsContext>(state_->options.tls_certificate, state_->options.tls_key);
  return [this, read] { state_->tls->take_over(*read); };
}

nlohmann::json Listener::health() const {
  nlohmann::json counters = nlohmann::json::object();
  for (const CounterName& named : kCounterNames) {
    std::uint64_t sum = 0;
    for (const auto& loop : state_->loops) {
      sum += (loop->counters().*named.counter).value();
    }
    counters[named.name] = sum;
  }
  counters["body_memory_bytes"] = state_->shared.budget.used();
  counters["accept_errors"] = state_->acceptor->errors();
  nlohmann::json limits = describe(state_->options.limits);
  limits["connections"] = state_->connections;
  return {{"limits", std::move(limits)}, {"connections", std::move(counters)}};
}

}  // namespace mock_server::transport
