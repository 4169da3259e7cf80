// contract_tests parity --base-url URL

#include "contract_tests/parity/rows.hpp"
#include "contract_tests/program/command.hpp"
#include "contract_tests/program/options.hpp"
#include "contract_tests/program/preflight.hpp"
#include "contract_tests/program/session.hpp"
#include "contract_tests/program/usage.hpp"
#include "contract_tests/run/runner.hpp"
#include "spec/load_error.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace contract_tests::program {

namespace {

constexpr int kParityInconclusive = 3;

constexpr const char* kParityFooter =
    "Sends requests that only read, and never one that may write. The token is that of --token or "
    "of\n"
    "DODO_PAYMENTS_API_KEY. Verdicts: service violates, mock differs, contract is silent (both "
    "are\n"
    "valid, and unlike), cannot tell.\n"
    "Exit codes: 0 no side is wrong, 1 one is, 2 wrong usage or could not start, 3 cannot tell.";

void add_parity_flags(CLI::App& app, Options& options) {
  app.add_option("--base-url", options.base_url, "URL of the service")
      ->option_text("URL")
      ->required();
  app.add_option("--token", options.token, "Its bearer token")->option_text("TOKEN");
  app.add_option("--subjects", options.subjects, "Its identifiers")->option_text("FILE");
  app.add_option("--contract", options.contract, "OpenAPI contract")->option_text("FILE");
  app.add_option("--fixtures", options.fixtures, "Folder of the mock's fixtures; may be repeated")
      ->option_text("DIR");
  app.add_option("--ca-file", options.ca_file, "PEM file of CAs to trust")->option_text("FILE");
  app.add_option("--rate", options.rate, "Requests a second, at most")->option_text("N");
  app.add_flag("--allow-live", options.allow_live, "Allow a live host or token");
  app.footer(kParityFooter);
}

// Every case against one server. `wrong` gets why it could not begin.
parity::Outcomes outcomes_of(const Options& options, const Documents& documents,
                             std::vector<std::string>& wrong) {
  const client::Trust trust({options.ca_file.string()});
  const auto server = find_server(options, trust);
  auto settings = make_settings(options, documents, server, trust);
  settings.consent = {};  // a server that says it is the mock may be somebody else's
  std::vector<std::size_t> all(documents.plan.cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  run::Runner runner(settings, documents.plan);
  if (!options.base_url.empty()) {
    wrong = setup_problems(settings, documents, all,
                           {.latest = options.latest(), .admit = [&] { return runner.admit(); }});
  }
  parity::Outcomes outcomes;
  if (!wrong.empty()) {
    return outcomes;
  }
  runner.start(all, 1);
  for (const auto index : all) {
    outcomes.emplace(index, runner.wait(index));
  }
  runner.finish();
  wrong = runner.headlines();
  return outcomes;
}

}  // namespace

int run_parity(int argc, char** argv) {
  Options of_service;
  CLI::App app{"Sends the same requests to the mock and to a service, and says who is wrong.",
               "contract_tests parity"};
  add_parity_flags(app, of_service);
  if (const auto code = parse_command(app, argc, argv)) {
    return *code;
  }
  if (!take_key_of_environment(of_service)) {
    return kUsage;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a connection closed by the server must not end the program
  const auto documents = load_documents(of_service);
  Options of_mock;
  of_mock.contract = of_service.contract;
  of_mock.fixtures = of_service.fixtures;
  std::vector<std::string> wrong;
  const auto service = outcomes_of(of_service, documents, wrong);
  const auto mock = wrong.empty() ? outcomes_of(of_mock, documents, wrong) : parity::Outcomes{};
  const auto rows = parity::compare_sides(documents.plan, mock, service);
  std::cout << parity::rows_text(rows) << std::flush;
  for (const auto& line : wrong) {
    std::cerr << "contract_tests: " << line << '\n';
  }
  const int code = parity::exit_of(rows);
  return code == 0 && !wrong.empty() ? kParityInconclusive : code;
}

}  // namespace contract_tests::program
