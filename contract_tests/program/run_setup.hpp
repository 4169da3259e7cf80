#pragma once

// Prepares everything that a run of contract_tests needs, in order: documents, plan, server,
// settings. Problems are LoadErrors, which main prints and turns into exit code 2.

#include "contract_tests/client/mock_health.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/program/known_findings.hpp"
#include "contract_tests/program/run_options.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "spec/contract/contract.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace contract_tests::program {

// Everything that is known before the first request.
struct Documents {
  std::unique_ptr<spec::contract::Contract> contract;  // plans the cases and validates
  plan::Rules rules;
  plan::RuleBook book;
  plan::Severities severities;
  checks::LeakMarks leaks;
  run::Plan plan;
  std::string contract_hash;
  std::string basis;  // hash of the files that cases are made by and findings weighed by
  std::optional<KnownFindings> known;  // of --baseline
};

// --contract, or the contract that comes with the program. Throws spec::LoadError if its data is
// missing.
std::filesystem::path contract_path(const Options& options);

Documents load_documents(const Options& options);

// The same without a plan, for who has calls already.
Documents load_documents_of_calls(const Options& options);

// The server under test; the mock is started when no base URL is given.
struct Server {
  std::optional<MockProcess> process;
  client::BaseUrl url;
  // kMock where what a run changes is lost with the mock's memory.
  run::Target target = run::Target::kService;
  std::optional<client::MockHealth> mock;  // of a mock, also of one that is tested as a service
  std::size_t asked = 0;                   // requests sent to find this out

  // The mock itself answers, so it gets no key of a service.
  bool is_mock() const { return mock && mock->upstream.empty(); }
};

Server find_server(const Options& options, const client::Trust& trust);
// The one of --base-url, which counts as a service, also if it is a mock.
Server find_service(const Options& options, const client::Trust& trust);

run::Settings make_settings(const Options& options, const Documents& documents,
                            const Server& server, const client::Trust& trust);

// A case in --list: name, class, clause, rule, sentence.
std::string line_of(const run::Case& item);

}  // namespace contract_tests::program
