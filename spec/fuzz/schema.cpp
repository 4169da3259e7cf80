// Schemas compiled and used. The input is a letter for the dialect, the text of a schema, a line
// "---" and the text of an instance. A schema that does not compile has an error with its place;
// the verdict and the explanation agree; and where the slow twin has a verdict too, it is the same.

#include "spec/document/library.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/compiler/hints.hpp"
#include "spec/schema/tests/twin/evaluate.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using nlohmann::json;
using spec::schema::SchemaId;
using spec::schema::SchemaSet;
using spec::schema::Verdict;

constexpr std::string_view kUri = "https://example.test/schema";
constexpr std::string_view kSeparator = "\n---\n";
constexpr std::size_t kMaxSteps = 100'000;
// The twin has no memory and skips nothing.
constexpr std::size_t kMaxTwinSteps = 20'000;

void demand(bool kept) {
  if (!kept) {
    std::abort();
  }
}

// "a" and "f": JSON Schema, with `format` as annotation or assertion; "o": OpenAPI 3.0; "t": 3.2;
// else 3.1.
spec::schema::CompileOptions options_of(char letter) {
  switch (letter) {
    case 'a': return {.dialect = spec::schema::Dialect::k2020_12, .assert_format = false};
    case 'f': return {.dialect = spec::schema::Dialect::k2020_12, .assert_format = true};
    case 'o': return {.dialect = spec::schema::Dialect::kOpenApi30, .assert_format = true};
    case 't': return {.dialect = spec::schema::Dialect::kOpenApi32, .assert_format = true};
    default: return {.dialect = spec::schema::Dialect::kOpenApi31, .assert_format = true};
  }
}

void check_problems(const std::vector<spec::Problem>& problems) {
  for (const spec::Problem& problem : problems) {
    demand(problem.line >= 1 && problem.column >= 1 && !problem.file.empty());
    demand(!problem.message.empty() && spec::text::is_utf8(problem.message));
  }
}

std::optional<spec::document::Node> load(spec::document::Library& library, std::string_view text) {
  try {
    return library.add(std::string(kUri), "schema", text, spec::document::Format::kYaml);
  } catch (const spec::LoadError&) {
    return std::nullopt;  // the document loader has a program of its own
  }
}

std::optional<SchemaId> compile(spec::schema::compiler::Compiler& compiler,
                                const SchemaSet& schemas, const spec::document::Node& root) {
  std::optional<SchemaId> id;
  try {
    id = compiler.compile(root);
  } catch (const spec::LoadError& error) {
    demand(!error.problems().empty());
    check_problems(error.problems());
  }
  check_problems(hints(schemas));
  return id;
}

// The instance, else its text as a string.
std::optional<json> read_instance(std::string_view text) {
  if (auto value = spec::json::read(text)) {
    return std::move(*value);
  }
  return spec::text::is_utf8(text) ? std::optional<json>(std::string(text)) : std::nullopt;
}

Verdict verdict_of(const SchemaSet& schemas, SchemaId id, const json& instance) {
  const spec::schema::ValidateOptions options{.max_steps = kMaxSteps};
  const Verdict verdict = check(schemas, id, instance, options);
  const auto violations = validate(schemas, id, instance, options);
  demand((verdict == Verdict::kValid) == violations.empty());
  demand(verdict != Verdict::kInvalid ||
         !std::ranges::all_of(violations, &spec::schema::Violation::undecided));
  for (const auto& violation : violations) {
    const auto message = violation.message.text();
    demand(!message.empty() && spec::text::is_utf8(message));
    demand(violation.statement && violation.statement.place().line >= 1);
    demand(violation.undecided || spec::json::find(instance, violation.instance) != nullptr);
  }
  return verdict;
}

// Words that the twin reads otherwise on purpose: it knows one dialect, and takes a document for a
// schema from its root on.
bool is_for_the_twin(std::string_view text) {
  constexpr std::array kOthers = std::to_array<std::string_view>(
      {"$schema", "$vocabulary", "$id", "dependencies", "openapi", "<<", "&", "\\"});
  return std::ranges::none_of(
      kOthers, [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

void compare_with_twin(const json& schema, const json& instance, bool assert_format,
                       Verdict verdict) {
  try {
    spec::schema::twin::Documents documents;
    const auto place = documents.add(std::string(kUri), schema);
    const bool valid = is_valid(documents, place, instance,
                                {.assert_format = assert_format, .max_steps = kMaxTwinSteps});
    demand(valid == (verdict == Verdict::kValid));
  } catch (const spec::schema::twin::LimitError&) {
  } catch (const spec::schema::twin::ReferenceError&) {
  }
}

// With tolerance every text compiles, and the understood part decides the same.
void demand_tolerance(const spec::document::Node& root, spec::document::Library& library,
                      spec::schema::CompileOptions options, const json& instance,
                      std::optional<Verdict> strict) {
  options.tolerate = true;
  SchemaSet schemas;
  spec::schema::compiler::Compiler compiler(library, options, schemas);
  const SchemaId id = compiler.compile(root);
  check_problems(schemas.not_understood());
  demand(strict.has_value() == schemas.not_understood().empty());
  const Verdict verdict = verdict_of(schemas, id, instance);
  demand(!strict || *strict == verdict);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find(kSeparator);
  if (input.empty() || cut == std::string_view::npos) {
    return 0;
  }
  const std::string_view text = input.substr(1, cut - 1);
  const auto instance = read_instance(input.substr(cut + kSeparator.size()));
  spec::document::Library library;
  const auto root = load(library, text);
  if (!root || !instance) {
    return 0;
  }
  SchemaSet schemas;
  spec::schema::compiler::Compiler compiler(library, options_of(input[0]), schemas);
  const auto id = compile(compiler, schemas, *root);
  const auto strict = id ? std::optional(verdict_of(schemas, *id, *instance)) : std::nullopt;
  demand_tolerance(*root, library, options_of(input[0]), *instance, strict);
  if (!id) {
    return 0;
  }
  const Verdict verdict = *strict;
  if ((input[0] == 'a' || input[0] == 'f') && verdict != Verdict::kUndecided &&
      is_for_the_twin(text)) {
    compare_with_twin(root->value(), *instance, input[0] == 'f', verdict);
  }
  return 0;
}
