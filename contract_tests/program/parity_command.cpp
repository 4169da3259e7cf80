// contract_tests parity --base-url URL

#include "contract_tests/program/command.hpp"
#include "contract_tests/program/options.hpp"
#include "contract_tests/program/parity_runs.hpp"
#include "contract_tests/program/reports.hpp"
#include "contract_tests/program/usage.hpp"
#include "spec/json/value.hpp"

#include <csignal>
#include <iostream>

namespace contract_tests::program {

namespace {

// False, which is printed, where the flags do not go together.
bool go_together(const Options& options, const ParityOptions& how) {
  std::string why;
  if (options.base_url.empty() && how.from.empty()) {
    why = "parity needs --base-url URL of the service, or --from FILE with calls to it";
  } else if (options.gtest_arguments.size() > 1) {
    why = "parity runs no GoogleTest; leave out " + options.gtest_arguments.back();
  }
  if (!why.empty()) {
    std::cerr << "contract_tests: " << why << "; see contract_tests parity --help\n";
  }
  return why.empty();
}

}  // namespace

int run_parity(int argc, char** argv) {
  ParityOptions how;
  const auto parsed = parse_parity_options(argc, argv, how);
  if (parsed.exit_code >= 0) {
    return parsed.exit_code;
  }
  if (!go_together(parsed.options, how)) {
    return kUsage;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a connection closed by the server must not end the program
  const auto report = compare_parity(parsed.options, how);
  if (!how.markdown.empty()) {
    write_file(how.markdown, parity::report_markdown(report));
  }
  if (!how.json.empty()) {
    write_file(how.json, spec::json::write_pretty(parity::report_json(report)) + '\n');
  }
  std::cout << parity::report_text(report) << std::flush;
  return report.exit;
}

}  // namespace contract_tests::program
