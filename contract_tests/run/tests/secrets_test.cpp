// Secrets in other spellings: found wherever they stand, and nothing else.

#include "contract_tests/run/secrets.hpp"

#include <gmock/gmock.h>

namespace contract_tests::run {
namespace {

const Secrets kSecrets{"sk_known/to_this_test", "test"};

struct Spelling {
  std::string name;
  std::string text;
  std::string how;  // "": not found
};

void PrintTo(const Spelling& spelling, std::ostream* out) {
  *out << spelling.name;
}

class Spelt : public testing::TestWithParam<Spelling> {};

TEST_P(Spelt, secrets_are_found_for_what_they_are) {
  const auto& given = GetParam();

  const auto spot = kSecrets.find_spelt("before " + given.text + " behind", 0, false);

  EXPECT_EQ(spot ? std::string(spot->how) : "", given.how);
}

INSTANTIATE_TEST_SUITE_P(
    Secrets, Spelt,
    testing::Values(
        Spelling{"base64", "c2tfa25vd24vdG9fdGhpc190ZXN0", "in base64"},
        Spelling{"base64_behind_a_scheme", "x QmVhcmVyIHNrX2tub3duL3RvX3RoaXNfdGVzdA== y",
                 "in base64"},
        Spelling{"base64_behind_a_name", "bWU6c2tfa25vd24vdG9fdGhpc190ZXN0", "in base64"},
        Spelling{"base64_without_padding", "eyJ0Ijoic2tfa25vd24vdG9fdGhpc190ZXN0IiwidSI6MX0",
                 "in base64"},
        Spelling{"base64_of_urls", "Pz9za19rbm93bi90b190aGlzX3Rlc3Q_Pz4=", "in base64"},
        Spelling{"base64_escaped", "fn5za19rbm93bi90b190aGlzX3Rlc3Q%3D", "in base64"},
        Spelling{"backwards", "a tset_siht_ot/nwonk_ks.", "backwards"},
        Spelling{"hexadecimal", "736b5f6b6e6f776e2f746f5f746869735f74657374", "in hexadecimal"},
        Spelling{"capital_hexadecimal", "736B5F6B6E6F776E2F746F5F746869735F74657374",
                 "in hexadecimal"},
        Spelling{"percent", "%73%6B%5F%6B%6E%6F%77%6E%2F%74%6F%5F%74%68%69%73%5F%74%65%73%74",
                 "escaped"},
        Spelling{"small_percent", "%73%6b%5f%6b%6e%6f%77%6e%2f%74%6f%5f%74%68%69%73%5f%74%65%73%74",
                 "escaped"},
        Spelling{"percent_where_needed", "sk_known%2Fto_this_test", "escaped"},
        Spelling{"percent_twice", "sk_known%252Fto_this_test", "escaped"},
        Spelling{"unicode",
                 "\\u0073\\u006b\\u005f\\u006b\\u006e\\u006f\\u0077\\u006e\\u002f\\u0074\\u006f\\u0"
                 "05f\\u0074\\u0068\\u0069\\u0073\\u005f\\u0074\\u0065\\u0073\\u0074",
                 "escaped"},
        Spelling{"unicode_of_one_letter", "s\\u006B_known/to_this_test", "escaped"},
        Spelling{"solidus", "sk_known\\/to_this_test", "escaped"},
        Spelling{"html",
                 "&#115;&#107;&#95;&#107;&#110;&#111;&#119;&#110;&#47;&#116;&#111;&#95;&#116;&#104;"
                 "&#105;&#115;&#95;&#116;&#101;&#115;&#116;",
                 "escaped"},
        Spelling{"html_in_hexadecimal",
                 "&#x73;&#x6b;&#x5f;&#x6b;&#x6e;&#x6f;&#x77;&#x6e;&#x2f;&#x74;&#x6f;&#x5f;&#x74;&#"
                 "x68;&#x69;&#x73;&#x5f;&#x74;&#x65;&#x73;&#x74;",
                 "escaped"},
        Spelling{"other_letters_escaped", "SK_KNOWN%2fTO_THIS_TEST", "escaped"},
        Spelling{"itself", "sk_known/to_this_test", ""},
        Spelling{"a_short_beginning", "%73%6B%5F%6B%6E%6F%77%6E", ""},
        Spelling{"another", "c2tfb3RoZXIvdG9fdGhhdF9yZXN0", ""},
        Spelling{"cut_base64", "c2tfa25vd24v", ""},
        Spelling{"escapes_of_others", "%41%42\\u0073\\u006b&#115;&#107;", ""},
        Spelling{"nothing", "", ""}),
    [](const auto& entry) { return entry.param.name; });

TEST(Secrets, are_cut_out_whole) {
  const auto coded = std::string("tset_siht_ot/nwonk_ks");

  const auto spot = kSecrets.find_spelt("a " + coded + " b", 0, false);

  ASSERT_TRUE(spot);
  EXPECT_EQ(spot->at, 2U);
  EXPECT_EQ(spot->size, coded.size());
}

TEST(Secrets, are_found_by_the_part_that_a_cut_text_leaves) {
  const auto cut = std::string("c2tfa25vd24vdG9fdGhp");

  EXPECT_FALSE(kSecrets.find_spelt(cut, 0, false));
  EXPECT_TRUE(kSecrets.find_spelt(cut, 0, true));
  EXPECT_FALSE(kSecrets.find_spelt(cut.substr(0, 15), 0, true));
}

// Of a plain word every text would show one.
TEST(Secrets, that_are_plain_words_have_no_spellings) {
  EXPECT_FALSE(kSecrets.find_spelt("dGVzdA== tset 74657374", 0, true));
}

}  // namespace
}  // namespace contract_tests::run
