#include "mock_server/tests/server_process.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

namespace mock_server::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kPoll{5};
constexpr int kReceiveSeconds = 20;

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A new file for an output.
int open_output(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

spec::process::Child started(const ServerProcess::Start& start) {
  spec::process::Command command{.words = {start.program},
                                 .environment = {{"DODO_PAYMENTS_API_KEY", std::nullopt}},
                                 .output = open_output(start.folder + "/stdout"),
                                 .errors = open_output(start.folder + "/stderr"),
                                 .folder = start.folder};
  command.words.insert(command.words.end(), start.flags.begin(), start.flags.end());
  command.environment.insert(command.environment.end(), start.environment.begin(),
                             start.environment.end());
  auto child = spec::process::Child::start(command);
  ::close(command.output);
  ::close(command.errors);
  if (!child) {
    throw std::runtime_error(child.error().message);
  }
  return std::move(*child);
}

// A connected socket that gives up reading after a while; -1 when nobody listens.
int connect_to(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{kReceiveSeconds, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket);
    return -1;
  }
  return socket;
}

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      return;  // it may respond before it has read everything
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

ServerProcess::ServerProcess(const Start& start) : folder_(start.folder), child_(started(start)) {}

bool ServerProcess::wait_until_listening(seconds patience) {
  constexpr std::string_view kReady = "listening on http://";
  const auto deadline = Clock::now() + patience;
  while (Clock::now() < deadline) {
    const std::string text = output();
    if (text.starts_with(kReady) && text.ends_with('\n')) {
      std::from_chars(text.data() + text.rfind(':') + 1, text.data() + text.size(), port_);
      return port_ != 0;
    }
    if (child_.has_ended()) {
      return false;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return false;
}

spec::http::ResponseRecord ServerProcess::exchange(std::string_view method,
                                                   std::string_view bytes) const {
  spec::http::ResponseParser parser(method);
  const int socket = connect_to(port_);
  if (socket < 0) {
    parser.end_of_input();
    return parser.take();
  }
  send_all(socket, bytes);
  std::array<char, 65536> buffer{};
  ssize_t received = 0;
  while ((received = ::recv(socket, buffer.data(), buffer.size(), 0)) > 0) {
    const std::string_view part(buffer.data(), static_cast<std::size_t>(received));
    const std::size_t used = parser.has_ended() ? 0 : parser.feed(part);
    if (used < part.size()) {
      parser.note_surplus(part.substr(used));
    }
  }
  ::close(socket);
  if (!parser.has_ended()) {
    parser.end_of_input();
  }
  return parser.take();
}

std::size_t ServerProcess::memory_bytes(std::string_view field) const {
  std::ifstream in("/proc/" + std::to_string(pid()) + "/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(field)) {
      return std::stoul(line.substr(field.size())) * 1024;
    }
  }
  return 0;
}

int ServerProcess::terminate() {
  child_.signal(SIGTERM);
  return wait_for_exit(seconds(20));
}

int ServerProcess::wait_for_exit(seconds patience) {
  const auto code = child_.end(patience);
  return code && child_.ending_signal() == 0 ? *code : -1;
}

std::string ServerProcess::output() const {
  return read_text(folder_ + "/stdout");
}

std::string ServerProcess::errors() const {
  return read_text(folder_ + "/stderr");
}

}  // namespace mock_server::tests
