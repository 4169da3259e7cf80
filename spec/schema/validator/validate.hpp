#pragma once

// Validates instances against compiled schemas (JSON Schema 2020-12 Core and Validation). Reports
// every violation, each once, in the order of the schema's text, with both places. A yes/no run
// builds no messages. Pure functions of const data, safe from any thread.

#include "spec/document/document.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/schema_set.hpp"
#include "spec/text/violation_message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema {

// kUndecided: a limit (pattern matching, depth of recursion) was reached before the result was
// known, or the result depends on a tolerated keyword that is not understood. It is neither a pass
// nor a violation.
enum class Verdict : std::uint8_t { kValid, kInvalid, kUndecided };

// The direction of the message, for readOnly and writeOnly (OpenAPI 3.1.0 §4.8.24, 3.0.3 Schema
// Object): in a request a required readOnly property may be absent; in a response a writeOnly one,
// which must not be there.
enum class Direction : std::uint8_t { kNone, kRequest, kResponse };

struct ValidateOptions {
  Direction direction = Direction::kNone;
  // Schemas applied and elements compared before the verdict is kUndecided: about a second's work.
  std::size_t max_steps = 30'000'000;
};

// One violated keyword.
struct Violation {
  std::string instance;            // JSON pointer into the instance; "" is the whole
  document::Node statement;        // the keyword's value in the schema's document
  std::string keyword;             // "maximum"; "false" for a boolean schema
  text::ViolationMessage message;  // "must be at most 100, but is 101"
  bool undecided = false;          // not a violation: a limit was reached here, or
  bool not_understood = false;     // it depends on a part that is not understood
};

// The verdict alone, without violations.
Verdict check(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
              const ValidateOptions& options = {});

// True if the instance is valid as far as the schema is understood: valid, or undecided only
// because of keywords that are not understood.
bool fits(const SchemaSet& schemas, SchemaId schema, const nlohmann::json& instance,
          const ValidateOptions& options = {});

// One violation for each writeOnly member of a response, without those inside of such a member. In
// a response, the functions above and below include them. Source: JSON Schema 2020-12 Validation
// §9.4.
std::vector<Violation> write_only_members(const SchemaSet& schemas, SchemaId schema,
                                          const nlohmann::json& response);

// Every violation; empty means valid.
std::vector<Violation> validate(const SchemaSet& schemas, SchemaId schema,
                                const nlohmann::json& instance,
                                const ValidateOptions& options = {});

// The verdict on: some schema that may apply to the object, `schema` or one that it applies in
// place, declares its member `name` for the other side, readOnly in a request or writeOnly in a
// response.
Verdict declares_absent(const SchemaSet& schemas, SchemaId schema, std::string_view name,
                        Direction direction);

// Validates the form of files that people write for a program (fixtures, rules, scenarios) by a
// schema of its own. The file's reader then only has to check its meaning.

// Every violation of `schema` by the file's text below `root`, each once and at its place, in words
// for the author: `x-errorMessage` of the nearest schema around the keyword that has one, else the
// keyword's message, with the member or value that was probably meant.
std::vector<Problem> form_problems(const SchemaSet& schemas, SchemaId schema,
                                   const document::Node& root);

}  // namespace spec::schema
