// The evaluator against its slow twin, on generated pairs: COUNTERPART_PAIRS of them (20,000 if it
// is not set), from COUNTERPART_FIRST_SEED (0) on.

#include "spec/document/library.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/tests/twin/evaluate.hpp"
#include "spec/schema/tests/twin/generate.hpp"
#include "spec/schema/validator/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace spec::schema::twin {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

// "" when both evaluators and both ways of asking agree.
std::string difference(std::uint64_t seed) {
  const Pair pair = generate(seed);
  Documents documents;
  const Place place = documents.add("https://example.test/root", pair.schema);
  const bool slow = is_valid(documents, place, pair.instance, {.open_api = pair.open_api});

  document::Library library;
  SchemaSet schemas;
  compiler::Compiler compiler(
      library,
      {.dialect = pair.open_api ? Dialect::kOpenApi31 : Dialect::k2020_12, .assert_format = false},
      schemas);
  const SchemaId id =
      compiler.compile(library.add("https://example.test/root", "schema.json",
                                   spec::json::write(pair.schema), document::Format::kJson));
  const bool fast = check(schemas, id, pair.instance) == Verdict::kValid;
  const bool silent = validate(schemas, id, pair.instance).empty();
  if (slow == fast && fast == silent) {
    return "";
  }
  return "seed " + std::to_string(seed) + ": slow " + std::to_string(slow) + ", fast " +
         std::to_string(fast) + ", no violations " + std::to_string(silent);
}

TEST(Agreement, both_validators_agree_on_generated_pairs) {
  const std::uint64_t first = from_environment("COUNTERPART_FIRST_SEED", 0);
  const std::uint64_t pairs = from_environment("COUNTERPART_PAIRS", 20'000);
  std::vector<std::string> differences;
  for (std::uint64_t seed = first; seed < first + pairs && differences.size() < 10; ++seed) {
    if (std::string found = difference(seed); !found.empty()) {
      differences.push_back(std::move(found));
    }
  }

  EXPECT_THAT(differences, testing::IsEmpty());
}

}  // namespace
}  // namespace spec::schema::twin
