// Secrets: found in every known encoding, and nothing else.

#include "contract_tests/client/exchange_text.hpp"
#include "contract_tests/client/secret_texts.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace contract_tests::client {
namespace {

const Secrets kSecrets{"sk_known/to_this_test", "test", R"(with"quote_in_it)", R"(with\back_in_it)",
                       R"(with\/both_in_it)"};

struct Spelling {
  std::string name;
  std::string text;
  std::optional<std::string> how;
};

using Spelt = spec::tests::RowTest;

TEST_P(Spelt, secrets_are_found) {
  const Spelling& given = GetParam();

  EXPECT_EQ(kSecrets.shown_in("before " + given.text + " behind"), given.how);
}

const std::vector<Spelling> kSecretsSpelt = {
    {"itself", "sk_known/to_this_test", ""},
    {"itself_in_quotes", "\"sk_known/to_this_test\"", ""},
    {"capitals", "SK_KNOWN/to_this_TEST", "in another letter case"},
    {"base64", "c2tfa25vd24vdG9fdGhpc190ZXN0", "in base64"},
    {"base64_behind_a_scheme", "x QmVhcmVyIHNrX2tub3duL3RvX3RoaXNfdGVzdA== y", "in base64"},
    {"base64_behind_a_name", "bWU6c2tfa25vd24vdG9fdGhpc190ZXN0", "in base64"},
    {"base64_without_padding", "eyJ0Ijoic2tfa25vd24vdG9fdGhpc190ZXN0IiwidSI6MX0", "in base64"},
    {"base64_escaped", "fn5za19rbm93bi90b190aGlzX3Rlc3Q%3D", "in base64"},
    {"hexadecimal", "736b5f6b6e6f776e2f746f5f746869735f74657374", "in hexadecimal"},
    {"hexadecimal_in_capitals_in_a_word", "x736B5F6B6E6F776E2F746F5F746869735F74657374y",
     "in hexadecimal"},
    {"percent", "%73%6B%5F%6B%6E%6F%77%6E%2F%74%6F%5F%74%68%69%73%5F%74%65%73%74",
     "percent-encoded"},
    {"small_percent", "%73%6b%5f%6b%6e%6f%77%6e%2f%74%6f%5f%74%68%69%73%5f%74%65%73%74",
     "percent-encoded"},
    {"percent_where_needed", "sk_known%2Fto_this_test", "percent-encoded"},
    {"percent_twice", "sk_known%252Fto_this_test", "percent-encoded"},
    {"capitals_in_percent", "SK_KNOWN%2fTO_THIS_TEST", "percent-encoded"},
    {"json_slash", R"("sk_known\/to_this_test")", "in JSON escapes"},
    {"json_letter", R"("s\u006b_known/to_this_test")", "in JSON escapes"},
    {"json_first_letter", R"("\u0073k_known/to_this_test")", "in JSON escapes"},
    {"json_capital_digits", R"("sk\u005Fknown\u002Fto_this_test")", "in JSON escapes"},
    {"json_of_another_letter", R"("sk_known\u012fto_this_test")", std::nullopt},
    {"json_quote", R"("with\"quote_in_it")", "in JSON escapes"},
    {"json_backslash", R"("with\\back_in_it")", "in JSON escapes"},
    {"a_backslash_as_itself", R"(with\back_in_it)", ""},
    {"a_backslash_and_a_slash_as_themselves", R"(with\/both_in_it)", ""},
    {"a_plain_word_as_credentials", "Bearer test", ""},
    {"a_plain_word_in_a_query", "?token=test", ""},
    {"a_plain_word", "a test of this", std::nullopt},
    {"a_longer_word", "xsk_known/to_this_test", std::nullopt},
    {"a_short_beginning", "%73%6B%5F%6B%6E%6F%77%6E", std::nullopt},
    {"another", "c2tfb3RoZXIvdG9fdGhhdF9yZXN0", std::nullopt},
    {"cut_base64", "c2tfa25vd24v", std::nullopt},
    {"base64_in_another_case", "C2TFA25VD24VDG9FDGHPC190ZXN0", std::nullopt},
    {"triplets_of_others", "%41%42%", std::nullopt},
    {"nothing", "", std::nullopt}};

INSTANTIATE_TEST_SUITE_P(Secrets, Spelt, testing::ValuesIn(spec::tests::rows(kSecretsSpelt)),
                         spec::tests::kRowNames);

TEST(Secrets, are_redacted_completely) {
  EXPECT_EQ(kSecrets.redacted("a sk_known%2Fto_this_test b Bearer test"),
            "a $TOKEN b Bearer $TOKEN");
  EXPECT_EQ(kSecrets.redacted("SK_known/to_this_testc2tfa25vd24vdG9fdGhpc190ZXN0."),
            "$TOKEN$TOKEN.");
  EXPECT_EQ(kSecrets.redacted(R"({"a":"sk_known\/to_this_test","b":"\n"})"),
            R"({"a":"$TOKEN","b":"\n"})");
}

TEST(Secrets, are_redacted_when_a_cut_text_ends_in_part_of_one) {
  EXPECT_EQ(kSecrets.redacted("c2tfa25vd24vdG9fdGhp"), "$TOKEN");
  EXPECT_EQ(kSecrets.redacted("sk_known/to_this"), "$TOKEN");
  EXPECT_EQ(kSecrets.redacted("736B5F6B6E6F776E2F746F5F"), "$TOKEN");
  EXPECT_EQ(kSecrets.redacted("sk_known/to_thi"), "sk_known/to_thi");
}

// A plain word would be found in every text.
TEST(Secrets, that_are_plain_words_have_no_spellings) {
  EXPECT_EQ(kSecrets.redacted("dGVzdA== tset 74657374"), "dGVzdA== tset 74657374");
}

TEST(Secrets, are_found_among_many_that_begin_alike) {
  std::vector<std::string> words;
  for (int at = 0; at < 3'000; ++at) {
    words.push_back("eyJhbGciOiJIUzI1NiJ9." + std::to_string(at) + ".of_a_caller");
  }
  const Secrets secrets(words);

  EXPECT_EQ(
      secrets.redacted("a=" + words[2'999] + "&b=" + words[17] + "&c=" + words[1].substr(0, 22)),
      "a=$TOKEN&b=$TOKEN&c=$TOKEN");
  EXPECT_EQ(secrets.redacted("eyJhbGciOiJIUzI"), "eyJhbGciOiJIUzI");
}

TEST(ShownPlace, has_no_secrets_and_no_controls) {
  const auto shown = [](std::string_view place) {
    return shown_place(place, [](const std::string& text) { return kSecrets.redacted(text); });
  };

  EXPECT_EQ(shown("body/a~1b/0/sk_known~1to_this_test/c"), "body/a~1b/0/$TOKEN/c");
  EXPECT_EQ(shown("/sk_known~1to_this_test"), "/$TOKEN");
  EXPECT_EQ(shown("header/X-~a"), "header/X-~a");
  EXPECT_EQ(shown("status"), "status");
  EXPECT_EQ(shown(std::string("body/a\n::b\x1b[2J\x7f\0", 16)),
            R"(body/a\n::b\u001b[2J\u007f\u0000)");
  EXPECT_EQ(shown("body/\xC2\x9B\xE2\x80\xAE"), R"(body/\u009b\u202e)");
}

TEST(Secrets, that_are_empty_are_ignored) {
  const Secrets secrets{""};

  EXPECT_TRUE(secrets.words().empty());
  EXPECT_EQ(secrets.redacted("a"), "a");
}

}  // namespace
}  // namespace contract_tests::client
