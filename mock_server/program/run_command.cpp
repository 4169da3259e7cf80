#include "mock_server/program/run_command.hpp"

#include "mock_server/console/console_page.hpp"
#include "mock_server/journal/journal_coverage.hpp"
#include "mock_server/program/run_report.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/process/child.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <signal.h>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace mock_server::program {

namespace {

using nlohmann::json;

// With their explanations, the newest; a file of more is slow to open.
constexpr std::string_view kRequests = "/_mock/requests?session=*&limit=1000";

class Asker {
 public:
  Asker(service::MockService& service, const std::string& token)
      : service_(service), token_(token) {}

  // The JSON at `target` as `session` sees it; null if there is none.
  json ask(std::string_view target, const std::string& session = "") const {
    spec::http::Request request{"GET", std::string(target), {{"Accept", "application/json"}}, ""};
    if (!session.empty()) {
      request.headers.add("X-Counterpart-Session", session);
    }
    if (!token_.empty()) {
      request.headers.add("X-Counterpart-Control-Token", token_);
    }
    const reply::Reply reply =
        service_.handle(request, {.loopback = true, .address = "127.0.0.1", .on_worker = true});
    auto value = spec::json::read(reply.response.body);
    return reply.response.status == 200 && value ? std::move(*value) : json();
  }

 private:
  service::MockService& service_;
  const std::string& token_;
};

json coverage_of(const Summary& summary) {
  json coverage = journal::describe(summary.coverage);
  coverage["requests"] = summary.requests();
  coverage["lost"] = 0;
  return coverage;
}

json recorded(const Asker& asker, const Summary& summary) {
  json all = json::object();
  for (const std::string_view path : {"/_mock/", "/_mock/operations", "/_mock/records",
                                      "/_mock/scenarios", "/_mock/sessions", "/_mock/clock"}) {
    all[std::string(path)] = asker.ask(path);
  }
  all["/_mock/coverage"] = coverage_of(summary);
  all["/_mock/requests"] = asker.ask(kRequests);
  for (const json& request : all["/_mock/requests"].value("requests", json::array())) {
    const std::string path = "/_mock/requests/" + std::to_string(request.value("id", 0));
    all[path] = asker.ask(path, request.value("session", ""));
  }
  for (const json& collection : all["/_mock/records"].value("collections", json::array())) {
    const std::string path = "/_mock/records/" + collection.value("name", "");
    all[path] = asker.ask(path);
  }
  return all;
}

[[noreturn]] void reject_report(const std::string& place, const std::string& why) {
  throw spec::LoadError(place, "--report: " + why + "; name a folder that can be written");
}

class RunPage {
 public:
  // Makes the folder and the file in it; throws spec::LoadError if it cannot. "" for no page.
  explicit RunPage(const std::string& folder) {
    if (folder.empty()) {
      return;
    }
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      reject_report(folder, "cannot make the folder: " + error.message());
    }
    file_ = (std::filesystem::path(folder) / "console.html").string();
    out_.open(file_, std::ios::binary);
    if (!out_) {
      reject_report(file_, "cannot write the file: " + std::generic_category().message(errno));
    }
  }

  // Asks the control API of `service`, whose token is `token`, for all that the page shows. The
  // coverage is that of the run's report.
  void write(service::MockService& service, const std::string& token, const Summary& summary) {
    if (file_.empty()) {
      return;
    }
    out_ << console::page_with(recorded(Asker(service, token), summary)) << std::flush;
    if (out_) {
      std::cerr << "report: " << file_ << '\n';
    } else {
      std::cerr << "mock_server: " << file_ << ": cannot be written; is the disk full?\n";
    }
  }

 private:
  std::string file_;  // "" for no page
  std::ofstream out_;
};

// Reports how the command ended and what it called. Returns the exit code.
int report_run(const RunOptions& options, const ChildEnd& end, const Summary& summary,
               std::ofstream& junit) {
  if (!end.problem.empty()) {
    std::cerr << "mock_server: " << end.problem << '\n';
    return end.code;
  }
  const RunResult result{spec::text::join(options.command, " "), end.code, options.min_coverage};
  std::cerr << text_report(summary, result);
  if (!options.junit.empty()) {
    junit << junit_report(summary, result) << std::flush;
  }
  return result.exit_code(summary);
}

}  // namespace

int run_command(const Options& options, SignalWatch& signals, transport::Listener& listener,
                const Watch& watch, service::MockService& service) {
  const RunOptions& asked = *options.run;
  RunPage page(asked.report);
  std::ofstream junit(asked.junit);
  if (!asked.junit.empty() && !junit) {
    throw spec::LoadError(asked.junit, "cannot be written");
  }
  std::promise<void> served;
  const std::jthread server([&] {
    listener.run();
    served.set_value();
  });
  const ChildEnd end = run_child(asked.command, {{"MOCK_URL", listener.url()},
                                                 {"TEST_API_BASE_URL", listener.url()},
                                                 {"DODO_PAYMENTS_BASE_URL", listener.url()}});
  signals.stop_on_signal(listener);
  listener.stop();
  served.get_future().wait_for(options.listener.limits.drain + kAfterGrace);
  const auto api = service.api();
  const Summary summary = watch.summary(api->contract);
  const int code = report_run(asked, end, summary, junit);
  page.write(service, options.service.control.token, summary);
  signals.exit_after_grace(code);
  return code;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kGrace{10};

constexpr std::array kForwarded{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

sigset_t waited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (const int signal : kForwarded) {
    sigaddset(&set, signal);
  }
  return set;
}

// Waits for the child and forwards signals. Returns its exit code.
int wait_for(spec::process::Child& child) {
  const sigset_t set = waited_signals();
  auto deadline = Clock::time_point::max();
  while (true) {
    if (const auto code = child.end()) {
      return *code;
    }
    constexpr timespec kLook{1, 0};
    siginfo_t info{};
    const int signal = sigtimedwait(&set, &info, &kLook);
    // The terminal sends its signals to the child, too.
    if (signal > 0 && signal != SIGCHLD && info.si_code <= 0) {
      child.signal(signal);
    }
    if (signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
      deadline = std::min(deadline, Clock::now() + kGrace);
    }
    if (Clock::now() >= deadline) {
      child.signal(SIGKILL);
    }
  }
}

}  // namespace

void block_child_signals() {
  const sigset_t set = waited_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
}

ChildEnd run_child(const std::vector<std::string>& command,
                   const std::vector<std::pair<std::string, std::string>>& environment) {
  auto child = spec::process::Child::start(
      {.words = command, .environment = {environment.begin(), environment.end()}});
  if (!child) {
    return {child.error().exit_code, child.error().message};
  }
  return {wait_for(*child), ""};
}

}  // namespace mock_server::program
