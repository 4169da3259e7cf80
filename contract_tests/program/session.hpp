#pragma once

// Everything that a run of contract_tests needs, made ready in order: documents, plan, server,
// settings. Problems are LoadErrors, which main prints and turns into exit code 2.

#include "contract_tests/plan/rules.hpp"
#include "contract_tests/program/mock_process.hpp"
#include "contract_tests/program/options.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/settings.hpp"
#include "spec/contract/contract.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace contract_tests::program {

// What is known before any server is asked.
struct Documents {
  std::unique_ptr<spec::contract::Contract> contract;  // the one that plans and validates
  plan::Rules rules;
  plan::RuleBook book;
  run::Severities severities;
  checks::LeakMarks leaks;
  run::Plan plan;
};

Documents load_documents(const Options& options);

// The server that is validated, started where no base URL is given.
struct Server {
  std::optional<MockProcess> process;
  client::BaseUrl url;
  run::Target target = run::Target::kService;
  bool takes_any_token = false;  // a mock that nobody named tokens to
  std::size_t asked = 0;         // requests that finding out took
};

Server find_server(const Options& options, const client::Trust& trust);

run::Settings make_settings(const Options& options, const Documents& documents,
                            const Server& server, const client::Trust& trust);

// One line a case: id, class, clause, rule, sentence.
std::string list_of(const run::Plan& plan);

}  // namespace contract_tests::program
