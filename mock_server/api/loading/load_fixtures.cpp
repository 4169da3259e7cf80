#include "mock_server/api/loading/file_forms.hpp"
#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/api/loading/node_reader.hpp"
#include "mock_server/api/loading/validate_fixtures.hpp"
#include "mock_server/api/nested_collection.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/resources/infer.hpp"
#include "spec/document/document.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/compiler/hints.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace mock_server::api {
namespace {

namespace fs = std::filesystem;
namespace resources = spec::contract::resources;

using loading::boolean_at;
using loading::integer_at;
using loading::LoadContext;
using loading::operations_yaml;
using loading::pointer_at;
using loading::Problems;
using loading::SeedPlan;
using loading::text_at;
using loading::texts_at;
using spec::document::Node;

}  // namespace

// Builds a store step by step; every step adds its problems and continues.
struct FixtureStore::Builder {
  Builder(const spec::contract::Contract& the_contract, const LoadedApiOptions& options,
          spec::document::Library texts)
      : contract(the_contract),
        context{contract, store.errors_, options.document_only, problems, store.warnings_} {
    infers = options.infers && !options.document_only;
    seeds = {options.seed_records, options.seed, options.today, {}};
    store.library_ = std::move(texts);
  }

  void read_folder_head(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      problems.push_back({folder.string(), 0, 0, "", "there is no such folder of fixtures"});
      return;
    }
    folders.push_back(folder);
    if (const auto file = loading::operations_file(folder)) {
      if (const Node root = loading::open_text(store.library_, *file, problems)) {
        read_operations(root);
      }
    } else {
      folders_without_operations.push_back(folder);
    }
  }

  // Folders whose records go to the collections of others.
  Problems notes() const {
    Problems found;
    for (const fs::path& folder : folders_without_operations) {
      if (!store.collections_.empty()) {
        found.push_back({folder.string(), 0, 0, "",
                         "has no operations.yaml: its records are added to the collections of the "
                         "other folders and replace their records of the same key"});
      }
    }
    return found;
  }

  void read_operations(const Node& root) {
    loading::check_form(loading::FileKind::kOperations, root, problems);
    for (const auto& member : root.find("collections").members()) {
      read_collection(member);
    }
    for (const auto& member : root.find("operations").members()) {
      read_operation(member);
    }
    for (const auto& member : root.find("errors").members()) {
      read_error(member);
    }
    if (const Node list = root.find("credentials")) {
      read_credentials(list);
    }
    if (const Node list = root.find("rate_limits")) {
      read_rate_limits(list);
    }
  }

  void read_collection(const spec::document::Member& member) {
    const std::string name(member.key);
    const Node& node = member.value;
    Collection& collection = store.collections_.try_emplace(name, name).first->second;
    if (auto id = pointer_at(node, "id")) {
      collection.set_id(std::move(*id));
    }
    collection.set_scoped(boolean_at(node, "scoped").value_or(collection.is_scoped()));
    collection.set_single(boolean_at(node, "single").value_or(collection.is_single()));
    if (collection.is_single() && collection.id()) {
      context.report(node, "a \"single\" record has no key of its own: no \"id\"");
    }
    if (const auto first = text_at(node, "until_changed")) {
      collection.set_shows_examples_first(*first == "examples");
    }
    loading::read_defaults(node, collection, problems);
    if (const Node schema = node.find("schema")) {
      // A later folder may replace a schema of the other form.
      contract_schemas.erase(name);
      own_schema_nodes.erase(name);
      (schema.is_string() ? contract_schemas : own_schema_nodes).emplace(name, schema);
    }
  }

  // In document-only mode the form of an operation's binding that is not in the contract is no
  // problem either.
  void read_operation(const spec::document::Member& member) {
    if (context.document_only && contract.operation(member.key) == nullptr) {
      std::erase_if(problems, [&member](const spec::Problem& problem) {
        return loading::concerns(problem, member.value);
      });
    }
    binding_nodes.insert_or_assign(std::string(member.key), member.value);
  }

  void read_error(const spec::document::Member& member) {
    if (const auto kind = parse_error_kind(member.key)) {
      ErrorEntry& entry = store.errors_[*kind];
      entry.status = static_cast<int>(integer_at(member.value, "status").value_or(entry.status));
      entry.code = text_at(member.value, "code").value_or(entry.code);
      entry.message = text_at(member.value, "message").value_or(entry.message);
    }
  }

  void read_credentials(const Node& list) {
    std::vector<CredentialLine> lines;
    for (const Node& node : list.elements()) {
      const auto prefix = text_at(node, "prefix");
      lines.push_back({.text = std::string(text_at(node, "token").value_or(prefix.value_or(""))),
                       .is_prefix = prefix.has_value(),
                       .accepted = boolean_at(node, "accepted").value_or(true),
                       .methods = texts_at(node, "methods"),
                       .records = read_conditions(node.find("records"), nullptr, context)});
    }
    store.credentials_ = std::move(lines);
  }

  void read_rate_limits(const Node& list) {
    store.rate_limits_.clear();
    for (const Node& node : list.elements()) {
      RateLimitLine line{.operations = texts_at(node, "operations"), .limit = {}};
      for (const Node& operation : node.find("operations").elements()) {
        if (operation.is_string() && contract.operation(operation.string()) == nullptr &&
            !context.document_only) {
          context.report(operation, loading::unknown_operation(contract, operation.string()));
        }
      }
      // With a burst the limit is a token bucket, without one a window.
      line.limit = {static_cast<std::uint64_t>(integer_at(node, "requests").value_or(1)),
                    std::chrono::seconds(integer_at(node, "seconds").value_or(1)),
                    static_cast<std::uint64_t>(integer_at(node, "burst").value_or(0))};
      store.rate_limits_.push_back(std::move(line));
    }
  }

  void read_all_records() {
    for (const fs::path& folder : folders) {
      loading::read_records(store.library_, folder, unwritten, store.collections_, problems);
    }
    for (auto& [name, collection] : store.collections_) {
      loading::find_common_values(collection);
    }
  }

  void read_bindings() {
    for (const auto& [id, node] : binding_nodes) {
      if (auto binding = read_binding(node, store.collections_, context)) {
        store.bindings_.push_back(std::move(*binding));
      }
    }
  }

  // Bindings of the operations that have none yet. What does not load is left out, with the reason.
  void infer() {
    if (!infers) {
      return;
    }
    const resources::Inference found = resources::infer(contract, known(), collection_names());
    for (const auto& [operation, why] : found.unclear) {
      store.not_inferred_.emplace(operation->index, why);
    }
    if (found.bindings.empty()) {
      return;
    }
    const std::vector<std::string> declared = collection_names();
    const Node root = store.library_.add("counterpart:inferred", "inferred from the contract",
                                         operations_yaml(found), spec::document::Format::kYaml);
    for (const auto& member : root.find("collections").members()) {
      read_collection(member);
    }
    for (const resources::InferredBinding& one : found.bindings) {
      add_inferred(found, one, root.find("operations").find(one.operation->id));
    }
    store.inferred_operations_ = operations_yaml(kept(found));
    warn_of_split_collections(kept(found), declared);
    seeds.node = root;
    store.references_ = add_seed_records(contract, store.bindings_, seeds, store.collections_);
  }

  // Operations of "orders_2" do not see what those of "orders" change, which is hardly meant.
  void warn_of_split_collections(const resources::Inference& found,
                                 const std::vector<std::string>& declared) {
    std::map<std::string, std::vector<std::string>> split;  // operations, by inferred collection
    for (const resources::InferredBinding& one : found.bindings) {
      split[one.collection].push_back(one.operation->id);
    }
    for (const auto& [name, ids] : split) {
      const std::string base = name.substr(0, name.rfind('_'));
      const bool is_second = name.ends_with("_2") && std::ranges::count(declared, name) == 0;
      if (is_second && std::ranges::count(declared, base) != 0) {
        add_warning(context, split_warning(base, name, ids));
      }
    }
  }

  spec::Problem split_warning(const std::string& base, const std::string& inferred,
                              const std::vector<std::string>& ids) const {
    const std::string text = "the collection \"" + base + "\" is not that of " +
                             spec::text::names_listed(ids) + ", which use \"" + inferred +
                             "\", inferred and with other records; bind them to \"" + base +
                             "\", too: --check prints their lines";
    for (const Binding& binding : store.bindings_) {
      if (binding.collection != nullptr && binding.collection->name() == base) {
        return binding.node.problem(text);
      }
    }
    return {"", 0, 0, "", text};
  }

  void add_inferred(const resources::Inference& found, const resources::InferredBinding& one,
                    const Node& node) {
    Problems own;
    LoadContext own_context{contract, store.errors_, context.document_only, own, store.warnings_};
    auto binding = read_binding(node, store.collections_, own_context);
    if (binding) {
      prepare_and_validate(*binding, own_context);
      validate_shown(*binding, own);
    }
    if (!own.empty()) {
      store.not_inferred_.emplace(one.operation->index, own.front().message);
      return;
    }
    store.bindings_.push_back(std::move(*binding));
    store.inferred_.emplace(
        one.operation->index,
        InferredFrom{one.collection, one.is_certain, one.why, operations_yaml(alone(found, one))});
  }

  // The records that there are, as the binding shows them.
  void validate_shown(const Binding& binding, Problems& found) {
    if (binding.collection == nullptr) {
      return;
    }
    for (Record& record : store.collections_.find(binding.collection->name())->second.records()) {
      for (const RecordProblem& problem :
           validate_by_binding(record_rules(), binding, record.value)) {
        found.push_back(record.node.problem(in_full(problem)));
      }
    }
  }

  // The binding with the collections that it needs.
  static resources::Inference alone(const resources::Inference& found,
                                    const resources::InferredBinding& one) {
    std::set<std::string> names{one.collection};
    for (const auto& within : one.entry.value("within", nlohmann::ordered_json::array())) {
      names.insert(within.value("in", one.collection));
    }
    resources::Inference part;
    part.bindings.push_back(one);
    for (const auto& [name, entry] : found.collections) {
      if (names.contains(name)) {
        part.collections.emplace(name, entry);
      }
    }
    return part;
  }

  resources::Inference kept(resources::Inference found) const {
    std::erase_if(found.bindings, [this](const resources::InferredBinding& one) {
      return !store.inferred_.contains(one.operation->index);
    });
    return found;
  }

  resources::KnownBindings known() const {
    resources::KnownBindings found;
    for (const Binding& binding : store.bindings_) {
      if (binding.behaviour == Behaviour::kExample) {
        found.emplace(binding.operation, std::nullopt);
        continue;
      }
      const bool is_of_records = row_of(binding.behaviour).rank.has_value();
      found.emplace(binding.operation, is_of_records ? binding.collection->name() : "");
    }
    for (const auto& entry : binding_nodes) {  // also one that could not be read
      if (const auto* const operation = contract.operation(entry.first)) {
        found.emplace(operation, std::nullopt);
      }
    }
    return found;
  }

  std::vector<std::string> collection_names() const {
    std::vector<std::string> names;
    for (const auto& entry : store.collections_) {
      names.push_back(entry.first);
    }
    return names;
  }

  void validate() {
    for (const auto& [name, node] : own_schema_nodes) {
      try {
        apply_schema({store.own_schemas_.get(), compiler.compile(node)}, name);
      } catch (const spec::LoadError& failure) {
        problems.insert(problems.end(), failure.problems().begin(), failure.problems().end());
      }
    }
    for (const auto& [name, node] : contract_schemas) {
      apply_contract_schema(name, node);
    }
    for (auto& [name, collection] : store.collections_) {
      loading::validate_records(record_rules(), collection, context);
    }
    for (Binding& binding : store.bindings_) {
      prepare_and_validate(binding, context);
      validate_settings(store, binding, context);
    }
    warn_of_misspelt_members(store, context);
  }

  RecordRules record_rules() const { return {contract, store, folders, {}, context.document_only}; }

  void apply_contract_schema(const std::string& name, const Node& node) {
    const Node schema = nearest_below(contract.root(), node.string());
    const auto id = schema.pointer() == node.string() ? contract.schema_at(schema) : std::nullopt;
    // Without its assumed parts the contract allows no nulls, and records may have some.
    if (context.document_only) {
      return;
    }
    if (id) {
      apply_schema({&contract.schemas(), *id}, name);
    } else {
      context.report(node, "must be the JSON pointer of a schema in the contract");
    }
  }

  void apply_schema(const spec::schema::AppliedSchema& schema, const std::string& name) {
    const Collection& collection = store.collections_.find(name)->second;
    loading::validate_defaults(collection, *schema.schemas, schema.id, problems);
    store.record_schemas_.insert_or_assign(name, schema);
  }

  // Folders replace general scenarios, later folders those of earlier ones, by name.
  void read_scenarios() {
    std::map<std::string, Node> nodes;
    const Node general =
        store.library_.add("scenarios:general", std::string(loading::kBuiltIn),
                           loading::general_scenarios(), spec::document::Format::kYaml);
    for (const auto& member : general.members()) {
      nodes.insert_or_assign(std::string(member.key), member.value);
    }
    for (const fs::path& folder : folders) {
      for (const fs::path& path : loading::paths_in(folder / "scenarios", unwritten)) {
        if (loading::is_fixture_file(path)) {
          read_scenario_file(path, nodes);
        }
      }
    }
    for (const auto& [name, node] : nodes) {
      store.scenarios_.emplace(name, read_scenario(name, node, store.bindings_, context));
    }
  }

  void read_scenario_file(const fs::path& path, std::map<std::string, Node>& nodes) {
    const std::string name = path.stem().string();
    if (!state::is_session_name(name)) {
      problems.push_back(
          {path.string(), 0, 0, "",
           "the name of a scenario must have 1 to 64 letters, digits, '.', '_' or '-'"});
      return;
    }
    if (const Node root = loading::open_text(store.library_, path, problems)) {
      nodes.insert_or_assign(name, root);
    }
  }

  // Likely mistakes in the schemas of collections.
  Problems hints() const { return spec::schema::hints(*store.own_schemas_); }

  void index_bindings() {
    store.by_operation_.assign(contract.operations().size(), nullptr);
    for (const Binding& binding : store.bindings_) {
      store.by_operation_[binding.operation->index] = &binding;
      store.issues_tokens_ = store.issues_tokens_ || binding.issues.has_value();
      if (!binding.after.empty()) {
        store.collections_.find(binding.collection->name())->second.set_advances(true);
      }
    }
    for (auto& [parent, nested] : nested_collections(store.bindings_)) {
      Collection& collection = store.collections_.find(parent->name())->second;
      collection.set_nested(std::move(nested));
      collection.set_sent(sent_records(contract, store.bindings_, collection));
    }
    if (store.references_ == nullptr) {
      store.references_ =
          add_seed_records(contract, store.bindings_, SeedPlan{}, store.collections_);
    }
  }

  const spec::contract::Contract& contract;
  FixtureStore store;
  spec::schema::compiler::Compiler compiler{store.library_, {}, *store.own_schemas_};
  Problems problems;
  LoadContext context;
  loading::UnwrittenFiles unwritten;
  bool infers = false;
  SeedPlan seeds;
  std::vector<fs::path> folders;
  std::vector<fs::path> folders_without_operations;
  std::map<std::string, Node> binding_nodes;
  std::map<std::string, Node> own_schema_nodes;
  std::map<std::string, Node> contract_schemas;
};

namespace {

// `examines`: what is inferred is wanted in spite of problems.
void read_all(FixtureStore::Builder& builder, const std::vector<fs::path>& folders, bool examines) {
  for (const fs::path& folder : folders) {
    builder.read_folder_head(folder);
  }
  builder.read_all_records();
  builder.read_bindings();
  builder.validate();
  const bool is_sound = builder.problems.empty();
  if (is_sound || examines) {
    builder.infer();
  }
  if (is_sound && !builder.context.document_only) {
    loading::warn_of_unused_records(builder.store, builder.context);
  }
  builder.read_scenarios();
}

}  // namespace

FixtureStore load_fixtures(const spec::contract::Contract& contract,
                           const LoadedApiOptions& options, spec::document::Library texts,
                           loading::UnwrittenFiles unwritten) {
  FixtureStore::Builder builder(contract, options, std::move(texts));
  builder.unwritten = std::move(unwritten);
  read_all(builder, options.folders, false);
  if (!builder.problems.empty()) {
    throw spec::LoadError(std::move(builder.problems), builder.store.missing_files());
  }
  builder.index_bindings();
  return std::move(builder.store);
}

FixtureStore examine_fixtures(const spec::contract::Contract& contract,
                              const LoadedApiOptions& options, Examination& found) {
  FixtureStore::Builder builder(contract, options, {});
  read_all(builder, options.folders, true);
  std::ranges::move(builder.problems, std::back_inserter(found.problems));
  std::ranges::move(builder.hints(), std::back_inserter(found.warnings));
  std::ranges::copy(builder.store.warnings(), std::back_inserter(found.warnings));
  std::ranges::move(builder.notes(), std::back_inserter(found.notes));
  builder.index_bindings();
  return std::move(builder.store);
}

}  // namespace mock_server::api
