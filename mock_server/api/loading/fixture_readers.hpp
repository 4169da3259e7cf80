#pragma once

// Places, conditions, rules and responses of operations.yaml, from nodes to data. Problems are
// collected; what could not be read is left out.

#include "mock_server/api/binding.hpp"
#include "mock_server/api/collection.hpp"
#include "mock_server/api/loaded_api.hpp"
#include "mock_server/api/loading/file_forms.hpp"
#include "mock_server/api/loading/node_reader.hpp"
#include "mock_server/api/scenario.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/resources/infer.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/schema_set.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::api::loading {

// False only if the contract certainly does not declare the place. A body composed of several
// schemas counts as declaring every member.
bool is_declared(const Place& place, const spec::contract::Operation& operation,
                 const LoadContext& context);

// The place at member `key` of `node`; a problem if it is not a place, or the operation does not
// declare it. `operation` may be null where there is none to check against.
std::optional<Place> read_place(const spec::document::Node& node, std::string_view key,
                                const spec::contract::Operation* operation, LoadContext& context);

std::vector<Condition> read_conditions(const spec::document::Node& list,
                                       const spec::contract::Operation* operation,
                                       LoadContext& context);

// Reads "response" or "error" of `node` into `rule`; false when there is neither. A body
// has the media type that the operation declares, if there is one.
bool read_said(const spec::document::Node& node, const spec::contract::Operation* operation,
               Rule& rule, LoadContext& context);

// The content of "stream" of `node`; a problem if the operation declares no stream. `operation` may
// be null where there is none to check against.
std::optional<StreamPlan> read_stream(const spec::document::Node& node,
                                      const spec::contract::Operation* operation,
                                      LoadContext& context);

// The content of "force".
ForcedStatus read_forced(const spec::document::Node& node, LoadContext& context);

// Of parameters; none for the body and the record.
std::optional<spec::contract::Location> location_of(Place::Root root);

// The value that the template at `node` makes; none if it is no template, or a problem.
std::optional<TemplateValue> read_template(const spec::document::Node& node, LoadContext& context);

// The body at `node` with its templates, and without the "literal"s around what is none.
ResponseTemplate read_body(const spec::document::Node& node, LoadContext& context);

// Chooses the forms of the rule's templates, unless that was done, and fills its response with
// values as the operation's calls could give them. A problem for each place that it does not
// declare.
void fill_with_samples(const spec::contract::Operation& operation, Rule& rule,
                       LoadContext& context);

// The template at whose place, or above whose place, the violation is; null for none.
const TemplateValue* template_of(const ResponseTemplate& made,
                                 const spec::contract::Violation& violation);

// True if another value of the request would be valid there.
bool depends_on_request(const ResponseTemplate& made, const spec::contract::Violation& violation);

std::vector<Rule> read_rules(const spec::document::Node& list,
                             const spec::contract::Operation& operation, LoadContext& context);

// Files that a change of the folders adds and removes, while it is checked and not written yet.
struct UnwrittenFiles {
  std::vector<std::filesystem::path> added;  // their texts are in the library
  std::vector<std::filesystem::path> removed;
};

// The paths in the folder as they are to be.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& folder,
                                            const UnwrittenFiles& unwritten);

// Readers of collections in fixture folders: records, and defaults of new ones.

// Puts every record of `folder` into the collections that are declared; a file that belongs to none
// is a load error.
void read_records(spec::document::Library& library, const std::filesystem::path& folder,
                  const UnwrittenFiles& unwritten, Collections& collections, Problems& problems);

// Reads `defaults` of a collection's entry; a member that an earlier folder declared is
// replaced. One without a sound form is left out.
void read_defaults(const spec::document::Node& entry, Collection& collection,
                   const Problems& problems);

// Finds the values that most records have, once all records are read. Without a common
// value there is no default.
void find_common_values(Collection& collection);

// A problem for each default that the schema of the collection's records does not allow.
void validate_defaults(const Collection& collection, const spec::schema::SchemaSet& schemas,
                       spec::schema::SchemaId schema, Problems& problems);

}  // namespace mock_server::api::loading

namespace mock_server::api {

// Scenarios of sessions, read and validated from their texts at first use, and those of fixtures
// beside them. Safe from any thread.

// A session's own scenario; from the cache of the loaded API, if it was read before. `text` is a
// scenario file's, in JSON.
std::shared_ptr<const ScenarioCache::ParsedScenario> read_own_scenario(const LoadedApi& api,
                                                                       const std::string& name,
                                                                       const std::string& text);

// The scenario of that name: the session's own, else the fixtures'; null if there is none, or the
// session's own is no longer valid.
std::shared_ptr<const Scenario> find_scenario(const LoadedApi& api, const state::Session& session,
                                              std::string_view name);

// The names of both, in order.
std::vector<std::string> scenario_names(const LoadedApi& api, const state::Session& session);

}  // namespace mock_server::api

namespace mock_server::api::loading {

// Records that collections start with (--seed-records), made when a collection is first asked for
// one: those of the contract's examples, then generated ones. A member that is called like the key
// of another collection's records
// ("customer_id") has the key of one that exists.

struct SeedPlan {
  std::size_t count = 0;  // in each collection
  std::uint64_t seed = 0;
  std::chrono::days today{0};  // as in LoadedApiOptions
  spec::document::Node node;   // the place that its records say they come from
};

// Gives seeds to the inferred collections that have no records. `bindings` are those of all
// operations; they, and the collections, keep their places. Those whose records belong to a parent
// of which nothing is known get none (Collection::why_unseeded). Gives what knows to which
// collections members refer, also where a plan has no records.
std::shared_ptr<References> add_seed_records(const spec::contract::Contract& contract,
                                             const std::vector<Binding>& bindings,
                                             const SeedPlan& plan, Collections& collections);

}  // namespace mock_server::api::loading

namespace mock_server::api {

// From folders of fixture files to a store. load_api.hpp loads the contract beside them.

// Reads the folders in order, later ones over earlier ones; `texts` are files that are already
// open, with what they are to hold. Throws LoadError with every problem.
FixtureStore load_fixtures(const spec::contract::Contract& contract,
                           const LoadedApiOptions& options, spec::document::Library texts,
                           loading::UnwrittenFiles unwritten = {});

// The same, but adds problems, warnings and notes to `found`.
FixtureStore examine_fixtures(const spec::contract::Contract& contract,
                              const LoadedApiOptions& options, Examination& found);

}  // namespace mock_server::api

namespace mock_server::api::loading {

// Reads what a `list` binding has of its own: filters, order, pages and totals.

// Without "elements" the list is of a collection's records.
ListPlan read_list(const spec::document::Node& node, const spec::contract::Operation& operation,
                   LoadContext& context);

// A problem at `node` if the operation's success response certainly has nothing at `tokens`.
void check_shown(const spec::document::Node& node, const std::vector<std::string>& tokens,
                 const spec::contract::Operation& operation, LoadContext& context);

// Bindings of operations.yaml, from nodes to data.

// The binding at `node`, whose key is the operation's id; nothing when it is unusable, with at
// least one problem saying why. In document-only mode a binding whose operation or key the contract
// lacks is left out silently.
std::optional<Binding> read_binding(const spec::document::Node& node,
                                    const Collections& collections, LoadContext& context);

// Scenario files, from nodes to data, and validated: every response as one of the operations that
// give it, every change of records as the responses that show them. Problems are collected.

// `bindings` are those of the fixtures, read and validated before.
Scenario read_scenario(std::string name, const spec::document::Node& node,
                       const std::vector<Binding>& bindings, LoadContext& context);

// Files that are part of the program.

// general_scenarios.yaml: scenarios that exist with every contract. load_fixtures reads it like
// scenario files, which replace its scenarios by name.
std::string_view general_scenarios();

// schemas/: the form of operations.yaml and of scenario files.
std::string_view operations_schema();
std::string_view scenario_schema();

// The file name of places in them.
inline constexpr std::string_view kBuiltIn = "built in";

// Bindings inferred from a contract, as the text of an operations.yaml: each entry in one line.

std::string operations_yaml(const spec::contract::resources::Inference& inference);

// The members of an object and of the objects in it, each in a line of its own; lists in one line.
std::string yaml_members(const nlohmann::ordered_json& object, const std::string& indent = "");

}  // namespace mock_server::api::loading
