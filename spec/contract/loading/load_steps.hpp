#pragma once

// The shared state of the steps of loading: the contract that is being built, and the problems so
// far. A step that meets a problem notes it and goes on, so that one run reports all.

#include "spec/contract/contract_state.hpp"
#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/statement.hpp"
#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
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

  // Names of examples of the 4xx responses of the operation that is being read.
  std::set<std::string, std::less<>> rejected_examples = {};

  // Holders of examples that were loaded.
  std::unordered_set<document::Node> with_loaded_examples = {};

  // The object that `node` finally refers to; an empty handle if it leads nowhere (inspection
  // reports it).
  document::Node follow(const document::Node& node);
  // The same for an entry of `content`, which before 3.2 is no reference.
  document::Node follow_media_type(const document::Node& node);
  // The compiled schema at `node`; none if there is no schema or it has problems, which are noted.
  std::optional<schema::SchemaId> compile(const document::Node& node);
  // The statement at `node`, else nearest above.
  StatementId statement(const document::Node& node) const;
  // Notes each way in which the value of an example violates its schema, a violation of OpenAPI.
  void check_example(const document::Node& place, const nlohmann::json& value,
                     schema::SchemaId schema, schema::Direction direction);
  // Warns of each way in which a default violates its schema.
  void check_default(const document::Node& place, schema::SchemaId schema);

 private:
  // The ways in which the value at `place`, which is `what`, violates its schema.
  std::vector<Problem> violations(const document::Node& place, const nlohmann::json& value,
                                  schema::SchemaId schema, schema::Direction direction,
                                  const std::string& what) const;
};

// The text of a scalar, also of a number or boolean, which YAML makes of a text without quotes;
// `fallback` if it is none.
std::string scalar_text(const document::Node& scalar, std::string fallback = {});
// The text, or boolean, of a member; `fallback` if it is missing or of another kind.
std::string text_of(const document::Node& object, std::string_view key, std::string fallback = {});
bool flag_of(const document::Node& object, std::string_view key, bool fallback = false);

// The two extensions that give the source of a statement: `x-source` (a section of the source
// document, for everything below it) and `x-assumed` (a text marks its object, a map marks those
// keys of it). They have this meaning only in a contract whose root has `x-counterpart: 1`;
// elsewhere they are unknown extensions, and nothing here is called. Reads them, removes the
// assumed parts, finds misplaced marks.

// The version of the marks that the root of a contract names: none, 1, or an unknown one.
enum class MarksVersion : std::uint8_t { kNone, kOne, kUnknown };
MarksVersion marks_version(const document::Node& root);

// The provenance of a node, by the marks at it and above it. Views into the document.
struct Provenance {
  std::string_view clause;  // of the nearest `x-source`; "" if there is none
  std::string_view reason;  // of the nearest `x-assumed` that covers it; "" if none does
  bool is_assumed = false;
};

// Looks up the provenance of nodes, of each object once. Not thread-safe.
class ProvenanceTable {
 public:
  // The provenance of `node`, by where it is written, not by where it is used.
  Provenance provenance_of(const document::Node& node);

 private:
  // Most objects have the provenance of the one around them, and share its entry.
  using Index = std::uint32_t;
  static constexpr Index kUnknown = std::numeric_limits<Index>::max();

  Index inner_provenance(const document::Node& object);

  std::vector<Provenance> provenances_{Provenance{}};
  document::NodeTable<Index> inner_provenances_{kUnknown};
};

// Removes the assumed parts from every document that `inspection` reached: marked objects, keys and
// elements, parameters whose name is assumed, references to removed objects, names in `required`
// whose property is removed, and the marks themselves. Returns the new root.
document::Node take_out_assumed(document::Library& library, const document::Node& root,
                                const Inspection& inspection);

// Marks without a reason or in the wrong place: beside a $ref that is not a schema's, as a member
// of a map of names, on a key that is missing.
std::vector<Problem> misplaced_marks(const Inspection& inspection, Version version);

// One entry for each mark, in the order of the texts: the place marked and the reason.
std::vector<Statement> list_marks(const Inspection& inspection);

// The rules for the examples of a parameter, header, media type or schema.
struct ExampleRules {
  document::Node schema;  // its own examples count if `holder` has none; may be empty
  std::optional<schema::SchemaId> compiled;
  bool of_items = false;  // `compiled` is about each element of a list, or about another value
  schema::Direction direction = schema::Direction::kNone;
  bool is_json = true;       // an external value is JSON or YAML; else its bytes are the value
  bool may_be_text = false;  // a text is the value as it is written, which is not validated
};

// The examples at `holder`: `example`, or else those of `examples` in document order, or else the
// schema's own, the valid ones. Invalid ones at `holder` violate OpenAPI and are kept; those of a
// request whose name is also that of an example of a 4xx response do not. External ones that cannot
// be read violate it and are left out. Source: OpenAPI 3.1.0 §4.8.12, §4.8.14, §4.8.19.
std::vector<Example> load_examples(LoadContext& context, const document::Node& holder,
                                   const ExampleRules& rules);

// Notes the names of the examples of the operation's 4xx responses.
void note_rejected_examples(LoadContext& context, const document::Node& operation);

// Checks the examples of messages that no operation loads: those of webhooks and callbacks, and of
// components that nothing uses. Invalid ones are violations of OpenAPI. After the operations.
void check_other_examples(LoadContext& context, const Inspection& inspection);

// Notes examples and defaults inside the schema at `node` that violate it.
void check_schema_examples(LoadContext& context, const document::Node& node,
                           schema::SchemaId schema);

// The path prefixes of the servers, and the operations that each of them serves.
class ServerPrefixes {
 public:
  // Serves `operation` behind the path of each URL in a `servers` list, without a trailing "/":
  // with the variables at their defaults and, as far as they are not too many, at every other value
  // of their `enum`. A relative URL is relative to the top of the host that serves the document.
  // Source: OpenAPI 3.1.0 §4.8.5, §4.8.6.
  void add(std::uint32_t operation, const document::Node& servers);

  // Each prefix ("/v1/eu", never "") with its operations in the order in which they were added.
  const std::map<std::string, std::vector<std::uint32_t>>& operations() const {
    return operations_;
  }

 private:
  std::map<std::string, std::vector<std::uint32_t>> operations_;
  // The paths of each list that was read; most operations share one.
  std::vector<std::pair<document::Node, std::vector<std::string>>> known_;

  const std::vector<std::string>& prefixes_of(const document::Node& servers);
};

// The parameters of an operation: its own, and before them those of its path that it does not
// replace by the same (name, in). Header parameters that OpenAPI reserves are left out.
// Source: OpenAPI 3.1.0 §4.8.9.1, §4.8.10.1, §4.8.12.
std::vector<Parameter> load_parameters(LoadContext& context, const document::Node& path_list,
                                       const document::Node& operation_list);

// The headers of a map of names to Header Objects. `direction` is that of the message.
// Source: OpenAPI 3.1.0 §4.8.21.
std::vector<Parameter> load_headers(LoadContext& context, const document::Node& map,
                                    schema::Direction direction);

// "form" and so on; none for a word that is no style.
std::optional<Style> parse_style(std::string_view text);

// Finds the messages of an operation that depend on a part that is not understood: a parameter
// without a name, a reference that leads nowhere, a content key that is no media type. If that is
// tolerated (LoadOptions::tolerate) they are undecided, never valid. Schemas are not searched:
// spec/schema leaves theirs undecided.

// Fills the gaps of the operation, its body and its responses from the problems in `context`.
// `path_parameters` is the list of the operation's path.
void find_gaps(const LoadContext& context, const document::Node& path_parameters,
               Operation& operation);

// True if a message of the operation depends on a $ref that leads nowhere, or in a circle.
// `lost_schemas` holds the same for every schema. Precondition: find_gaps was called.
bool has_lost_reference(const Operation& operation, const std::vector<bool>& lost_schemas);

// The alternatives of a `security` list; an empty list requires nothing. A scheme that is not
// understood is of kind kOther and has no HTTP scheme. Source: OpenAPI 3.1.0 §4.8.27, §4.8.30.
std::vector<SecurityRequirement> load_security(LoadContext& context, const document::Node& list);

// Notes the problems of the document's schemes, also of those that are not used.
void check_security_schemes(LoadContext& context);

// Every entry of a `content` map in document order: media type, schema, examples, the encoding of
// forms, and the kind of body. Source: OpenAPI 3.1.0 §4.8.14, §4.8.15.
std::vector<MediaTypeObject> load_contents(LoadContext& context, const document::Node& map,
                                           schema::Direction direction);

// Notes the violations of OpenAPI in every object that inspection found, beyond the kinds of their
// fields (inspect.hpp). Neither serving nor validating depends on these rules: a document that
// violates them can be used, but is wrong.
void check_rules(LoadContext& context, const Inspection& inspection);

// Lists the standards, then the statements of `inspection`, in the order of the texts. Marks count
// if the document `has_marks`.
StatementTable read_statements(const Inspection& inspection, bool has_marks);

// Notes links that lead to no operation or name a parameter that it does not have. Serving does not
// need links. Precondition: the operations are loaded. Source: OpenAPI 3.1.0 §4.8.20.
void check_links(LoadContext& context, const Inspection& inspection);

// True for a method that `additionalOperations` may have: a token that is no fixed field's method.
// Source: OpenAPI 3.2.0, Path Item Object.
bool is_additional_method(std::string_view name);

// Fills the state's operations, routers and prefixes. Source: OpenAPI 3.1.0 §4.8.8 to
// §4.8.17.
void load_operations(LoadContext& context);

}  // namespace spec::contract::loading
