#include "mock_server/program/healthcheck.hpp"

#include "spec/http/response_parser.hpp"
#include "spec/net/stream.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace mock_server::program {
namespace {

using spec::net::Progress;

constexpr std::string_view kReadyPath = "/_mock/ready";
constexpr std::chrono::seconds kHealthTime{3};

// Throws std::runtime_error with the reason.
spec::net::Stream connect(const HealthUrl& url) {
  using spec::net::OpenProblem;
  constexpr auto kNever = spec::net::Deadline::max();
  auto stream = url.socket.empty()
                    ? open_stream(url.server, spec::net::Trust({.verifies = false}), kNever)
                    : spec::net::open_unix_stream(url.socket, kNever);
  if (!stream) {
    throw std::runtime_error(stream.error().problem == OpenProblem::kUntrusted
                                 ? "the TLS handshake failed; is it http?"
                                 : stream.error().message);
  }
  return std::move(*stream);
}

// The same.
spec::http::ResponseRecord ask_ready(const HealthUrl& url) {
  constexpr auto kNever = spec::net::Deadline::max();
  auto stream = connect(url);
  const std::string host = url.socket.empty() ? url.server.authority() : "localhost";
  const auto sent = stream.write(
      "GET " + url.path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n", kNever);
  if (sent.kind != Progress::Kind::kBytes) {
    throw std::runtime_error("the connection broke while the request was sent");
  }
  constexpr std::size_t kMaxBytes = 64 * 1024;
  spec::http::ResponseParser parser("GET", {.head_bytes = kMaxBytes, .body_bytes = kMaxBytes});
  while (!parser.has_ended()) {
    std::array<char, 4096> bytes{};
    const auto got = stream.read(bytes.data(), bytes.size(), kNever);
    if (got.kind != Progress::Kind::kBytes) {
      parser.end_of_input();
      break;
    }
    parser.feed({bytes.data(), got.bytes});
  }
  return parser.take();
}

// "" if the response says that the mock is ready.
std::string why_not_ready(const spec::http::ResponseRecord& record) {
  if (record.ending != spec::http::Ending::kComplete) {
    return "no HTTP response; is it https?";
  }
  const auto body = nlohmann::json::parse(record.response.body, nullptr, false);
  const auto member = [&body](const char* name) {
    return body.is_object() && body.contains(name) ? body.at(name) : nlohmann::json();
  };
  if (record.response.status == 200 && member("ready") == true) {
    return "";
  }
  const nlohmann::json message = member("message");
  return "the response is status " + std::to_string(record.response.status) +
         (message.is_string() ? ": " + spec::text::shortened(message.get<std::string>())
                              : " and not that of a mock_server");
}

}  // namespace

spec::Result<HealthUrl, std::string> parse_health_url(std::string_view text) {
  const auto fail = [text](const std::string& why) {
    return spec::Unexpected{"healthcheck " + spec::text::in_quotes(spec::text::shortened(text)) +
                            ": " + why + "; write for example http://127.0.0.1:4010"};
  };
  HealthUrl url{.path = std::string(kReadyPath)};
  if (text.starts_with("unix:/")) {
    url.socket = text.substr(text.find('/'));
    return url;
  }
  if (!text.starts_with("http://") && !text.starts_with("https://")) {
    return fail("must start with http://, https:// or unix:/");
  }
  auto server = spec::net::parse_base_url(text);
  if (!server) {
    return fail(server.error());
  }
  if (!server->prefix.empty() && server->prefix != kReadyPath) {
    return fail("must have no path but " + std::string(kReadyPath));
  }
  server->prefix.clear();
  url.server = std::move(*server);
  return url;
}

std::string why_not_healthy(const HealthUrl& url, std::chrono::milliseconds time) {
  // One deadline for the name, the connection, TLS and the response: each may block.
  auto result = std::make_shared<std::promise<std::string>>();
  auto known = result->get_future();
  std::thread([result, url] {
    std::string why;
    try {
      why = why_not_ready(ask_ready(url));
    } catch (const std::exception& error) {
      why = error.what();
    }
    result->set_value(std::move(why));
  }).detach();
  if (known.wait_for(time) != std::future_status::ready) {
    return "no response within " + std::to_string(time.count()) + " ms";
  }
  return known.get();
}

CLI::App* register_healthcheck(CLI::App& app, std::string& url) {
  CLI::App* const sub = app.add_subcommand(
      "healthcheck",
      "Ask the mock at URL whether it is ready, within 3 s, and exit: 0 if it is, "
      "else 1 with one line that says why; the probe of images");
  sub->group("Subcommands");
  sub->add_option("URL", url, "http://HOST:PORT, https://HOST:PORT or unix:/path")
      ->configurable(false);
  return sub;
}

int healthcheck(const std::string& url) {
  constexpr int kUnusable = 2;
  std::signal(SIGPIPE, SIG_IGN);
  const auto parsed = parse_health_url(url);
  if (!parsed) {
    std::cerr << "mock_server: " << parsed.error() << '\n';
    return kUnusable;
  }
  const std::string why = why_not_healthy(*parsed, kHealthTime);
  if (!why.empty()) {
    std::cerr << "mock_server: " << url << " is not healthy: " << why << std::endl;
  }
  // A thread that waits for the peer does not survive the destruction of what it uses.
  std::_Exit(why.empty() ? 0 : 1);
}

}  // namespace mock_server::program
