#pragma once

// What every step of loading shares: the contract that is being built, and what was found wrong so
// far. A step that meets a problem notes it and goes on, so that one run reports all.

#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/state.hpp"
#include "spec/document/document.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace spec::contract::loading {

struct LoadContext : Findings {
  Contract::State& state;

  bool tolerates = false;               // LoadOptions::tolerate
  bool keys_are_no_parameters = false;  // LoadOptions, too

  std::optional<schema::compiler::Compiler> compiler = {};  // set before anything is compiled

  // Names of examples of the 4xx responses of the operation that is read now.
  std::set<std::string, std::less<>> rejected_examples = {};

  // Holders of examples that were loaded.
  std::unordered_set<document::Node> with_loaded_examples = {};

  // What `node` finally refers to; an empty handle if it leads nowhere (inspection reports it).
  document::Node follow(const document::Node& node);
  // The schema at `node`, compiled; nothing if there is none or it has problems, which are noted.
  std::optional<schema::SchemaId> compile(const document::Node& node);
  // The statement at `node`, else nearest above.
  StatementId statement(const document::Node& node) const;
  // Each way in which the value of an example violates its schema is a violation of OpenAPI.
  void check_example(const document::Node& place, const nlohmann::json& value,
                     schema::SchemaId schema, schema::Direction direction);
  // Warns of each way in which a default violates its schema.
  void check_default(const document::Node& place, schema::SchemaId schema);

 private:
  // In which ways the value at `place`, which is `what`, violates its schema.
  std::vector<Problem> violations(const document::Node& place, const nlohmann::json& value,
                                  schema::SchemaId schema, schema::Direction direction,
                                  const std::string& what) const;
};

// The text of a scalar, of a number or a flag too, which YAML makes of a text without quotes; a
// fallback when it is none.
std::string scalar_text(const document::Node& scalar, std::string fallback = {});
// The text, or flag, of a member; a fallback when it is not there or of another kind.
std::string text_of(const document::Node& object, std::string_view key, std::string fallback = {});
bool flag_of(const document::Node& object, std::string_view key, bool fallback = false);

}  // namespace spec::contract::loading
