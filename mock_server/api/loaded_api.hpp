#pragma once

// A contract and its fixtures, loaded (loading/load_api.hpp) and replaced together. Const and
// shared between threads.

#include "mock_server/api/binding.hpp"
#include "mock_server/api/error_table.hpp"
#include "mock_server/api/scenario.hpp"
#include "spec/contract/contract.hpp"
#include "spec/document/library.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/schema_set.hpp"
#include "spec/schema/spelling.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mock_server::api {

// The content of the fixture folders, validated by the contract: collections, bindings with
// their responses prepared and validated, credentials, errors, rate limits. Built by load_fixtures,
// then const and shared between threads; it points into the contract, which must outlive it.

// A binding that no operations.yaml has: worked out from the contract (spec/contract/resources).
struct InferredFrom {
  std::string collection;
  bool is_certain = false;
  std::string why;
  std::string entry;  // an operations.yaml that would say the same, with the collections it needs
};

class References;

class FixtureStore {
 public:
  FixtureStore() = default;

  const Collections& collections() const { return collections_; }

  const std::vector<Binding>& bindings() const { return bindings_; }

  // The operation's binding; null when it has none.
  const Binding* binding(const spec::contract::Operation& operation) const {
    return operation.index < by_operation_.size() ? by_operation_[operation.index] : nullptr;
  }

  const ErrorTable& errors() const { return errors_; }

  // Nothing: any credential is accepted.
  const std::optional<std::vector<CredentialLine>>& credentials() const { return credentials_; }

  // The first line that names the operation, or names none; null if there is no such line.
  const state::RateLimit* rate_limit(const spec::contract::Operation& operation) const {
    const auto found = std::ranges::find_if(rate_limits_, [&](const RateLimitLine& line) {
      return line.operations.empty() ||
             std::ranges::find(line.operations, operation.id) != line.operations.end();
    });
    return found == rate_limits_.end() ? nullptr : &found->limit;
  }

  // By name: the file's, without its ending.
  const std::map<std::string, Scenario, std::less<>>& scenarios() const { return scenarios_; }

  // The schema of the collection's records. Null if the collection has none of its own, or the
  // contract does not have it.
  const spec::schema::AppliedSchema* record_schema(std::string_view collection) const {
    const auto found = record_schemas_.find(collection);
    return found == record_schemas_.end() ? nullptr : &found->second;
  }

  // To which collections members refer.
  References& references() const { return *references_; }

  // Null for a binding of operations.yaml, and for none.
  const InferredFrom* inferred(const spec::contract::Operation& operation) const {
    const auto found = inferred_.find(operation.index);
    return found == inferred_.end() ? nullptr : &found->second;
  }

  // Why nothing was inferred for the operation; "" where there was nothing to infer.
  std::string_view why_not_inferred(const spec::contract::Operation& operation) const {
    const auto found = not_inferred_.find(operation.index);
    return found == not_inferred_.end() ? std::string_view{} : std::string_view(found->second);
  }

  // The inferred collections and bindings as the text of an operations.yaml; "" for none.
  const std::string& inferred_operations() const { return inferred_operations_; }

  // True if some operation logs somebody in.
  bool issues_tokens() const { return issues_tokens_; }

  // Likely mistakes.
  const std::vector<spec::Problem>& warnings() const { return warnings_; }

  // Every file that was read.
  std::vector<std::filesystem::path> files() const { return library_.files(); }

  // Every file that a schema of these refers to and that could not be read.
  std::vector<std::filesystem::path> missing_files() const { return library_.missing_files(); }

  struct Builder;

 private:
  spec::document::Library library_;
  std::unique_ptr<spec::schema::SchemaSet> own_schemas_ =  // of collections
      std::make_unique<spec::schema::SchemaSet>();
  std::map<std::string, spec::schema::AppliedSchema, std::less<>> record_schemas_;
  Collections collections_;
  std::vector<Binding> bindings_;
  std::vector<const Binding*> by_operation_;  // by Operation::index
  ErrorTable errors_;
  std::optional<std::vector<CredentialLine>> credentials_;
  std::vector<RateLimitLine> rate_limits_;
  std::map<std::string, Scenario, std::less<>> scenarios_;
  std::vector<spec::Problem> warnings_;
  std::map<std::uint32_t, InferredFrom> inferred_;     // by Operation::index
  std::map<std::uint32_t, std::string> not_inferred_;  // by Operation::index
  std::string inferred_operations_;
  std::shared_ptr<References> references_;
  bool issues_tokens_ = false;
};

// Scenarios of sessions, read from their texts by loading/fixture_readers.hpp. One cache for each
// loaded API, so they are read again after a reload. When it is full it is cleared. Safe from any
// thread.

class ScenarioCache {
 public:
  // An invalid scenario has problems.
  struct ParsedScenario {
    Scenario scenario;
    std::vector<spec::Problem> problems;
    std::vector<spec::Problem> warnings;
    spec::document::Library library;  // of the text
  };

  // The scenario of that name and text; null if it is not kept.
  std::shared_ptr<const ParsedScenario> find(const std::string& name,
                                             const std::string& text) const;
  void keep(const std::string& name, const std::string& text,
            std::shared_ptr<const ParsedScenario> read);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const ParsedScenario>> kept_;  // by name and text
};

struct LoadedApiOptions {
  std::filesystem::path contract;
  std::vector<std::filesystem::path> folders;
  bool document_only = false;
  bool tolerate = false;         // LoadOptions::tolerate
  bool infers = false;           // bindings of operations that have none
  std::size_t seed_records = 0;  // generated, in each inferred collection
  std::uint64_t seed = 0;        // of those
  // The day by which generated dates go, from the end of 2025 on.
  std::chrono::days today{0};
};

// Shared from the start: what goes on after a request may keep it.
struct LoadedApi : std::enable_shared_from_this<LoadedApi> {
  explicit LoadedApi(spec::contract::Contract the_contract) : contract(std::move(the_contract)) {}

  spec::contract::Contract contract;
  FixtureStore fixtures;
  LoadedApiOptions options;  // what it was loaded from
  std::unique_ptr<ScenarioCache> own_scenarios = std::make_unique<ScenarioCache>();
};

// The report of --check about contract and fixtures.
struct Examination {
  std::shared_ptr<const LoadedApi> api;  // what could be served all the same; null for nothing
  std::vector<spec::Problem> problems;
  std::vector<spec::Problem> warnings;  // likely mistakes
  // Headers that are not sent as declared, folders without operations.yaml.
  std::vector<spec::Problem> notes;
};

}  // namespace mock_server::api
