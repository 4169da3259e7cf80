#pragma once

// A service for tests that responds to every request with the bytes that it was given, good or bad.
// A thread for each connection; ends with the object.

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mock_server::upstream::testing {

// The end of the connection behind a response.
enum class End { kClose, kReset, kHold, kDeaf };  // kDeaf: held, and nothing more is read

struct Script {
  std::string bytes;
  End end = End::kHold;
  std::size_t filler = 0;  // so many more bytes, "x"
  std::string first{};     // the response to the first request of a connection, if it is another
  std::string fast{};      // the response to "GET /fast", if it is another
};

class StandIn {
 public:
  explicit StandIn(Script script);
  ~StandIn();
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  // From the next connection on.
  void respond_with(Script script);

  // Sends these bytes on every connection that is open.
  void push(std::string_view bytes);
  std::size_t connections() const;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  int port() const { return port_; }

  // The newest request, as it came.
  std::string request() const;
  // The number of requests that came.
  std::size_t requests() const;

 private:
  void accept_all();
  void serve(int peer);
  Script script() const;
  void note(std::string request);

  mutable std::mutex mutex_;  // of the next four
  Script script_;
  std::string request_;
  std::size_t requests_ = 0;
  std::vector<int> peers_;
  int listening_ = -1;
  int port_ = 0;
  std::vector<std::jthread> threads_;
  std::jthread acceptor_;
};

// A port of 127.0.0.1 at which nobody listens: it was free a moment ago.
int free_port();

}  // namespace mock_server::upstream::testing
