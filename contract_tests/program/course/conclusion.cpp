#include "contract_tests/program/course/conclusion.hpp"

#include "contract_tests/program/flags/inputs.hpp"
#include "contract_tests/program/output/annotate.hpp"
#include "contract_tests/program/output/reports.hpp"
#include "contract_tests/program/setup/identity.hpp"
#include "contract_tests/program/setup/known_findings.hpp"
#include "contract_tests/run/watch/habits.hpp"
#include "spec/time/instant.hpp"

#include <ctime>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

namespace contract_tests::program::course {

namespace {

Started start_now() {
  return {spec::time::format_date_time({.seconds = std::time(nullptr), .fraction = ""}),
          std::chrono::steady_clock::now()};
}

// The folder of --report; each shard writes into one of its own in it.
std::filesystem::path report_folder(const flags::Options& options) {
  const auto shard = setup::shard_of_environment();
  return shard ? options.report / ("shard_" + std::to_string(shard->index)) : options.report;
}

}  // namespace

std::chrono::microseconds since(const Started& started) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               started.at);
}

report::Run started_run(const flags::Options& options, const setup::Documents& documents,
                        const Started& started) {
  report::Run value{.plan = documents.plan,
                    .outcomes = {},
                    .base_url = options.base_url.find('@') == std::string::npos ? options.base_url
                                                                                : std::string(),
                    .target = options.base_url.empty() ? "mock" : "service",
                    .contract = output::shown_path(options.contract),
                    .started = started.text};
  if (documents.contract != nullptr) {
    value.contract =
        std::string(documents.contract->title()) + ' ' + std::string(documents.contract->version());
    value.contract_file = output::contract_file(setup::contract_path(options));
    value.contract_hash = documents.contract_hash;
  }
  value.inputs = flags::inputs_of(options);
  value.version = COUNTERPART_VERSION;
  value.basis = documents.basis.empty() ? setup::hash_of_files({}) : documents.basis;
  value.settings = setup::settings_of(options);
  value.shard = setup::shard_of_environment();
  value.book = &documents.book;
  value.document_only = options.document_only;
  value.min_coverage = options.min_coverage;
  return value;
}

int conclude(const flags::Options& options, const setup::Documents& documents,
             const run::Settings& settings, report::Run value, Course& course) {
  std::optional<std::string> baseline_text;
  if (documents.known) {
    auto compared = setup::compare_known(
        options, *documents.known, value.outcomes,
        {*documents.contract, documents.plan, settings, documents.known->today}, !value.unusable);
    value.baseline = std::move(compared.result);
    baseline_text = std::move(compared.text);
  }
  value.secrets = settings.secrets;
  course.take(settings, value);
  run::watch::merge_habits(documents.book, value.outcomes, settings.fail_on);
  const auto json = report::to_json(value);
  value.outcomes.clear();  // the texts of the reports take their place
  if (!options.report.empty()) {
    output::write_reports(report_folder(options), json);
  }
  if (baseline_text) {
    setup::write_known(options.baseline, *baseline_text);
  }
  output::annotate(options.annotate, options.report, json, std::cout);
  return course.finish(json);
}

int with_reports(const flags::Options& options,
                 const std::function<int(const Started&, setup::Documents&)>& work) {
  if (!options.report.empty()) {
    output::check_report_folder(report_folder(options));
  }
  const auto started = start_now();
  setup::Documents documents;
  try {
    return work(started, documents);
  } catch (const spec::LoadError& error) {
    report_no_run(options, documents, started, lines_of(error), true);
    throw;
  }
}

void report_no_run(const flags::Options& options, const setup::Documents& documents,
                   const Started& started, std::vector<std::string> reasons, bool unusable) {
  auto value = started_run(options, documents, started);
  value.headlines = std::move(reasons);
  value.unusable = unusable;
  const auto json = report::to_json(value);
  if (!options.report.empty()) {
    output::write_reports(report_folder(options), json);
  }
  output::annotate(options.annotate, options.report, json, std::cout);
}

std::vector<std::string> lines_of(const spec::LoadError& error) {
  std::vector<std::string> lines;
  for (const auto& problem : error.problems()) {
    auto shown = problem;
    shown.file = problem.file.starts_with('/') ? output::shown_path(problem.file) : problem.file;
    lines.push_back(to_line(shown));
  }
  return lines;
}

}  // namespace contract_tests::program::course
