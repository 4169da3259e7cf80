#include "mock_server/transport/flags.hpp"

#include "spec/flags/checks.hpp"

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

using spec::flags::whole;
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
