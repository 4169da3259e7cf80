#include "mock_server/state/contract_mark.hpp"

#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace mock_server::state {
namespace {

struct MarkRow {
  const char* name = "";
  ContractMark kept;
  ContractMark now;
  const char* problem = "";
};

void PrintTo(const MarkRow& row, std::ostream* out) {
  *out << row.name;
}

class ContractMarks : public ::testing::TestWithParam<MarkRow> {};

TEST_P(ContractMarks, tell_contracts_apart) {
  EXPECT_EQ(contract_problem(GetParam().kept, GetParam().now), GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ContractMarks,
    ::testing::Values(
        MarkRow{"the_same", {"Pets", "1", "GET /pets\n"}, {"Pets", "1", "GET /pets\n"}, ""},
        MarkRow{"one_that_was_changed",
                {"Pets", "1", "GET /a\nGET /pets\n"},
                {"Pets", "2", "GET /pets\nPUT /b\n"},
                ""},
        MarkRow{"one_without_operations", {"Pets", "1", ""}, {"Pets", "2", "GET /pets\n"}, ""},
        MarkRow{"another_title",
                {"Pets", "1", "GET /pets\n"},
                {"Cars", "1", "GET /pets\n"},
                "another contract, \"Pets\""},
        MarkRow{"the_same_title_alone",
                {"API", "1", "GET /pets\n"},
                {"API", "2", "GET /cars\n"},
                "another contract of the same title, with no operation of this one"}),
    spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::state
