// Requests of any description: parameters in their styles, bodies of any media type, credentials of
// any scheme.

#include "contract_tests/plan/generated_plan.hpp"

#include "contract_tests/demands/drafting.hpp"
#include "contract_tests/demands/planning.hpp"
#include "contract_tests/demands/tests/boundary_requests.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <string>

namespace contract_tests::plan {
namespace {

namespace fs = std::filesystem;
using run::Case;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Pair;

constexpr std::string_view kStyledContract = R"(
openapi: 3.1.0
info: {title: Styles, version: "1"}
paths:
  /things/{id}/{list}:
    get:
      operationId: read
      parameters:
        - {name: id, in: path, required: true, schema: {const: a/b}}
        - {name: list, in: path, required: true, style: label, schema: {type: array, items: {type: integer}, const: [1, 2]}}
        - {name: word, in: query, required: true, schema: {const: x y}}
        - {name: joined, in: query, required: true, explode: false, schema: {const: [1, 2], type: array, items: {type: integer}}}
        - {name: sizes, in: query, schema: {type: array, items: {type: integer}, maxItems: 2}}
        - {name: X-Trace, in: header, required: true, schema: {const: t}}
        - {name: sid, in: cookie, required: true, schema: {const: s}}
      responses: {"200": {description: ok}}
  /form:
    post:
      operationId: send
      security: [{basic: [], header: [], query: [], cookie: []}, {bearer: []}]
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: {schema: {type: object, required: [n], properties: {n: {type: integer, maximum: 3}}}}
      responses: {"200": {description: ok}}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    header: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: key}
    cookie: {type: apiKey, in: cookie, name: sid}
)";

struct Styles {
  spec::contract::Contract contract = spec::contract::load_contract_text(kStyledContract);
  spec::schema::generate::Generator generator{contract.schemas()};

  const spec::contract::Operation& operation(std::string_view id) const {
    return *contract.operation(id);
  }

  GeneratedPlain plain(std::string_view id) const {
    return generated_plain(contract, generator, operation(id)).value();
  }

  spec::http::Request built(std::string_view id, const RequestPlan& request) const {
    Names names;
    names.set("token", "t/1");
    names.set("credentials.basic", "ann:secret");
    for (const auto& [name, value] : plain(id).names) {
      names.set(name, value);
    }
    return build_request(operation(id), request, names, "").value();
  }

  std::vector<Case> cases(std::string_view id) {
    DataFiles files{fs::path(test_paths::source()) / "contract_tests/rules/schemas"};
    const Rules rules;
    const auto book = load_rule_book(
        files, fs::path(test_paths::source()) / "contract_tests/rules/rule_book.yaml");
    auto all =
        demands::make_plan({.contract = contract, .rules = rules, .book = book, .written = {}})
            .cases;
    std::erase_if(all, [id](const Case& item) { return item.operation != id; });
    return all;
  }
};

TEST(GeneratedPlain, names_scalars_and_writes_the_rest_in_its_style) {
  const Styles styles;

  const auto plain = styles.plain("read");

  EXPECT_THAT(plain.request.path, ElementsAre(Pair("id", "${read.id}")));
  EXPECT_THAT(plain.request.encoded_path, ElementsAre(Pair("list", ".1,2")));
  EXPECT_THAT(plain.request.query, ElementsAre(Pair("word", "${read.word}")));
  EXPECT_EQ(plain.request.raw_query, "joined=1,2");
  EXPECT_THAT(plain.names, ElementsAre(Pair("read.id", "a/b"), Pair("read.word", "x y")));
}

TEST(GeneratedPlain, gives_a_valid_request) {
  const Styles styles;
  const auto plain = styles.plain("read").request;

  const auto request = styles.built("read", plain);

  EXPECT_EQ(request.target, "/things/a%2Fb/.1,2?joined=1,2&word=x%20y");
  EXPECT_EQ(request.headers.find("X-Trace"), "t");
  EXPECT_EQ(request.headers.find("Cookie"), "sid=s");
  EXPECT_EQ(validate_request(styles.contract, styles.operation("read"), plain), RequestVerdict{});
}

TEST(GeneratedPlain, gives_an_identifier_in_path_and_body_one_value) {
  const auto contract = spec::contract::load_contract_text(R"(
openapi: 3.1.0
info: {title: Records, version: "1"}
paths:
  /notes/{note_id}:
    put:
      operationId: replace
      parameters: [{name: note_id, in: path, required: true, schema: {type: integer}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer, maximum: 9}}}}}}
      responses: {"200": {description: ok}}
  /users/{name}/keys/{id}:
    put:
      operationId: key
      parameters: [{name: name, in: path, required: true, schema: {type: string}}, {name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 3}}}}}}
      responses: {"200": {description: ok}}
)");
  const spec::schema::generate::Generator generator(contract.schemas());
  const auto sent = [&](const std::string& id, const std::map<std::string, std::string>& given) {
    const auto& operation = *contract.operation(id);
    const auto plain = generated_plain(contract, generator, operation).value();
    EXPECT_EQ(validate_request(contract, operation, plain.request), RequestVerdict{});
    Names names;
    for (const auto* values : {&plain.names, &given}) {
      for (const auto& [name, value] : *values) {
        names.set(name, value);
      }
    }
    const auto request = build_request(operation, plain.request, names, "").value();
    return request.target + ' ' + request.body;
  };

  EXPECT_EQ(sent("replace", {{"replace.note_id", "7"}}), R"(/notes/7 {"id":7})");
  EXPECT_EQ(sent("key", {{"key.name", "ann"}, {"key.id", "k"}}),
            R"(/users/ann/keys/k {"name":"ann"})");
  const auto made_up = sent("replace", {});
  const auto id = made_up.substr(7, made_up.find(' ') - 7);
  EXPECT_EQ(made_up, "/notes/" + id + " {\"id\":" + id + "}");
}

TEST(BoundaryRequests, keep_the_names_in_a_body_but_for_the_member_that_they_change) {
  const auto contract = spec::contract::load_contract_text(R"(
openapi: 3.1.0
info: {title: Records, version: "1"}
paths:
  /notes/{id}:
    put:
      operationId: replace
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id, text], properties: {id: {type: string}, text: {type: string}}}}}}
      responses: {"200": {description: ok}}
)");
  const spec::schema::generate::Generator generator(contract.schemas());
  const auto& operation = *contract.operation("replace");
  const auto plain = generated_plain(contract, generator, operation).value().request;
  std::set<std::string> of_id;
  std::set<std::string> of_text;
  for (const auto& each : boundary_requests(contract, generator, operation)) {
    const auto body = with_boundary(plain, each).body.value_or(nullptr);
    if (each.place == "/id") {
      of_id.insert(body.at("id").type_name());
    } else if (each.place == "/text") {
      of_text.insert(body.at("id").dump() + ' ' + body.at("text").type_name());
    }
  }

  EXPECT_THAT(of_id, IsSupersetOf({"null", "boolean", "number", "array"}));
  EXPECT_THAT(of_text, IsSupersetOf({R"("${replace.id}" null)", R"("${replace.id}" number)"}));
}

// A list of one text is named in the plain request, a list of two is raw in the others.
TEST(BoundaryRequests, have_a_named_list_of_the_query_once) {
  const auto contract = spec::contract::load_contract_text(R"(
openapi: 3.1.0
info: {title: Records, version: "1"}
paths:
  /notes:
    get:
      operationId: list
      parameters:
        - {name: ids, in: query, required: true, explode: false, schema: {type: array, items: {type: string}}}
        - {name: page, in: query, schema: {type: integer, minimum: 1}}
      responses: {"200": {description: ok}}
)");
  const spec::schema::generate::Generator generator(contract.schemas());
  const auto& operation = *contract.operation("list");
  RequestPlan plain;
  plain.query = {{"ids", "${list.ids}"}};
  std::size_t of_page = 0;
  for (auto each : boundary_requests(contract, generator, operation)) {
    each.request.target = "/notes?ids=a,b&page=2";
    const auto request = with_boundary(plain, each);
    if (each.place == "/page") {
      ++of_page;
      EXPECT_EQ(request.raw_query, "");
      EXPECT_THAT(request.query, ElementsAre(Pair("page", "2"), Pair("ids", "${list.ids}")));
    } else {
      EXPECT_EQ(request.raw_query, "ids=a,b");
      EXPECT_THAT(request.query, ElementsAre(Pair("page", "2")));
    }
  }

  EXPECT_GT(of_page, 0U);
}

TEST(Credentials, are_sent_where_each_scheme_requires) {
  const Styles styles;

  const auto request = styles.built("send", styles.plain("send").request);

  EXPECT_EQ(request.headers.find("Authorization"), "Basic YW5uOnNlY3JldA==");
  EXPECT_EQ(request.headers.find("X-Key"), "t/1");
  EXPECT_EQ(request.headers.find("Cookie"), "sid=t%2F1");
  EXPECT_EQ(request.target, "/form?key=t%2F1");
  EXPECT_EQ(request.headers.find("Content-Type"), "application/x-www-form-urlencoded");
}

TEST(Credentials, may_be_those_of_one_scheme_or_none) {
  const Styles styles;
  auto plan = styles.plain("send").request;
  plan.credentials = Pairs{{"bearer", "${token}"}};

  const auto one = styles.built("send", plan);
  plan.authorization = "";
  const auto none = styles.built("send", plan);

  EXPECT_EQ(one.headers.find("Authorization"), "Bearer t/1");
  EXPECT_EQ(one.target, "/form");
  EXPECT_FALSE(none.headers.has("Authorization"));
}

TEST(Requests, with_bytes_are_the_same_after_conversion_to_data) {
  RequestPlan plan;
  plan.raw_body = std::string("\xFF\x00\x01", 3);
  plan.body_type = "application/octet-stream";
  plan.credentials = Pairs{{"basic", "${token}"}};
  plan.encoded_path = {{"list", ".1,2"}};

  EXPECT_EQ(request_from(to_json(plan)), plan);
}

TEST(Plan, tests_each_alternative_of_security_and_each_scheme_of_it) {
  Styles styles;
  std::vector<std::string> sentences;
  for (const auto& item : styles.cases("send")) {
    sentences.push_back(item.sentence);
  }

  EXPECT_THAT(
      sentences,
      IsSupersetOf({"a request without credentials is rejected", "unknown credentials are rejected",
                    "credentials for basic and header and query and cookie alone are accepted",
                    "credentials for bearer alone are accepted"}));
}

TEST(Plan, has_invalid_bodies_of_other_media_types_and_invalid_lists_in_the_query) {
  Styles styles;
  const auto rules_of = [&styles](std::string_view id) {
    std::vector<std::string> rules;
    for (const auto& item : styles.cases(id)) {
      rules.push_back(item.basis.rule);
    }
    return rules;
  };

  EXPECT_THAT(rules_of("send"), IsSupersetOf({"body/maximum", "body/required"}));
  EXPECT_THAT(rules_of("read"), Contains("parameter/maxItems"));
}

TEST(Plan, sends_no_request_without_its_required_body) {
  const auto contract = spec::contract::load_contract_text(R"(
openapi: 3.1.0
info: {title: Bodies, version: "1"}
paths:
  /a:
    post:
      operationId: one
      requestBody: {required: true, content: {application/json: {schema: {type: string, minLength: 5, maxLength: 3}}}}
      responses: {"200": {description: ok}}
)");
  DataFiles files{fs::path(test_paths::source()) / "contract_tests/rules/schemas"};
  const auto book =
      load_rule_book(files, fs::path(test_paths::source()) / "contract_tests/rules/rule_book.yaml");
  const Rules rules;

  const auto plan =
      demands::make_plan({.contract = contract, .rules = rules, .book = book, .written = {}});

  EXPECT_THAT(plan.cases, testing::Not(IsEmpty()));
  for (const auto& item : plan.cases) {
    const bool says_why = item.obstacle.words.find("minLength and maxLength") != std::string::npos;
    EXPECT_TRUE((item.obstacle.kind == run::Reason::Kind::kUnmakable && says_why) ||
                item.undeclared_method || item.sends_nothing)
        << item.id << item.obstacle.words;
  }
}

TEST(Plan, numbers_cases_whose_parameters_have_similar_names) {
  const auto contract = spec::contract::load_contract_text(R"(
openapi: 3.1.0
info: {title: Twins, version: "1"}
paths:
  /a: {get: {operationId: one, parameters: [{name: a-b, in: query, schema: {type: integer}}, {name: a_b, in: query, schema: {type: integer}}], responses: {"200": {description: ok}}}}
)");
  DataFiles files{fs::path(test_paths::source()) / "contract_tests/rules/schemas"};
  const auto book =
      load_rule_book(files, fs::path(test_paths::source()) / "contract_tests/rules/rule_book.yaml");
  const Rules rules;

  const auto plan =
      demands::make_plan({.contract = contract, .rules = rules, .book = book, .written = {}});

  std::set<std::string> ids;
  for (const auto& item : plan.cases) {
    EXPECT_TRUE(ids.insert(item.id).second) << item.id;
  }
  EXPECT_THAT(ids, Contains("GET_a.the_value_abc_for_a_b_is_rejected_2"));
}

}  // namespace
}  // namespace contract_tests::plan
