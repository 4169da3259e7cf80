#include "mock_server/api/loading/file_forms.hpp"

#include "mock_server/api/loading/fixture_members.hpp"
#include "spec/document/library.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

namespace mock_server::api::loading {
namespace {

using testing::Contains;
using testing::ElementsAreArray;

// "column: message" of each problem of a text on one line.
std::vector<std::string> problems_of(FileKind kind, const std::string& text) {
  spec::document::Library library;
  Problems problems;
  check_form(kind, library.add("test:form", "f.yaml", text, spec::document::Format::kYaml),
             problems);
  std::vector<std::string> lines;
  for (const spec::Problem& problem : problems) {
    lines.push_back(std::to_string(problem.column) + ": " + problem.message);
  }
  return lines;
}

struct FormRow {
  const char* name;
  FileKind kind;
  std::string text;
  std::vector<std::string> problems;
};

using FileFormTest = spec::tests::RowTest;

TEST_P(FileFormTest, are_validated_with_places_and_what_was_meant) {
  const FormRow& row = GetParam();

  EXPECT_THAT(problems_of(row.kind, row.text), ElementsAreArray(row.problems));
}

const std::vector<FormRow> kFormRows = {
    {"a_list", FileKind::kOperations, "[]", {"1: must be an object, but is []"}},
    {"a_misspelt_part",
     FileKind::kOperations,
     "{operation: {}}",
     {"13: must be a known property, but \"operation\" is not; did you mean \"operations\"?"}},
    {"a_misspelt_member_of_a_behaviour",
     FileKind::kOperations,
     "operations: {a: {behaviour: read, collection: c, key: /path/a, hidden: [x]}}",
     {"72: must be a known property, but \"hidden\" is not; did you mean \"hide\"?"}},
    {"a_member_of_another_behaviour",
     FileKind::kOperations,
     "operations: {a: {behaviour: update, collection: c, key: /path/a, fields: {}, from: /data}}",
     {"84: must be a known property, but \"from\" is not"}},
    {"wrong_types",
     FileKind::kOperations,
     "operations: {a: {behaviour: read, collection: 5, key: /path/a, hide: x}}",
     {"47: must be a string, but is 5", "70: must be an array, but is \"x\""}},
    {"a_list_of_a_record_has_no_totals",
     FileKind::kOperations,
     "operations: {a: {behaviour: list, collection: c, key: /path/a, elements: /b, into: /c, "
     "totals: {count: /n}, paging: {cursor: /query/c}}}",
     {"126: must be a known property, but \"cursor\" is not",
      "96: must be a known property, but \"totals\" is not"}},
    {"a_list_of_an_example_has_no_records",
     FileKind::kOperations,
     "operations: {a: {behaviour: example, into: /c, elements: /b}}",
     {"58: must not be there, but is \"/b\""}},
    {"a_pointer",
     FileKind::kOperations,
     "collections: {c: {id: name}}",
     {"23: must be a JSON pointer (RFC 6901), but is \"name\""}},
    {"an_operand",
     FileKind::kOperations,
     "credentials: [{token: t, records: [{at: /record/a, exists: no, absent: true}]}]",
     {"60: must be true, but is \"no\"",
      "36: must have exactly one of equals, equals_at, exists, absent, before_now, after_now, "
      "after_at, among, contains, matches, less, greater, any, not"}},
    {"a_rate",
     FileKind::kOperations,
     "rate_limits: [{requests: -1, second: 1, burst: 0}]",
     {"15: must have \"seconds\", but has \"second\"", "26: must be at least 0, but is -1",
      "48: must be 1 to 1000000, but is 0",
      "38: must be a known property, but \"second\" is not; did you mean \"seconds\"?"}},
    {"a_word",
     FileKind::kScenario,
     "{description: d, rules: [{steps: [{fault: restet}]}]}",
     {"43: must be one of reset, empty, truncate, wrong-length, bad-chunk, garbage, slow-body, "
      "slow-close, stall, split-writes, cut-item, late-item, repeated-item, swapped-items, "
      "malformed-item, but is \"restet\"; did you mean \"reset\"?"}},
    {"two_responses",
     FileKind::kScenario,
     "{description: d, rules: [{force: {status: 500}, error: {use: internal, message: m}}]}",
     {"26: must have only one of \"response\", \"error\" and \"force\""}},
    {"a_message_beside_a_text",
     FileKind::kScenario,
     "{description: d, rules: [{force: {status: 500, message: m, text: t}}]}",
     {"34: must not have \"message\" beside \"text\", which is the whole body"}},
    {"an_empty_message_beside_a_text",
     FileKind::kScenario,
     "{description: d, rules: [{force: {status: 500, message: \"\", text: t}}]}",
     {}}};

INSTANTIATE_TEST_SUITE_P(Fixtures, FileFormTest, testing::ValuesIn(spec::tests::rows(kFormRows)),
                         spec::tests::kRowNames);

// A behaviour without a form of its own would take any member.
TEST(BehaviourForms, know_their_members) {
  for (const auto& [name, behaviour] : kBehaviourNames) {
    EXPECT_THAT(problems_of(FileKind::kOperations,
                            "operations: {a: {zzz: 1, behaviour: " + std::string(name) + "}}"),
                Contains("23: must be a known property, but \"zzz\" is not"))
        << name;
  }
}

}  // namespace
}  // namespace mock_server::api::loading
