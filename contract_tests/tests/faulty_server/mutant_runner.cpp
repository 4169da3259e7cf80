#include "contract_tests/tests/faulty_server/mutant_runner.hpp"

#include "contract_tests/parity/side.hpp"
#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/report/run_value.hpp"
#include "contract_tests/report/saved_run.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/runner.hpp"
#include "contract_tests/tests/faulty_server/curl_replay.hpp"
#include "contract_tests/tests/faulty_server/faulty_server.hpp"
#include "contract_tests/tests/faulty_server/recorded.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>

namespace contract_tests::faulty_server {

namespace {

// The subscription of the plan, as in the fixtures but with three pages of a hundred at most, and
// with one meter, the last, in nine of ten periods: the suite reads its pages hundreds of times for
// each row.
void write_small_subscription(const test_support::Folder& fixtures) {
  constexpr const char* kFile = "subscriptions/sub_QYNdaKy8isWydfhl3Tvtn.json";
  const auto text = test_support::read_file(test_paths::source() + "/fixtures/" + kFile);
  auto record = spec::json::read(text).value();
  auto& periods = record.at("usage_history");
  constexpr std::ptrdiff_t kPeriods = 205;
  periods.erase(periods.begin(), periods.end() - kPeriods);
  for (std::size_t index = 0; index < periods.size(); ++index) {
    auto& meters = periods.at(index).at("meters");
    if (index % 10 != 0) {
      meters = nlohmann::json::array({meters.back()});
    }
  }
  fixtures.write(kFile, spec::json::write(record));
}

program::Server start_mock(const client::Trust& trust, const test_support::Folder& fixtures) {
  write_small_subscription(fixtures);
  ::setenv("COUNTERPART_MOCK_SERVER", test_paths::mock_server().c_str(), 1);
  program::Options options;
  options.fixtures = {fixtures.path().string()};
  return program::find_server(options, trust);
}

// The settings of the program for a service that may be changed; with short waits.
run::Settings settings_for(const program::Documents& documents, const program::Server& mock,
                           const client::Trust& trust) {
  auto settings = program::make_settings({}, documents, mock, trust);
  settings.target = run::Target::kService;
  settings.consent = {.writes = true, .lasting = true, .probes = true};
  settings.retries = {.tries = 2,
                      .first_wait = std::chrono::milliseconds(1),
                      .max_wait = std::chrono::milliseconds(2)};
  return settings;
}

// `settings` as the row wants them.
run::Settings settings_of(run::Settings settings, const MutantCase& item, client::BaseUrl url) {
  settings.url = std::move(url);
  settings.started = run::Pace::Clock::now();
  settings.document_only = item.document_only;
  settings.consent.burst = item.burst;
  settings.watches = false;  // a mutant may have its fault in every response
  settings.later = std::chrono::milliseconds(item.slowly ? 5'100 : 0);
  // Short only where the fault is that nothing comes: a busy machine is not a fault.
  const bool late = !item.conforming && item.expected.front().rule == "http/deadline";
  settings.limits.first_byte = late ? std::chrono::seconds(3) : std::chrono::seconds(60);
  settings.limits.whole = late ? std::chrono::seconds(5) : std::chrono::seconds(120);
  return settings;
}

std::vector<std::size_t> cases_of(const MutantCase& item, const run::Plan& plan) {
  std::vector<std::size_t> selected;
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    if (std::ranges::find(item.operations, plan.cases[index].operation) != item.operations.end()) {
      selected.push_back(index);
    }
  }
  return selected;
}

// The requests of each case of the plan, by its index, to a server without a fault, and their
// responses.
using SeenByCase = std::map<std::size_t, std::vector<ReceivedRequest>>;

// True if a behaviour of the row is about one of these requests.
bool is_about(const MutantCase& item, const std::vector<ReceivedRequest>& seen) {
  return std::ranges::any_of(seen, [&item](const ReceivedRequest& one) {
    return std::ranges::any_of(item.behaviours, [&one](const Behaviour& behaviour) {
      return applies(behaviour.when, one.request, 1) &&
             (!behaviour.request.empty() || fits_response(behaviour.when, one.response));
    });
  });
}

// The first two cases of each rule of an operation.
std::vector<std::size_t> two_of_each_rule(std::vector<std::size_t> cases, const run::Plan& plan) {
  std::map<std::pair<std::string_view, std::string_view>, int> seen;
  std::erase_if(cases, [&](std::size_t index) {
    const auto& item = plan.cases[index];
    return ++seen[{item.operation, item.basis.rule}] > 2;
  });
  return cases;
}

// The row's cases that its behaviours are about; in the others the server responds as the mock
// does. Where that is every case that sends something, those too that send nothing. Of a correct
// server that is unusual in more than one operation, some: each rule sees there how all responses
// are written. COUNTERPART_EVERY_CASE in the environment: all.
std::vector<std::size_t> cases_with_fault(const MutantCase& item, const run::Plan& plan,
                                          const SeenByCase& without_fault) {
  const auto all = cases_of(item, plan);
  const bool is_known = std::getenv("COUNTERPART_EVERY_CASE") == nullptr &&
                        std::ranges::all_of(item.behaviours, [](const Behaviour& behaviour) {
                          return is_steady(behaviour) && !behaviour.when.contains("ignore_expect");
                        });
  if (!is_known) {
    return all;
  }
  std::vector<std::size_t> selected;
  std::size_t silent = 0;
  for (const auto index : all) {
    const auto found = without_fault.find(index);
    if (found == without_fault.end() || found->second.empty()) {
      ++silent;
    } else if (is_about(item, found->second)) {
      selected.push_back(index);
    }
  }
  if (selected.size() + silent == all.size()) {
    selected = all;
  }
  return item.conforming && item.operations.size() > 1 ? two_of_each_rule(selected, plan)
                                                       : selected;
}

Result run_over_sockets(const MutantCase& item, const run::Settings& settings,
                        const run::Plan& plan, const SeenByCase& without_fault) {
  const FaultyServer server(settings.url, settings.trust, item.behaviours,
                            checks::stable_hash(item.name));
  const auto own = settings_of(settings, item, server.url());
  run::Runner runner(own, plan);
  const auto selected = cases_with_fault(item, plan, without_fault);
  runner.start(selected, 1);
  Result result;
  for (const auto index : selected) {
    const auto& outcome = runner.wait(index);
    result.requests += outcome.steps.size();
    result.findings.insert(result.findings.end(), outcome.findings.begin(), outcome.findings.end());
  }
  runner.finish();
  result.applied = server.applied();
  return result;
}

run::Outcomes outcomes_of(const run::Settings& settings, const run::Plan& plan,
                          const std::vector<std::size_t>& selected) {
  run::Runner runner(settings, plan);
  runner.start(selected, 1);
  run::Outcomes outcomes;
  for (const auto index : selected) {
    outcomes[index] = runner.take(index);
  }
  runner.finish();
  return outcomes;
}

// The cases of the findings, by index into the plan.
std::vector<std::size_t> cases_of(const std::vector<report::SelectedFinding>& findings,
                                  const run::Plan& plan) {
  std::set<std::string> names;
  for (const auto& selected : findings) {
    names.insert(selected.item->at("id").get<std::string>());
  }
  std::vector<std::size_t> selected;
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    if (names.contains(plan.cases[index].id)) {
      selected.push_back(index);
    }
  }
  return selected;
}

// One side of a comparison: of a correct server, or of the row's.
struct ParitySide {
  explicit ParitySide(run::Settings of_side) : settings(std::move(of_side)), side(settings) {
    settings.after_case = [this](const run::CaseRun& case_run) { side.note(case_run); };
  }

  ParitySide(const ParitySide&) = delete;
  ParitySide& operator=(const ParitySide&) = delete;

  run::Settings settings;
  parity::Side side;
  parity::Outcomes outcomes;
};

std::size_t index_of(const run::Case& item, const run::Plan& plan) {
  return static_cast<std::size_t>(&item - plan.cases.data());
}

// The outcomes of exchanges that are there already.
void validate_exchanges(const std::vector<RecordedExchange>& exchanges, const run::Plan& plan,
                        ParitySide& made) {
  run::RunContext context(made.settings);
  run::Sender sender(made.settings, context.pace);
  for (const auto& [item, exchange] : exchanges) {
    run::CaseRun case_run(context, sender, *item);
    case_run.receive(item->request, item->expect, exchange);
    made.side.note(case_run);
    made.outcomes[index_of(*item, plan)] = case_run.finish();
  }
}

ParityOfRow compared(const ParitySide& mock, const ParitySide& service, const run::Plan& plan) {
  ParityOfRow made;
  parity::FixSuggester suggester;
  made.compared = parity::compare_sides(service.settings, plan, {mock.outcomes, mock.side},
                                        {service.outcomes, service.side}, suggester);
  for (const auto& [index, outcome] : service.outcomes) {
    made.findings.insert(made.findings.end(), outcome.findings.begin(), outcome.findings.end());
  }
  return made;
}

SeenByCase seen_without_fault(const run::Settings& settings, const run::Plan& plan, bool burst) {
  FaultyServer server(settings.url, settings.trust, {}, burst ? "seen-with-bursts" : "seen");
  auto own = settings_of(settings, MutantCase{.conforming = true, .burst = burst}, server.url());
  SeenByCase seen;
  own.after_case = [&](const run::CaseRun& case_run) {
    std::ranges::move(server.take_seen(),
                      std::back_inserter(seen[index_of(case_run.item(), plan)]));
  };
  std::vector<std::size_t> all(plan.cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  outcomes_of(own, plan, all);
  return seen;
}

Result run_in_process(const MutantCase& item, const run::Settings& settings,
                      const std::vector<RecordedExchange>& recorded) {
  const auto own = settings_of(settings, item, settings.url);
  const auto exchanges = faulty_server::apply(item, recorded);
  Result result;
  result.applied = exchanges.size();
  result.findings = validate(own, exchanges);
  return result;
}

// True if no two of its responses are the same.
bool never_repeats(const MutantCase& item) {
  return std::ranges::any_of(item.behaviours, [](const Behaviour& behaviour) {
    return std::ranges::any_of(behaviour.response, [](const nlohmann::json& step) {
      return step.contains("count") ||
             step.value("items", nlohmann::json::object()).contains("growing");
    });
  });
}

// By a server that nothing was asked before.
std::string curl_difference(const MutantCase& item, const run::Settings& settings,
                            const run::Plan& plan, const Result& result) {
  const auto found = std::ranges::find_if(result.findings, [&item](const checks::Finding& finding) {
    return !item.conforming && finding.rule == item.expected.front().rule;
  });
  if (found == result.findings.end() || found->shown == nullptr || !item.is_steady() ||
      never_repeats(item)) {
    return "";  // a finding that no response shows is about all those of the run
  }
  if (found->curl.empty()) {
    return found->rule + " has no curl line";
  }
  const FaultyServer server(settings.url, settings.trust, item.behaviours,
                            checks::stable_hash(item.name + "curl"));
  return difference_by_curl(settings_of(settings, item, server.url()), plan, *found);
}

}  // namespace

// The state that all cases share, const but for the mock's process.
struct MutantRunner::Suite {
  program::Documents documents = program::load_documents({});
  client::Trust trust;
  test_support::Folder fixtures;  // what the mock has besides its own
  program::Server mock = start_mock(trust, fixtures);
  run::Settings settings = settings_for(documents, mock, trust);
  std::vector<RecordedExchange> recorded = record(settings, documents.plan, "recorded");
  // The run of the mock without a fault in the cases of these operations, with bursts, without
  // assumptions.
  std::map<std::tuple<std::vector<std::string>, bool, bool>, std::unique_ptr<ParitySide>>
      mock_sides;
  std::map<bool, SeenByCase> without_fault;  // with bursts, or without

  // Not by several threads at a time where it was not called before.
  const SeenByCase& seen(bool burst) {
    auto& seen = without_fault[burst];
    if (seen.empty()) {
      seen = seen_without_fault(settings, documents.plan, burst);
    }
    return seen;
  }
};

struct MutantRunner::Work {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<const MutantCase*> cases;
  std::map<const MutantCase*, Result> results;
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
};

MutantRunner::MutantRunner() : suite_(std::make_unique<Suite>()), work_(std::make_unique<Work>()) {}

MutantRunner::~MutantRunner() = default;

void MutantRunner::start(std::vector<const MutantCase*> cases, unsigned jobs) {
  for (const auto* item : cases) {
    if (!item->in_process) {
      suite_->seen(item->burst);
    }
  }
  work_->cases = std::move(cases);
  for (unsigned job = 0; job < std::max(jobs, 1U); ++job) {
    work_->threads.emplace_back([this](const std::stop_token& stopping) {
      auto& work = *work_;
      for (auto at = work.next++; at < work.cases.size() && !stopping.stop_requested();
           at = work.next++) {
        auto result = run(*work.cases[at]);
        const std::lock_guard lock(work.mutex);
        work.results[work.cases[at]] = std::move(result);
        work.changed.notify_all();
      }
    });
  }
}

const Result& MutantRunner::wait(const MutantCase& item) {
  std::unique_lock lock(work_->mutex);
  work_->changed.wait(lock, [&] { return work_->results.contains(&item); });
  return work_->results.at(&item);
}

Replays MutantRunner::replay(const MutantCase& item) const {
  const auto& settings = suite_->settings;
  const auto& plan = suite_->documents.plan;
  const auto on_mutant = [&](const std::vector<std::size_t>& selected, const char* session) {
    const FaultyServer server(settings.url, settings.trust, item.behaviours,
                              checks::stable_hash(item.name + session));
    return outcomes_of(settings_of(settings, item, server.url()), plan, selected);
  };
  report::Run run{.plan = plan};
  run.outcomes = on_mutant(cases_with_fault(item, plan, suite_->seen(item.burst)), "run");
  const auto recorded = report::to_json(run);
  const auto findings = report::select_findings(recorded, "").value();
  const auto selected = cases_of(findings, plan);
  const FaultyServer correct(settings.url, settings.trust, {},
                             checks::stable_hash(item.name + "correct"));
  return {
      report::compare_replay(findings, plan, on_mutant(selected, "replay"), settings.secrets),
      report::compare_replay(
          findings, plan, outcomes_of(settings_of(settings, item, correct.url()), plan, selected),
          settings.secrets)};
}

ParityOfRow MutantRunner::compare_with_mock(const MutantCase& item) const {
  const auto& plan = suite_->documents.plan;
  const auto of_mock = [](run::Settings settings) {
    settings.target = run::Target::kMock;
    return settings;
  };
  if (item.in_process) {
    const auto settings = settings_of(suite_->settings, item, suite_->settings.url);
    ParitySide mock(of_mock(settings));
    ParitySide service(settings);
    validate_exchanges(suite_->recorded, plan, mock);
    validate_exchanges(faulty_server::apply(item, suite_->recorded), plan, service);
    return compared(mock, service, plan);
  }
  const auto run = [&](const std::vector<Behaviour>& behaviours, const char* session,
                       bool is_mock) {
    const FaultyServer server(suite_->settings.url, suite_->settings.trust, behaviours,
                              checks::stable_hash(item.name + session));
    const auto settings = settings_of(suite_->settings, item, server.url());
    auto made = std::make_unique<ParitySide>(is_mock ? of_mock(settings) : settings);
    made->outcomes = outcomes_of(made->settings, plan, cases_of(item, plan));
    return made;
  };
  auto& mock = suite_->mock_sides[{item.operations, item.burst, item.document_only}];
  if (mock == nullptr) {
    mock = run({}, "parity mock", true);
  }
  const auto service = run(item.behaviours, "parity", false);
  return compared(*mock, *service, plan);
}

Result MutantRunner::run(const MutantCase& item) const {
  const auto began = std::chrono::steady_clock::now();
  auto result = item.in_process ? run_in_process(item, suite_->settings, suite_->recorded)
                                : run_over_sockets(item, suite_->settings, suite_->documents.plan,
                                                   suite_->seen(item.burst));
  result.curl_difference = curl_difference(item, suite_->settings, suite_->documents.plan, result);
  result.time = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - began);
  return result;
}

}  // namespace contract_tests::faulty_server
