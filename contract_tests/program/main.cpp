#include "contract_tests/program/command_line.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/program/test_run.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/load_error.hpp"
#include "spec/process/data_root.hpp"

#include <exception>
#include <iostream>

namespace {

namespace program = contract_tests::program;

constexpr const char* kExamples =
    "Examples:\n"
    "  contract_tests\n"
    "      Start the mock server and run every case against it.\n"
    "  contract_tests --base-url https://test.payments.example --subjects subjects.yaml\n"
    "      Test a real service with the key in DODO_PAYMENTS_API_KEY; read only.\n"
    "  contract_tests openapi.yaml --base-url http://127.0.0.1:3000\n"
    "      Test a service of another contract; without --base-url a mock of it.\n"
    "  contract_tests --filter 'GET_customers*' --report report\n"
    "      Run some cases; write report/report.html, run.json, junit.xml and summary.txt.\n"
    "\n"
    "Exit codes: 0 passed, 1 failed, 2 wrong usage or could not start, 3 inconclusive.\n"
    "GoogleTest's own flags (--gtest_...) are accepted too.";

constexpr const char* kAbout =
    "Tests an HTTP API, the mock server or a real service, against its OpenAPI contract.";

// 0 passed, 1 failed, 2 wrong usage or could not start, 3 inconclusive.
int run_program(int argc, char** argv) {
  if (const auto* command = program::find_command(argc, argv)) {
    return command->run(argc - 1, argv + 1);
  }
  auto parsed = program::parse_options(
      argc, argv, {kAbout, "contract_tests", program::commands_text() + '\n' + kExamples});
  if (parsed.exit_code >= 0) {
    return parsed.exit_code;
  }
  const auto& run = parsed.options.last_failed;
  return program::execute_run(parsed.options,
                              run.empty() ? program::RunMode{} : program::last_failed(run));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    spec::process::use_own_libraries();
    return run_program(argc, argv);
  } catch (const spec::LoadError& error) {
    std::cerr << "contract_tests: " << error.what() << '\n';
    if (dynamic_cast<const spec::contract::TolerableError*>(&error) != nullptr) {
      std::cerr << "contract_tests: " << spec::contract::kTolerateHint << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << "contract_tests: " << error.what() << '\n';
  }
  return program::kUsage;
}
