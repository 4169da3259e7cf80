#pragma once

// The data of a Contract. Used in this folder only.

#include "spec/contract/contract.hpp"
#include "spec/contract/router.hpp"
#include "spec/contract/shape.hpp"
#include "spec/contract/statement.hpp"
#include "spec/document/document.hpp"
#include "spec/schema/schema_summary.hpp"

#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace spec::contract {

struct Contract::State {
  document::Library library;
  document::Node root;
  Version version = Version::k31;
  std::string title;
  std::string info_version;
  schema::SchemaSet schemas;
  std::optional<schema::Summaries> summaries;  // when all schemas are compiled
  std::optional<schema::Summaries> possible_summaries;
  std::optional<schema::Summaries> every_summary;  // also of negated schemas: names that are known
  static constexpr auto kNoSchema = std::numeric_limits<schema::SchemaId>::max();
  document::NodeTable<schema::SchemaId> schema_ids{kNoSchema};
  Shapes shapes;
  std::vector<Operation> operations;
  std::unordered_map<std::string_view, const Operation*> by_id;
  std::vector<Router> routers;         // the first has every operation, by its path alone
  std::vector<ServerPrefix> prefixes;  // longest first
  StatementTable table;
  std::vector<Statement> assumptions;
  std::vector<std::filesystem::path> external_files;  // of examples
  std::vector<std::filesystem::path> missing_external_files;
  std::vector<Problem> warnings;            // with the next
  std::vector<Problem> openapi_violations;  // no obstacle to serving

  // The schema that the $ref of the schema at `node` refers to; an empty handle if it has none.
  document::Node referred(const document::Node& node) const;
  std::vector<std::filesystem::path> missing_files() const;
};

// True if the decoded values of `raw_path` are valid for the operation's path parameters.
bool fits_path(const Contract& contract, const Operation& operation, std::string_view raw_path,
               const std::vector<std::pair<std::string, std::string>>& path_values);

}  // namespace spec::contract
