#include "mock_server/program/serve.hpp"

#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/control/index.hpp"
#include "mock_server/program/check_report.hpp"
#include "mock_server/program/open_state.hpp"
#include "mock_server/program/record_command.hpp"
#include "mock_server/program/reload.hpp"
#include "mock_server/program/request_log.hpp"
#include "mock_server/program/run_command.hpp"
#include "mock_server/program/run_watch.hpp"
#include "mock_server/program/signal_watch.hpp"
#include "mock_server/record/redacted_journal.hpp"
#include "mock_server/service/mock_service.hpp"
#include "mock_server/service/revalidate.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mock_server::program {
namespace {

using LoadedApi = std::shared_ptr<const api::LoadedApi>;

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

// With another server in front, every response means something else: printed even with --quiet.
void note_upstream(const Options& options, RequestLog& log) {
  if (options.upstream) {
    log.note("passing requests on to " + options.upstream->url.text() + " (" +
             std::string(upstream::name_of(options.upstream->mode)) + ")");
  }
}

// Throws LoadError if the loaded API has no scenario of that name.
void check_scenarios(const std::vector<std::string>& scenarios, const api::LoadedApi& api) {
  if (auto unknown = unknown_scenarios(scenarios, api); !unknown.empty()) {
    throw spec::LoadError(std::move(unknown));
  }
}

// The parts of the server, in the order in which they are made; those above outlive those below,
// and are used by them. Nothing is served before serve() or run().
class Server {
 public:
  using TimePoint = std::chrono::system_clock::time_point;

  // `read_at`: when loading `api` began. Throws LoadError if the address, the state or the folder
  // of a recording cannot be used.
  Server(const Options& options, SignalWatch& signals, RequestLog& log, LoadedApi api,
         TimePoint read_at);

  // Both return the exit code; run() is `run -- COMMAND`.
  int serve();

  int run() { return end_recording(run_command(options_, signals_, listener_, watch_, *service_)); }

 private:
  OpenState open_kept_state(const api::LoadedApi& api) const;
  transport::ListenerOptions listener_options();
  reply::Handler handler();
  service::ServiceOptions all_service_options();
  nlohmann::json health() const;
  void greet();
  int end_recording(int code);

  const Options& options_;
  SignalWatch& signals_;
  RequestLog& log_;
  Watch watch_;
  const OpenState opened_;
  std::unique_ptr<record::Live> live_;  // null without --mode record
  upstream::Upstream real_service_;
  std::unique_ptr<record::Redaction> passing_;    // with a real service, and without `live_`
  record::Redaction* redaction_ = nullptr;        // this or that of `live_`; null: all is shown
  std::optional<record::RedactedJournal> shown_;  // with `redaction_`
  std::unique_ptr<service::MockService> service_;
  transport::Listener listener_;
  const StateEnd end_;
  std::optional<Reloader> reloader_;
};

Server::Server(const Options& options, SignalWatch& signals, RequestLog& log, LoadedApi api,
               TimePoint read_at)
    : options_(options),
      signals_(signals),
      log_(log),
      watch_(AllowedCalls(options.run ? options.run->allowed : std::vector<std::string>{})),
      opened_(open_kept_state(*api)),
      real_service_(options.gateway),
      listener_(listener_options(), with_state(opened_, handler())),
      end_(opened_) {
  real_service_.settings = options.upstream;
  // Not before the port is ours: the recording marks its folder.
  live_ = open_recording(options, api, log);
  if (live_) {
    real_service_.recorder = [this](const auto& exchange) { live_->add(exchange); };
    signals.before_exit([this] { live_->finish(); });
  }
  if (options.upstream && !options.journal_secrets) {
    passing_ =
        live_ ? nullptr
              : std::make_unique<record::Redaction>(api, record::Key(record::make_key_text()),
                                                    record::RedactionOptions{}, record::kPassing);
    redaction_ = live_ ? &live_->redaction() : passing_.get();
    shown_.emplace(
        *opened_.journal, *redaction_,
        opened_.is_kept() ? record::RedactedWhen::kWritten : record::RedactedWhen::kRead);
  }
  // Only the service and the redaction keep the loaded API, so that a replaced one is destroyed.
  service_ = std::make_unique<service::MockService>(
      std::move(api), *opened_.store,
      shown_ ? static_cast<state::Journal&>(*shown_) : *opened_.journal, all_service_options());
  const Reloader::Parts parts{options, *service_, listener_, log,
                              live_ ? &live_->redaction() : redaction_};
  reloader_.emplace(parts, read_at, [this](const auto& loaded) {
    if (opened_.disk) {
      opened_.disk->use_contract(mark_of(loaded.contract));
    }
  });
}

// With what an earlier start left, as far as it is valid, and the scenarios of the flags armed.
OpenState Server::open_kept_state(const api::LoadedApi& api) const {
  OpenState opened = open_state(options_, api.contract);
  if (opened.redis) {
    opened.redis->on_change([this](const std::string& line) { log_.warn(line); });
    if (const std::string& how = opened.redis->eviction(); !how.empty()) {
      log_.warn("state: Redis drops records when it is full (maxmemory-policy " + how + ")");
    }
  }
  if (opened.is_kept()) {
    if (opened.disk && opened.disk->has_other_version()) {
      log_.note("state: the contract was changed since; what sessions keep is validated again");
    }
    if (opened.disk && opened.disk->damaged_entries() > 0) {
      log_.warn("state: " + std::to_string(opened.disk->damaged_entries()) +
                " damaged entries of the journal are left out; counts of requests are partial");
    }
    for (const std::string& dropped : service::revalidate_sessions(*opened.store, api)) {
      log_.warn("state: dropped, because it is no longer valid: " + dropped);
    }
  }
  arm_for_all(options_.scenarios, opened);
  return opened;
}

// Called when the listener runs, and so the service is made.
transport::ListenerOptions Server::listener_options() {
  auto made = options_.listener;
  made.on_rejection = [this](const transport::RejectedRequest& rejected) {
    service_->record_rejection(rejected.request, rejected.response, rejected.peer,
                               rejected.rejection.message);
  };
  made.begin = [this](const auto& request, bool may_await) {
    return service_->begin(request, may_await);
  };
  let_wait(opened_, made);
  return made;
}

reply::Handler Server::handler() {
  return [this](const spec::http::Request& request, const reply::Peer& peer) {
    return service_->handle(request, peer);
  };
}

service::ServiceOptions Server::all_service_options() {
  auto made = options_.service;
  made.log = [this](const service::LogLine& line) {
    redaction_ ? log_redacted(*redaction_, line, log_) : log_.request(line);
  };
  if (options_.run) {
    made.watch = [this](const reply::ObservedExchange& exchange) { watch_.see(exchange); };
  }
  made.control.scheme = options_.listener.tls_certificate.empty() ? "http" : "https";
  made.control.version = COUNTERPART_VERSION;
  made.control.host = options_.listener.host;
  made.control.names_tokens = !made.tokens.empty();
  made.control.upstream = &real_service_;
  made.control.fixtures.reload = [this] { reloader_->request_reload(); };
  made.control.not_ready = [this] {
    return signals_.is_ending() ? std::vector<std::string>{"the mock is shutting down"}
                                : std::vector<std::string>{};
  };
  made.control.more_health = [this] { return health(); };
  return made;
}

// The parts of /_mock/health that the service does not know.
nlohmann::json Server::health() const {
  nlohmann::json more = reloader_->health();
  more.update({{"log", {{"dropped", log_.dropped()}}}, {"transport", listener_.health()}});
  more.update(health_of(opened_));
  if (live_) {
    add_health(*live_, more);
  }
  return more;
}

int Server::serve() {
  signals_.listen(listener_, *reloader_, options_.listener.limits.drain);
  std::cout << "listening on " << listener_.url() << std::endl;
  if (!std::cout) {
    throw std::runtime_error("cannot write the address to standard output");
  }
  greet();
  listener_.run();
  signals_.wait_until_stopped();
  return end_recording(0);
}

// For people: what is served, and where to look. Programs read the line on standard output.
void Server::greet() {
  constexpr std::size_t kOperations = 20;
  if (options_.quiet || options_.log_format == LogFormat::kJson || isatty(STDERR_FILENO) == 0) {
    return;
  }
  const auto api = service_->api();
  const control::Index index = control::make_index(
      {*api, *opened_.store->session(""), COUNTERPART_VERSION, !options_.service.tokens.empty()},
      kOperations);
  std::cerr << control::start_lines(index, openable(listener_.url())) << std::flush;
}

// Makes fixtures of what was recorded, however long that takes; a signal ends it. Returns the exit
// code.
int Server::end_recording(int code) {
  constexpr int kNotWritten = 1;
  if (live_ == nullptr) {
    return code;
  }
  signals_.exit_on_signal(code);
  return live_->finish() || code != 0 ? code : kNotWritten;
}

}  // namespace

int serve(const Options& options) {
  if (options.run) {
    block_child_signals();
  }
  SignalWatch signals;
  const auto read_at = std::chrono::system_clock::now();
  auto api = api::load_api(options.api);
  RequestLog log(
      {.format = options.log_format, .level = options.log_level, .requests = !options.quiet});
  for (const std::string& line : start_warnings(*api)) {
    log.warn(line);
  }
  check_scenarios(options.scenarios, *api);
  Server server(options, signals, log, std::move(api), read_at);
  note_upstream(options, log);
  return options.run ? server.run() : server.serve();
}

}  // namespace mock_server::program
