// Measures the milliseconds from the start of a server to its first response with status 200.
//
//   first_response PORT PATH [HEADER]... -- PROGRAM [ARGUMENT]...
//
// Starts the program, requests PATH until the status is 200, prints the time, ends the program with
// SIGTERM and waits for it. Gives up after 30 seconds.
#include "spec/process/child.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <iostream>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kDeadline = std::chrono::seconds(30);
constexpr auto kPause = std::chrono::microseconds(200);

// Sends one request on a new connection; true when the status is 200.
bool responds(int port, const std::string& request) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string response(64, '\0');
  ssize_t received = 0;
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
      send(fd, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
    received = recv(fd, response.data(), response.size(), 0);
  }
  close(fd);
  return received > 0 && response.find(" 200 ") == 8;
}

}  // namespace

int main(int argc, char** argv) {
  int separator = 3;
  while (separator < argc && std::string_view(argv[separator]) != "--") {
    ++separator;
  }
  if (separator + 1 >= argc) {
    std::cerr << "usage: first_response PORT PATH [HEADER]... -- PROGRAM [ARGUMENT]...\n";
    return 2;
  }
  const int port = std::stoi(argv[1]);
  std::string request = std::string("GET ") + argv[2] + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (int i = 3; i < separator; ++i) {
    request += std::string(argv[i]) + "\r\n";
  }
  request += "Connection: close\r\n\r\n";

  const auto begin = Clock::now();
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  auto child = spec::process::Child::start(
      {.words = {argv + separator + 1, argv + argc}, .output = nowhere, .errors = nowhere});
  if (!child) {
    std::cerr << child.error().message << '\n';
    return 1;
  }
  bool responded = responds(port, request);
  bool running = true;
  while (!responded && running && Clock::now() - begin < kDeadline) {
    std::this_thread::sleep_for(kPause);
    responded = responds(port, request);
    running = !child->has_ended();
  }
  const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
  child->signal(SIGTERM);
  child->end(std::chrono::seconds(10));
  if (!responded) {
    std::cerr << "first_response: no response with status 200 within 30 s\n";
    return 1;
  }
  std::cout << took.count() << '\n';
  return 0;
}
