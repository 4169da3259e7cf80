#pragma once

// A listener that serves on a thread of its own for as long as the object lives.

#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/tests/support/handler.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>

namespace mock_server::transport::testing {

class RunningListener {
 public:
  explicit RunningListener(ListenerOptions options = {}, reply::Handler service = handler())
      : listener_(on_a_free_port(std::move(options)), std::move(service)),
        thread_([this] { listener_.run(); }) {}

  ~RunningListener() { stop_now(); }

  RunningListener(const RunningListener&) = delete;
  RunningListener& operator=(const RunningListener&) = delete;

  Listener& listener() { return listener_; }

  int port() const { return listener_.port(); }

  std::uint64_t counter(const std::string& name) const {
    return listener_.health().at("connections").at(name).get<std::uint64_t>();
  }

  // Waits until every connection is done with.
  void wait_for_end() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  void stop_now() {
    listener_.stop();
    listener_.stop();
    wait_for_end();
  }

 private:
  static ListenerOptions on_a_free_port(ListenerOptions options) {
    options.port = 0;
    options.loops = options.loops == 0 ? 2 : options.loops;
    return options;
  }

  Listener listener_;
  std::thread thread_;
};

}  // namespace mock_server::transport::testing
