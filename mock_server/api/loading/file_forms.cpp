#include "mock_server/api/loading/file_forms.hpp"

#include "mock_server/api/error_table.hpp"
#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/reply/fault.hpp"
#include "spec/document/library.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace mock_server::api::loading {
namespace {

using nlohmann::json;
using spec::document::Format;
using spec::document::Node;

template <typename Names>
json one_of(const Names& names) {
  return {{"enum", names}};
}

template <typename T, std::size_t N>
std::vector<std::string_view> names_of(const Words<T, N>& words) {
  std::vector<std::string_view> names;
  std::ranges::transform(words, std::back_inserter(names), &Words<T, N>::value_type::first);
  return names;
}

json object_of(const std::vector<std::string_view>& names, std::string_view member) {
  json properties = json::object();
  for (const std::string_view name : names) {
    properties[std::string(name)] = {{"$ref", member}};
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

// The schemas of what the program has tables of.
std::string words_schema() {
  return spec::json::write(
      {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
       {"$defs",
        {{"behaviour", one_of(names_of(kBehaviourNames))},
         {"shows", one_of(names_of(kShows))},
         {"on_null", one_of(names_of(kOnNull))},
         {"comparison", one_of(names_of(kComparisons))},
         {"total", one_of(names_of(kTotals))},
         {"totals", object_of(names_of(kTotals), "operations#/$defs/pointer")},
         {"fault", one_of(reply::kFaultNames)},
         {"error_kind", one_of(error_kind_names())},
         {"errors", object_of(error_kind_names(), "operations#/$defs/kind_of_error")}}}});
}

// The schema of a kind of file, compiled when the first of that kind is read.
struct Form {
  explicit Form(FileKind kind) {
    add("words", words_schema());
    Node root = add("operations", operations_schema());
    if (kind == FileKind::kScenario) {
      root = add("scenario", scenario_schema());
    }
    schema = spec::schema::compiler::Compiler(library, {}, schemas).compile(root);
  }

  Node add(const std::string& name, std::string_view text) {
    return library.add("counterpart:/" + name, std::string(kBuiltIn), text, Format::kJson);
  }

  spec::document::Library library;
  spec::schema::SchemaSet schemas;
  spec::schema::SchemaId schema = 0;
};

const Form& form_of(FileKind kind) {
  if (kind == FileKind::kOperations) {
    static const Form kOperations(kind);
    return kOperations;
  }
  static const Form kScenario(kind);
  return kScenario;
}

}  // namespace

void check_form(FileKind kind, const Node& root, Problems& problems) {
  const Form& form = form_of(kind);
  std::ranges::move(spec::schema::form_problems(form.schemas, form.schema, root),
                    std::back_inserter(problems));
}

bool concerns(const spec::Problem& problem, const Node& node) {
  const spec::Problem here = node.problem("");
  const std::size_t size = here.pointer.size();
  return problem.pointer.starts_with(here.pointer) &&
         (problem.pointer.size() == size || problem.pointer[size] == '/') &&
         problem.file == here.file;
}

bool is_sound(const Node& node, const Problems& problems) {
  return std::ranges::none_of(
      problems, [&node](const spec::Problem& problem) { return concerns(problem, node); });
}

}  // namespace mock_server::api::loading
