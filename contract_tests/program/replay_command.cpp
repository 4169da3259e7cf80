// contract_tests replay RUN [FINGERPRINT|CASE]

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/program/command_line.hpp"
#include "contract_tests/program/run_identity.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/program/test_run.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/report/formats/console_summary.hpp"
#include "contract_tests/report/formats/exported_requests.hpp"
#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/report/replay.hpp"
#include "contract_tests/report/saved_run.hpp"
#include "spec/load_error.hpp"
#include "spec/process/program_flags.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::program {

using nlohmann::json;
using report::SelectedFinding;

namespace {

constexpr const char* kReplay = "What to replay";

constexpr const char* kAboutReplay =
    "Sends the requests of recorded findings again and says of each: fixed, still failing, "
    "failing otherwise, or cannot tell.";

constexpr const char* kReplayExamples =
    "Examples:\n"
    "  contract_tests replay report/run.json\n"
    "      Every error of the run, at the same server.\n"
    "  contract_tests replay report 1983a2103d57925f --base-url https://test.payments.example\n"
    "      One finding, by the id that a failure shows, at another server.\n"
    "  contract_tests replay report --export case --output cases/found.yaml\n"
    "      Send nothing; write the findings as cases.\n"
    "\n"
    "Contract, rules, cases, subjects, seed and base URL are those of the run where no flag names\n"
    "others. Consent is not: give --allow-writes and the like again.\n"
    "Exit codes: 0 all fixed, 1 something fails, 2 wrong usage or could not start, 3 cannot tell.";

// Options of the command beside the flags of a run.
struct ReplayOptions {
  std::filesystem::path run;
  std::string which;      // fingerprint or case; "" for all that failed
  std::string export_as;  // "curl", "http", "har", "case"; "" sends
  std::filesystem::path output;
};

// The flags of a run, less what chooses cases otherwise.
void add_replay(CLI::App& app, ReplayOptions& replay) {
  remove_flags(app, {"--filter", "--list", "--print-subjects", "--print-rules", "--min-coverage",
                     "--fail-on", "--last-failed", "--print-config"});
  describe(app, "--base-url",
           "Server to send to (default: TEST_API_BASE_URL, else that of the run; where the run "
           "started the mock server, it is started)");
  describe(app, "--contract", "OpenAPI 3.0 to 3.2 document (default: that of the run)");
  describe(app, "--rules",
           "YAML file of rules beyond the schema, by operation id (default: that of the run)");
  describe(app, "--cases", "Folder of hand-written cases in YAML (default: that of the run)");
  describe(app, "--seed", "Seed of the generated requests (default: that of the run)");
  add_argument(app, kReplay, "RUN", replay.run, "A run.json, or its folder")->required();
  add_argument(app, kReplay, "WHICH", replay.which,
               "The id of a finding, or the name of a case (default: every error)");
  add(app, kReplay, {"--export", "FORMAT"}, replay.export_as,
      "Send nothing, write the requests: curl, http (for REST clients of editors), har, or case (a "
      "file for --cases)")
      ->check(spec::process::one_of({"curl", "http", "har", "case"}));
  add(app, kReplay, {"--output", "FILE"}, replay.output,
      "Where to write the export (default: standard output)");
}

void reject_another_contract(const report::SavedRun& saved,
                             const spec::contract::Contract& contract) {
  const auto title = std::string(contract.title());
  const auto recorded = findings::text_of(saved.value, "contract");
  if (!recorded.starts_with(title + ' ')) {
    throw spec::LoadError(saved.file.string(), "it is a run of another contract (" + recorded +
                                                   ", not " + title + ' ' +
                                                   std::string(contract.version()) +
                                                   "); name its contract with --contract");
  }
}

// Writes the result of the findings to `replayed`. All must outlive the mode.
RunMode replay_mode(const report::SavedRun& saved, const std::vector<SelectedFinding>& recorded,
                    std::vector<report::ReplayedFinding>& replayed) {
  RunMode mode{.cases = std::set<std::string>(), .prints_failures = false};
  for (const auto& selected : recorded) {
    mode.cases->insert(findings::text_of(*selected.item, "id"));
  }
  mode.prepare = [&, names = mode.cases](const Documents& documents) -> std::optional<int> {
    reject_another_contract(saved, *documents.contract);
    if (std::ranges::any_of(documents.plan.cases,
                            [&](const auto& item) { return names->contains(item.id); })) {
      return std::nullopt;
    }
    replayed = report::compare_replay(recorded, documents.plan, {}, {});
    std::cout << report::replay_text(replayed);
    return report::exit_of(replayed);
  };
  mode.say_why_not = [&](const std::vector<std::string>& reasons) {
    for (const auto& selected : recorded) {
      replayed.push_back(report::cannot_tell(selected, spec::text::join(reasons, "; ")));
    }
    std::cout << report::replay_text(replayed);
  };
  mode.take = [&](const run::Settings& settings, report::Run& value) {
    replayed = report::compare_replay(recorded, value.plan, value.outcomes, settings.secrets);
  };
  mode.finish = [&](const json& run) {
    for (const auto& headline : run.at("problems")) {
      std::cout << headline.get_ref<const std::string&>() << '\n';
    }
    std::cout << report::replay_text(replayed) << report::formats::writes_text(run) << std::flush;
    return run.at("exit") == kUsage ? kUsage : report::exit_of(replayed);
  };
  return mode;
}

report::formats::Export exported(const json& run, const std::vector<SelectedFinding>& findings,
                                 const std::string& format) {
  if (format == "curl") {
    return report::formats::export_curl(findings);
  }
  if (format == "http") {
    return report::formats::export_http(run, findings);
  }
  return format == "har" ? report::formats::export_har(run, findings, COUNTERPART_VERSION)
                         : report::formats::export_cases(run, findings);
}

// 3 where something is missing in the file.
int write_export(const json& run, const std::vector<SelectedFinding>& findings,
                 const ReplayOptions& how) {
  const auto made = exported(run, findings, how.export_as);
  if (how.output.empty()) {
    std::cout << made.text << std::flush;
  } else {
    report::formats::write_file(how.output, made.text);
  }
  for (const auto& line : made.left_out) {
    std::cerr << "contract_tests: not exported, or not whole: " << line << '\n';
  }
  return made.left_out.empty() ? 0 : kInconclusive;
}

// Cases whose findings the report has no room for. With `which`, only if that is one of them.
bool print_unlisted(const report::SavedRun& saved, const std::string& which) {
  constexpr std::size_t kNamed = 10;
  auto names = report::unlisted_failures(saved.value);
  std::erase_if(names, [&which](const auto& name) { return !which.empty() && name != which; });
  if (!names.empty()) {
    std::cerr
        << "contract_tests: " << saved.file.string()
        << " has no findings of cases that failed, because of the limit of a report; run them "
           "with --last-failed: "
        << spec::text::names_listed(names, kNamed) << '\n';
  }
  return !names.empty();
}

// Why there is nothing to replay.
int print_nothing(const report::SavedRun& saved, const std::string& which) {
  auto verdict = findings::text_of(saved.value, "verdict");
  for (const auto& item : saved.value.at("cases")) {
    verdict = item.at("id") == which ? findings::text_of(item, "verdict") : verdict;
  }
  std::cout << "nothing to replay: "
            << (which.empty() ? "no case failed" : which + " has no finding") << " in "
            << saved.file.string() << " (" << verdict << ")\n";
  return verdict == "passed" ? 0 : kInconclusive;
}

}  // namespace

int run_replay(int argc, char** argv) {
  ReplayOptions how;
  auto parsed = parse_options(argc, argv, {kAboutReplay, "contract_tests replay", kReplayExamples},
                              [&how](CLI::App& app, Options&) { add_replay(app, how); });
  if (parsed.exit_code >= 0) {
    return parsed.exit_code;
  }
  if (!how.output.empty() && how.export_as.empty()) {
    throw spec::LoadError("--output", "needs --export FORMAT");
  }
  const auto saved =
      report::read_run(how.run, find_data_root() / "contract_tests/report/run.schema.json");
  auto chosen = report::select_findings(saved.value, how.which);
  if (!chosen) {
    throw spec::LoadError(saved.file.string(), chosen.error());
  }
  const bool unlisted = print_unlisted(saved, how.which);
  if (chosen.value().empty()) {
    return print_nothing(saved, how.which);
  }
  if (!how.export_as.empty()) {
    return write_export(saved.value, chosen.value(), how);
  }
  if (saved.value.contains("recorded")) {
    throw spec::LoadError(
        saved.file.string(),
        "it is a run over recorded calls, so there is nothing to send again; record the calls "
        "again and validate them with contract_tests recorded, or take the requests with "
        "--export");
  }
  take_inputs(saved.value, saved.file.string(), parsed.options);
  if (!take_key_of_environment(parsed.options)) {
    return kUsage;
  }
  std::vector<report::ReplayedFinding> replayed;
  const int code = execute_run(parsed.options, replay_mode(saved, chosen.value(), replayed));
  return code == 0 && unlisted ? kInconclusive : code;
}

}  // namespace contract_tests::program
