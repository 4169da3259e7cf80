#include "spec/net/stream.hpp"

#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace spec::net {

namespace {

using Clock = std::chrono::steady_clock;
using OpenError = Unexpected<OpenFailure>;

struct ContextCloser {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

struct SslCloser {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}

  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  ~Socket() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// Waits until the socket is ready for `events`; false when the deadline passes first.
bool wait_for(int descriptor, short events, Deadline deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      return false;
    }
    pollfd entry{.fd = descriptor, .events = events, .revents = 0};
    const int ready =
        ::poll(&entry, 1, static_cast<int>(std::min<long long>(left.count(), 1'000'000)));
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return true;  // the next call on the socket reports the error
    }
  }
}

std::string ssl_error_text() {
  const auto code = ERR_get_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "the TLS handshake was aborted" : reason;
}

// The file with the certificates of authorities on a system that does not keep them where OpenSSL
// looks: Fedora, openSUSE, Alpine, and Debian for a library that is not Debian's. Empty if OpenSSL
// finds some, or there are none.
std::string system_certificates() {
  if (std::getenv("SSL_CERT_FILE") == nullptr && ::access(X509_get_default_cert_dir(), R_OK) != 0) {
    for (const char* const file :
         {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
          "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"}) {
      if (::access(file, R_OK) == 0) {
        return file;
      }
    }
  }
  return "";
}

// What to do about certificates when there are none of authorities; "" if there are.
std::string missing_authorities() {
  const char* const named = std::getenv("SSL_CERT_FILE");
  if (named != nullptr) {
    return ::access(named, R_OK) == 0
               ? ""
               : "; SSL_CERT_FILE names " + text::in_quotes(named) + ", which cannot be read";
  }
  return ::access(X509_get_default_cert_dir(), R_OK) == 0 || !system_certificates().empty()
             ? ""
             : "; this machine has no certificates of authorities: install ca-certificates, or "
               "name "
               "a PEM file in SSL_CERT_FILE";
}

}  // namespace

struct Trust::State {
  explicit State(bool verifies) : verifies_(verifies) {}

  // Created on first use: reading the system's certificates takes a hundred milliseconds.
  SSL_CTX* context() {
    std::call_once(once_, [this] { make(); });
    return context_.get();
  }

 private:
  void make();

  const bool verifies_;
  std::once_flag once_;
  std::unique_ptr<SSL_CTX, ContextCloser> context_;
};

void Trust::State::make() {
  context_.reset(SSL_CTX_new(TLS_client_method()));
  auto* context = context_.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  if (verifies_) {
    SSL_CTX_set_default_verify_paths(context);
    if (const auto file = system_certificates(); !file.empty()) {
      SSL_CTX_load_verify_locations(context, file.c_str(), nullptr);
    }
  }
  SSL_CTX_set_verify(context, verifies_ ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  static constexpr std::array<unsigned char, 9> kHttp11{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  SSL_CTX_set_alpn_protos(context, kHttp11.data(), kHttp11.size());
}

Trust::Trust(const TrustOptions& options) : state_(std::make_unique<State>(options.verifies)) {
  if (!options.ca_file.empty() &&
      SSL_CTX_load_verify_locations(state_->context(), options.ca_file.c_str(), nullptr) != 1) {
    throw LoadError(
        Problem{options.ca_file, 0, 0, "", "is not a readable PEM file of certificates"});
  }
}

Trust::~Trust() = default;
Trust::Trust(Trust&&) noexcept = default;
Trust& Trust::operator=(Trust&&) noexcept = default;

struct Stream::State {
  Socket socket;
  std::unique_ptr<SSL, SslCloser> ssl;
  bool has_written = false;  // since the last read: the response takes a while

  Progress read_plain(char* into, std::size_t size, Deadline deadline);
  Progress write_plain(std::string_view bytes, Deadline deadline, short also);
  Progress write_tls(std::string_view bytes, Deadline deadline, short also);
  // Turns the failure of an SSL call into a wait (true: try again) or a final progress. `also`:
  // another event that ends the wait.
  bool should_retry(int outcome, Deadline deadline, Progress& progress, short also = 0) const;
  // True if there is something to read, or the end.
  bool is_readable() const;
};

Progress Stream::State::read_plain(char* into, std::size_t size, Deadline deadline) {
  if (std::exchange(has_written, false) && deadline > Clock::now() &&
      !wait_for(socket.descriptor(), POLLIN, deadline)) {
    return {Progress::Kind::kDeadline, 0};
  }
  while (true) {
    const auto got = ::recv(socket.descriptor(), into, size, MSG_DONTWAIT);
    if (got > 0) {
      return {Progress::Kind::kBytes, static_cast<std::size_t>(got)};
    }
    if (got == 0) {
      return {Progress::Kind::kEnd, 0};
    }
    if (errno != EAGAIN && errno != EINTR) {
      return {Progress::Kind::kReset, 0};
    }
    if (!wait_for(socket.descriptor(), POLLIN, deadline)) {
      return {Progress::Kind::kDeadline, 0};
    }
  }
}

bool Stream::State::is_readable() const {
  pollfd entry{.fd = socket.descriptor(), .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, 0) > 0;
}

// `also` is POLLIN to return when something can be read, or 0.
Progress Stream::State::write_plain(std::string_view bytes, Deadline deadline, short also) {
  has_written = true;
  const auto all = bytes.size();
  while (!bytes.empty()) {
    const auto put =
        ::send(socket.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) {
      return {Progress::Kind::kReset, 0};
    }
    if (!wait_for(socket.descriptor(), static_cast<short>(POLLOUT | also), deadline)) {
      return {Progress::Kind::kDeadline, 0};
    }
    if (also != 0 && is_readable()) {
      return {Progress::Kind::kBytes, all - bytes.size()};
    }
  }
  return {Progress::Kind::kBytes, all};
}

Progress Stream::State::write_tls(std::string_view bytes, Deadline deadline, short also) {
  Progress progress;
  while (true) {
    ERR_clear_error();
    const int put = SSL_write(ssl.get(), bytes.data(), static_cast<int>(bytes.size()));
    if (put > 0) {
      return {Progress::Kind::kBytes, bytes.size()};
    }
    if (!should_retry(put, deadline, progress, also)) {
      return progress;
    }
    if (also != 0 && is_readable()) {
      return {Progress::Kind::kBytes, 0};  // OpenSSL takes all at once, or the same again
    }
  }
}

bool Stream::State::should_retry(int outcome, Deadline deadline, Progress& progress,
                                 short also) const {
  const int error = SSL_get_error(ssl.get(), outcome);
  if (error == SSL_ERROR_ZERO_RETURN) {
    progress = {Progress::Kind::kEnd, 0};
    return false;
  }
  if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
    progress = {Progress::Kind::kReset, 0};
    return false;
  }
  progress = {Progress::Kind::kDeadline, 0};
  const short events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
  return wait_for(socket.descriptor(), static_cast<short>(events | also), deadline);
}

Stream::Stream(std::unique_ptr<State> state) : state_(std::move(state)) {}

Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

int Stream::descriptor() const {
  return state_->socket.descriptor();
}

Progress Stream::read(char* into, std::size_t size, Deadline deadline) {
  if (!state_->ssl) {
    return state_->read_plain(into, size, deadline);
  }
  Progress progress;
  while (true) {
    ERR_clear_error();
    const int got = SSL_read(state_->ssl.get(), into, static_cast<int>(size));
    if (got > 0) {
      return {Progress::Kind::kBytes, static_cast<std::size_t>(got)};
    }
    if (!state_->should_retry(got, deadline, progress)) {
      return progress;
    }
  }
}

Progress Stream::write(std::string_view bytes, Deadline deadline) {
  return state_->ssl ? state_->write_tls(bytes, deadline, 0)
                     : state_->write_plain(bytes, deadline, 0);
}

Progress Stream::write_until_readable(std::string_view bytes, Deadline deadline) {
  return state_->ssl ? state_->write_tls(bytes, deadline, POLLIN)
                     : state_->write_plain(bytes, deadline, POLLIN);
}

namespace {

// A connected, non-blocking socket, or the reason why this address failed.
Result<Socket, OpenFailure> connect_to(const addrinfo& address, Deadline deadline) {
  Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  ::setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket.descriptor(), address.ai_addr, address.ai_addrlen) == 0) {
    return socket;
  }
  if (errno != EINPROGRESS) {
    return OpenError{{OpenProblem::kNoConnection, std::strerror(errno)}};
  }
  if (!wait_for(socket.descriptor(), POLLOUT, deadline)) {
    return OpenError{{OpenProblem::kDeadline, "no response in time"}};
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) {
    return OpenError{{OpenProblem::kNoConnection, std::strerror(error)}};
  }
  return socket;
}

// True for a name of the loopback addresses, also where no /etc/hosts has it. Source: RFC 6761
// §6.3.
bool is_localhost(const std::string& host) {
  const auto name = text::to_lower(host);
  return name == "localhost" || name.ends_with(".localhost");
}

Result<Socket, OpenFailure> connect_any(const std::string& host, int port, Deadline deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const bool loopback = is_localhost(host);
  const int problem = ::getaddrinfo(loopback ? nullptr : host.c_str(), std::to_string(port).c_str(),
                                    &hints, &found);
  if (problem != 0) {
    return OpenError{{OpenProblem::kNoConnection, ::gai_strerror(problem)}};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
  std::vector<const addrinfo*> each;
  for (const auto* address = found; address != nullptr; address = address->ai_next) {
    each.push_back(address);
  }
  if (loopback) {
    std::stable_partition(each.begin(), each.end(),
                          [](auto* one) { return one->ai_family == AF_INET; });
  }
  OpenFailure last{OpenProblem::kNoConnection, "unknown host name"};
  for (const auto* const address : each) {
    auto socket = connect_to(*address, deadline);
    if (socket) {
      return socket;
    }
    last = socket.error();
  }
  return OpenError{last};
}

// Asks the proxy for a tunnel and reads its response's head, not a byte more. "" if it succeeded.
// Source: RFC 9110 §9.3.6.
std::string open_tunnel(Stream& stream, const BaseUrl& url, Deadline deadline) {
  constexpr std::size_t kMaxHead = 16U * 1024;
  const auto target = in_brackets(url.host) + ':' + std::to_string(url.port);
  auto ask = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n";
  ask += url.proxy->authorization_line();
  stream.write(ask + "\r\n", deadline);
  std::string head;
  while (!head.ends_with("\r\n\r\n")) {
    char letter = 0;
    const auto progress = stream.read(&letter, 1, deadline);
    if (progress.kind != Progress::Kind::kBytes || head.size() == kMaxHead) {
      return "opens no tunnel: its response is incomplete";
    }
    head += letter;
  }
  const auto line = head.substr(0, head.find('\r'));
  if (line.starts_with("HTTP/1.") && line.size() > 9 && line[9] == '2') {
    return {};
  }
  const bool asks = line.size() > 12 && line.substr(9, 3) == "407";
  return "opens no tunnel: " + text::printable(line, 100) +
         (asks ? "; put USER:PASSWORD@ into HTTPS_PROXY"
               : "; to connect directly, add the server to NO_PROXY");
}

Result<Stream, OpenFailure> open_plain(const BaseUrl& url, Deadline deadline) {
  const auto& proxy = url.proxy;
  auto socket =
      connect_any(proxy ? proxy->host : url.host, proxy ? proxy->port : url.port, deadline);
  const auto where = proxy ? "the proxy " + proxy->authority() : url.authority();
  if (!socket) {
    return OpenError{
        {socket.error().problem, "cannot connect to " + where + ": " + socket.error().message}};
  }
  Stream stream(std::make_unique<Stream::State>(Stream::State{std::move(socket.value()), nullptr}));
  if (proxy && url.tls) {
    if (const auto why = open_tunnel(stream, url, deadline); !why.empty()) {
      return OpenError{{OpenProblem::kNoConnection, where + ' ' + why}};
    }
  }
  return stream;
}

// Names go into the handshake, addresses do not. Source: RFC 6066 §3.
bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

Result<Stream, OpenFailure> open_stream(const BaseUrl& url, const Trust& trust, Deadline deadline) {
  auto stream = open_plain(url, deadline);
  if (!stream || !url.tls) {
    return stream;
  }
  auto* state = stream.value().state();
  state->ssl.reset(SSL_new(trust.state().context()));
  SSL_set_fd(state->ssl.get(), state->socket.descriptor());
  if (!is_address(url.host)) {
    // SSL_set_tlsext_host_name, without the macro's cast.
    SSL_ctrl(state->ssl.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
             const_cast<char*>(url.host.c_str()));
  }
  SSL_set1_host(state->ssl.get(), url.host.c_str());
  Progress progress;
  for (int outcome = 0; outcome != 1;) {
    ERR_clear_error();
    outcome = SSL_connect(state->ssl.get());
    if (outcome == 1 || state->should_retry(outcome, deadline, progress)) {
      continue;
    }
    if (progress.kind == Progress::Kind::kDeadline) {
      return OpenError{
          {OpenProblem::kDeadline, "the TLS handshake with " + url.authority() + " took too long"}};
    }
    const auto verdict = SSL_get_verify_result(state->ssl.get());
    if (verdict == X509_V_OK) {
      return OpenError{
          {OpenProblem::kUntrusted,
           "the TLS handshake with " + url.authority() + " failed: " + ssl_error_text(), false}};
    }
    return OpenError{{OpenProblem::kUntrusted,
                      "the TLS certificate of " + url.authority() + " is not trusted: " +
                          X509_verify_cert_error_string(verdict) + missing_authorities(),
                      true}};
  }
  return stream;
}

Result<Stream, OpenFailure> open_unix_stream(const std::string& path, Deadline deadline) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) {
    return OpenError{{OpenProblem::kNoConnection, "cannot connect: the path is too long"}};
  }
  std::ranges::copy(path, std::begin(name.sun_path));
  addrinfo address{};
  address.ai_family = AF_UNIX;
  address.ai_addr = reinterpret_cast<sockaddr*>(&name);
  address.ai_addrlen = sizeof name;
  auto socket = connect_to(address, deadline);
  if (!socket) {
    return OpenError{{socket.error().problem, "cannot connect: " + socket.error().message}};
  }
  return Stream(std::make_unique<Stream::State>(Stream::State{std::move(socket.value()), nullptr}));
}

}  // namespace spec::net
