// Secrets by their form.

#include "mock_server/record/secret_forms.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace mock_server::record {
namespace {

struct FormRow {
  std::string name;
  std::string text;
  std::string found;  // "" for nothing
};

using SecretForms = spec::tests::RowTest;

TEST_P(SecretForms, are_found) {
  const FormRow& row = GetParam();

  const auto found = find_secret_form(row.text);

  EXPECT_EQ(found ? std::string(*found) : "", row.found);
}

const std::string kKey = "-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\n-----END RSA PRIVATE KEY-----";

const std::vector<FormRow> kTableSecretForms = {
    {"mail", "by <mira.k+x@a-b.example>, ok", "mira.k+x@a-b.example"},
    {"mail_in_bytes_that_are_no_utf8", "\xff mira@b.example", "mira@b.example"},
    {"mail_before_a_full_stop", "to a@b.example.", "a@b.example"},
    {"no_host", "a@b and @c.d and e@", ""},
    {"replacement_of_a_mail", "redacted-0123456789ab@example.com", ""},
    {"behind_a_replacement", "redacted-0123456789ab@example.com,a@b.c", "a@b.c"},
    {"key_of_an_environment", "is sk_live_abcdefgh!", "sk_live_abcdefgh"},
    {"short_key", "dodo_test_me", ""},
    {"key_of_a_maker", "ghp_abcdefghijkl.", "ghp_abcdefghijkl"},
    {"word_with_the_letters_of_a_key", "ask-questions-of-them", ""},
    {"web_token", "t=eyJhbGciOi.eyJzdWIiOi.sig-_ x", "eyJhbGciOi.eyJzdWIiOi.sig-_"},
    {"half_a_web_token", "eyJhbGciOi.eyJzdWIiOi", ""},
    {"private_key", "a " + kKey + " b", kKey},
    {"private_key_that_is_cut", "-----BEGIN PRIVATE KEY-----\\nMII",
     "-----BEGIN PRIVATE KEY-----\\nMII"},
    {"public_key", "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----", ""},
    {"credential_after_its_scheme", "it was bearer abcdefgh==", "abcdefgh"},
    {"user_and_password_of_a_url", "at postgres://app:pa:s@s@db/x.", "app:pa:s@s"},
    {"token_of_a_url", "git+https://abc@git.example", "abc"},
    {"url_without_a_user", "http://a/b@c and http://:80?a@", ""},
    {"replaced_user_of_a_url", "https://redacted-0123456789ab@b.example/", ""},
    {"no_scheme", "://a:b@c", ""},
    {"redacted_credential", "Bearer redacted-0123456789ab", ""}};

INSTANTIATE_TEST_SUITE_P(Table, SecretForms,
                         testing::ValuesIn(spec::tests::rows(kTableSecretForms)),
                         spec::tests::kRowNames);

using NamedValues = spec::tests::RowTest;

TEST_P(NamedValues, are_found) {
  const FormRow& row = GetParam();

  const auto found = find_named_value(
      row.text, [](std::string_view name) { return name == "pw" || name == "password"; });

  EXPECT_EQ(found ? std::string(*found) : "", row.found);
}

const std::vector<FormRow> kInputsNamedValues = {
    {"name_first", R"(<input name="pw" value="a b">)", "a b"},
    {"value_first", R"(<INPUT VALUE='a"b' data-x Name = pw />)", "a\"b"},
    {"without_quotes", "<input name=pw value=a/b>c", "a/b"},
    {"type", R"(<input type=password name=x value="ab"/>)", "ab"},
    {"id", R"(<input id="pw" value="ab">)", "ab"},
    {"key", R"(<add key="pw" value="ab"/>)", "ab"},
    {"meta", R"(<meta name="pw" content="ab">)", "ab"},
    {"brackets", R"(<input name="pw" value="a<b>c"> "d")", "a<b>c"},
    {"cut", R"(<input name="pw" value="a)", "a"},
    {"second", R"(<input name=a value=b><input name=pw value=c>)", "c"},
    {"other_element", R"(<input name="pw"><input value="ab">)", ""},
    {"other_name", R"(<input name="user" value="ab" title=pw>)", ""},
    {"button", R"(<input type="submit" name="pw" value="Reset">)", ""},
    {"empty", R"(<input name="pw" value="">)", ""},
    {"replaced", R"(<input name="pw" value="redacted-1">)", ""}};

INSTANTIATE_TEST_SUITE_P(Inputs, NamedValues,
                         testing::ValuesIn(spec::tests::rows(kInputsNamedValues)),
                         spec::tests::kRowNames);

// A text of a mebibyte for which a search that tries each beginning takes minutes.
using LongForms = spec::tests::RowTest;

TEST_P(LongForms, take_linear_time) {
  const FormRow& row = GetParam();

  std::string text;
  while (text.size() < 1024 * 1024) {
    text += row.text;
  }
  const auto began = std::chrono::steady_clock::now();

  EXPECT_EQ(find_secret_form(text), std::nullopt);
  const auto is_token = [](std::string_view name) { return name == "token"; };
  EXPECT_EQ(find_named_value(text, is_token), std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

const std::vector<FormRow> kTableLongForms = {{"letters", "a", ""},
                                              {"separators", "=", ""},
                                              {"blanks", " = ", ""},
                                              {"names_in_quotes", "\"token\":,", ""},
                                              {"tags", "<token", ""},
                                              {"attributes", "<a name='token' value='", ""},
                                              {"quotes", "<a b=\"c' ", ""},
                                              {"urls", "a://redacted-1@", ""},
                                              {"schemes", "a://", ""},
                                              {"empty_elements", "<token></token>", ""},
                                              {"replaced_values", "token=redacted-1&", ""},
                                              {"replaced_elements", "<token>redacted-1", ""},
                                              {"marks", "1_test_", ""},
                                              {"web_tokens", "eyJ", ""},
                                              {"dots", "a.", ""},
                                              {"hosts", "a@b", ""},
                                              {"begins_of_keys", "-----BEGIN ", ""}};

INSTANTIATE_TEST_SUITE_P(Table, LongForms, testing::ValuesIn(spec::tests::rows(kTableLongForms)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::record
