// Opens many connections to a server: idle ones, which received one response, and slow ones, which
// send a byte of a request every second. Measures how long new clients then wait, one after the
// other.
//
//   crowd PORT PATH HEADER SERVER_PID IDLE SLOW CLIENTS
//
// Prints "MB MEDIAN_MS P99_MS WORST_MS": the server's memory with all connections open, and the
// time of a new client from connecting to the end of its response, whatever its status. Ends with 1
// when a connection cannot be opened or no response comes within 10 seconds.
#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPause = std::chrono::milliseconds(5);
constexpr auto kDrip = std::chrono::seconds(1);
constexpr time_t kPatienceSeconds = 10;

struct Server {
  std::uint16_t port = 0;
  std::string request;
};

[[noreturn]] void fail(const std::string& why) {
  std::cerr << "crowd: " << why << '\n';
  std::exit(1);
}

int open_connection(const Server& server) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{kPatienceSeconds, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    fail("cannot connect to the server");
  }
  return fd;
}

void send_all(int fd, std::string_view text) {
  if (send(fd, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) {
    fail("the server closed a connection");
  }
}

// Sends the request and reads the whole response, which is short.
void ask(int fd, const Server& server) {
  send_all(fd, server.request);
  std::string response;
  std::optional<std::size_t> size;
  while (!size || response.size() < *size) {
    char buffer[4096];
    const ssize_t received = recv(fd, buffer, sizeof(buffer), 0);
    if (received <= 0) {
      fail("no response within 10 s");
    }
    response.append(buffer, static_cast<std::size_t>(received));
    const std::size_t head = response.find("\r\n\r\n");
    const std::size_t length = response.find("Content-Length: ");
    if (head != std::string::npos && length < head) {
      size = head + 4 + std::strtoull(response.c_str() + length + 16, nullptr, 10);
    }
  }
}

std::vector<int> open_slow(const Server& server, int count) {
  std::vector<int> slow;
  for (int i = 0; i < count; ++i) {
    slow.push_back(open_connection(server));
    send_all(slow.back(), std::string_view(server.request).substr(0, server.request.size() - 4));
    send_all(slow.back(), "\r\nX-Slow: ");
  }
  return slow;
}

void drip(const std::vector<int>& slow) {
  for (const int fd : slow) {
    send_all(fd, "x");
  }
}

// Milliseconds that each of `count` new clients took, sorted; the slow connections go on sending.
std::vector<double> serve_new_clients(const Server& server, const std::vector<int>& slow,
                                      int count) {
  std::vector<double> times;
  auto dripped = Clock::now();
  for (int i = 0; i < count; ++i) {
    if (Clock::now() - dripped > kDrip) {
      drip(slow);
      dripped = Clock::now();
    }
    const auto start = Clock::now();
    const int fd = open_connection(server);
    ask(fd, server);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    close(fd);
    std::this_thread::sleep_for(kPause);
  }
  std::sort(times.begin(), times.end());
  return times;
}

double resident_megabytes(const std::string& pid) {
  std::ifstream status("/proc/" + pid + "/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmRSS:" && status >> kilobytes) {
      return kilobytes / 1024;
    }
  }
  fail("the server has ended");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    fail("usage: crowd PORT PATH HEADER SERVER_PID IDLE SLOW CLIENTS");
  }
  const Server server{.port = static_cast<std::uint16_t>(std::atoi(argv[1])),
                      .request = std::string("GET ") + argv[2] +
                                 " HTTP/1.1\r\nHost: localhost\r\n" + argv[3] + "\r\n\r\n"};
  for (int i = 0; i < std::atoi(argv[5]); ++i) {
    ask(open_connection(server), server);  // stays open
  }
  const std::vector<int> slow = open_slow(server, std::atoi(argv[6]));
  const std::vector<double> times = serve_new_clients(server, slow, std::atoi(argv[7]));
  std::cout << std::fixed << std::setprecision(2) << resident_megabytes(argv[4]) << ' '
            << times[times.size() / 2] << ' ' << times[times.size() * 99 / 100] << ' '
            << times.back() << '\n';
}
