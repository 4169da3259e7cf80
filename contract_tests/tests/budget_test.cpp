// The limits of a run are exact whatever the run does: the check of subjects, whole plans, several
// workers, repeated cases, served contracts, records that are restored. And records that could not
// be restored for certain are not changed.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::Ended;
using support::Script;
using support::ScriptedServer;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

// A brand that no request changes, and a served contract of another version.
constexpr const char* kBrand =
    R"({"brand_id":"brnd_F5ZR3qa7yEeeby3abP3E2","business_id":"bus_1","enabled":true,)"
    R"("name":"A name that was there before","statement_descriptor":"BEFORE",)"
    R"("support_email":"before@counterpart.example","verification_enabled":true,)"
    R"("verification_status":"Success","openapi":"3.1.0","info":{"title":"T","version":"?"}})";

json saying(const std::string& body) {
  return json::array(
      {{{"send", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n" + body}}});
}

Ended run(
    const ScriptedServer& server, std::vector<std::string> arguments,
    const std::string& subjects = (support::source_dir() / "fixtures/subjects.yaml").string()) {
  arguments.insert(arguments.end(), {"--base-url", server.url(), "--token", "sk_of_this_test",
                                     "--allow-writes", "--subjects", subjects});
  return support::run_child(test_paths::contract_tests(), arguments);
}

struct BudgetRow {
  std::string name;
  std::vector<std::string> arguments;
};

using Budget = spec::tests::RowTest;

// The health and the check of subjects take some requests; the cases get the rest.
TEST_P(Budget, of_requests_is_used_exactly) {
  const BudgetRow& row = GetParam();

  for (const std::size_t requests : {1U, 2U, 3U, 20U}) {
    const ScriptedServer server({{.steps = saying(kBrand), .keep = true}});
    auto arguments = row.arguments;
    arguments.insert(arguments.end(), {"--max-requests", std::to_string(requests)});

    const auto ended = run(server, arguments);

    EXPECT_EQ(server.received().size(), requests);
    const auto counted = "; " + std::to_string(requests) + " requests;";
    EXPECT_THAT(ended.out, HasSubstr(counted)) << ended.err;
  }
}

TEST_P(Budget, of_requests_a_second_is_not_exceeded) {
  const BudgetRow& row = GetParam();

  const ScriptedServer server({{.steps = saying(kBrand), .keep = true}});
  auto arguments = row.arguments;
  arguments.insert(arguments.end(), {"--max-requests", "20", "--rate", "8"});
  const auto started = Clock::now();

  run(server, arguments);

  EXPECT_EQ(server.received().size(), 20U);
  EXPECT_GE(Clock::now() - started, std::chrono::milliseconds(2'375));  // 19 gaps of 125 ms
}

TEST_P(Budget, of_time_is_not_exceeded_when_the_server_does_not_respond) {
  const BudgetRow& row = GetParam();

  const ScriptedServer server(std::vector<Script>{{.steps = json::array({{{"hang", true}}})}});
  auto arguments = row.arguments;
  arguments.insert(arguments.end(), {"--deadline", "2", "--timeout", "3600"});
  const auto started = Clock::now();

  const auto ended = run(server, arguments);

  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("the run reached --deadline (2 s)"));
  EXPECT_LT(Clock::now() - started, seconds(60));
}

const std::vector<BudgetRow> kRunsBudget = {
    {"of_the_whole_plan", {}},
    {"of_four_workers", {"--jobs", "4"}},
    {"of_repeated_cases", {"--repeat", "3"}},
    {"of_descriptions_and_one_operation",
     {"--repeat", "30", "--allow-probes",
      "--gtest_filter=*the_contract_that_the_service_serves*"}}};

INSTANTIATE_TEST_SUITE_P(Runs, Budget, testing::ValuesIn(spec::tests::rows(kRunsBudget)),
                         spec::tests::kRowNames);

constexpr const char* kChanges = "--gtest_filter=PATCH*is_stored*";

bool is_change(const std::string& head) {
  return head.starts_with("PATCH ") && head.find("\r\nContent-Length: 2\r\n") == std::string::npos;
}

// The undo has every field: no change of one field is as long.
bool is_undo(const std::string& head) {
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const auto at = head.find(kLength);
  return is_change(head) && std::stoul(head.substr(at + kLength.size())) > 100;
}

TEST(Undo, has_a_request_reserved_for_any_number_of_requests) {
  for (std::size_t requests = 2; requests <= 9; ++requests) {
    const ScriptedServer server({{.steps = saying(kBrand), .keep = true}});

    run(server, {kChanges, "--max-requests", std::to_string(requests)});

    const auto received = server.received();
    EXPECT_LE(received.size(), requests);
    const auto last = std::find_if(received.rbegin(), received.rend(), is_change);
    EXPECT_EQ(last != received.rend(), requests >= 5) << requests;
    EXPECT_TRUE(last == received.rend() || is_undo(*last)) << requests;
  }
}

TEST(Undo, is_tried_for_some_seconds_after_the_deadline) {
  std::vector<Script> scripts(3, Script{.steps = saying(kBrand), .keep = true});
  scripts.push_back({.steps = json::array({{{"hang", true}}})});
  const ScriptedServer server(std::move(scripts));
  const auto started = Clock::now();

  const auto ended = run(server, {kChanges, "--deadline", "8", "--timeout", "3600"});

  EXPECT_EQ(ended.exit_code, 3) << ended.err << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("could not be restored"));
  EXPECT_LT(Clock::now() - started, seconds(60));
  const auto received = server.received();
  ASSERT_EQ(received.size(), 5U);
  EXPECT_TRUE(is_undo(received.back()));
}

TEST(Undo, that_fails_ends_the_changes_by_its_operation) {
  std::string changed = kBrand;
  changed.replace(changed.find("A name"), 6, "No name");
  std::vector<Script> scripts(3, Script{.steps = saying(kBrand), .keep = true});
  scripts.push_back({.steps = saying(changed), .keep = true});  // from the first change on
  const ScriptedServer server(std::move(scripts));

  const auto ended = run(server, {kChanges});

  EXPECT_EQ(ended.exit_code, 1) << ended.err;
  EXPECT_EQ(std::ranges::count_if(server.received(), is_change), 2);
  EXPECT_THAT(ended.out, HasSubstr("warning update/undo"));
  EXPECT_THAT(ended.out, HasSubstr(" did not restore /brands/brnd_F5ZR3qa7yEeeby3abP3E2, of which "
                                   "body/name was changed, so it is not used any more"));
}

constexpr const char* kShown = "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a33";

struct Image {
  std::string name;
  std::string subject;  // a line of the subjects file
  std::string shown;    // at the end of the image's address
  bool changed;
  std::string says;
};

using Images = spec::tests::RowTest;

TEST_P(Images, of_a_service_are_changed_only_when_the_current_one_is_known) {
  const Image& given = GetParam();
  const test_support::Folder folder;
  const auto subjects =
      folder.write("s.yaml", "brand: brnd_F5ZR3qa7yEeeby3abP3E2\n" + given.subject);
  auto brand = std::string(kBrand);
  brand.insert(1, R"("image":"https://assets.example.test/)" + given.shown + R"(",)");
  const ScriptedServer server({{.steps = saying(brand), .keep = true}});

  const auto ended =
      run(server, {"--gtest_filter=PATCH*image_id_is_accepted_in_either*"}, subjects.string());

  const auto received = server.received();
  EXPECT_EQ(std::ranges::any_of(received, is_change), given.changed) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr(given.says));
}

const std::vector<Image> kRunsImages = {
    {"that_no_subject_names", "", kShown, false,
     "give the current value as the subject brand_image"},
    {"that_are_others_than_the_subject", "brand_image: 00000000-4b0e-4c57-9a7c-2f4f0f5d9a33\n",
     kShown, false, "the record shows another identifier than the subject brand_image"},
    {"that_are_shown_as_named", "brand_image: 6F1D7C1E-4B0E-4C57-9A7C-2F4F0F5D9A33\n", kShown, true,
     "1 passed, 0 failed"},
    {"that_show_no_identifier", "brand_image: 6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a33\n", "logo", true,
     "1 passed, 0 failed"}};

INSTANTIATE_TEST_SUITE_P(Runs, Images, testing::ValuesIn(spec::tests::rows(kRunsImages)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace contract_tests
