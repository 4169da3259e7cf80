#include "mock_server/program/serve.hpp"

#include "mock_server/program/request_log.hpp"
#include "mock_server/service/mock_service.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <iostream>
#include <pthread.h>
#include <signal.h>
#include <thread>
#include <utility>

namespace mock_server::program {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

// Hands signals to `listener` from a thread of its own. Every thread made while this lives has them
// blocked, so it must be made first and told of the listener afterwards.
class SignalWatch {
 public:
  SignalWatch() {
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
  }

  void stop_on_signal(transport::Listener& listener) {
    thread_ = std::jthread([&listener](const std::stop_token& stop) {
      const sigset_t set = ending_signals();
      int signal = 0;
      while (sigwait(&set, &signal) == 0 && !stop.stop_requested()) {
        listener.stop();
      }
    });
  }

  void end() {
    thread_.request_stop();
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
  }

 private:
  std::jthread thread_;
};

service::ServiceOptions service_options(const Options& options, const fixtures::World& world,
                                        RequestLog& log) {
  service::ServiceOptions made;
  made.tokens = options.tokens;
  if (options.tokens.empty() && world.fixtures.credentials()) {
    made.extra_token = options.environment_token;
  }
  made.rate_limit = options.rate_limit;
  made.unknown_records_are_samples = options.unknown_records_are_samples;
  made.seed = options.seed;
  made.control.token = options.control_token;
  made.control.version = COUNTERPART_VERSION;
  made.log = [&log](const service::LogLine& line) { log.request(line); };
  return made;
}

}  // namespace

int serve(const Options& options) {
  SignalWatch signals;
  const auto world = fixtures::load_world(options.world);
  RequestLog log({.requests = !options.quiet});
  state::Store store;
  state::Journal journal(options.journal_bytes);
  transport::Listener* door = nullptr;
  auto made = service_options(options, *world, log);
  made.control.more_health = [&log, &door] {
    return nlohmann::json{{"log", {{"dropped", log.dropped()}}}, {"transport", door->health()}};
  };
  service::MockService service(world, store, journal, std::move(made));
  transport::Listener listener(
      options.listener, [&service](const spec::http::Request& request, const service::Peer& peer) {
        return service.handle(request, peer);
      });
  door = &listener;
  signals.stop_on_signal(listener);
  std::cout << "listening on " << listener.url() << std::endl;
  listener.run();
  signals.end();
  return 0;
}

}  // namespace mock_server::program
