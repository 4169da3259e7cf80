#include "contract_tests/program/test_run.hpp"

#include "contract_tests/client/secret_texts.hpp"
#include "contract_tests/findings/repeated_findings.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/program/command_line.hpp"
#include "contract_tests/program/known_findings.hpp"
#include "contract_tests/program/preflight.hpp"
#include "contract_tests/program/progress_line.hpp"
#include "contract_tests/program/registration.hpp"
#include "contract_tests/program/run_identity.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/report/formats/console_summary.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/report/run_value.hpp"
#include "contract_tests/report/saved_run.hpp"
#include "contract_tests/run/dry_run.hpp"
#include "contract_tests/run/queue.hpp"
#include "spec/load_error.hpp"
#include "spec/text/quote.hpp"
#include "spec/time/instant.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::program {

namespace {

RunStart start_now() {
  return {spec::time::format_date_time({.seconds = std::time(nullptr), .fraction = ""}),
          std::chrono::steady_clock::now()};
}

// The folder of --report; each shard writes into one of its own in it.
std::filesystem::path report_folder(const Options& options) {
  const auto shard = shard_of_environment();
  return shard ? options.report / ("shard_" + std::to_string(shard->index)) : options.report;
}

// https://no-color.org. GoogleTest's own flag and variable say it more exactly.
bool wants_no_colour() {
  const char* variable = std::getenv("NO_COLOR");
  return variable != nullptr && *variable != '\0' && std::getenv("GTEST_COLOR") == nullptr;
}

void init_google_test(const Options& options) {
  auto words = options.gtest_arguments;
  if (wants_no_colour()) {
    words.insert(words.begin() + 1, "--gtest_color=no");
  }
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) {
    arguments.push_back(word.data());
  }
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  testing::InitGoogleTest(&count, arguments.data());
}

// A shard may have no case; a filter that selects none is a mistake.
void reject_empty_selection(const run::Plan& plan) {
  if (selected_cases(plan).empty() && !shard_of_environment()) {
    throw spec::LoadError("--filter", testing::GTEST_FLAG(filter) +
                                          " selects no case; --list prints the name of every case");
  }
}

// The parts of a run, from its start to its end.
struct RunParts {
  const Options& options;
  const Documents& documents;
  const RunStart& started;
  const RunMode& mode;
  std::string subjects = {};  // their hash
};

// The result of the run.
report::Run outcome_of(const RunParts& work, const run::Settings& settings, run::Runner& runner) {
  auto value = started_run(work.options, work.documents, work.started);
  value.base_url = settings.url.text();
  value.target = settings.target == run::Target::kMock ? "mock" : "service";
  value.max_wait = settings.pace.max_wait;
  value.settings.subjects = work.subjects;
  for (const auto index : selected_cases(work.documents.plan)) {
    value.outcomes[index] = runner.take(index);
  }
  value.headlines = runner.headlines();
  value.not_put_back = runner.finish();
  value.unverified.assign(runner.changes().doubts.begin(), runner.changes().doubts.end());
  value.records = runner.changes().noted.size();
  value.waited = runner.pace().waited();
  value.requests = runner.pace().sent();
  value.coverage = runner.coverage();
  value.interrupted = runner.pace().is_interrupted();
  value.unusable = runner.is_unusable();
  value.time = time_since(work.started);
  return value;
}

int print_problems(const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    std::cerr << "contract_tests: " << line << '\n';
  }
  return kInconclusive;
}

void print_unused_key(const Options& options, const Server& server) {
  if (server.is_mock() && options.token_is_not_for_mock()) {
    std::cerr
        << "contract_tests: the server is the mock: a test token is used instead of the key in "
           "DODO_PAYMENTS_API_KEY\n";
  }
}

// The first line of a run: what it tests, and why a mock is tested as a service.
void print_target(const run::Settings& settings, const Server& server) {
  const auto& mock = server.mock;
  const std::string url = settings.url.text();
  std::string line = "a service at " + url;
  if (settings.target == run::Target::kMock) {
    line = server.process ? "the mock, which is started for this run" : "the mock at " + url;
  } else if (mock && !mock->upstream.empty()) {
    line += ": a mock that passes requests on (to " + mock->upstream + ')';
  } else if (mock && !mock->state.empty()) {
    line += ": a mock that keeps or shares its state (" + mock->state + ')';
  } else if (mock) {
    line =
        "the mock, which keeps records and so is tested as a service with --sandbox; of a mock "
        "started with --stateless, every case is tested";
  }
  std::cout << "target: " << spec::text::without_controls(line) << '\n';
}

void print_base_path(const run::Settings& settings, const Server& server) {
  if (settings.url.prefix != server.url.prefix) {
    std::cout << "base path " << settings.url.prefix
              << ": the path of servers in the contract; a path in --base-url replaces it (\"/\" "
                 "for none)\n";
  }
}

// A token like "test" looks like an ordinary word in a response.
void print_plain_tokens(const run::Settings& settings) {
  for (const auto& secret : settings.secrets.words()) {
    if (!secret.empty() && !client::is_recognizable(secret)) {
      std::cerr
          << "contract_tests: a token of " << secret.size()
          << " plain characters is redacted and looked for only next to a scheme (\"Bearer ...\"); "
             "use a longer token with digits to find it everywhere\n";
    }
  }
}

// Prints the text of each selected case and sends nothing.
int print_cases(const run::Plan& plan, const RunMode& mode, TextOfCase text) {
  register_printed_cases(
      plan, [&mode](const run::Case& item) { return mode.has(item); }, std::move(text));
  const int google_test = RUN_ALL_TESTS();
  reject_empty_selection(plan);
  return google_test;
}

void print_writes(std::ostream& out, const std::string& text) {
  if (!text.empty()) {
    out << "contract_tests: " << text << std::flush;
  }
}

int dry_run(const RunParts& work, const run::Settings& settings) {
  const auto& plan = work.documents.plan;
  const int code = print_cases(plan, work.mode, [&settings](const run::Case& item) {
    return run::dry_text(settings, item);
  });
  print_writes(std::cout, run::announcement(settings, plan, selected_cases(plan)));
  return code;
}

// Takes records that exist for what the plan made up. The mock's examples are right for it, and a
// run of few requests has none left for that.
void take_found_values(run::Runner& runner, const std::vector<std::size_t>& chosen,
                       run::Settings& settings) {
  constexpr std::size_t kFew = 200;
  const auto limit = settings.pace.requests;
  if (settings.target == run::Target::kMock || (limit != 0 && limit < kFew)) {
    return;
  }
  const auto found = runner.find_values(chosen, run::Search::kRun);
  for (const auto& [name, value] : found.values) {
    settings.names.set(name, value);
    settings.found.insert(name);
  }
  for (const auto& name : found.created) {
    settings.made_up.erase(name);
    settings.created.insert(name);
  }
  if (!found.lacking.empty()) {
    constexpr std::size_t kNamed = 3;
    std::cerr << "contract_tests: no record is known for "
              << spec::text::names_listed(found.lacking, kNamed)
              << "; name one with --subjects (--print-subjects --base-url " << settings.url.text()
              << " prints a file to fill in)\n";
  }
}

int run_plan(const RunParts& work) {
  const auto& options = work.options;
  const auto& documents = work.documents;
  std::signal(SIGPIPE, SIG_IGN);  // a connection closed by the server must not end the program
  const bool list_only = testing::GTEST_FLAG(list_tests);
  const client::Trust trust({options.ca_file.string()});
  const auto server = list_only ? Server{} : find_server(options, trust);
  auto settings = make_settings(options, documents, server, trust);
  if (!list_only) {
    print_target(settings, server);
    print_base_path(settings, server);
  }
  if (options.dry_run) {
    return dry_run(work, settings);
  }
  auto identified = work;
  identified.subjects = hash_of_subjects(settings.names);
  run::Runner runner(settings, documents.plan);
  // The mock's own subjects are what its fixtures hold: there a 404 is a violation.
  const bool named = !options.subjects.empty() || settings.target == run::Target::kService;
  if (!list_only) {
    print_unused_key(options, server);
    print_plain_tokens(settings);
  }
  std::vector<std::string> wrong;
  const auto may_start = [&](const std::vector<std::size_t>& chosen) {
    if (named || !options.base_url.empty()) {
      wrong = setup_problems(settings, documents, chosen, runner.pace(), !named);
    }
    if (wrong.empty()) {
      print_writes(std::cerr, run::announcement(settings, documents.plan, chosen));
      take_found_values(runner, chosen, settings);
    }
    return wrong.empty();
  };
  ProgressLine progress(
      progress_on_console([&runner] { return runner.progress(); }, options.latest()));
  Registration how{.jobs = options.jobs,
                   .progress = options.wants_listing() ? nullptr : &progress,
                   .failures = work.mode.prints_failures,
                   .may_start = may_start,
                   .has = [&work](const run::Case& item) { return work.mode.has(item); }};
  if (shard_of_environment()) {
    how.add = [&](const auto& selected) {
      return run::with_explaining_cases(documents.plan, documents.rules, selected);
    };
  }
  register_cases(documents.plan, runner, how);
  const InterruptHandler interruptible(runner);
  const int google_test = RUN_ALL_TESTS();
  progress.stop();
  if (list_only) {
    return google_test;
  }
  reject_empty_selection(documents.plan);
  if (!wrong.empty()) {
    report_no_run(options, documents, work.started, wrong, false);
    if (work.mode.say_why_not) {
      work.mode.say_why_not(wrong);
    }
    return print_problems(wrong);
  }
  return finish_run(options, documents, settings, outcome_of(identified, settings, runner),
                    work.mode);
}

// The template for this contract, with values of the service where one is named.
int print_subjects(const Options& options, const Documents& documents) {
  plan::TemplateInput input{
      .contract = *documents.contract, .rules = documents.rules, .made_up = documents.plan.made_up};
  if (!options.base_url.empty()) {
    std::signal(SIGPIPE, SIG_IGN);
    const client::Trust trust({options.ca_file.string()});
    const auto server = find_server(options, trust);
    const auto settings = make_settings(options, documents, server, trust);
    std::vector<std::size_t> all(documents.plan.cases.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    input.found =
        run::Runner(settings, documents.plan).find_values(all, run::Search::kLists).values;
  }
  plan::Names names;
  for (const auto* values : {&input.made_up, &std::as_const(input.found)}) {
    for (const auto& [name, value] : *values) {
      names.set(name, value);
    }
  }
  for (const auto& item : documents.plan.cases) {
    if (item.made_up && item.request.body) {
      const auto filled = plan::fill(*item.request.body, names);
      input.bodies.try_emplace(item.operation, filled ? filled.value() : *item.request.body);
    }
  }
  std::cout << plan::subjects_template(input);
  return 0;
}

// `missing`: the cases that the plan no longer has, in words.
std::optional<int> prepare_last_failed(const std::string& file, const std::set<std::string>& names,
                                       const run::Plan& plan, std::string& missing) {
  if (names.empty()) {
    std::cout << "nothing to run: no case failed or was inconclusive in " << file << '\n';
    return 0;
  }
  auto gone = names;
  for (const auto& item : plan.cases) {
    gone.erase(item.id);
  }
  if (!gone.empty()) {
    constexpr std::size_t kNamed = 10;
    missing = "the plan no longer has cases that failed or were inconclusive in " + file + ": " +
              spec::text::names_listed(std::vector(gone.begin(), gone.end()), kNamed);
  }
  if (gone.size() == names.size()) {
    std::cerr << "contract_tests: " << missing << '\n';
    return kInconclusive;
  }
  return std::nullopt;
}

}  // namespace

int print_summary(const nlohmann::json& run) {
  std::cout << report::formats::summary(run) << std::flush;
  return run.at("exit").get<int>();
}

RunMode last_failed(const std::filesystem::path& run) {
  const auto saved =
      report::read_run(run, find_data_root() / "contract_tests/report/run.schema.json");
  const auto file = saved.file.string();
  if (saved.value.contains("recorded")) {
    throw spec::LoadError(file,
                          "it is a run over recorded calls, whose cases cannot be "
                          "run; name a run of contract_tests against a server");
  }
  const auto names = report::unfinished_cases(saved.value);
  RunMode mode{.cases = std::set(names.begin(), names.end())};
  const auto gone = std::make_shared<std::string>();  // cases that the plan no longer has, in words
  mode.prepare = [file, gone, names = *mode.cases](const Documents& documents) {
    return prepare_last_failed(file, names, documents.plan, *gone);
  };
  // A run that could not try all of them has not passed.
  mode.take = [gone](const run::Settings&, report::Run& value) {
    if (!gone->empty()) {
      value.headlines.push_back(*gone);
    }
  };
  return mode;
}

int execute_run(Options& options, const RunMode& mode) {
  return with_reports(options, [&](const RunStart& started, Documents& documents) {
    documents = load_documents(options);
    if (documents.contract->operations().empty()) {
      throw spec::LoadError(contract_path(options).string(),
                            "has no operations under \"paths\", so there is nothing to test");
    }
    if (options.print_subjects) {
      return print_subjects(options, documents);
    }
    if (options.print_rules) {
      std::cout << plan::print_lists(documents.rules);
      return 0;
    }
    if (const auto code = mode.prepare ? mode.prepare(documents) : std::nullopt) {
      return *code;
    }
    init_google_test(options);
    return options.list ? print_cases(documents.plan, mode, &line_of)
                        : run_plan({options, documents, started, mode});
  });
}

std::chrono::microseconds time_since(const RunStart& started) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               started.at);
}

report::Run started_run(const Options& options, const Documents& documents,
                        const RunStart& started) {
  report::Run value{.plan = documents.plan,
                    .outcomes = {},
                    .base_url = options.base_url.find('@') == std::string::npos ? options.base_url
                                                                                : std::string(),
                    .target = options.base_url.empty() ? "mock" : "service",
                    .contract = report::formats::shown_path(options.contract),
                    .started = started.text};
  if (documents.contract != nullptr) {
    value.contract =
        std::string(documents.contract->title()) + ' ' + std::string(documents.contract->version());
    value.contract_file = report::formats::contract_file(contract_path(options));
    value.contract_hash = documents.contract_hash;
  }
  value.inputs = inputs_of(options);
  value.version = COUNTERPART_VERSION;
  value.basis = documents.basis.empty() ? hash_of_files({}) : documents.basis;
  value.settings = settings_of(options);
  value.shard = shard_of_environment();
  value.book = &documents.book;
  value.document_only = options.document_only;
  value.min_coverage = options.min_coverage;
  return value;
}

int finish_run(const Options& options, const Documents& documents, const run::Settings& settings,
               report::Run value, const RunMode& mode) {
  std::optional<std::string> baseline_text;
  if (documents.known) {
    auto compared = compare_known(
        options, *documents.known, value.outcomes,
        {*documents.contract, documents.plan, settings, documents.known->today}, !value.unusable);
    value.baseline = std::move(compared.result);
    baseline_text = std::move(compared.text);
  }
  value.secrets = settings.secrets;
  if (mode.take) {
    mode.take(settings, value);
  }
  findings::merge_repeated_findings(documents.book, value.outcomes, settings.fail_on);
  const auto written = report::to_json(value);
  value.outcomes.clear();  // the texts of the reports take their place
  if (!options.report.empty()) {
    report::formats::write_reports(report_folder(options), written);
  }
  if (baseline_text) {
    write_known(options.baseline, *baseline_text);
  }
  report::formats::annotate(options.annotate, options.report, written, std::cout);
  return mode.finish(written);
}

int with_reports(const Options& options,
                 const std::function<int(const RunStart&, Documents&)>& work) {
  if (!options.report.empty()) {
    report::formats::check_report_folder(report_folder(options));
  }
  const auto started = start_now();
  Documents documents;
  try {
    return work(started, documents);
  } catch (const spec::LoadError& error) {
    report_no_run(options, documents, started, lines_of(error), true);
    throw;
  }
}

void report_no_run(const Options& options, const Documents& documents, const RunStart& started,
                   std::vector<std::string> reasons, bool unusable) {
  auto value = started_run(options, documents, started);
  value.headlines = std::move(reasons);
  value.unusable = unusable;
  const auto written = report::to_json(value);
  if (!options.report.empty()) {
    report::formats::write_reports(report_folder(options), written);
  }
  report::formats::annotate(options.annotate, options.report, written, std::cout);
}

std::vector<std::string> lines_of(const spec::LoadError& error) {
  std::vector<std::string> lines;
  for (const auto& problem : error.problems()) {
    auto shown = problem;
    shown.file =
        problem.file.starts_with('/') ? report::formats::shown_path(problem.file) : problem.file;
    lines.push_back(to_line(shown));
  }
  return lines;
}

}  // namespace contract_tests::program
