#include "mock_server/tests/server_process.hpp"

#include "spec/parent_death.hpp"

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
#include <sys/wait.h>
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

void redirect(const std::string& path, int descriptor) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(file, descriptor);
  ::close(file);
}

[[noreturn]] void become(const ServerProcess::Start& start) {
  redirect(start.folder + "/stdout", STDOUT_FILENO);
  redirect(start.folder + "/stderr", STDERR_FILENO);
  ::unsetenv("DODO_PAYMENTS_API_KEY");
  for (const auto& [name, value] : start.environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<std::string> words{start.program};
  words.insert(words.end(), start.flags.begin(), start.flags.end());
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  if (::chdir(start.folder.c_str()) == 0) {
    ::execv(start.program.c_str(), pointers.data());
  }
  ::_exit(127);
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
      return;  // it may answer before it has read everything
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

ServerProcess::ServerProcess(const Start& start) : folder_(start.folder) {
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    if (spec::die_with_parent(parent)) {
      become(start);
    }
    ::_exit(127);
  }
  if (pid_ < 0) {
    throw std::runtime_error("the program could not be started");
  }
}

ServerProcess::~ServerProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

bool ServerProcess::wait_until_listening(seconds patience) {
  constexpr std::string_view kReady = "listening on http://";
  const auto deadline = Clock::now() + patience;
  while (Clock::now() < deadline) {
    const std::string text = output();
    if (text.starts_with(kReady) && text.ends_with('\n')) {
      std::from_chars(text.data() + text.rfind(':') + 1, text.data() + text.size(), port_);
      return port_ != 0;
    }
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid == pid_) {
      return false;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return false;
}

spec::http::AnswerRecord ServerProcess::exchange(std::string_view method,
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

int ServerProcess::terminate() {
  ::kill(pid_, SIGTERM);
  return wait_for_exit(seconds(20));
}

int ServerProcess::wait_for_exit(seconds patience) {
  const auto deadline = Clock::now() + patience;
  while (Clock::now() < deadline) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return -1;
}

std::string ServerProcess::output() const {
  return read_text(folder_ + "/stdout");
}

std::string ServerProcess::errors() const {
  return read_text(folder_ + "/stderr");
}

}  // namespace mock_server::tests
