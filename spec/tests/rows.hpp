// Tables of parameterised tests. GoogleTest compiles some hundred functions for each type of
// fixture and of parameter, half a second of a compiler's time; a table of any row type has these
// types instead:
//
//   struct Row { std::string name; std::string text; bool expected; };
//   using Schemes = spec::tests::RowTest;
//   TEST_P(Schemes, are_recognised) { const Row& row = GetParam(); ... }
//   const std::vector<Row> kSchemes = {{"http", "http://x", true}, ...};
//   INSTANTIATE_TEST_SUITE_P(Table, Schemes, testing::ValuesIn(spec::tests::rows(kSchemes)),
//   spec::tests::kRowNames);
//
// A fixture with members of its own derives from testing::TestWithParam<Row> as usual.
#pragma once

#include <gtest/gtest.h>

#include <any>
#include <ostream>
#include <string>
#include <vector>

namespace spec::tests {

// A row of a table. Where its type is wanted, it is of that type, or throws std::bad_any_cast.
class AnyRow {
 public:
  template <class Row>
  static AnyRow of(const Row& row) {
    AnyRow made;
    made.row_ = row;
    made.print_ = [](const std::any& any, std::ostream& out) {
      out << testing::PrintToString(std::any_cast<const Row&>(any));
    };
    if constexpr (requires { std::string(row.name); }) {
      made.name = std::string(row.name);
    }
    return made;
  }

  template <class Row>
  operator const Row&() const {  // NOLINT(google-explicit-constructor): a test names the type
    return std::any_cast<const Row&>(row_);
  }

  friend void PrintTo(const AnyRow& row, std::ostream* out) { row.print_(row.row_, *out); }

  std::string name;  // the row's member `name`; empty if it has none

 private:
  std::any row_;
  void (*print_)(const std::any&, std::ostream&) = nullptr;
};

template <class Rows>
std::vector<AnyRow> rows(const Rows& table) {
  std::vector<AnyRow> all;
  for (const auto& row : table) {
    all.push_back(AnyRow::of(row));
  }
  return all;
}

class RowTest : public testing::TestWithParam<AnyRow> {};

// Names of tests: each row is called by its member `name`.
inline constexpr auto kRowNames = [](const auto& row) { return std::string(row.param.name); };

}  // namespace spec::tests
