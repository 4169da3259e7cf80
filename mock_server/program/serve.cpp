#include "mock_server/program/serve.hpp"

#include "mock_server/program/reload.hpp"
#include "mock_server/program/request_log.hpp"
#include "mock_server/service/mock_service.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <pthread.h>
#include <signal.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mock_server::program {
namespace {

sigset_t heard_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

bool has_terminal() {
  const int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (terminal >= 0) {
    close(terminal);
  }
  return terminal >= 0;
}

// Hears signals on a thread of its own. Every thread made while this lives has them blocked, so it
// must be made first and told what to do afterwards.
class SignalWatch {
 public:
  SignalWatch() {
    const sigset_t set = heard_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);

    struct sigaction before {};

    sigaction(SIGHUP, nullptr, &before);
    ends_with_terminal_ = before.sa_handler != SIG_IGN && has_terminal();
  }

  // SIGTERM and SIGINT stop; so does SIGHUP when it says that the terminal is gone (and nohup did
  // not ask for silence about that), otherwise it reloads.
  void listen(transport::Listener& listener, const Reloader& reloader) {
    thread_ = std::jthread([this, &listener, &reloader](const std::stop_token& stop) {
      const sigset_t set = heard_signals();
      int signal = 0;
      while (sigwait(&set, &signal) == 0 && !stop.stop_requested()) {
        if (signal == SIGHUP && !(ends_with_terminal_ && !has_terminal())) {
          reloader.order();
        } else {
          listener.stop();
        }
      }
    });
  }

  void end() {
    thread_.request_stop();
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
  }

 private:
  bool ends_with_terminal_ = false;
  std::jthread thread_;
};

service::ServiceOptions service_options(const Options& options, RequestLog& log) {
  service::ServiceOptions made;
  made.tokens = options.tokens;
  if (options.tokens.empty()) {
    made.extra_token = options.environment_token;
  }
  made.rate_limit = options.rate_limit;
  made.unknown_records_are_samples = options.unknown_records_are_samples;
  made.seed = options.seed;
  made.control.seed = options.seed;
  made.control.token = options.control_token;
  made.control.version = COUNTERPART_VERSION;
  made.log = [&log](const service::LogLine& line) { log.request(line); };
  return made;
}

}  // namespace

int serve(const Options& options) {
  SignalWatch signals;
  const auto read_at = std::chrono::system_clock::now();
  auto world = fixtures::load_world(options.world);
  RequestLog log({.requests = !options.quiet});
  state::Store store(state::system_now, options.sessions);
  state::Journal journal(options.journal_bytes);
  transport::Listener* door = nullptr;
  const Reloader* reloads = nullptr;
  auto made = service_options(options, log);
  made.control.more_health = [&log, &door, &reloads] {
    nlohmann::json more = reloads->health();
    more.update({{"log", {{"dropped", log.dropped()}}}, {"transport", door->health()}});
    return more;
  };
  // The service alone keeps it: a world that was replaced goes away.
  service::MockService service(std::move(world), store, journal, std::move(made));
  auto listener_options = options.listener;
  listener_options.on_refusal = [&service](const transport::RefusedRequest& refused) {
    service.note_refusal(refused.request, refused.response, refused.peer, refused.refusal.message);
  };
  transport::Listener listener(
      std::move(listener_options),
      [&service](const spec::http::Request& request, const service::Peer& peer) {
        return service.handle(request, peer);
      });
  Reloader reloader(options, service, listener, log, read_at);
  door = &listener;
  reloads = &reloader;
  signals.listen(listener, reloader);
  std::cout << "listening on " << listener.url() << std::endl;
  listener.run();
  signals.end();
  return 0;
}

}  // namespace mock_server::program
