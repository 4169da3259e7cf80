#include "spec/document/yaml_scalar.hpp"

#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::document {
namespace {

struct PlainRow {
  std::string name;
  std::string text;
  Kind kind;
  std::string json = {};
};

using YamlScalar = spec::tests::RowTest;

TEST_P(YamlScalar, means_what_the_core_schema_says) {
  const PlainRow& row = GetParam();

  const Scalar scalar = resolve_plain(row.text);

  EXPECT_EQ(scalar.kind, row.kind);
  EXPECT_EQ(scalar.text, row.json);
  EXPECT_EQ(scalar.problem, "");
}

const std::vector<PlainRow> kWordsYamlScalar = {{"empty", "", Kind::kNull},
                                                {"tilde", "~", Kind::kNull},
                                                {"null", "null", Kind::kNull},
                                                {"Null", "Null", Kind::kNull},
                                                {"NULL_", "NULL", Kind::kNull},
                                                {"nULL", "nULL", Kind::kString},
                                                {"true_", "true", Kind::kBoolean, "true"},
                                                {"True", "True", Kind::kBoolean, "true"},
                                                {"FALSE_", "FALSE", Kind::kBoolean, "false"},
                                                {"tRUE", "tRUE", Kind::kString},
                                                {"no", "no", Kind::kString},
                                                {"on", "on", Kind::kString},
                                                {"y", "y", Kind::kString},
                                                {"Yes", "Yes", Kind::kString},
                                                {"off", "off", Kind::kString},
                                                {"word", "word", Kind::kString},
                                                {"merge", "<<", Kind::kString}};

INSTANTIATE_TEST_SUITE_P(Words, YamlScalar, testing::ValuesIn(spec::tests::rows(kWordsYamlScalar)),
                         spec::tests::kRowNames);

const std::vector<PlainRow> kNumbersYamlScalar = {
    {"int", "12", Kind::kNumber, "12"},
    {"plus", "+12", Kind::kNumber, "12"},
    {"minus", "-12", Kind::kNumber, "-12"},
    {"zeros", "007", Kind::kNumber, "7"},
    {"only_zeros", "-000", Kind::kNumber, "-0"},
    {"long_int", "123456789012345678901234567890", Kind::kNumber, "123456789012345678901234567890"},
    {"octal", "0o17", Kind::kNumber, "15"},
    {"hexadecimal", "0x1fF", Kind::kNumber, "511"},
    {"uint64", "0xFFFFFFFFFFFFFFFF", Kind::kNumber, "18446744073709551615"},
    {"decimal", "1.50", Kind::kNumber, "1.50"},
    {"point_first", "-.5", Kind::kNumber, "-0.5"},
    {"point_last", "5.", Kind::kNumber, "5.0"},
    {"exponent", "1e3", Kind::kNumber, "1e3"},
    {"signed_exponent", "+01.5E-03", Kind::kNumber, "1.5E-03"},
    {"point_and_exponent", "1.e3", Kind::kNumber, "1.0e3"}};

INSTANTIATE_TEST_SUITE_P(Numbers, YamlScalar,
                         testing::ValuesIn(spec::tests::rows(kNumbersYamlScalar)),
                         spec::tests::kRowNames);

const std::vector<PlainRow> kNearNumbersYamlScalar = {
    {"date", "2025-08-04", Kind::kString},
    {"date_time", "2025-08-04T05:43:19Z", Kind::kString},
    {"sexagesimal", "1:30", Kind::kString},
    {"underscore", "1_000", Kind::kString},
    {"old_octal_is_decimal", "0777", Kind::kNumber, "777"},
    {"binary", "0b11", Kind::kString},
    {"bare_octal", "0o", Kind::kString},
    {"wrong_octal", "0o18", Kind::kString},
    {"signed_hexadecimal", "-0x1F", Kind::kString},
    {"signed_digits_in_hexadecimal", "0x-1F", Kind::kString},
    {"dot", ".", Kind::kString},
    {"dash", "-", Kind::kString},
    {"plus_only", "+", Kind::kString},
    {"two_points", "1.2.3", Kind::kString},
    {"bare_exponent", "1e", Kind::kString},
    {"bare_signed_exponent", "1e+", Kind::kString},
    {"exponent_only", "e5", Kind::kString},
    {"infinity_word", "inf", Kind::kString},
    {"two_signs", "+-1", Kind::kString}};

INSTANTIATE_TEST_SUITE_P(NearNumbers, YamlScalar,
                         testing::ValuesIn(spec::tests::rows(kNearNumbersYamlScalar)),
                         spec::tests::kRowNames);

struct UnfitRow {
  std::string name;
  std::string text;
  std::string problem;
};

using YamlScalarRejects = spec::tests::RowTest;

TEST_P(YamlScalarRejects, what_json_cannot_hold) {
  const UnfitRow& row = GetParam();

  EXPECT_EQ(resolve_plain(row.text).problem, row.problem);
}

const std::vector<UnfitRow> kYamlScalarRejectsRows = {
    {"infinity", ".inf", "JSON has no number .inf; quote it if it is text"},
    {"negative_infinity", "-.INF", "JSON has no number -.INF; quote it if it is text"},
    {"not_a_number", ".NaN", "JSON has no number .NaN; quote it if it is text"},
    {"long_hexadecimal", "0x10000000000000000",
     "numbers have at most 64 bits in this notation: 0x10000000000000000"},
    {"huge_exponent", "1e1234567890123456789",
     "an exponent has at most 18 digits: 1e1234567890123456789"}};

INSTANTIATE_TEST_SUITE_P(, YamlScalarRejects,
                         testing::ValuesIn(spec::tests::rows(kYamlScalarRejectsRows)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::document
