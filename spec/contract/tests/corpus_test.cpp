// Every description of the corpus is loaded with the warnings that it names itself; damaged in one
// place, it is rejected or warned of with its place and, where that is tolerated, loaded.

#include "spec/contract/tests/corpus.hpp"

#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/tests/damages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spec::contract {

namespace {

class Corpus : public testing::TestWithParam<Description> {};

TEST_P(Corpus, causes_no_unexpected_warning) {
  const Contract contract = load_contract(GetParam().file);
  std::vector<std::string> warnings;
  for (const Problem& problem : contract.warnings()) {
    warnings.push_back(to_line(problem));
  }

  std::vector<testing::Matcher<std::string>> expected;
  for (const document::Node& each : contract.root().find("x-warnings").elements()) {
    expected.push_back(testing::HasSubstr(std::string(each.string())));
  }
  EXPECT_THAT(warnings, testing::ElementsAreArray(expected));
}

// The problems without `tolerate`, or the warnings.
std::vector<Problem> reported(const std::string& text) {
  try {
    return load_contract_text(text, "contract.json").warnings();
  } catch (const LoadError& error) {
    return error.problems();
  }
}

TEST_P(Corpus, is_rejected_with_a_place_where_it_is_damaged) {
  for (const DamagedDescription& damaged : damaged_texts(GetParam().file)) {
    SCOPED_TRACE(damaged.what);

    for (const Problem& problem : reported(damaged.text)) {
      EXPECT_TRUE(problem.line > 0 && problem.column > 0 && !problem.file.empty())
          << to_line(problem);
    }
    try {
      load_contract_text(damaged.text, "contract.json", {.tolerate = true});
    } catch (const LoadError& error) {
      EXPECT_EQ(damaged.path_count, 1U) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, Corpus, testing::ValuesIn(corpus()), name_of);

}  // namespace

}  // namespace spec::contract
