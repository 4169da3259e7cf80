#include "contract_tests/program/program.hpp"

#include "contract_tests/client/control.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/program/options.hpp"
#include "contract_tests/program/registration.hpp"
#include "contract_tests/program/session.hpp"
#include "contract_tests/report/run_value.hpp"
#include "contract_tests/report/summary.hpp"
#include "spec/json/value.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>

namespace contract_tests::program {

namespace {

constexpr int kUnusable = 2;

std::atomic<run::Runner*> running = nullptr;  // for the signal handler alone

extern "C" void on_signal(int /*signal*/) {
  if (auto* runner = running.load()) {
    runner->interrupt();
  }
}

std::string now_utc() {
  const auto now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::string text(20, '\0');
  std::strftime(text.data(), text.size() + 1, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void init_google_test(Options& options) {
  std::vector<char*> words;
  for (auto& argument : options.gtest_arguments) {
    words.push_back(argument.data());
  }
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  testing::InitGoogleTest(&count, words.data());
}

void write_report(const Options& options, const nlohmann::json& value) {
  if (options.report.empty()) {
    return;
  }
  std::filesystem::create_directories(options.report);
  const auto file = options.report / "run.json";
  std::ofstream out(file, std::ios::binary);
  out << spec::json::write_pretty(value) << '\n';
  if (!out.flush()) {
    throw spec::LoadError(spec::Problem{file.string(), 0, 0, "", "cannot be written"});
  }
}

int finish(const Options& options, const run::Settings& settings, const Documents& documents,
           run::Runner& runner, const std::string& started) {
  report::Run value{.plan = documents.plan,
                    .outcomes = {},
                    .base_url = settings.url.text(),
                    .target = settings.target == run::Target::kDouble ? "double" : "service",
                    .contract = std::string(documents.contract->title()) + ' ' +
                                std::string(documents.contract->version()),
                    .started = started};
  value.document_only = options.document_only;
  for (const auto index : selected_cases(documents.plan)) {
    value.outcomes[index] = runner.wait(index);
  }
  value.problems = runner.finish();
  value.interrupted = runner.is_interrupted();
  const auto json = report::to_json(value);
  write_report(options, json);
  std::cout << report::summary(json) << std::flush;
  return static_cast<int>(report::exit_of(value));
}

int run_plan(Options& options, const Documents& documents) {
  init_google_test(options);
  const bool list_only = testing::GTEST_FLAG(list_tests);
  const client::Trust trust({options.ca_file.string()});
  const auto server = list_only ? Server{} : find_server(options);
  const auto settings = make_settings(options, documents, server, trust);
  run::Runner runner(settings, documents.plan);
  register_cases(documents.plan, runner, options.jobs);
  running = &runner;
  std::signal(SIGINT, &on_signal);
  std::signal(SIGTERM, &on_signal);
  const auto started = now_utc();
  const int google_test = RUN_ALL_TESTS();
  if (list_only) {
    running = nullptr;
    return google_test;
  }
  if (selected_cases(documents.plan).empty()) {
    std::cerr << "contract_tests: the filter leaves no case; see --list\n";
    running = nullptr;
    return kUnusable;
  }
  const int code = finish(options, settings, documents, runner, started);
  running = nullptr;
  return code;
}

}  // namespace

int run_program(int argc, char** argv) {
  auto parsed = parse_options(argc, argv);
  if (parsed.exit_code >= 0) {
    return parsed.exit_code;
  }
  const auto documents = load_documents(parsed.options);
  if (parsed.options.print_subjects) {
    std::cout << plan::subjects_template(documents.rules);
    return 0;
  }
  if (parsed.options.list) {
    std::cout << list_of(documents.plan);
    return 0;
  }
  return run_plan(parsed.options, documents);
}

}  // namespace contract_tests::program
