// `contract_tests parity` as a program: a service with other records than the mock's, recorded
// calls with all that recordings bring, and mistakes in its flags.

#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/shop_calls.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ostream>

namespace contract_tests {
namespace {

using nlohmann::json;
using support::Ended;
using test_support::read_file;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using support::entry;
using support::get;
using support::kShop;
using support::ok;

constexpr const char* kOperations = R"(collections: {items: {id: /id}}
operations:
  get_item: {behaviour: read, collection: items, key: /path/id}
)";

// A shop: its contract, and the folders of fixtures of the mock and of the service.
class Parity : public testing::Test {
 protected:
  Parity() {
    contract_ = folder_.write("shop.yaml", kShop).string();
    folder_.write("mock/operations.yaml", kOperations);
    folder_.write("mock/items.yaml", "one: {id: one, price: 5, name: Tea}\n");
    folder_.write("service/operations.yaml", kOperations);
    folder_.write("subjects.yaml", "get_item: {id: one}\n");
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  Ended run(std::vector<std::string> arguments) const {
    const std::vector<std::string> usual{
        "parity", "--contract",        contract_,    "--fixtures",     path("mock"),
        "--json", path("parity.json"), "--markdown", path("parity.md")};
    arguments.insert(arguments.begin(), usual.begin(), usual.end());
    return support::run_child(test_paths::contract_tests(), arguments,
                              {{"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});
  }

  program::MockProcess service(const std::string& items) const {
    folder_.write("service/items.yaml", items);
    auto started = program::MockProcess::start(
        test_paths::mock_server(), {"--port", "0", "--quiet", "--token", "key_of_the_service_17",
                                    "--contract", contract_, "--fixtures", path("service")});
    EXPECT_TRUE(started) << (started ? "" : started.error());
    return std::move(started.value());
  }

  Ended run_against(const program::MockProcess& service) const {
    return run({"--base-url", service.url(), "--token", "key_of_the_service_17", "--subjects",
                path("subjects.yaml"), "--mock-subjects", path("subjects.yaml")});
  }

  json report() const { return spec::json::read(read_file(path("parity.json"))).value(); }

  std::vector<json> rows(const std::string& verdict) const {
    std::vector<json> found;
    for (const auto& row : report().at("rows").get<std::vector<json>>()) {
      if (row.at("verdict") == verdict) {
        found.push_back(row);
      }
    }
    return found;
  }

  // The state of the assumption whose pointer ends so.
  std::string state_of(const std::string& end) const {
    for (const auto& one : report().at("assumptions").get<std::vector<json>>()) {
      if (one.value("pointer", "").ends_with(end)) {
        return one.at("state");
      }
    }
    return "none";
  }

  test_support::Folder folder_;
  std::string contract_;
};

TEST_F(Parity, finds_nothing_where_both_sides_are_the_same) {
  const auto shop = service("one: {id: one, price: 5, name: Tea}\n");

  const auto ended = run_against(shop);

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(report().at("rows").get<std::vector<json>>(), IsEmpty());
  EXPECT_EQ(state_of("/responses/404"), "confirmed");
  EXPECT_EQ(state_of("/name/maxLength"), "confirmed");
  EXPECT_THAT(read_file(path("parity.md")), HasSubstr("## Assumptions: 5 confirmed, 0 refuted"));
}

TEST_F(Parity, compares_no_values_that_the_mock_makes_up) {
  const auto shop = service("one: {id: one, price: 7, name: Coffee}\n");

  const auto ended =
      support::run_child(test_paths::contract_tests(),
                         {"parity", "--contract", contract_, "--base-url", shop.url(), "--token",
                          "key_of_the_service_17", "--subjects", path("subjects.yaml"),
                          "--mock-subjects", path("subjects.yaml"), "--json", path("parity.json")},
                         {{"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});

  EXPECT_NE(ended.exit_code, 1) << ended.out << ended.err;
  EXPECT_THAT(rows("mock differs"), IsEmpty()) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("the mock has no fixtures of these records"));
}

TEST_F(Parity, gives_a_record_that_corrects_the_mock) {
  const auto shop = service("one: {id: one, price: 7, name: Coffee}\n");

  const auto first = run_against(shop);

  EXPECT_EQ(first.exit_code, 1) << first.out << first.err;
  ASSERT_THAT(rows("mock differs"), SizeIs(1)) << first.out;
  const auto row = rows("mock differs").front();
  EXPECT_EQ(row.at("mock"), "\"Tea\", 5");
  EXPECT_EQ(row.at("service"), "\"Coffee\", 7");
  EXPECT_EQ(row.at("fix").at("file"), "items/one.json");
  EXPECT_THAT(first.out, Not(HasSubstr("key_of_the_service_17")));

  folder_.write("mock/items.yaml", "{}\n");
  folder_.write("mock/" + row.at("fix").at("file").get<std::string>(),
                row.at("fix").at("text").get<std::string>());
  const auto second = run_against(shop);

  EXPECT_EQ(second.exit_code, 0) << second.out << second.err;
}

TEST_F(Parity, says_that_a_corrected_status_is_the_same) {
  folder_.write("service/operations.yaml",
                std::string(kOperations) + "errors: {undecodable_parameters: {status: 422}}\n");
  const auto shop = service("one: {id: one, price: 5, name: Tea}\n");

  const auto first = run_against(shop);
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  ASSERT_THAT(rows("contract is silent"), testing::Not(IsEmpty())) << first.out;
  const auto fix = rows("contract is silent").front().at("fix");
  EXPECT_EQ(fix.at("file"), "operations.yaml");

  folder_.write("mock/operations.yaml", kOperations + fix.at("text").get<std::string>());
  run_against(shop);
  EXPECT_THAT(rows("contract is silent"), IsEmpty());
}

TEST_F(Parity, sends_nothing_after_a_token_that_is_rejected) {
  const auto shop = service("one: {id: one, price: 5}\n");

  const auto ended = run({"--base-url", shop.url(), "--token", "wrong_token_of_nobody_1"});

  EXPECT_EQ(ended.exit_code, 3) << ended.out << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("service: the server rejects the token (401)"));
}

TEST_F(Parity, says_that_little_was_tested_without_token_and_subjects) {
  const auto shop = service("one: {id: one, price: 5}\n");

  const auto ended = run({"--base-url", shop.url()});

  EXPECT_EQ(ended.exit_code, 3) << ended.out << ended.err;
  EXPECT_THAT(ended.out, testing::StartsWith("little was tested: "));
  EXPECT_THAT(ended.out, Not(HasSubstr("{status: 401}")));
}

// A file of calls, what is said of it, and the exit code.
struct CallsRow {
  std::string name;
  std::string entries;
  std::vector<std::string> says;
  int exit_code = 0;
  std::vector<std::string> arguments = {};
};

void PrintTo(const CallsRow& row, std::ostream* out) {
  *out << row.name;
}

const std::string kOne = "https://shop.example/items/one";
const std::string kTea = ok(R"({"id":"one","price":5,"name":"Tea"})");

const std::vector<CallsRow> kCalls{
    {"the_same", entry(get(kOne), kTea), {"1 case compared"}, 0},
    {"another_value",
     entry(get(kOne), ok(R"({"id":"one","price":9,"name":"Tea"})")),
     {"mock differs: GET /items/{id}: body/price", "items/one.json"},
     1},
    {"a_record_that_the_mock_lacks",
     entry(get("https://shop.example/items/two"), ok(R"({"id":"two","price":1})")),
     {"mock differs: GET /items/{id}: status", "items/two.json"},
     1},
    {"members_of_a_record_that_the_mock_lacks",
     entry(get("https://shop.example/items/two"), ok(R"({"id":"two","price":1,"more":2})")),
     {"mock differs 1, contract is silent 0"},
     1},
    {"a_member_more",
     entry(get(kOne), ok(R"({"id":"one","price":5,"name":"Tea","more":2})")),
     {"contract is silent: GET /items/{id}: body/more"},
     0},
    {"a_violation",
     entry(get(kOne), ok(R"({"id":"one","price":"5"})")),
     {"service violates: GET /items/{id}: body/price (schema/type)", "must be an integer"},
     1},
    {"an_accepted_request_that_is_wrong",
     entry(get(kOne + "?size=x"), kTea),
     {"service violates: GET /items/{id}: status", "must be a rejection (4xx)"},
     1},
    {"a_refuted_assumption",
     entry(get(kOne), ok(R"({"id":"one","price":5,"name":"A very long name"})")),
     {"contract is silent: GET /items/{id}: body/name",
      "assumed: must be at most 10 characters long", "refuted    shop.yaml:"},
     0},
    {"a_token_that_is_redacted",
     entry(get(kOne,
               R"(,"headers":[{"name":"Authorization","value":"Bearer abc_123_secret_of_hers"}])"),
           ok(R"({"id":"one","price":"abc_123_secret_of_hers"})")),
     {"$TOKEN"},
     1},
    {"rejected_credentials",
     entry(
         get(kOne, R"(,"headers":[{"name":"Authorization","value":"Bearer old_token_12345"}])"),
         R"("status":401,"headers":[{"name":"WWW-Authenticate","value":"Bearer"}],"content":{"size":0})"),
     {"1 case compared", "1 of 1 cases that need a key were rejected (401)",
      "record calls that have a valid key"},
     3},
    {"no_response",
     entry(get(kOne), R"("status":0,"_error":"net::ERR_ABORTED")"),
     {"cannot tell: GET /items/{id}", "no response was recorded"},
     3},
    {"no_body",
     entry(get(kOne),
           R"("status":200,"headers":[{"name":"content-type","value":"application/json"}],)"
           R"("content":{"size":40,"mimeType":"application/json"})"),
     {"the body of the response is not in the file"},
     3},
    {"pseudo_fields",
     entry(
         get(kOne,
             R"(,"headers":[{"name":":authority","value":"shop.example"},{"name":":path","value":"/x"}])"),
         kTea),
     {"1 case compared"},
     0},
    {"calls_of_others",
     entry(get(kOne), kTea) + "," + entry(get("https://cdn.example/a.js"), ok("1")) + "," +
         entry(get("https://shop.example/favicon.ico"), R"("status":404)") + "," +
         entry(R"("method":"OPTIONS","url":"https://shop.example/items/one","headers":[)"
               R"({"name":"Origin","value":"https://a.example"},)"
               R"({"name":"Access-Control-Request-Method","value":"GET"}])",
               R"("status":204)"),
     {"not compared: another host [1 call]: https://cdn.example",
      "not compared: no operation of the contract [1 call]: GET /favicon.ico",
      "not compared: a preflight [1 call]: OPTIONS /items/one", "1 case compared"},
     0},
    {"another_host_by_name",
     entry(get(kOne), kTea),
     {"the file has no call to an operation of the contract at https://other.example"},
     3,
     {"--base-url", "https://other.example"}},
    {"a_base_path",
     entry(get("https://shop.example/v1/items/one"), kTea),
     {"not compared: no operation of the contract [1 call]: GET /v1/items/one",
      "pass --base-url https://shop.example/v1"},
     3},
    {"a_base_path_by_name",
     entry(get("https://shop.example/v1/items/one"), kTea),
     {"1 case compared"},
     0,
     {"--base-url", "https://shop.example/v1"}},
    {"an_entry_that_cannot_be_read",
     entry(get(kOne), kTea) + ",7",
     {"cannot be read: ", "1 case compared"},
     3},
    {"no_calls", "", {"the file has no call to an operation of the contract"}, 3},
};

class Calls : public Parity, public testing::WithParamInterface<CallsRow> {};

TEST_P(Calls, are_compared_or_it_is_said_why_not) {
  folder_.write("calls.har", support::har(GetParam().entries));
  auto arguments = GetParam().arguments;
  arguments.insert(arguments.end(), {"--from", path("calls.har")});

  const auto ended = run(arguments);

  EXPECT_EQ(ended.exit_code, GetParam().exit_code) << ended.out << ended.err;
  for (const auto& text : GetParam().says) {
    EXPECT_THAT(ended.out, HasSubstr(text));
  }
  EXPECT_THAT(ended.out + read_file(path("parity.json")) + read_file(path("parity.md")),
              testing::Not(HasSubstr("secret_of_hers")));
}

INSTANTIATE_TEST_SUITE_P(Table, Calls, testing::ValuesIn(kCalls),
                         [](const auto& row) { return row.param.name; });

// A member of list elements that only the service sends: the mock's list must show elements.
TEST_F(Parity, compares_the_members_of_list_elements) {
  std::string shop = kShop;
  const std::string id = "id: {type: string}\n";
  shop.insert(shop.find(id) + id.size(),
              "                  parts: {type: array, items: {type: object, properties: "
              "{of: {type: string}, note: {type: string}}}}\n");
  folder_.write("shop.yaml", shop);
  const auto note_of = [this](const std::string& items) {
    folder_.write("mock/items.yaml", "one: {id: one, price: 5, parts: " + items + "}\n");
    folder_.write(
        "calls.har",
        support::har(
            entry(get(kOne), ok(R"({"id":"one","price":5,"parts":[{"of":"tea","note":"a"}]})"))));
    return run({"--from", path("calls.har")}).out;
  };

  EXPECT_THAT(note_of("[{of: tea}]"),
              HasSubstr("contract is silent: GET /items/{id}: body/parts/*/note"));
  EXPECT_THAT(note_of("[]"), Not(HasSubstr("body/parts/*/note")));
}

struct MistakeRow {
  std::string name;
  std::vector<std::string> arguments;
  std::string says;
};

void PrintTo(const MistakeRow& row, std::ostream* out) {
  *out << row.name;
}

const std::vector<MistakeRow> kMistakes{
    {"no_service", {}, "parity needs --base-url URL of the service, or --from FILE"},
    {"a_cut_file", {"--from", "cut.har"}, "cut.har:1:"},
    {"a_missing_file", {"--from", "nowhere.har"}, "nowhere.har"},
    {"lines_of_a_recording", {"--from", "calls.jsonl"}, "name the calls.har"},
    {"no_har", {"--from", "shop.yaml"}, "shop.yaml"},
    {"a_flag_of_google_test",
     {"--base-url", "http://127.0.0.1:1", "--gtest_filter=a"},
     "parity runs no GoogleTest"},
    {"an_unknown_flag", {"--base-ur", "x"}, "did you mean --base-url?"},
    {"a_scheme", {"--from", "cut.har", "--base-url", "ftp://a"}, "--base-url"},
    {"no_mock", {"--from", "whole.har", "--mock", "http://127.0.0.1:1"}, "http://127.0.0.1:1"},
};

class Mistakes : public Parity, public testing::WithParamInterface<MistakeRow> {};

TEST_P(Mistakes, end_the_program_with_2_and_a_line) {
  folder_.write("cut.har", R"({"log":{"version":"1.2","entries":[{"request":{"method":"G)");
  folder_.write("whole.har", R"({"log":{"version":"1.2","entries":[]}})");
  std::vector<std::string> arguments;
  for (const auto& argument : GetParam().arguments) {
    const bool is_file = argument.ends_with(".har") || argument.ends_with(".yaml");
    arguments.push_back(is_file ? path(argument) : argument);
  }

  const auto ended = run(arguments);

  EXPECT_EQ(ended.exit_code, 2) << ended.out << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Table, Mistakes, testing::ValuesIn(kMistakes),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace contract_tests
