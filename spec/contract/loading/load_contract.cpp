#include "spec/contract/loading/load_contract.hpp"

#include "spec/contract/checking/serialized_examples.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/loading/load_steps.hpp"
#include "spec/schema/compiler/hints.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

namespace spec::contract {

namespace {

using document::Node;
using loading::Inspection;
using loading::LoadContext;
using loading::TypedNode;

// "3.1.0" is of 3.1; "3.10.0" is not.
bool is_minor_version(std::string_view version, std::string_view minor) {
  return version.starts_with(minor) &&
         (version.size() == minor.size() || version[minor.size()] == '.');
}

// Other kinds of documents that are mistaken for descriptions of an API, by a member of their root.
struct OtherDocument {
  std::string_view member;
  std::string_view text;
};

constexpr std::array kOtherDocuments = std::to_array<OtherDocument>(
    {{"asyncapi", "an AsyncAPI document, which describes messages and no HTTP operations"},
     {"overlay",
      "an Overlay, which changes a description: apply it first, and give the description that "
      "comes of it"},
     {"arazzo",
      "an Arazzo document: give one of the descriptions that its sourceDescriptions name"},
     {"item",
      "a Postman collection: export it as OpenAPI, or make fixtures of its examples (mock_server "
      "record --from FILE --into FOLDER)"},
     {"log",
      "a HAR, recorded calls: give the service's description, and make fixtures of the calls "
      "(mock_server record --from FILE --into FOLDER)"},
     {"$schema", "a JSON Schema, which describes data and no operations"}});

struct VersionRow {
  std::string_view minor;
  Version version;
};

constexpr std::array kVersions = std::to_array<VersionRow>(
    {{"3.0", Version::k30}, {"3.1", Version::k31}, {"3.2", Version::k32}});

// Throws LoadError, which names the version, for anything but OpenAPI 3.0, 3.1 and 3.2.
Version read_version(const Node& root) {
  if (!root.is_object()) {
    throw LoadError(root.problem("not an OpenAPI document: it must be an object"));
  }
  if (const Node swagger = root.find("swagger")) {
    throw LoadError(swagger.problem(
        "Swagger 2.0 is not supported, only OpenAPI 3.0 to 3.2; convert the document first"));
  }
  const Node version = root.find("openapi");
  if (!version) {
    const auto other = std::ranges::find_if(kOtherDocuments, [&root](const OtherDocument& kind) {
      return bool{root.find(kind.member)};
    });
    throw LoadError(root.problem(other == kOtherDocuments.end()
                                     ? "missing \"openapi\" version (3.0.x, 3.1.x or 3.2.x)"
                                     : "not an OpenAPI document, but " + std::string(other->text)));
  }
  const std::string_view text = version.is_string() ? version.string() : "";
  const auto* const known = std::ranges::find_if(
      kVersions, [&](const VersionRow& row) { return is_minor_version(text, row.minor); });
  if (known != kVersions.end()) {
    return known->version;
  }
  throw LoadError(version.problem(
      version.is_string() ? "OpenAPI \"" + std::string(text) +
                                "\" is not supported, only 3.0 to 3.2; convert the document to 3.2"
                          : "must be a string such as \"3.1.0\"; quote it"));
}

schema::Dialect read_dialect(LoadContext& context) {
  const auto dialect = schema::dialect_of_document(context.state.root);
  if (!dialect) {
    context.report(context.state.root.find("jsonSchemaDialect"), dialect.error());
  }
  return dialect ? *dialect : schema::Dialect::kOpenApi31;
}

// Source: OpenAPI 3.0.3 §4.7.24.1, `nullable`; 3.0.4 says so more plainly: null is added to the
// type of the same Schema Object, and everything else there goes on being asserted.
void warn_of_idle_nullable(LoadContext& context, const Node& node, schema::SchemaId schema) {
  const Node nullable = node.find("nullable");
  if (context.state.version == Version::k30 && nullable.is_boolean() && nullable.boolean() &&
      !loading::reference_in(node) &&
      schema::check(context.state.schemas, schema, nullptr) == schema::Verdict::kInvalid) {
    context.warn(nullable,
                 "\"nullable\" has no effect here: it needs \"type\" beside it, and allOf, enum "
                 "and the other keywords must allow null too");
  }
}

// Compiles every schema, also those that no message uses, so that every error is found.
void compile_all(LoadContext& context, const Inspection& inspection) {
  for (const TypedNode& typed : inspection.objects) {
    if (typed.kind != loading::ObjectKind::kSchema) {
      continue;
    }
    if (const auto schema = context.compile(typed.node)) {
      context.state.schema_ids.at(typed.node) = *schema;
      warn_of_idle_nullable(context, typed.node, *schema);
      loading::check_schema_examples(context, typed.node, *schema);
    }
  }
}

// Sorts by place and removes duplicates.
void sort_and_deduplicate(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& left, const Problem& right) {
    return std::tie(left.file, left.line, left.column) <
           std::tie(right.file, right.line, right.column);
  });
  problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
}

void index_operations(Contract::State& state) {
  for (const Operation& operation : state.operations) {
    state.by_id.emplace(operation.id, &operation);
  }
}

Inspection inspect(Contract::State& state, const LoadOptions& options, bool has_marks) {
  Inspection inspection = loading::inspect(state.library, state.root, state.version);
  if (!has_marks) {
    return inspection;
  }
  if (options.document_only) {
    state.root = loading::take_out_assumed(state.library, state.root, inspection);
    return loading::inspect(state.library, state.root, state.version);
  }
  state.assumptions = loading::list_marks(inspection);
  return inspection;
}

// Fills `state` as far as the document can be read; returns every problem of it.
std::vector<Problem> fill(Contract::State& state, const LoadOptions& options) {
  state.version = read_version(state.root);
  const loading::MarksVersion marks = loading::marks_version(state.root);
  const bool has_marks = marks == loading::MarksVersion::kOne;
  Inspection inspection = inspect(state, options, has_marks);
  LoadContext context{std::move(inspection.findings), state, options.tolerate,
                      options.keys_are_no_parameters};
  if (marks == loading::MarksVersion::kUnknown) {
    context.report(state.root.find("x-counterpart"),
                   "must be the number 1, the only known version of x-source and x-assumed; "
                   "without x-counterpart they are ignored");
  }
  if (has_marks) {
    std::ranges::move(loading::misplaced_marks(inspection, state.version),
                      std::back_inserter(context.problems));
  }
  context.compiler.emplace(state.library,
                           schema::CompileOptions{.dialect = read_dialect(context),
                                                  .tolerate = options.tolerate,
                                                  .disregard_contradictions = true},
                           state.schemas);
  state.table = loading::read_statements(inspection, has_marks);
  const Node info = state.root.find("info");
  state.title = loading::text_of(info, "title");
  state.info_version = loading::text_of(info, "version");
  loading::load_operations(context);
  loading::check_security_schemes(context);
  compile_all(context, inspection);
  loading::check_other_examples(context, inspection);
  sort_and_deduplicate(context.problems);
  loading::check_rules(context, inspection);
  loading::check_links(context, inspection);
  sort_and_deduplicate(context.openapi_violations);
  state.openapi_violations = std::move(context.openapi_violations);
  state.warnings = std::move(context.warnings);
  std::ranges::move(schema::hints(state.schemas), std::back_inserter(state.warnings));
  std::ranges::copy(state.openapi_violations, std::back_inserter(state.warnings));
  std::ranges::copy(state.schemas.not_understood(), std::back_inserter(context.problems));
  sort_and_deduplicate(context.problems);
  if (options.tolerate && !state.operations.empty()) {
    for (Problem& problem : std::exchange(context.problems, {})) {
      problem.message = kTolerated + problem.message;
      state.warnings.push_back(std::move(problem));
    }
  }
  sort_and_deduplicate(state.warnings);
  index_operations(state);
  return std::move(context.problems);
}

// The contract of a whole state, its serialized examples read.
Contract finish(std::unique_ptr<Contract::State> state) {
  Contract::State& filled = *state;
  Contract contract(std::move(state));
  for (Problem& problem : checking::read_serialized_examples(contract, filled)) {
    filled.warnings.push_back(problem);
    filled.openapi_violations.push_back(std::move(problem));
  }
  sort_and_deduplicate(filled.warnings);
  sort_and_deduplicate(filled.openapi_violations);
  return contract;
}

Contract build(std::unique_ptr<Contract::State> state, const LoadOptions& options) {
  std::vector<Problem> problems = fill(*state, options);
  if (!problems.empty() && !state->operations.empty()) {
    throw TolerableError(std::move(problems), state->missing_files());
  }
  if (!problems.empty()) {
    throw LoadError(std::move(problems), state->missing_files());
  }
  return finish(std::move(state));
}

document::Format format_of(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' ? document::Format::kJson
                                                               : document::Format::kYaml;
}

}  // namespace

Contract load_contract(const std::filesystem::path& file, const LoadOptions& options) {
  auto state = std::make_unique<Contract::State>();
  state->root = state->library.open(file);
  return build(std::move(state), options);
}

Contract load_contract_text(std::string_view text, const std::string& name,
                            const LoadOptions& options) {
  auto state = std::make_unique<Contract::State>();
  state->root = state->library.add("counterpart:/" + name, name, text, format_of(text));
  return build(std::move(state), options);
}

Examination examine_contract(const std::filesystem::path& file, const LoadOptions& options) {
  Examination found;
  auto state = std::make_unique<Contract::State>();
  try {
    state->root = state->library.open(file);
    found.problems = fill(*state, options);
    found.contract.emplace(found.problems.empty() ? finish(std::move(state))
                                                  : Contract(std::move(state)));
    const std::vector<Problem>& violations = found.contract->state().openapi_violations;
    std::ranges::copy_if(found.contract->warnings(), std::back_inserter(found.warnings),
                         [&violations](const Problem& warning) {
                           return std::ranges::find(violations, warning) == violations.end();
                         });
    for (Problem violation : violations) {
      violation.message += kOnlyWarned;
      found.problems.push_back(std::move(violation));
    }
    sort_and_deduplicate(found.problems);
  } catch (const LoadError& error) {
    found.problems = error.problems();
  }
  return found;
}

}  // namespace spec::contract
