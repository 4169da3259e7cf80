#include "mock_server/transport/listener.hpp"

#include "mock_server/transport/acceptor.hpp"
#include "mock_server/transport/channel.hpp"
#include "mock_server/transport/loop.hpp"
#include "mock_server/transport/loop_context.hpp"
#include "spec/load_error.hpp"
#include "spec/process/program_flags.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
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
  ListenerContext shared;  // after the loops: its workers end first, for they hand back to them
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

namespace {

using spec::process::whole;
using SizeMember = std::size_t Limits::*;
static_assert(std::is_same_v<std::size_t, std::uint64_t>);
using Milliseconds = std::chrono::milliseconds;
using TimeMember = Milliseconds Limits::*;

constexpr std::uint64_t kMax = std::uint64_t{1} << 40;

struct Flag {
  const char* name;  // without "--"; the health report writes it with underscores
  std::variant<SizeMember, TimeMember> member;
  std::uint64_t min;
  const char* help;
  std::uint64_t max = kMax;
};

const std::array kFlags = std::to_array<Flag>({
    {"request-line-bytes", &Limits::request_line_bytes, 64, "Max request line, else 414"},
    {"field-line-bytes", &Limits::field_line_bytes, 64, "Max header line, else 431"},
    {"field-section-bytes", &Limits::field_section_bytes, 64, "Max header section, else 431"},
    {"field-count", &Limits::field_count, 1, "Max number of header lines, else 431"},
    {"body-bytes", &Limits::body_bytes, 0, "Max body, before and after decompression, else 413"},
    {"expansion-ratio", &Limits::expansion_ratio, 1,
     "Max ratio by which a compressed body of more than 1 MiB may grow, else 413"},
    {"chunk-extension-bytes", &Limits::chunk_extension_bytes, 0,
     "Max size of all chunk extensions of a request, else 413"},
    {"trailer-bytes", &Limits::trailer_bytes, 0, "Max trailer section, else 431"},
    {"unsent-bytes", &Limits::unsent_bytes, 1024,
     "Stop reading from a connection while so many bytes of responses are unsent"},
    {"unread-bytes", &Limits::unread_bytes, 1024, "Read buffer of a connection"},
    {"linger-bytes", &Limits::linger_bytes, 0,
     "Max bytes read and dropped after the last response. Set more than --body-bytes: a client "
     "that writes its whole body before it reads sees a 413 only then"},
    {"body-bytes-per-second", &Limits::body_bytes_per_second, 0,
     "Min rate of a body, measured over --rate-window-ms, else 408"},
    {"memory-bytes", &Limits::memory_bytes, 1024 * 1024,
     "Max memory of long bodies of all connections together, else 503"},
    {"query-pairs", &Limits::query_pairs, 0,
     "Max name=value pairs of a query (else 400) or of a form (else 413)"},
    {"multipart-parts", &Limits::multipart_parts, 0, "Max parts of a multipart body, else 413",
     100'000},
    {"json-depth", &Limits::json_depth, 1, "Max nesting of a JSON body, else 400",
     Limits::kMaxJsonDepth},
    {"connections", &Limits::connections, 0,
     "Max connections; further ones close idle ones, else get 503. 0: as many as file descriptors "
     "allow"},
    {"requests-per-connection", &Limits::requests_per_connection, 1,
     "Max requests on one connection"},
    {"first-byte-ms", &Limits::first_byte, 1,
     "Max time from the connection to its first byte, else it is closed"},
    {"head-ms", &Limits::head, 1, "Max time for a request head, else 408"},
    {"body-ms", &Limits::body, 1, "Max time for a request body, else 408"},
    {"handler-ms", &Limits::handler, 1,
     "Max time to process a long or compressed request, else 503"},
    {"rate-window-ms", &Limits::rate_window, 1, "Time over which the rate of a body is measured"},
    {"write-progress-ms", &Limits::write_progress, 1,
     "Max time in which a client takes no byte of a response, else the connection is closed"},
    {"idle-ms", &Limits::idle, 1, "Max time between two requests, else the connection is closed"},
    {"linger-ms", &Limits::linger, 1, "Time that a client has to read the last response"},
    {"drain-ms", &Limits::drain, 1, "Time for requests in progress to end after SIGTERM"},
    {"stall-ms", &Limits::stall, 1, "Time for which the fault \"stall\" holds a connection"},
    {"slow-close-ms", &Limits::slow_close, 1,
     "Time for which the fault \"slow-close\" holds a connection"},
});

void register_limit(CLI::App& app, Limits& limits, const Flag& flag) {
  const std::string name = std::string("--") + flag.name;
  if (const auto* size = std::get_if<SizeMember>(&flag.member)) {
    app.add_option(name, limits.*(*size), flag.help)
        ->check(whole(flag.min, flag.max))
        ->capture_default_str()
        ->type_name("N")
        ->group("Limits");
    return;
  }
  Milliseconds& time = limits.*std::get<TimeMember>(flag.member);
  app.add_option_function<std::int64_t>(
         name, [&time](const std::int64_t& value) { time = Milliseconds(value); }, flag.help)
      ->check(whole(flag.min, flag.max))
      ->default_str(std::to_string(time.count()))
      ->type_name("MS")
      ->group("Deadlines");
}

}  // namespace

void register_address_flags(CLI::App& app, ListenerOptions& options) {
  constexpr const char* kGroup = "Where to listen";
  app.add_option("--host", options.host, "Address or name to listen at, or unix:/path")
      ->capture_default_str()
      ->type_name("HOST")
      ->group(kGroup);
  app.add_option("--port", options.port, "Port to listen at; 0: any free port")
      ->check(whole(0, 65535))
      ->capture_default_str()
      ->type_name("N")
      ->group(kGroup);
  CLI::Option* certificate =
      app.add_option("--tls-cert", options.tls_certificate,
                     "Serve HTTPS with this certificate (PEM); needs --tls-key")
          ->type_name("FILE")
          ->group(kGroup);
  CLI::Option* key = app.add_option("--tls-key", options.tls_key, "Key of the certificate (PEM)")
                         ->type_name("FILE")
                         ->group(kGroup);
  certificate->needs(key);
  key->needs(certificate);
  app.add_option("--loops", options.loops, "Number of event loops; 0: one for each core")
      ->check(whole(0, 256))
      ->capture_default_str()
      ->type_name("N")
      ->group(kGroup);
}

void register_limit_flags(CLI::App& app, ListenerOptions& options) {
  for (const Flag& flag : kFlags) {
    register_limit(app, options.limits, flag);
  }
}

nlohmann::json describe(const Limits& limits) {
  nlohmann::json described = nlohmann::json::object();
  for (const Flag& flag : kFlags) {
    std::string name = flag.name;
    for (char& letter : name) {
      letter = letter == '-' ? '_' : letter;
    }
    if (const auto* size = std::get_if<SizeMember>(&flag.member)) {
      described[name] = limits.*(*size);
    } else {
      described[name] = (limits.*std::get<TimeMember>(flag.member)).count();
    }
  }
  return described;
}

}  // namespace mock_server::transport
