// contract_tests recorded FILE

#include "contract_tests/program/recorded_command.hpp"

#include "contract_tests/parity/recorded_calls.hpp"
#include "contract_tests/parity/recorded_outcomes.hpp"
#include "contract_tests/program/command_line.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/program/test_run.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "spec/har/har.hpp"
#include "spec/load_error.hpp"

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::program {

namespace {

using parity::RecordedCalls;

constexpr const char* kRecorded = "What to validate";

constexpr const char* kAboutRecorded =
    "Validates recorded calls of a service (HAR) against its OpenAPI contract and reports them "
    "like "
    "a run. Sends nothing.";

constexpr const char* kRecordedExamples =
    "Examples:\n"
    "  contract_tests recorded recording/calls.har\n"
    "      Calls that `mock_server run --upstream URL --mode record` wrote.\n"
    "  contract_tests recorded calls.har --baseline known.yaml --report out\n"
    "      Calls of a browser; fail for what is not known; write out/report.html, run.sarif, ...\n"
    "\n"
    "Exit codes: 0 passed, 1 failed, 2 wrong usage or could not start, 3 inconclusive: no call "
    "was\n"
    "chosen, or the file cannot be read as a whole.";

// The flags of a run, less those about requests and cases. TEST_API_BASE_URL is not read: it names
// who is sent to.
void add_recorded(CLI::App& app, Options& options, std::filesystem::path& file) {
  remove_flags(
      app,
      {"--base-url", "--token",          "--other-token",  "--subjects",     "--ca-file",
       "--fixtures", "--cases",          "--seed",         "--allow-writes", "--allow-writes-to",
       "--sandbox",  "--allow-live",     "--allow-probes", "--allow-burst",  "--jobs",
       "--repeat",   "--rate",           "--max-requests", "--deadline",     "--max-wait",
       "--timeout",  "--filter",         "--last-failed",  "--verbose",      "--dry-run",
       "--list",     "--print-subjects", "--print-rules",  "--print-config"});
  add_argument(app, kRecorded, "FILE", file, "A HAR file")->required();
  add(app, kRecorded, {"--base-url", "URL"}, options.base_url,
      "Whose calls, with the path below which the API is (default: the host with the most calls to "
      "operations of the contract)");
}

// The calls in the file; a text that is cut or no HAR is a recording without calls.
RecordedCalls read_calls(const std::filesystem::path& file,
                         const spec::contract::Contract& contract,
                         const std::optional<client::BaseUrl>& url) {
  reject_lines(file, "FILE");
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw spec::LoadError(file.string(), "no such file");
  }
  try {
    return parity::choose_calls(contract, spec::har::read_har_file(file), url);
  } catch (const spec::LoadError& unreadable) {
    RecordedCalls none;
    none.unread = lines_of(unreadable);
    return none;
  }
}

// Settings for a service to which no requests are sent.
run::Settings settings_of_calls(const Options& options, const Documents& documents,
                                const RecordedCalls& chosen, const client::Trust& trust) {
  auto settings = make_settings(options, documents, Server{}, trust);
  settings.url.prefix.clear();  // the targets of the calls have none
  settings.sends = false;
  redact_credentials(*documents.contract, chosen, settings);
  return settings;
}

int validate_file(const Options& options, const std::filesystem::path& file,
                  const RunStart& started, Documents& documents) {
  const auto url = service_of_calls(options, *documents.contract);
  auto chosen = read_calls(file, *documents.contract, url);
  for (std::size_t index = 0; index < chosen.calls.size(); ++index) {
    if (chosen.calls[index].response) {
      parity::expect_response(*documents.contract, chosen.calls[index], chosen.plan.cases[index]);
    }
  }
  const client::Trust trust;
  const auto settings = settings_of_calls(options, documents, chosen, trust);
  auto validated = validate_calls(settings, chosen);
  report::RecordedInput recorded{.file = report::formats::shown_path(file),
                                 .calls = chosen.calls.size(),
                                 .left_out = chosen.left_out};
  auto headlines = chosen.unread;
  if (auto why = why_no_call(chosen, options); !why.empty() && headlines.empty()) {
    headlines.push_back(std::move(why));
  }
  const auto base_url = url ? url->text() : chosen.origin;
  auto cases = by_request(settings, std::move(chosen), std::move(validated.outcomes));
  documents.plan = std::move(cases.plan);
  auto value = started_run(options, documents, started);
  value.base_url = base_url;
  value.target = "service";
  value.shard = std::nullopt;
  value.outcomes = std::move(cases.outcomes);
  value.headlines = std::move(headlines);
  value.requests = recorded.calls;
  value.coverage = std::move(validated.coverage);
  value.recorded = std::move(recorded);
  value.time = time_since(started);
  return finish_run(options, documents, settings, std::move(value), {});
}

}  // namespace

int run_recorded(int argc, char** argv) {
  std::filesystem::path file;
  const auto parsed =
      parse_options(argc, argv, {kAboutRecorded, "contract_tests recorded", kRecordedExamples},
                    [&file](CLI::App& app, Options& options) { add_recorded(app, options, file); });
  if (parsed.exit_code >= 0) {
    return parsed.exit_code;
  }
  const auto& options = parsed.options;
  if (!runs_google_test(options, "recorded")) {
    return kUsage;
  }
  return with_reports(options, [&](const RunStart& started, Documents& documents) {
    documents = load_documents_of_calls(options);
    return validate_file(options, file, started, documents);
  });
}

void reject_lines(const std::filesystem::path& file, const std::string& flag) {
  if (file.extension() == ".jsonl") {
    throw spec::LoadError(flag,
                          file.string() +
                              " holds the lines of a recording, not HAR; name the calls.har that "
                              "`mock_server record` writes beside it");
  }
}

std::optional<client::BaseUrl> service_of_calls(const Options& options,
                                                const spec::contract::Contract& contract) {
  if (options.base_url.empty()) {
    return std::nullopt;
  }
  auto url = client::parse_base_url(options.base_url);
  if (!url) {
    throw spec::LoadError("--base-url", url.error());
  }
  if (!url.value().names_a_path) {
    url.value().prefix = base_path_of(contract, url.value().host);
  }
  return std::move(url.value());
}

void redact_credentials(const spec::contract::Contract& contract,
                        const parity::RecordedCalls& chosen, run::Settings& settings) {
  auto words = parity::secrets_of(contract, chosen.calls);
  words.insert(words.end(), settings.secrets.words().begin(), settings.secrets.words().end());
  settings.secrets = client::Secrets(std::move(words));
}

std::string why_no_call(const parity::RecordedCalls& chosen, const Options& options) {
  if (!chosen.calls.empty()) {
    return "";
  }
  return "the file has no call to an operation of the contract" +
         (options.base_url.empty() ? "" : " at " + options.base_url) +
         (chosen.hint.empty() ? "" : "; " + chosen.hint);
}

}  // namespace contract_tests::program
