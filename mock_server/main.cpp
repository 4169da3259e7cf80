// mock_server: plays the service that a contract describes. Exit codes: 0 done; 2 for a command
// line, contract, fixture or address that cannot be used; the command's for `run`; 1 if
// `healthcheck` finds a mock that is not healthy, or `record` left out a call that it could not
// redact, or found none for an operation.

#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/program/check_report.hpp"
#include "mock_server/program/healthcheck.hpp"
#include "mock_server/program/init_command.hpp"
#include "mock_server/program/program_options.hpp"
#include "mock_server/program/record_command.hpp"
#include "mock_server/program/serve.hpp"
#include "mock_server/program/signal_watch.hpp"
#include "mock_server/program/state_command.hpp"
#include "mock_server/program/types_command.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/load_error.hpp"
#include "spec/process/data_root.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <iterator>
#include <optional>

namespace {

int run(const mock_server::program::Options& options) {
  using namespace mock_server;
  if (options.healthcheck) {
    return program::healthcheck(*options.healthcheck);
  }
  if (options.state_command) {
    program::carry_out_state_command(options);
    return 0;
  }
  if (options.init) {
    program::write_first_fixtures(options);
    return 0;
  }
  if (options.check) {
    auto found = api::examine_api(options.api);
    if (found.api != nullptr) {
      std::ranges::move(program::unknown_scenarios(options.scenarios, *found.api),
                        std::back_inserter(found.problems));
    }
    std::cout << program::check_report(found) << std::flush;
    if (!found.problems.empty()) {
      throw spec::LoadError(found.problems);
    }
    return 0;
  }
  if (options.record) {
    return program::record_calls(options);
  }
  if (options.list_assumptions) {
    std::cout << program::assumptions_report(*api::load_api(options.api));
    return 0;
  }
  if (options.prints_types) {
    std::cout << program::names_in_typescript(*api::load_api(options.api));
    return 0;
  }
  std::optional<program::StdinWatch> stdin_watch;
  if (options.until_stdin_closes) {
    stdin_watch.emplace();
  }
  return program::serve(options);
}

}  // namespace

int main(int count, char** argv) {
  constexpr int kUnusable = 2;
  try {
    spec::process::use_own_libraries();
    const auto parsed = mock_server::program::parse_command_line(count, argv);
    return parsed.options ? run(*parsed.options) : parsed.exit_code;
  } catch (const spec::LoadError& error) {
    std::cerr << error.what() << '\n';
    if (error.problems().size() > 1) {
      std::cerr << "mock_server: " << error.problems().size() << " problems; nothing was started\n";
    }
    if (dynamic_cast<const spec::contract::TolerableError*>(&error) != nullptr) {
      std::cerr << "mock_server: " << spec::contract::kTolerateHint << '\n';
    }
    return kUnusable;
  } catch (const std::exception& error) {
    std::cerr << "mock_server: " << error.what() << '\n';
    return kUnusable;
  }
}
