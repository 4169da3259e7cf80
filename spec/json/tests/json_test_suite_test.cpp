// The public collection of JSON parsing texts, one test a file: "y_" must be accepted, "n_"
// rejected with the place, "i_" is left open by RFC 8259 and decided in the table below.

#include "spec/json/events.hpp"
#include "spec/json/read.hpp"
#include "spec/json/tests/testdata.hpp"
#include "spec/json/value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace spec::json {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAccepted = "";
constexpr std::string_view kExponent = "the exponent has ";
constexpr std::string_view kSurrogate = "half of a surrogate pair is not a character";
constexpr std::string_view kEncoding = "invalid UTF-8";
constexpr std::string_view kOtherEncoding = "expected a JSON value, found byte";
constexpr std::string_view kMark = "the text starts with a byte order mark; remove it";
constexpr std::string_view kDepth = "nested deeper than 128 levels";

// The decisions of this reader that RFC 8259 leaves open, by the start of the message. Numbers of
// any size are exact, only exponents are bounded; text that is not Unicode is rejected, for it
// could be neither stored nor sent on; so are byte order marks and other encodings (§8.1).
const std::map<std::string, std::string_view, std::less<>> kDecisions = {
    {"number_double_huge_neg_exp", kAccepted},
    {"number_huge_exp", kExponent},
    {"number_neg_int_huge_exp", kAccepted},
    {"number_pos_double_huge_exp", kAccepted},
    {"number_real_neg_overflow", kAccepted},
    {"number_real_pos_overflow", kAccepted},
    {"number_real_underflow", kAccepted},
    {"number_too_big_neg_int", kAccepted},
    {"number_too_big_pos_int", kAccepted},
    {"number_very_big_negative_int", kAccepted},
    {"object_key_lone_2nd_surrogate", kSurrogate},
    {"string_1st_surrogate_but_2nd_missing", kSurrogate},
    {"string_1st_valid_surrogate_2nd_invalid", kSurrogate},
    {"string_UTF-16LE_with_BOM", kOtherEncoding},
    {"string_UTF-8_invalid_sequence", kEncoding},
    {"string_UTF8_surrogate_U+D800", kEncoding},
    {"string_incomplete_surrogate_and_escape_valid", kSurrogate},
    {"string_incomplete_surrogate_pair", kSurrogate},
    {"string_incomplete_surrogates_escape_valid", kSurrogate},
    {"string_invalid_lonely_surrogate", kSurrogate},
    {"string_invalid_surrogate", kSurrogate},
    {"string_invalid_utf-8", kEncoding},
    {"string_inverted_surrogates_U+1D11E", kSurrogate},
    {"string_iso_latin_1", kEncoding},
    {"string_lone_second_surrogate", kSurrogate},
    {"string_lone_utf8_continuation_byte", kEncoding},
    {"string_not_in_unicode_range", kEncoding},
    {"string_overlong_sequence_2_bytes", kEncoding},
    {"string_overlong_sequence_6_bytes", kEncoding},
    {"string_overlong_sequence_6_bytes_null", kEncoding},
    {"string_truncated-utf-8", kEncoding},
    {"string_utf16BE_no_BOM", kOtherEncoding},
    {"string_utf16LE_no_BOM", kOtherEncoding},
    {"structure_500_nested_arrays", kDepth},
    {"structure_UTF-8_BOM_empty_object", kMark},
};

// Grammatical, but rejected by `read` as RFC 8259 §4 recommends: names should be unique.
bool has_duplicate_keys(std::string_view name) {
  return name.starts_with("object_duplicated_key");
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The offset is right when the bytes before it are the start of some JSON text: they read, or fail
// only because they end.
void expect_first_wrong_byte(std::string_view text, std::size_t offset) {
  ASSERT_LE(offset, text.size());
  const auto before = read(text.substr(0, offset));
  if (!before) {
    EXPECT_EQ(before.error().byte_offset, offset) << before.error().message;
  }
}

void expect_accepted(std::string_view name, const std::string& text) {
  IgnoreEvents grammar;
  EXPECT_FALSE(read_events(text, 128, grammar));
  const auto value = read(text);
  EXPECT_EQ(value.has_value(), !has_duplicate_keys(name));
  if (!value) {
    EXPECT_THAT(value.error().message, testing::StartsWith("duplicate member "));
  } else {
    EXPECT_TRUE(equal(*value, nlohmann::json::parse(text))) << write(*value);
  }
}

void expect_rejected(const std::string& text) {
  const auto value = read(text);
  ASSERT_FALSE(value);
  EXPECT_FALSE(value.error().message.empty());
  expect_first_wrong_byte(text, value.error().byte_offset);
}

void expect_decision(std::string_view name, const std::string& text) {
  const auto decision = kDecisions.find(name);
  ASSERT_NE(decision, kDecisions.end()) << "decide on this file in the table";
  const auto value = read(text);
  ASSERT_EQ(value.has_value(), decision->second.empty());
  if (!value) {
    EXPECT_THAT(value.error().message, testing::StartsWith(std::string(decision->second)));
    expect_first_wrong_byte(text, value.error().byte_offset);
  }
}

class ParsingText : public testing::Test {
 public:
  explicit ParsingText(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const std::string stem = path_.stem().string();
    const std::string_view name = std::string_view(stem).substr(2);
    const std::string text = read_file(path_);
    switch (stem[0]) {
      case 'y': return expect_accepted(name, text);
      case 'n': return expect_rejected(text);
      case 'i': return expect_decision(name, text);
      default: FAIL() << "what is " << path_;
    }
  }

 private:
  fs::path path_;
};

TEST(JsonTestSuiteFolder, is_there_with_its_318_texts) {
  const auto folder = testing_data::testdata("json-test-suite/test_parsing");
  if (!folder) {
    GTEST_SKIP() << "no JSON parsing texts: COUNTERPART_TESTDATA names no folder that holds them";
  }

  EXPECT_EQ(std::distance(fs::directory_iterator(*folder), {}), 318);
}

// Letters, digits and single underscores, for ctest takes nothing else; the number keeps names
// apart that differ in other characters only.
std::string slug(const std::string& stem, std::size_t number) {
  std::string name;
  for (const char byte : stem + "_" + std::to_string(number)) {
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                       (byte >= 'A' && byte <= 'Z');
    if (plain || (!name.empty() && name.back() != '_')) {
      name += plain ? byte : '_';
    }
  }
  return name;
}

bool register_texts() {
  const auto folder = testing_data::testdata("json-test-suite/test_parsing");
  std::vector<fs::path> paths;
  if (folder) {
    std::transform(fs::directory_iterator(*folder), {}, std::back_inserter(paths),
                   [](const fs::directory_entry& entry) { return entry.path(); });
  }
  std::sort(paths.begin(), paths.end());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    testing::RegisterTest("JsonTestSuite", slug(paths[i].stem().string(), i).c_str(), nullptr,
                          nullptr, __FILE__, __LINE__,
                          [path = paths[i]] { return new ParsingText(path); });
  }
  return !paths.empty();
}

const bool kRegistered = register_texts();

}  // namespace
}  // namespace spec::json
