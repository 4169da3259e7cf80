#include "mock_server/transport/flags.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

namespace mock_server::transport {

namespace {

using SizeMember = std::size_t Limits::*;
static_assert(std::is_same_v<std::size_t, std::uint64_t>);
using Milliseconds = std::chrono::milliseconds;
using TimeMember = Milliseconds Limits::*;

constexpr std::int64_t kMax = std::int64_t{1} << 40;

struct Flag {
  const char* name;  // without "--"; the health report writes it with underscores
  std::variant<SizeMember, TimeMember> member;
  std::int64_t least;
  const char* help;
  std::int64_t most = kMax;
};

const std::array kFlags = std::to_array<Flag>({
    {"request-line-bytes", &Limits::request_line_bytes, 64, "longest request line; beyond: 414"},
    {"field-line-bytes", &Limits::field_line_bytes, 64, "longest header line; beyond: 431"},
    {"field-section-bytes", &Limits::field_section_bytes, 64,
     "longest header section; beyond: 431"},
    {"field-count", &Limits::field_count, 1, "most header lines; beyond: 431"},
    {"body-bytes", &Limits::body_bytes, 0, "longest body, decompressed too; beyond: 413"},
    {"expansion-ratio", &Limits::expansion_ratio, 1,
     "most that a compressed body of more than 1 MiB may grow; beyond: 413"},
    {"chunk-extension-bytes", &Limits::chunk_extension_bytes, 0,
     "most chunk extensions of a request; beyond: 413"},
    {"trailer-bytes", &Limits::trailer_bytes, 0, "longest trailer section; beyond: 431"},
    {"unsent-bytes", &Limits::unsent_bytes, 1024,
     "unsent answers beyond which a connection is not read"},
    {"unread-bytes", &Limits::unread_bytes, 1024,
     "taken from a connection at once, requests that wait for their turn among them"},
    {"linger-bytes", &Limits::linger_bytes, 0,
     "thrown away of what a client still sends after its last response; a client that reads only "
     "when "
     "its whole body is sent needs more than --body-bytes to see a 413"},
    {"body-bytes-per-second", &Limits::body_bytes_per_second, 0,
     "slowest body, over the rate window; below: 408"},
    {"memory-bytes", &Limits::memory_bytes, 1024 * 1024,
     "long bodies of all connections and the values made of them, together; beyond: 503"},
    {"query-pairs", &Limits::query_pairs, 0,
     "most pairs of a query (beyond: 400) or of a form (beyond: 413)"},
    {"multipart-parts", &Limits::multipart_parts, 0, "most parts of a multipart body; beyond: 413",
     100'000},
    {"json-depth", &Limits::json_depth, 1, "deepest nesting of a JSON body; beyond: 400",
     Limits::kDeepestJson},
    {"connections", &Limits::connections, 0,
     "most connections; 0: as file descriptors allow; beyond: idle ones end, else 503"},
    {"requests-per-connection", &Limits::requests_per_connection, 1,
     "most requests on one connection"},
    {"first-byte-ms", &Limits::first_byte, 1, "until a new connection says something"},
    {"head-ms", &Limits::head, 1, "for a whole request head; beyond: 408"},
    {"body-ms", &Limits::body, 1, "for a whole request body; beyond: 408"},
    {"handler-ms", &Limits::handler, 1,
     "for a request that is long or compressed to be worked on; beyond: 503"},
    {"rate-window-ms", &Limits::rate_window, 1, "over which the rate of a body is looked at"},
    {"write-progress-ms", &Limits::write_progress, 1,
     "without a byte of the response taken by the client"},
    {"idle-ms", &Limits::idle, 1, "between two requests"},
    {"linger-ms", &Limits::linger, 1, "for the client to read the last response"},
    {"drain-ms", &Limits::drain, 1, "for requests in flight after SIGTERM"},
    {"stall-ms", &Limits::stall, 1, "how long the fault \"stall\" holds a connection"},
    {"slow-close-ms", &Limits::slow_close, 1, "how long the fault \"slow-close\" holds it"},
});

void register_limit(CLI::App& app, Limits& limits, const Flag& flag) {
  const std::string name = std::string("--") + flag.name;
  const std::string least = std::to_string(flag.least);
  const auto at_least = CLI::Range(
      flag.least, flag.most,
      flag.most == kMax ? "at least " + least : least + " to " + std::to_string(flag.most));
  if (const auto* size = std::get_if<SizeMember>(&flag.member)) {
    app.add_option(name, limits.*(*size), flag.help)
        ->check(at_least)
        ->capture_default_str()
        ->group("Limits");
    return;
  }
  Milliseconds& time = limits.*std::get<TimeMember>(flag.member);
  app.add_option_function<std::int64_t>(
         name, [&time](const std::int64_t& value) { time = Milliseconds(value); }, flag.help)
      ->check(at_least)
      ->default_str(std::to_string(time.count()))
      ->group("Deadlines");
}

}  // namespace

void register_flags(CLI::App& app, ListenerOptions& options) {
  app.add_option("--host", options.host, "address or name to listen at, or unix:/path")
      ->capture_default_str();
  app.add_option("--port", options.port, "port to listen at; 0: a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  CLI::Option* certificate =
      app.add_option("--tls-cert", options.tls_certificate, "PEM file: serve HTTPS");
  CLI::Option* key =
      app.add_option("--tls-key", options.tls_key, "PEM file: the certificate's key");
  certificate->needs(key);
  key->needs(certificate);
  app.add_option("--loops", options.loops, "event loops; 0: one for each core")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
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
