#include "spec/document/yaml_scalar.hpp"

#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace spec::document {
namespace {

struct Plain {
  std::string name;
  std::string text;
  Kind kind;
  std::string json = {};
};

void PrintTo(const Plain& plain, std::ostream* out) {
  *out << plain.text;
}

class YamlScalar : public testing::TestWithParam<Plain> {};

TEST_P(YamlScalar, means_what_the_core_schema_says) {
  const Scalar scalar = resolve_plain(GetParam().text);

  EXPECT_EQ(scalar.kind, GetParam().kind);
  EXPECT_EQ(scalar.text, GetParam().json);
  EXPECT_EQ(scalar.problem, "");
}

INSTANTIATE_TEST_SUITE_P(
    Words, YamlScalar,
    testing::Values(Plain{"empty", "", Kind::kNull}, Plain{"tilde", "~", Kind::kNull},
                    Plain{"null", "null", Kind::kNull}, Plain{"Null", "Null", Kind::kNull},
                    Plain{"NULL_", "NULL", Kind::kNull}, Plain{"nULL", "nULL", Kind::kString},
                    Plain{"true_", "true", Kind::kBoolean, "true"},
                    Plain{"True", "True", Kind::kBoolean, "true"},
                    Plain{"FALSE_", "FALSE", Kind::kBoolean, "false"},
                    Plain{"tRUE", "tRUE", Kind::kString}, Plain{"no", "no", Kind::kString},
                    Plain{"on", "on", Kind::kString}, Plain{"y", "y", Kind::kString},
                    Plain{"Yes", "Yes", Kind::kString}, Plain{"off", "off", Kind::kString},
                    Plain{"word", "word", Kind::kString}, Plain{"merge", "<<", Kind::kString}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Numbers, YamlScalar,
    testing::Values(Plain{"int", "12", Kind::kNumber, "12"},
                    Plain{"plus", "+12", Kind::kNumber, "12"},
                    Plain{"minus", "-12", Kind::kNumber, "-12"},
                    Plain{"zeros", "007", Kind::kNumber, "7"},
                    Plain{"only_zeros", "-000", Kind::kNumber, "-0"},
                    Plain{"long_int", "123456789012345678901234567890", Kind::kNumber,
                          "123456789012345678901234567890"},
                    Plain{"octal", "0o17", Kind::kNumber, "15"},
                    Plain{"hexadecimal", "0x1fF", Kind::kNumber, "511"},
                    Plain{"uint64", "0xFFFFFFFFFFFFFFFF", Kind::kNumber, "18446744073709551615"},
                    Plain{"decimal", "1.50", Kind::kNumber, "1.50"},
                    Plain{"point_first", "-.5", Kind::kNumber, "-0.5"},
                    Plain{"point_last", "5.", Kind::kNumber, "5.0"},
                    Plain{"exponent", "1e3", Kind::kNumber, "1e3"},
                    Plain{"signed_exponent", "+01.5E-03", Kind::kNumber, "1.5E-03"},
                    Plain{"point_and_exponent", "1.e3", Kind::kNumber, "1.0e3"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    NearNumbers, YamlScalar,
    testing::Values(
        Plain{"date", "2025-08-04", Kind::kString},
        Plain{"date_time", "2025-08-04T05:43:19Z", Kind::kString},
        Plain{"sexagesimal", "1:30", Kind::kString}, Plain{"underscore", "1_000", Kind::kString},
        Plain{"old_octal_is_decimal", "0777", Kind::kNumber, "777"},
        Plain{"binary", "0b11", Kind::kString}, Plain{"bare_octal", "0o", Kind::kString},
        Plain{"wrong_octal", "0o18", Kind::kString},
        Plain{"signed_hexadecimal", "-0x1F", Kind::kString},
        Plain{"signed_digits_in_hexadecimal", "0x-1F", Kind::kString},
        Plain{"dot", ".", Kind::kString}, Plain{"dash", "-", Kind::kString},
        Plain{"plus_only", "+", Kind::kString}, Plain{"two_points", "1.2.3", Kind::kString},
        Plain{"bare_exponent", "1e", Kind::kString},
        Plain{"bare_signed_exponent", "1e+", Kind::kString},
        Plain{"exponent_only", "e5", Kind::kString}, Plain{"infinity_word", "inf", Kind::kString},
        Plain{"two_signs", "+-1", Kind::kString}),
    tests::kRowNames);

struct Unfit {
  std::string name;
  std::string text;
  std::string problem;
};

void PrintTo(const Unfit& unfit, std::ostream* out) {
  *out << unfit.text;
}

class YamlScalarRejects : public testing::TestWithParam<Unfit> {};

TEST_P(YamlScalarRejects, what_json_cannot_hold) {
  EXPECT_EQ(resolve_plain(GetParam().text).problem, GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(
    , YamlScalarRejects,
    testing::Values(
        Unfit{"infinity", ".inf", "JSON has no number .inf; quote it if it is text"},
        Unfit{"negative_infinity", "-.INF", "JSON has no number -.INF; quote it if it is text"},
        Unfit{"not_a_number", ".NaN", "JSON has no number .NaN; quote it if it is text"},
        Unfit{"long_hexadecimal", "0x10000000000000000",
              "numbers have at most 64 bits in this notation: 0x10000000000000000"},
        Unfit{"huge_exponent", "1e1234567890123456789",
              "an exponent has at most 18 digits: 1e1234567890123456789"}),
    tests::kRowNames);

}  // namespace
}  // namespace spec::document
