#include "mock_server/program/healthcheck.hpp"

#include "spec/http/response_parser.hpp"
#include "spec/text/number.hpp"
#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <netdb.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mock_server::program {
namespace {

constexpr std::string_view kReadyPath = "/_mock/ready";
constexpr std::chrono::seconds kHealthTime{3};

std::string last_error() {
  return std::generic_category().message(errno);
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

struct FreeTlsContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

struct FreeTls {
  void operator()(SSL* tls) const { SSL_free(tls); }
};

// A connection to the mock, blocking. Methods throw std::runtime_error with a reason.
class HealthConnection {
 public:
  explicit HealthConnection(const HealthUrl& url) {
    if (url.socket.empty()) {
      connect_to_address(url);
    } else {
      connect_to_socket(url.socket);
    }
    if (url.tls) {
      start_tls();
    }
  }

  ~HealthConnection() { close_descriptor(); }

  HealthConnection(const HealthConnection&) = delete;
  HealthConnection& operator=(const HealthConnection&) = delete;

  void send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                             : ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        throw std::runtime_error("the connection broke while the request was sent");
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  // Some bytes; "" at the end of the connection.
  std::string receive() const {
    std::array<char, 4096> bytes{};
    const auto got = tls_ ? SSL_read(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                          : ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }

 private:
  // Returns false and leaves errno if the peer does not listen.
  bool try_address(int family, const sockaddr* address, socklen_t size) {
    close_descriptor();
    descriptor_ = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return descriptor_ >= 0 && ::connect(descriptor_, address, size) == 0;
  }

  void connect_to_address(const HealthUrl& url) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = getaddrinfo(url.host.c_str(), url.port.c_str(), &wanted, &found);
    if (error != 0) {
      throw std::runtime_error("cannot find the host " + url.host + ": " + gai_strerror(error));
    }
    const std::unique_ptr<addrinfo, FreeAddresses> list(found);
    for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
      if (try_address(at->ai_family, at->ai_addr, at->ai_addrlen)) {
        return;
      }
    }
    throw std::runtime_error("cannot connect: " + last_error());
  }

  void connect_to_socket(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
      throw std::runtime_error("cannot connect: the path is too long");
    }
    std::ranges::copy(path, std::begin(address.sun_path));
    if (!try_address(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address)) {
      throw std::runtime_error("cannot connect: " + last_error());
    }
  }

  void start_tls() {
    context_.reset(SSL_CTX_new(TLS_client_method()));
    tls_.reset(context_ ? SSL_new(context_.get()) : nullptr);
    if (!tls_) {
      throw std::runtime_error("TLS cannot be set up");
    }
    if (SSL_set_fd(tls_.get(), descriptor_) != 1 || SSL_connect(tls_.get()) != 1) {
      throw std::runtime_error("the TLS handshake failed; is it http?");
    }
  }

  void close_descriptor() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
      descriptor_ = -1;
    }
  }

  int descriptor_ = -1;
  std::unique_ptr<SSL_CTX, FreeTlsContext> context_;
  std::unique_ptr<SSL, FreeTls> tls_;
};

spec::http::ResponseRecord ask_ready(const HealthUrl& url) {
  const HealthConnection connection(url);
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  const std::string host = url.socket.empty() ? url.host + ':' + url.port : "localhost";
  connection.send_all("GET " + url.path +
                      " HTTP/1.1\r\nHost: " + (is_ipv6 ? '[' + url.host + "]:" + url.port : host) +
                      "\r\nConnection: close\r\n\r\n");
  constexpr std::size_t kMaxBytes = 64 * 1024;
  spec::http::ResponseParser parser("GET", {.head_bytes = kMaxBytes, .body_bytes = kMaxBytes});
  while (!parser.has_ended()) {
    const std::string bytes = connection.receive();
    if (bytes.empty()) {
      parser.end_of_input();
      break;
    }
    parser.feed(bytes);
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
  url.tls = text.starts_with("https://");
  if (!url.tls && !text.starts_with("http://")) {
    return fail("must start with http://, https:// or unix:/");
  }
  text.remove_prefix(text.find("//") + 2);
  const std::string_view authority = text.substr(0, text.find('/'));
  const std::string_view path = text.substr(authority.size());
  if (!path.empty() && path != "/" && path != kReadyPath) {
    return fail("must have no path but " + std::string(kReadyPath));
  }
  const std::size_t bracket = authority.find(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view host = authority.substr(0, colon);
  url.host = host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
  url.port = url.tls ? "443" : "80";
  if (colon != std::string_view::npos) {
    url.port = authority.substr(colon + 1);
  }
  const auto port = spec::text::parse_number<std::uint16_t>(url.port);
  if (!port || *port == 0) {
    return fail("must have a port from 1 to 65535");
  }
  if (url.host.empty() || url.host.find_first_of("@?#[]\r\n \t") != std::string::npos) {
    return fail("must have a host and nothing else before the port");
  }
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
