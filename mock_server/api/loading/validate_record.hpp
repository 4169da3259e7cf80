#pragma once

// One record against everything that must hold of it: its collection's schema, and the contract as
// the response of each operation that shows it. Used at load for fixtures, and while serving for
// records that a test puts.

#include "mock_server/api/loaded_api.hpp"
#include "spec/schema/schema_set.hpp"
#include "spec/schema/spelling.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::api {

// A violation at a JSON pointer inside the record.
struct RecordProblem {
  std::string pointer;
  std::string message;      // "must be a string but is 7"
  std::string violated{};   // `"type" of GET /customers/{customer_id}`; "" for none
  std::string statement{};  // where that is, "file:line pointer"; "" for nowhere
  bool is_mended = false;   // a response that shows the record adds the member, or leaves it out

  friend bool operator==(const RecordProblem&, const RecordProblem&) = default;
};

// The rules that records must satisfy.
struct RecordRules {
  const spec::contract::Contract& contract;
  const FixtureStore& fixtures;
  const std::vector<std::filesystem::path>& folders;  // of fixtures: records name files below them
  std::filesystem::path own_folder;  // the one that the record is from; "" for other records
  // A record that violates the contract is tried without its nulls, and keeps none: in
  // document-only mode, since that a member may be null is mostly assumed.
  bool drops_nulls = false;
};

// `must be ...; violates "type" of GET /customers/{customer_id}`.
std::string in_short(const RecordProblem& problem);
// The same with the place of the statement: `... (file:line pointer)`.
std::string in_full(const RecordProblem& problem);

RecordProblem problem_of(const spec::contract::Contract& contract,
                         const spec::contract::Violation& violation);

// `record` as the response of the binding's operation. Empty for those that show no record. Here
// and below, lists of the record are moved into the response, since they are long, and back.
std::vector<RecordProblem> validate_as_response(const spec::contract::Contract& contract,
                                                const Binding& binding, nlohmann::json& record);

// `record` as the binding's operation needs it: as its response, with its list or its file.
std::vector<RecordProblem> validate_by_binding(const RecordRules& rules, const Binding& binding,
                                               nlohmann::json& record);

std::vector<RecordProblem> validate_by_schema(const spec::schema::SchemaSet& schemas,
                                              spec::schema::SchemaId schema,
                                              std::string_view collection,
                                              const nlohmann::json& record);

// Members of `record` that neither the collection's schema nor the operations that show it name,
// but nearly: they are legal, and likely a mistake.
std::vector<RecordProblem> misspelt_members(const spec::contract::Contract& contract,
                                            const FixtureStore& fixtures,
                                            const Collection& collection,
                                            const nlohmann::json& record);

// Everything that is wrong with `record` as that of `key` in `collection`, each thing once.
std::vector<RecordProblem> validate_record(const RecordRules& rules, const Collection& collection,
                                           std::string_view key, nlohmann::json& record);
std::vector<RecordProblem> validate_record(const LoadedApi& api, const Collection& collection,
                                           std::string_view key, nlohmann::json record);

}  // namespace mock_server::api
