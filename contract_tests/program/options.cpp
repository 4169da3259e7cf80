#include "contract_tests/program/options.hpp"

#include "spec/text/number.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace contract_tests::program {

namespace {

constexpr int kUsage = 2;

void add_where(CLI::App& app, Options& options) {
  app.add_option("--base-url", options.base_url,
                 "Server to validate (TEST_API_BASE_URL); without it the mock is started")
      ->envname("TEST_API_BASE_URL");
  app.add_option(
      "--token", options.token,
      "Bearer token; better in DODO_PAYMENTS_API_KEY, for a flag shows in the process list");
  app.add_option("--other-token", options.other_token, "Token of another account");
  app.add_option("--subjects", options.subjects, "Which records the cases are about (YAML)");
  app.add_option("--ca-file,--cacert", options.ca_file,
                 "Certificates to trust besides the system's (PEM)");
}

void add_what(CLI::App& app, Options& options) {
  app.add_option("--contract", options.contract, "OpenAPI document to validate by");
  app.add_option("--rules", options.rules, "Rules beyond the schema, by operation id");
  app.add_option("--cases", options.cases, "Folder of hand-written cases");
  app.add_option("--severities", options.severities,
                 "What violations count for, by rule, clause and class (YAML)");
  app.add_option("--fixtures", options.fixtures, "Fixtures of the mock that is started")
      ->take_all()
      ->check(CLI::ExistingPath);
  app.add_flag("--document-only", options.document_only,
               "Validate by what the source document states, without assumptions");
  app.add_flag("--tolerate", options.tolerate,
               "Start although parts of the contract are not understood: each is a warning, and "
               "cases that rest on it are inconclusive");
  app.add_option("--seed", options.seed, "Seed of the plan")->check(spec::text::why_no_seed);
}

void add_may(CLI::App& app, Options& options) {
  app.add_flag("--allow-writes", options.allow_writes,
               "Change the named subjects of a real service and put them back; what could not be "
               "put back is never sent");
  app.add_flag("--allow-live", options.allow_live, "Validate a live host, or with a live token");
  app.add_flag("--allow-probes", options.allow_probes,
               "Send methods outside the contract, about identifiers that nobody has");
  app.add_flag("--allow-burst", options.allow_burst, "Send a bounded burst to meet the rate limit");
}

void add_how(CLI::App& app, Options& options) {
  app.add_option("--report", options.report,
                 "Folder for run.json, report.html, junit.xml and summary.txt");
  app.add_option("--jobs", options.jobs, "Cases that run at the same time")
      ->check(CLI::Range(1, 64));
  app.add_option("--repeat", options.repeat,
                 "Carry out each case so often: broken each time is broken, else flaky")
      ->check(CLI::Range(1, 1000));
  app.add_option("--min-coverage", options.min_coverage,
                 "Percent of the contract that must have been exercised, or exit 3")
      ->check([](const std::string& text) { return spec::text::why_not_between(text, 0, 100); },
              "FLOAT in [0 - 100]");
  app.add_flag("--verbose", options.verbose,
               "Print GoogleTest's listing of every case, not failures and the summary alone");
  app.add_flag("--dry-run", options.dry_run, "Print what would be sent, send nothing, and end");
  app.add_flag("--list", options.list, "Print the cases of the plan and why each exists, and end");
  app.add_flag("--print-subjects", options.print_subjects,
               "Print a subjects file to fill in, and end");
  app.set_version_flag("--version", "contract_tests " COUNTERPART_VERSION);
}

void add_bounds(CLI::App& app, Options& options) {
  app.add_option("--rate", options.rate, "Requests a second at most")
      ->check(
          [](const std::string& text) { return spec::text::why_not_between(text, 0.01, 100'000); },
          "FLOAT in [0.01 - 100000]");
  app.add_option("--max-requests", options.max_requests, "Requests in all at most")
      ->check(CLI::Range(1, 100'000'000));
  app.add_option("--deadline", options.deadline_s, "Seconds that the whole run may take")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--max-wait", options.max_wait_s,
                 "Seconds that the whole run may wait for a server that asks to (429, 503); then "
                 "such cases are inconclusive")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--timeout", options.timeout_s, "Seconds that a response may take")
      ->check(CLI::Range(1, 3600));
}

// One line, whatever the parser has to say.
int report(const CLI::ParseError& error) {
  std::string words = error.what();
  std::ranges::replace(words, '\n', ' ');
  std::cerr << "contract_tests: " << words << "; see --help\n";
  return kUsage;
}

// A flag, or a variable, that is there and empty is a slip: an unset variable in a script, say.
bool none_is_empty(const CLI::App& app) {
  for (const auto* option : app.get_options()) {
    for (const auto& value : option->results()) {
      if (value.empty() && option->get_items_expected_max() > 0) {
        std::cerr << "contract_tests: " << option->get_name()
                  << " must not be empty: leave it out, or give it a value\n";
        return false;
      }
    }
  }
  const char* url = std::getenv("TEST_API_BASE_URL");
  if (url != nullptr && *url == '\0') {
    std::cerr
        << "contract_tests: TEST_API_BASE_URL must not be empty: unset it to validate the mock, "
           "or name the server\n";
    return false;
  }
  return true;
}

// A line break at the end comes of reading a file; inside, it would forge a header.
bool make_sendable(std::string& token, std::string_view flag) {
  while (token.ends_with('\n') || token.ends_with('\r')) {
    token.pop_back();
  }
  const bool sendable = std::ranges::none_of(token, [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
  });
  if (!sendable) {
    std::cerr << "contract_tests: " << flag << " must hold no line break or control character\n";
  }
  return sendable;
}

// GoogleTest's flags go on to GoogleTest; anything else left over is a mistake.
bool take_extras(const CLI::App& app, Options& options) {
  for (const auto& extra : app.remaining()) {
    if (!extra.starts_with("--gtest_")) {
      std::cerr << "contract_tests: unknown argument " << extra << "; see --help\n";
      return false;
    }
    options.gtest_arguments.push_back(extra);
  }
  return true;
}

}  // namespace

bool Options::wants_listing() const {
  static constexpr std::array<std::string_view, 7> kOfOutput{
      "--gtest_output",     "--gtest_color",      "--gtest_brief",
      "--gtest_print_time", "--gtest_print_utf8", "--gtest_stream_result_to",
      "--gtest_list_tests"};
  return verbose || std::ranges::any_of(gtest_arguments, [](const std::string& argument) {
           return std::ranges::any_of(
               kOfOutput, [&argument](auto flag) { return argument.starts_with(flag); });
         });
}

Parsed parse_options(int argc, char** argv) {
  Parsed parsed;
  auto& options = parsed.options;
  CLI::App app{
      "Validates a payments service, real or played, by its contract. Exit codes: 0 kept, "
      "1 broken, 2 usage or could not start, 3 inconclusive."};
  app.allow_extras();
  add_where(app, options);
  add_what(app, options);
  add_may(app, options);
  add_how(app, options);
  add_bounds(app, options);
  options.gtest_arguments.emplace_back(argv[0]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    parsed.exit_code = error.get_exit_code() == 0 ? app.exit(error) : report(error);
    return parsed;
  }
  if (!none_is_empty(app) || !take_extras(app, options)) {
    parsed.exit_code = kUsage;
  }
  const char* key = std::getenv("DODO_PAYMENTS_API_KEY");
  if (options.token.empty() && !options.base_url.empty() && key != nullptr) {
    options.token = key;
    options.is_token_of_environment = true;
  }
  if (!make_sendable(options.token, "the token") ||
      !make_sendable(options.other_token, "--other-token")) {
    parsed.exit_code = kUsage;
  }
  return parsed;
}

}  // namespace contract_tests::program
