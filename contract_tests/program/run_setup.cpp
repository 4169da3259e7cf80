#include "contract_tests/program/run_setup.hpp"

#include "contract_tests/demands/planning.hpp"
#include "contract_tests/demands/written_cases.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/plan/rule_names.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/program/run_identity.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>
#include <string_view>
#include <vector>

namespace contract_tests::program {

namespace fs = std::filesystem;
using client::BaseUrl;
using run::Target;

namespace {

constexpr std::string_view kTokenOfMock = "dodo_test_counterpart";
constexpr std::string_view kOtherTokenOfMock = "dodo_test_other_business";
constexpr const char* kSubjectsFile = "subjects.yaml";

fs::path given_or(const fs::path& given, const fs::path& otherwise) {
  return given.empty() ? otherwise : given;
}

plan::DataFiles data_files() {
  return plan::DataFiles(find_data_root() / "contract_tests/rules/schemas");
}

BaseUrl base_url_of(const std::string& text) {
  auto url = client::parse_base_url(text);
  if (!url) {
    // The part before an "@" may be a password.
    throw spec::LoadError(
        "--base-url",
        url.error() + (text.find('@') == std::string::npos ? ", but is " + text : ""));
  }
  auto proxy = client::proxy_for(url.value().tls, url.value().host, url.value().port,
                                 client::read_proxy_environment());
  if (!proxy) {
    throw spec::LoadError("environment", proxy.error());
  }
  url.value().proxy = std::move(proxy.value());
  return url.value();
}

bool is_live(const BaseUrl& url, const std::string& token) {
  return token.starts_with("dodo_live_") || url.host.starts_with("live.");
}

[[noreturn]] void reject_live() {
  throw spec::LoadError("--base-url",
                        "the host or the token is live; add --allow-live to test in production");
}

// Our fixtures do not fit a contract of the caller's own.
bool has_no_fixtures(const Options& options) {
  return !options.contract.empty() && options.fixtures.empty();
}

MockProcess start_mock(const Options& options) {
  const auto program = find_mock_server();
  if (!program) {
    throw spec::LoadError(
        "mock_server",
        "cannot find the program beside contract_tests; name it with COUNTERPART_MOCK_SERVER, or "
        "a running server with --base-url");
  }
  std::vector<std::string> arguments{"--port", "0", "--quiet"};
  if (!options.contract.empty()) {
    arguments.insert(arguments.end(), {"--contract", options.contract.string()});
  }
  if (has_no_fixtures(options)) {
    // Without a token it would accept any, and no case could test that it rejects wrong ones.
    const auto token = options.token.empty() ? std::string(kTokenOfMock) : options.token;
    arguments.insert(arguments.end(), {"--token", token});
    // Its cases are about the contract's examples, which one case must not delete for another.
    arguments.emplace_back("--stateless");
  }
  for (const auto& folder : options.fixtures) {
    arguments.insert(arguments.end(), {"--fixtures", folder});
  }
  if (options.document_only) {
    arguments.emplace_back("--document-only");
  }
  if (options.tolerate) {
    arguments.emplace_back("--tolerate");
  }
  auto started = MockProcess::start(*program, std::move(arguments));
  if (!started) {
    throw spec::LoadError("mock_server", started.error());
  }
  return std::move(started.value());
}

// The one place that decides whether a run may send everything without consent.
Target target_of(const std::optional<client::MockHealth>& mock) {
  return mock && mock->is_alone() ? Target::kMock : Target::kService;
}

// Does not start the mock for a dry run.
Server start_server(const Options& options) {
  Server server;
  server.url = base_url_of("http://127.0.0.1:4010");
  server.mock.emplace();
  if (!options.dry_run) {
    server.process.emplace(start_mock(options));
    server.url = base_url_of(server.process->url());
    server.mock = client::health_of_own_mock(server.url);
  }
  server.target = target_of(server.mock);
  return server;
}

// Five seconds, and no more than is left of the run.
client::Deadline short_deadline(const Options& options) {
  return std::min(std::chrono::steady_clock::now() + std::chrono::seconds(5), options.latest());
}

void reject_unreachable(const BaseUrl& url, const client::Trust& trust, const Options& options) {
  const auto stream = client::open_stream(url, trust, short_deadline(options));
  if (!stream) {
    const auto& failure = stream.error();
    const char* const remedy =
        failure.problem != client::OpenProblem::kUntrusted
            ? "; check --base-url and whether the server is running"
        : failure.has_certificate
            ? "; name its CA with --ca-file, or use the host name of its certificate in --base-url"
            : "; a server without TLS needs http:// in --base-url";
    throw spec::LoadError(url.text(), failure.message + remedy);
  }
}

fs::path own_fixtures() {
  return find_data_root() / "fixtures";
}

// The subjects file: the one given, else the last one beside the mock's fixtures.
std::optional<fs::path> subjects_file(const Options& options, bool is_mock) {
  if (!options.subjects.empty()) {
    return options.subjects;
  }
  if (!is_mock) {
    return std::nullopt;
  }
  std::vector<fs::path> folders(options.fixtures.rbegin(), options.fixtures.rend());
  // Rules of the caller's own for another contract have other subjects.
  if (options.contract.empty() || (options.fixtures.empty() && options.rules.empty())) {
    folders.push_back(own_fixtures());
  }
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (const auto file = folder / kSubjectsFile; fs::exists(file, error)) {
      return file;
    }
  }
  return std::nullopt;
}

bool is_known(const std::string& name, const Documents& documents) {
  return name.starts_with("credentials.") || plan::is_of_operation(name, *documents.contract) ||
         plan::is_declared(name, documents.rules.subjects) ||
         std::ranges::any_of(documents.plan.cases,
                             [&](const auto& item) { return item.needs.subjects.contains(name); });
}

// A misspelt name would silently skip cases. Names in the file that comes with the program mean
// nothing to rules that do not declare them.
plan::Names known_names(const plan::Names& given, const Documents& documents,
                        const fs::path& file) {
  plan::Names names;
  for (const auto& [name, value] : given.values()) {
    if (is_known(name, documents)) {
      names.set(name, value);
    } else if (file != own_fixtures() / kSubjectsFile) {
      throw spec::LoadError(
          file.string(),
          "unknown subject " + name + "; --print-subjects prints all names that there may be");
    }
  }
  return names;
}

plan::Names names_of(const Options& options, const Documents& documents, bool is_mock) {
  plan::Names names;
  if (const auto file = subjects_file(options, is_mock)) {
    auto files = data_files();
    names = known_names(plan::load_subjects(files, *file), documents, *file);
  }
  const bool given = !options.token.empty() && !(is_mock && options.token_is_not_for_mock());
  names.set("token", given ? options.token : is_mock ? std::string(kTokenOfMock) : std::string());
  if (!options.other_token.empty()) {
    names.set("other_token", options.other_token);
  } else if (is_mock && !has_no_fixtures(options)) {
    names.set("other_token", std::string(kOtherTokenOfMock));
  }
  return names;
}

// Values that the plan generated, for names that the subjects file leaves out.
void add_made_up(const run::Plan& plan, run::Settings& settings) {
  for (const auto& [name, value] : plan.made_up) {
    if (!settings.names.find(name)) {
      settings.names.set(name, value);
      settings.made_up.insert(name);
    }
  }
}

// True if a case of an operation creates or deletes something that others may meet.
bool has_lasting_changes(const run::Plan& plan) {
  return std::ranges::any_of(plan.cases, [](const auto& item) {
    return item.own != nullptr || (!item.needs.lasting.empty() && !item.undeclared_method);
  });
}

// The ids of the operations that --allow-writes-to names. A misspelt one is a mistake.
std::set<std::string> operations_named(const std::vector<std::string>& given,
                                       const spec::contract::Contract& contract) {
  std::set<std::string> ids;
  for (const auto& text : given) {
    std::vector<std::string_view> known;
    bool found = false;
    for (const auto& operation : contract.operations()) {
      known.insert(known.end(), {operation.id, operation.name});
      if (operation.id == text || operation.name == text) {
        ids.insert(operation.id);
        found = true;
      }
    }
    if (!found) {
      const auto near = spec::text::nearest(text, known);
      throw spec::LoadError("--allow-writes-to",
                            "the contract has no operation " + text +
                                (near ? "; did you mean " + std::string(*near) + '?'
                                      : "; --list prints the operations of every case"));
    }
  }
  return ids;
}

// "TOKEN_api_key" for "credentials.api-key", "OTHER_TOKEN" for "other_token".
std::string variable_of(std::string_view name) {
  if (name == "other_token") {
    return "OTHER_TOKEN";
  }
  auto variable = "TOKEN_" + std::string(name.substr(name.find('.') + 1));
  std::ranges::replace_if(
      variable, [](char letter) { return !spec::text::is_letter_or_digit(letter); }, '_');
  return variable;
}

// Tokens and credentials, also as basic credentials go out.
void add_secrets(run::Settings& settings) {
  std::vector<std::string> secrets;
  std::vector<client::Variable> variables;
  const auto token = settings.names.find("token").value_or("");
  for (const auto& [name, value] : settings.names.values()) {
    if (plan::is_credential(name) && !value.empty()) {
      secrets.push_back(value);
      secrets.push_back(plan::basic_credentials(value));
      variables.push_back({value == token ? "TOKEN" : variable_of(name), value});
    }
  }
  if (variables.size() == 1) {
    variables.front().name = "TOKEN";
  }
  settings.secrets = client::Secrets(std::move(secrets), std::move(variables));
}

// The clauses in the rule book are those of the payments API. They mean nothing for another
// contract.
void drop_foreign_clauses(Documents& documents) {
  const auto& statements = documents.contract->statements();
  const bool ours = std::ranges::any_of(
      statements, [](const auto& statement) { return statement.clause.starts_with("§"); });
  for (auto& [id, rule] : documents.book) {
    if (!ours && rule.rests.clause.starts_with("§")) {
      rule.rests.clause = "the contract";
    }
  }
}

findings::Date today_utc() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

fs::path rules_file(const Options& options, const fs::path& root) {
  return given_or(options.rules, root / "contract_tests/rules/payments.yaml");
}

// Does nothing for another contract without --rules: the payments API's rules do not fit it.
void check_rules(const Options& options, plan::DataFiles& files, const Documents& documents) {
  if (options.rules.empty() && !options.contract.empty()) {
    return;
  }
  const auto root = files.read(rules_file(options, find_data_root()), "rules");
  const auto names = plan::check_rule_names(root, documents.rules.subjects, *documents.contract);
  if (!names.unknown.empty()) {
    throw spec::LoadError(names.unknown);
  }
  for (const auto& undecided : names.undecided) {
    std::cerr << "contract_tests: warning: " << to_line(undecided) << '\n';
  }
}

// The files that cases are made by and findings are weighed by, beside the contract.
std::vector<fs::path> basis_of(const Options& options, const fs::path& root, bool with_cases) {
  const auto rules = root / "contract_tests/rules";
  std::vector<fs::path> files{
      rules_file(options, root), given_or(options.severities, rules / "severities.yaml"),
      rules / "rule_book.yaml", rules / "leaks.yaml", rules / "hostile_texts.yaml"};
  if (with_cases) {
    files.push_back(given_or(options.cases, root / "contract_tests/cases"));
  }
  return files;
}

// The warnings that explain why operations are not tested, or not wholly.
void print_gaps(const spec::contract::Contract& contract) {
  using namespace spec::contract;
  for (const auto& warning : contract.warnings()) {
    const auto is_of = [&warning](const char* kind) { return warning.message.starts_with(kind); };
    if (is_of(kTolerated) || is_of(kLeftOut) || is_of(kTwinPath)) {
      std::cerr << "contract_tests: warning: " << to_line(warning) << '\n';
    }
  }
}

}  // namespace

fs::path contract_path(const Options& options) {
  return options.contract.empty() ? find_data_root() / "spec/payments.openapi.yaml"
                                  : options.contract;
}

Documents load_documents_of_calls(const Options& options) {
  const auto root = find_data_root();
  auto files = data_files();
  Documents documents;
  const auto contract = contract_path(options);
  documents.contract = std::make_unique<spec::contract::Contract>(
      spec::contract::load_contract(contract, {.document_only = options.document_only,
                                               .tolerate = options.tolerate,
                                               .keys_are_no_parameters = true}));
  print_gaps(*documents.contract);
  documents.contract_hash = hash_of_contract(*documents.contract, contract);
  documents.book = plan::load_rule_book(files, root / "contract_tests/rules/rule_book.yaml");
  documents.severities = plan::load_severities(
      files, given_or(options.severities, root / "contract_tests/rules/severities.yaml"),
      documents.book);
  documents.leaks = plan::load_leak_marks(files, root / "contract_tests/rules/leaks.yaml");
  documents.rules = plan::load_rules(files, rules_file(options, root));
  check_rules(options, files, documents);
  plan::add_inferred_lists(*documents.contract, documents.rules);
  documents.known = load_known(options, files, documents.book, today_utc());
  drop_foreign_clauses(documents);
  documents.basis = hash_of_files(basis_of(options, root, false));
  return documents;
}

Documents load_documents(const Options& options) {
  auto documents = load_documents_of_calls(options);
  const auto root = find_data_root();
  auto files = data_files();
  const bool other_contract = !options.contract.empty() && options.cases.empty();
  std::vector<run::Case> written;
  if (!other_contract) {
    written = demands::load_cases(files, given_or(options.cases, root / "contract_tests/cases"),
                                  *documents.contract, documents.rules, documents.book);
  }
  auto bodies =
      options.subjects.empty() ? plan::Bodies{} : plan::load_bodies(files, options.subjects);
  documents.plan = demands::make_plan(
      {.contract = *documents.contract,
       .rules = documents.rules,
       .book = documents.book,
       .written = std::move(written),
       .seed = options.seed,
       .hostile = plan::load_hostile_texts(files, root / "contract_tests/rules/hostile_texts.yaml"),
       .bodies = std::move(bodies)});
  documents.basis = hash_of_files(basis_of(options, root, !other_contract));
  return documents;
}

Server find_service(const Options& options, const client::Trust& trust) {
  Server server;
  server.url = base_url_of(options.base_url);
  if (!options.dry_run) {
    if (is_live(server.url, options.token) && !options.allow_live) {
      reject_live();
    }
    reject_unreachable(server.url, trust, options);
  }
  return server;
}

Server find_server(const Options& options, const client::Trust& trust) {
  if (options.base_url.empty()) {
    return start_server(options);
  }
  Server server;
  server.url = base_url_of(options.base_url);
  const bool may_ask = !options.dry_run && (server.url.is_loopback() || options.allow_probes);
  const bool is_live_run = is_live(server.url, options.token) && !options.allow_live;
  if (!may_ask || (is_live_run && !options.token_is_not_for_mock())) {
    return find_service(options, trust);
  }
  reject_unreachable(server.url, trust, options);
  server.asked = 1;
  server.mock = client::mock_health(server.url, trust, short_deadline(options));
  server.target = target_of(server.mock);
  const bool is_live_behind =
      server.mock && server.mock->upstream.find("://live.") != std::string::npos;
  if ((is_live_run && server.target != Target::kMock) || (is_live_behind && !options.allow_live)) {
    reject_live();  // the token was not sent
  }
  return server;
}

run::Settings make_settings(const Options& options, const Documents& documents,
                            const Server& server, const client::Trust& trust) {
  run::Settings settings{.contract = *documents.contract,
                         .rules = documents.rules,
                         .book = documents.book,
                         .trust = trust,
                         .url = server.url};
  if (!options.base_url.empty() && !server.url.names_a_path) {
    settings.url.prefix = base_path_of(*documents.contract, server.url.host);
  }
  settings.takes_any_token = server.is_mock() && server.mock->takes_any_token;
  settings.document_only = options.document_only;
  settings.names = names_of(options, documents, server.is_mock());
  add_made_up(documents.plan, settings);
  settings.required = documents.plan.required;
  const bool is_mock = server.target == Target::kMock;
  // A record that one case creates or deletes affects others, and made-up values name no record
  // there.
  const bool is_sandbox =
      is_mock && server.mock->keeps_records && has_lasting_changes(documents.plan);
  settings.target = is_sandbox ? Target::kService : server.target;
  settings.consent.writes = options.allow_writes || options.sandbox || is_mock;
  settings.consent.writes_to = operations_named(options.writes_to, *documents.contract);
  settings.consent.sandbox = options.sandbox || is_sandbox;
  settings.consent.lasting = is_mock && !is_sandbox;
  settings.consent.probes = options.allow_probes || is_mock;
  settings.consent.burst = options.allow_burst;
  settings.severities = documents.severities;
  settings.leaks = documents.leaks;
  if (documents.known) {
    settings.baseline = baseline_states(documents.known->entries, documents.known->today);
  }
  settings.fail_on = findings::severity_that_fails(options.fail_on);
  settings.repeat = options.repeat;
  settings.pace.max_wait = std::chrono::seconds(options.max_wait_s);
  settings.retries.max_wait = settings.pace.max_wait;
  settings.pace.per_second = options.rate;
  settings.pace.requests = options.max_requests;
  settings.pace.spent = server.asked;
  settings.pace.time = std::chrono::seconds(options.deadline_s);
  settings.started = options.started;
  settings.watches = true;
  const auto timeout = std::chrono::seconds(options.timeout_s);
  settings.limits.whole = timeout;
  settings.limits.first_byte =
      std::min(settings.limits.first_byte, std::chrono::milliseconds(timeout));
  add_secrets(settings);
  return settings;
}

std::string line_of(const run::Case& item) {
  return item.id + '\t' + std::string(to_text(item.basis.source.statement_class)) + '\t' +
         item.basis.source.clause + '\t' + item.basis.rule + '\t' + item.operation_name + ": " +
         item.sentence + '\n';
}

}  // namespace contract_tests::program
