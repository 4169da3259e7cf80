// Credentials that are given, shared or real: which cases a contract has, and which are skipped.

#include "contract_tests/demands/planning.hpp"
#include "contract_tests/run/runner.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace contract_tests::demands {
namespace {

using testing::HasSubstr;

struct Row {
  std::string name;
  std::string security;
  plan::Pairs names;
  std::string sentence;  // of a case
  std::string skipped;   // part of the reason; "" when it is sent, "-" when there is no such case
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

constexpr const char* kSchemes = R"(
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    key: {type: apiKey, in: header, name: X-Key}
    own: {type: apiKey, in: header, name: authorization}
)";

class Credentials : public testing::TestWithParam<Row> {
 protected:
  Credentials()
      : contract_(spec::contract::load_contract_text(
            "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {operationId: a, "
            "security: " +
            GetParam().security + ", responses: {'200': {description: ok}}}}}" + kSchemes)),
        files_(std::filesystem::path(test_paths::source()) / "contract_tests/rules/schemas"),
        book_(plan::load_rule_book(files_, std::filesystem::path(test_paths::source()) /
                                               "contract_tests/rules/rule_book.yaml")),
        plan_(make_plan({.contract = contract_, .rules = rules_, .book = book_, .written = {}})) {}

  // The outcome of the case with the sentence, at a server that nobody reaches; empty if there
  // is no such case.
  std::optional<run::Outcome> outcome() {
    const auto found = std::ranges::find(plan_.cases, GetParam().sentence, &run::Case::sentence);
    if (found == plan_.cases.end()) {
      return std::nullopt;
    }
    const client::Trust trust;
    run::Settings settings{.contract = contract_,
                           .rules = rules_,
                           .book = book_,
                           .trust = trust,
                           .url = client::parse_base_url("http://127.0.0.1:1").value()};
    for (const auto& [name, value] : GetParam().names) {
      settings.names.set(name, value);
    }
    const auto index = static_cast<std::size_t>(found - plan_.cases.begin());
    run::Runner runner(settings, plan_);
    runner.start({index}, 1);
    return runner.wait(index);
  }

  spec::contract::Contract contract_;
  plan::DataFiles files_;
  plan::Rules rules_;
  plan::RuleBook book_;
  run::Plan plan_;
};

TEST_P(Credentials, are_sent_or_the_case_says_why_not) {
  const auto result = outcome();

  EXPECT_EQ(result.has_value(), GetParam().skipped != "-");
  if (result) {
    const bool is_skipped = !GetParam().skipped.empty();
    EXPECT_EQ(result->verdict, is_skipped ? run::Verdict::kSkipped : run::Verdict::kInconclusive);
    EXPECT_THAT(result->reason.words, HasSubstr(GetParam().skipped));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, Credentials,
    testing::Values(
        Row{"token_of_the_first_alternative",
            "[{bearer: []}, {key: []}]",
            {{"token", "t"}},
            "credentials for bearer alone are accepted",
            ""},
        Row{"nothing_for_the_second_alternative",
            "[{bearer: []}, {key: []}]",
            {{"token", "t"}},
            "credentials for key alone are accepted",
            "no credentials are given for key"},
        Row{"own_credentials_of_the_second_alternative",
            "[{bearer: []}, {key: []}]",
            {{"token", "t"}, {"credentials.key", "k"}},
            "credentials for key alone are accepted",
            ""},
        Row{"two_schemes_in_one_header",
            "[{bearer: [], own: []}]",
            {{"token", "t"}},
            "a request without credentials for own is rejected",
            "-"},
        Row{"two_schemes_in_two_headers",
            "[{bearer: [], key: []}]",
            {{"token", "t"}},
            "a request without credentials for key is rejected",
            ""},
        Row{"letter_that_is_the_token",
            "[{bearer: []}]",
            {{"token", "x"}},
            "a token of one letter is rejected",
            "the token of the run"},
        Row{"letter_that_is_not_the_token",
            "[{bearer: []}]",
            {{"token", "y"}},
            "a token of one letter is rejected",
            ""},
        Row{"part_of_a_key", "[{key: []}]", {{"token", "k"}}, "a third of a key is rejected", ""},
        Row{"no_key_in_HEAD",
            "[{key: []}]",
            {{"token", "k"}},
            "HEAD without credentials is rejected",
            ""},
        Row{"letter_that_is_the_own_key",
            "[{key: []}]",
            {{"token", "t"}, {"credentials.key", "x"}},
            "a key of one letter is rejected",
            "the token of the run"},
        Row{"letter_case_of_letters",
            "[{key: []}]",
            {{"token", "key-1"}},
            "a key in the other letter case is rejected",
            ""},
        Row{"letter_case_of_hexadecimal_digits",
            "[{key: []}]",
            {{"token", "0fb8-a1"}},
            "a key in the other letter case is rejected",
            "no letters but hexadecimal digits"},
        Row{"another_password",
            "[{basic: []}]",
            {{"token", "ann:long enough"}},
            "a name and password with text after it is rejected",
            ""},
        Row{"password_that_may_not_count",
            "[{basic: []}]",
            {{"token", "key:x"}},
            "a name and password with text after it is rejected",
            "so short"},
        Row{"another_name_beside_a_password",
            "[{basic: []}]",
            {{"token", "any:key"}},
            "a name and password with a letter before it is rejected",
            "-"}),
    spec::tests::kRowNames);

TEST(UsualCredentials, are_those_of_the_alternative_that_has_its_own) {
  const auto contract = spec::contract::load_contract_text(
      std::string("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {operationId: "
                  "a, security: [{bearer: []}, {key: []}], responses: {'200': {description: "
                  "ok}}}}}") +
      kSchemes);
  plan::Names names;
  names.set("token", "t");

  EXPECT_EQ(plan::usual_credentials(contract.operations().front(), names),
            (plan::Pairs{{"bearer", "${token}"}}));
  names.set("credentials.key", "k");
  EXPECT_EQ(plan::usual_credentials(contract.operations().front(), names),
            (plan::Pairs{{"key", "${token}"}}));
}

// The texts of cases that are made of the token are made of a scheme's own credential.
TEST(MadeUpCredentials, are_made_of_those_of_their_scheme) {
  const auto contract = spec::contract::load_contract_text(
      std::string("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {operationId: "
                  "a, security: [{basic: []}], responses: {'200': {description: ok}}}}}") +
      kSchemes);
  plan::Names names;
  names.set("token", "t");
  names.set("credentials.basic", "ann:secret");
  const auto sent = [&](const plan::RequestPlan& request) {
    const auto built = plan::build_request(contract.operations().front(), request, names, "");
    return std::string(built.value().headers.find("Authorization").value_or(""));
  };

  EXPECT_EQ(sent({.credentials = plan::Pairs{{"basic", "${token},x"}}}),
            "Basic " + plan::basic_credentials("ann:secret,x"));
  EXPECT_EQ(sent({.authorization = "Other ${basic.token}"}),
            "Other " + plan::basic_credentials("ann:secret"));
}

}  // namespace
}  // namespace contract_tests::demands
