#include "mock_server/program/serve.hpp"

#include "mock_server/control/index.hpp"
#include "mock_server/program/contract_mark.hpp"
#include "mock_server/program/open_state.hpp"
#include "mock_server/program/recording.hpp"
#include "mock_server/program/reload.hpp"
#include "mock_server/program/report.hpp"
#include "mock_server/program/request_log.hpp"
#include "mock_server/program/run_page.hpp"
#include "mock_server/record/redacted_journal.hpp"
#include "mock_server/run/child.hpp"
#include "mock_server/run/run_report.hpp"
#include "mock_server/run/watch.hpp"
#include "mock_server/service/mock_service.hpp"
#include "mock_server/service/revalidate.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <pthread.h>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mock_server::program {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAfterGrace{1'000};  // for the last lines of the log, and to take all down
constexpr std::int64_t kNanosecondsInSecond = 1'000'000'000;

sigset_t caught_signals() {
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

// Handles signals on a thread of its own. Threads made while it exists have them blocked, so it is
// made first; its methods say what a signal does.
class SignalWatch {
 public:
  SignalWatch() {
    const sigset_t set = caught_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);

    struct sigaction before {};

    sigaction(SIGHUP, nullptr, &before);
    ends_with_terminal_ = before.sa_handler != SIG_IGN && has_terminal();
  }

  ~SignalWatch() { end_watch(); }

  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // SIGTERM and SIGINT stop the listener. SIGHUP stops it if the terminal is gone (unless nohup
  // ignores that), otherwise it reloads.
  void listen(transport::Listener& listener, const Reloader& reloader, milliseconds grace) {
    watch([this, &listener, &reloader, grace](const std::stop_token& stop) {
      const sigset_t set = caught_signals();
      int signal = 0;
      while (sigwait(&set, &signal) == 0 && !stop.stop_requested()) {
        if (signal == SIGHUP && !(ends_with_terminal_ && !has_terminal())) {
          reloader.request_reload();
        } else {
          is_ending_.store(true);
          listener.stop();
          has_stopped_.store(true);
          has_stopped_.notify_all();
          exit_at_signal_or_after(stop, grace + kAfterGrace, 0);
          return;
        }
      }
    });
  }

  // After the command of `run` has ended: a signal ends the drain.
  void stop_on_signal(transport::Listener& listener) {
    watch([&listener](const std::stop_token& stop) {
      const sigset_t set = caught_signals();
      int signal = 0;
      while (sigwait(&set, &signal) == 0 && !stop.stop_requested()) {
        listener.stop();
      }
    });
  }

  // The program exits with `code` at the next signal, or after a short time.
  void exit_after_grace(int code) {
    watch([this, code](const std::stop_token& stop) {
      exit_at_signal_or_after(stop, kAfterGrace, code);
    });
  }

  // The program exits with `code` at the next signal.
  void exit_on_signal(int code) {
    watch([code](const std::stop_token& stop) {
      const sigset_t set = caught_signals();
      int signal = 0;
      if (sigwait(&set, &signal) == 0 && !stop.stop_requested()) {
        _exit(code);
      }
    });
  }

  // Done before an exit that does not wait for workers or a reload.
  void before_exit(std::function<void()> last) { last_ = std::move(last); }

  bool is_ending() const { return is_ending_.load(); }

  // Returns after the first stop was handled: the arguments of listen() are not used any more.
  void wait_until_stopped() const { has_stopped_.wait(false); }

 private:
  template <typename Watch>
  void watch(Watch what) {
    end_watch();
    thread_ = std::jthread(std::move(what));
  }

  void end_watch() {
    if (thread_.joinable()) {
      thread_.request_stop();
      pthread_kill(thread_.native_handle(), SIGTERM);
      thread_.join();
    }
  }

  // Exits at a signal or after `time`, whatever a worker or a reload still does.
  void exit_at_signal_or_after(const std::stop_token& stop, milliseconds time, int code) const {
    const sigset_t set = caught_signals();
    const auto end = std::chrono::steady_clock::now() + time;
    while (!stop.stop_requested()) {
      const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::max(end - std::chrono::steady_clock::now(), std::chrono::steady_clock::duration{}));
      const timespec wait{left.count() / kNanosecondsInSecond, left.count() % kNanosecondsInSecond};
      const int signal = sigtimedwait(&set, nullptr, &wait);
      const bool is_over = signal < 0 && errno == EAGAIN;
      if (!stop.stop_requested() && is_over && last_) {
        last_();
      }
      if (!stop.stop_requested() && (is_over || signal == SIGTERM || signal == SIGINT)) {
        _exit(code);
      }
    }
  }

  bool ends_with_terminal_ = false;
  std::atomic<bool> is_ending_{false};
  std::atomic<bool> has_stopped_{false};
  std::function<void()> last_;
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
  made.examples_as_written = options.examples_as_written;
  made.strict_query = options.strict_query;
  made.strict_preferences = options.strict_preferences;
  made.seed = options.seed;
  made.control.seed = options.seed;
  made.control.rate_limit = options.rate_limit;
  made.control.token = options.control_token;
  made.control.is_open = options.open_control;
  made.control.scheme = options.listener.tls_certificate.empty() ? "http" : "https";
  made.control.version = COUNTERPART_VERSION;
  made.control.names_tokens = !options.tokens.empty();
  made.log = [&log](const service::LogLine& line) { log.request(line); };
  return made;
}

// Throws LoadError if the loaded API has no scenario of that name.
void check_scenarios(const std::vector<std::string>& scenarios, const fixtures::LoadedApi& api) {
  if (auto unknown = unknown_scenarios(scenarios, api); !unknown.empty()) {
    throw spec::LoadError(std::move(unknown));
  }
}

// Makes fixtures of what was recorded, however long that takes; a signal ends it. Returns the exit
// code.
int end_recording(record::Live* live, SignalWatch& signals, int code) {
  constexpr int kNotWritten = 1;
  if (live == nullptr) {
    return code;
  }
  signals.exit_on_signal(code);
  return live->finish() || code != 0 ? code : kNotWritten;
}

std::string words_of(const std::vector<std::string>& command) {
  std::string words;
  for (const std::string& word : command) {
    words += (words.empty() ? "" : " ") + word;
  }
  return words;
}

// Reports how the command ended and what it called. Returns the exit code.
int report_run(const RunOptions& options, const run::ChildEnd& end, const run::Summary& summary,
               std::ofstream& junit) {
  if (!end.problem.empty()) {
    std::cerr << "mock_server: " << end.problem << '\n';
    return end.code;
  }
  const run::RunResult result{words_of(options.command), end.code, options.min_coverage};
  std::cerr << run::text_report(summary, result);
  if (!options.junit.empty()) {
    junit << run::junit_report(summary, result) << std::flush;
  }
  return result.exit_code(summary);
}

// Serves while the command runs, then reports what it called. Returns the exit code. Does not wait
// for workers or loops after the grace period.
int run_command(const Options& options, SignalWatch& signals, transport::Listener& listener,
                const run::Watch& watch, service::MockService& service) {
  const RunOptions& asked = *options.run;
  RunPage page(asked.report);
  std::ofstream junit(asked.junit);
  if (!asked.junit.empty() && !junit) {
    throw spec::LoadError(spec::Problem{asked.junit, 0, 0, "", "cannot be written"});
  }
  std::promise<void> served;
  const std::jthread server([&] {
    listener.run();
    served.set_value();
  });
  const run::ChildEnd end =
      run::run_child(asked.command, {{"MOCK_URL", listener.url()},
                                     {"TEST_API_BASE_URL", listener.url()},
                                     {"DODO_PAYMENTS_BASE_URL", listener.url()}});
  signals.stop_on_signal(listener);
  listener.stop();
  served.get_future().wait_for(options.listener.limits.drain + kAfterGrace);
  const auto api = service.api();
  const run::Summary summary = watch.summary(api->contract);
  const int code = report_run(asked, end, summary, junit);
  page.write(service, options.control_token, summary);
  signals.exit_after_grace(code);
  return code;
}

// The address for a browser on this machine: a server at every address has none of its own.
std::string openable(std::string url) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kEvery{
      {{"//0.0.0.0:", "//127.0.0.1:"}, {"//[::]:", "//[::1]:"}}};
  for (const auto& [every, own] : kEvery) {
    if (const auto at = url.find(every); at != std::string::npos) {
      url.replace(at, every.size(), own);
    }
  }
  return url;
}

// That another server answers changes what every response means: said even where nothing else is.
void note_upstream(const Options& options, RequestLog& log) {
  if (options.upstream) {
    log.note("passing requests on to " + options.upstream->url.text() + " (" +
             std::string(upstream::name_of(options.upstream->mode)) + ")");
  }
}

// For people: what is served, and where to look. Programs read the line on standard output.
void greet(const Options& options, const service::MockService& service, state::Store& store,
           const std::string& address) {
  constexpr std::size_t kOperations = 20;
  if (options.quiet || options.log_format == LogFormat::kJson || isatty(STDERR_FILENO) == 0) {
    return;
  }
  const auto api = service.api();
  const control::Index index = control::make_index(
      {*api, *store.session(""), COUNTERPART_VERSION, !options.tokens.empty()}, kOperations);
  std::cerr << control::start_lines(index, openable(address)) << std::flush;
}

}  // namespace

int serve(const Options& options) {
  if (options.run) {
    run::block_child_signals();
  }
  SignalWatch signals;
  const auto read_at = std::chrono::system_clock::now();
  auto api = fixtures::load_api(options.api);
  RequestLog log(
      {.format = options.log_format, .level = options.log_level, .requests = !options.quiet});
  for (const std::string& line : start_warnings(*api)) {
    log.warn(line);
  }
  const auto watch =
      options.run ? std::make_unique<run::Watch>(run::AllowedCalls(options.run->allowed)) : nullptr;
  check_scenarios(options.scenarios, *api);
  const OpenState opened = open_state(options, api->contract);
  state::Store& store = *opened.store;
  if (opened.redis) {
    opened.redis->on_change([&log](const std::string& line) { log.warn(line); });
  }
  if (opened.is_kept()) {
    if (opened.disk && opened.disk->has_other_version()) {
      log.note("state: the contract was changed since; what sessions keep is validated again");
    }
    for (const std::string& dropped : service::revalidate_sessions(store, *api)) {
      log.warn("state: dropped, because it is no longer valid: " + dropped);
    }
  }
  arm_for_all(options.scenarios, opened);
  std::unique_ptr<record::Live> live;
  transport::Listener* transport_listener = nullptr;
  const Reloader* reloads = nullptr;
  auto made = service_options(options, log);
  if (watch != nullptr) {
    made.watch = [&watch](const reply::ObservedExchange& exchange) { watch->see(exchange); };
  }
  made.control.not_ready = [&signals] {
    return signals.is_ending() ? std::vector<std::string>{"the mock is shutting down"}
                               : std::vector<std::string>{};
  };
  made.control.more_health = [&log, &transport_listener, &reloads, &opened, &live] {
    nlohmann::json more = reloads->health();
    more.update(
        {{"log", {{"dropped", log.dropped()}}}, {"transport", transport_listener->health()}});
    more.update(health_of(opened));
    if (live) {
      add_health(*live, more);
    }
    return more;
  };
  upstream::Upstream real_service(options.gateway);
  real_service.settings = options.upstream;
  std::optional<record::RedactedJournal> shown;
  made.upstream = &real_service;
  made.control.upstream = &real_service;
  std::unique_ptr<service::MockService> service;  // not asked before the listener runs
  reply::Handler handler = [&service](const spec::http::Request& request, const reply::Peer& peer) {
    return service->handle(request, peer);
  };
  auto listener_options = options.listener;
  listener_options.on_rejection = [&service](const transport::RejectedRequest& rejected) {
    service->record_rejection(rejected.request, rejected.response, rejected.peer,
                              rejected.rejection.message);
  };
  listener_options.begin = [&service](const auto& request, bool may_await) {
    return service->begin(request, may_await);
  };
  let_wait(opened, listener_options);
  transport::Listener listener(std::move(listener_options), with_state(opened, std::move(handler)));
  // Not before the port is ours: the recording marks its folder.
  live = open_recording(options, api, log);
  if (live) {
    shown.emplace(*opened.journal, *live);
    real_service.recorder = [&live](const auto& exchange) { live->add(exchange); };
    made.log = [&log, &live](const service::LogLine& line) { log_redacted(*live, line, log); };
  }
  // Only the service keeps it, so that a replaced loaded API is destroyed.
  service = std::make_unique<service::MockService>(
      std::move(api), store, shown ? static_cast<state::Journal&>(*shown) : *opened.journal,
      std::move(made));
  const StateEnd end(opened);
  Reloader reloader(options, *service, listener, log, read_at, [&opened](const auto& loaded) {
    if (opened.disk) {
      opened.disk->use_contract(mark_of(loaded.contract));
    }
  });
  transport_listener = &listener;
  reloads = &reloader;
  note_upstream(options, log);
  if (live) {
    signals.before_exit([&live] { live->finish(); });
  }
  if (options.run) {
    return end_recording(live.get(), signals,
                         run_command(options, signals, listener, *watch, *service));
  }
  signals.listen(listener, reloader, options.listener.limits.drain);
  std::cout << "listening on " << listener.url() << std::endl;
  if (!std::cout) {
    throw std::runtime_error("cannot write the address to standard output");
  }
  greet(options, *service, store, listener.url());
  listener.run();
  signals.wait_until_stopped();
  return end_recording(live.get(), signals, 0);
}

}  // namespace mock_server::program
