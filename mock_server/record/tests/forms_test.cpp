// Secrets by their form.

#include "mock_server/record/forms.hpp"

#include "mock_server/record/named_values.hpp"
#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>

namespace mock_server::record {
namespace {

struct FormRow {
  std::string name;
  std::string text;
  std::string found;  // "" for nothing
};

void PrintTo(const FormRow& row, std::ostream* out) {
  *out << row.name;
}

class SecretForms : public testing::TestWithParam<FormRow> {};

TEST_P(SecretForms, are_found) {
  const auto found = find_secret_form(GetParam().text);

  EXPECT_EQ(found ? std::string(*found) : "", GetParam().found);
}

const std::string kKey = "-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\n-----END RSA PRIVATE KEY-----";

INSTANTIATE_TEST_SUITE_P(
    Table, SecretForms,
    testing::Values(
        FormRow{"mail", "by <mira.k+x@a-b.example>, ok", "mira.k+x@a-b.example"},
        FormRow{"mail_in_bytes_that_are_no_utf8", "\xff mira@b.example", "mira@b.example"},
        FormRow{"mail_before_a_full_stop", "to a@b.example.", "a@b.example"},
        FormRow{"no_host", "a@b and @c.d and e@", ""},
        FormRow{"replacement_of_a_mail", "redacted-0123456789ab@example.com", ""},
        FormRow{"behind_a_replacement", "redacted-0123456789ab@example.com,a@b.c", "a@b.c"},
        FormRow{"key_of_an_environment", "is sk_live_abcdefgh!", "sk_live_abcdefgh"},
        FormRow{"short_key", "dodo_test_me", ""},
        FormRow{"key_of_a_maker", "ghp_abcdefghijkl.", "ghp_abcdefghijkl"},
        FormRow{"word_with_the_letters_of_a_key", "ask-questions-of-them", ""},
        FormRow{"web_token", "t=eyJhbGciOi.eyJzdWIiOi.sig-_ x", "eyJhbGciOi.eyJzdWIiOi.sig-_"},
        FormRow{"half_a_web_token", "eyJhbGciOi.eyJzdWIiOi", ""},
        FormRow{"private_key", "a " + kKey + " b", kKey},
        FormRow{"private_key_that_is_cut", "-----BEGIN PRIVATE KEY-----\\nMII",
                "-----BEGIN PRIVATE KEY-----\\nMII"},
        FormRow{"public_key", "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----", ""},
        FormRow{"credential_after_its_scheme", "it was bearer abcdefgh==", "abcdefgh"},
        FormRow{"user_and_password_of_a_url", "at postgres://app:pa:s@s@db/x.", "app:pa:s@s"},
        FormRow{"token_of_a_url", "git+https://abc@git.example", "abc"},
        FormRow{"url_without_a_user", "http://a/b@c and http://:80?a@", ""},
        FormRow{"replaced_user_of_a_url", "https://redacted-0123456789ab@b.example/", ""},
        FormRow{"no_scheme", "://a:b@c", ""},
        FormRow{"redacted_credential", "Bearer redacted-0123456789ab", ""}),
    spec::tests::kRowNames);

class NamedValues : public testing::TestWithParam<FormRow> {};

TEST_P(NamedValues, are_found) {
  const auto found = find_named_value(
      GetParam().text, [](std::string_view name) { return name == "pw" || name == "password"; });

  EXPECT_EQ(found ? std::string(*found) : "", GetParam().found);
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, NamedValues,
    testing::Values(FormRow{"name_first", R"(<input name="pw" value="a b">)", "a b"},
                    FormRow{"value_first", R"(<INPUT VALUE='a"b' data-x Name = pw />)", "a\"b"},
                    FormRow{"without_quotes", "<input name=pw value=a/b>c", "a/b"},
                    FormRow{"type", R"(<input type=password name=x value="ab"/>)", "ab"},
                    FormRow{"id", R"(<input id="pw" value="ab">)", "ab"},
                    FormRow{"key", R"(<add key="pw" value="ab"/>)", "ab"},
                    FormRow{"meta", R"(<meta name="pw" content="ab">)", "ab"},
                    FormRow{"brackets", R"(<input name="pw" value="a<b>c"> "d")", "a<b>c"},
                    FormRow{"cut", R"(<input name="pw" value="a)", "a"},
                    FormRow{"second", R"(<input name=a value=b><input name=pw value=c>)", "c"},
                    FormRow{"other_element", R"(<input name="pw"><input value="ab">)", ""},
                    FormRow{"other_name", R"(<input name="user" value="ab" title=pw>)", ""},
                    FormRow{"button", R"(<input type="submit" name="pw" value="Reset">)", ""},
                    FormRow{"empty", R"(<input name="pw" value="">)", ""},
                    FormRow{"replaced", R"(<input name="pw" value="redacted-1">)", ""}),
    spec::tests::kRowNames);

// A text of a mebibyte for which a search that tries each beginning takes minutes.
class LongForms : public testing::TestWithParam<FormRow> {};

TEST_P(LongForms, take_linear_time) {
  std::string text;
  while (text.size() < 1024 * 1024) {
    text += GetParam().text;
  }
  const auto began = std::chrono::steady_clock::now();

  EXPECT_EQ(find_secret_form(text), std::nullopt);
  const auto is_token = [](std::string_view name) { return name == "token"; };
  EXPECT_EQ(find_named_value(text, is_token), std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

INSTANTIATE_TEST_SUITE_P(
    Table, LongForms,
    testing::Values(
        FormRow{"letters", "a", ""}, FormRow{"separators", "=", ""}, FormRow{"blanks", " = ", ""},
        FormRow{"names_in_quotes", "\"token\":,", ""}, FormRow{"tags", "<token", ""},
        FormRow{"attributes", "<a name='token' value='", ""}, FormRow{"quotes", "<a b=\"c' ", ""},
        FormRow{"urls", "a://redacted-1@", ""}, FormRow{"schemes", "a://", ""},
        FormRow{"empty_elements", "<token></token>", ""},
        FormRow{"replaced_values", "token=redacted-1&", ""},
        FormRow{"replaced_elements", "<token>redacted-1", ""}, FormRow{"marks", "1_test_", ""},
        FormRow{"web_tokens", "eyJ", ""}, FormRow{"dots", "a.", ""}, FormRow{"hosts", "a@b", ""},
        FormRow{"begins_of_keys", "-----BEGIN ", ""}),
    spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::record
