#include "mock_server/state/cells.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mock_server::state {
namespace {

struct MarkRow {
  const char* name = "";
  ContractMark kept;
  ContractMark now;
  const char* problem = "";
};

using ContractMarks = spec::tests::RowTest;

TEST_P(ContractMarks, tell_contracts_apart) {
  const MarkRow& row = GetParam();

  EXPECT_EQ(contract_problem(row.kept, row.now), row.problem);
}

const std::vector<MarkRow> kRowsContractMarks = {
    {"the_same", {"Pets", "1", "GET /pets\n"}, {"Pets", "1", "GET /pets\n"}, ""},
    {"one_that_was_changed",
     {"Pets", "1", "GET /a\nGET /pets\n"},
     {"Pets", "2", "GET /pets\nPUT /b\n"},
     ""},
    {"one_without_operations", {"Pets", "1", ""}, {"Pets", "2", "GET /pets\n"}, ""},
    {"another_title",
     {"Pets", "1", "GET /pets\n"},
     {"Cars", "1", "GET /pets\n"},
     "another contract, \"Pets\""},
    {"the_same_title_alone",
     {"API", "1", "GET /pets\n"},
     {"API", "2", "GET /cars\n"},
     "another contract of the same title, with no operation of this one"}};

INSTANTIATE_TEST_SUITE_P(Rows, ContractMarks,
                         ::testing::ValuesIn(spec::tests::rows(kRowsContractMarks)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::state
