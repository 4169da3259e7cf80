// Tables of parameterised tests. GoogleTest compiles some hundred functions for each type of
// fixture and of parameter, half a second of a compiler's time; tables of all row types share
// these:
//
//   struct Row { std::string name; std::string text; bool expected; };
//   using Schemes = spec::tests::RowTest;
//   TEST_P(Schemes, are_recognised) { const Row& row = GetParam(); ... }
//   const std::vector<Row> kSchemes = {{"http", "http://x", true}, ...};
//   INSTANTIATE_TEST_SUITE_P(Table, Schemes, testing::ValuesIn(spec::tests::rows(kSchemes)),
//                            spec::tests::kRowNames);
//
// Two suites of one name in a program become one, whose tests then fail by std::bad_any_cast.
#pragma once

#include <gtest/gtest.h>

#include <any>
#include <ostream>
#include <string>
#include <vector>

namespace spec::tests {

// A row of a table. Where its type is wanted, it is of that type, or throws std::bad_any_cast.
struct AnyRow {
  template <class Row>
  operator const Row&() const {  // NOLINT(google-explicit-constructor): a test names the type
    return std::any_cast<const Row&>(row);
  }

  friend void PrintTo(const AnyRow& one, std::ostream* out) { *out << one.name; }

  std::string name;
  std::any row;
};

// The rows of a table, which have a member `name`.
template <class Table>
std::vector<AnyRow> rows(const Table& table) {
  std::vector<AnyRow> all;
  for (const auto& row : table) {
    all.push_back({std::string(row.name), row});
  }
  return all;
}

class RowTest : public testing::TestWithParam<AnyRow> {};

// Names of tests: each row is called by its member `name`.
inline constexpr auto kRowNames = [](const auto& row) { return std::string(row.param.name); };

}  // namespace spec::tests
