// Requests made from every description of the corpus, and case by case.

#include "contract_tests/demands/tests/boundary_requests.hpp"
#include "spec/contract/checking/request_credentials.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/tests/corpus.hpp"
#include "spec/contract/tests/damages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace contract_tests::plan {
namespace {

using spec::contract::Contract;
using spec::contract::load_contract_text;
using spec::contract::Operation;
using spec::schema::generate::Generator;
using testing::IsEmpty;

class Corpus : public testing::TestWithParam<spec::contract::Description> {
 protected:
  Corpus()
      : contract(spec::contract::load_contract(GetParam().file)), generator(contract.schemas()) {}

  // The violations of the request, as lines.
  std::vector<std::string> problems(const Operation& operation,
                                    const spec::http::Request& request) const {
    const auto match = contract.route(request.method, spec::http::path_of(request.target));
    if (match.operation != &operation) {
      return {request.target + " is not routed to " + operation.name};
    }
    std::vector<std::string> lines;
    for (const auto& each :
         validate_request(contract, operation, request, match.path_values).violations) {
      lines.push_back(to_line(contract, each));
    }
    return lines;
  }

  Contract contract;
  Generator generator;
};

TEST_P(Corpus, has_a_valid_request_for_each_operation) {
  constexpr std::uint64_t kSeeds = 6;
  for (const Operation& operation : contract.operations()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      RequestOptions options;
      options.values.seed = seed;
      options.values.use_examples = seed % 2 == 0;
      const auto made = generate_request(contract, generator, operation, options);

      ASSERT_TRUE(made.has_value()) << operation.name << ": " << made.error().message;
      EXPECT_THAT(problems(operation, made->request), IsEmpty()) << made->request.target;
    }
  }
}

TEST_P(Corpus, has_the_same_requests_for_the_same_seed) {
  for (const Operation& operation : contract.operations()) {
    RequestOptions options;
    options.values.seed = 5;
    const auto first = generate_request(contract, generator, operation, options);
    const auto second =
        generate_request(contract, Generator(contract.schemas()), operation, options);

    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->request.target, second->request.target);
    EXPECT_EQ(first->request.headers, second->request.headers);
    EXPECT_EQ(first->request.body, second->request.body);
  }
}

TEST_P(Corpus, has_boundary_requests_as_described) {
  for (const Operation& operation : contract.operations()) {
    for (const auto& each : boundary_requests(contract, generator, operation)) {
      EXPECT_EQ(problems(operation, each.request).empty(), each.valid) << each.change;
    }
  }
}

TEST_P(Corpus, has_requests_when_it_is_damaged) {
  for (const auto& damaged : spec::contract::damaged_texts(GetParam().file)) {
    SCOPED_TRACE(damaged.what);
    try {
      const Contract broken = load_contract_text(damaged.text, "contract.json", {.tolerate = true});
      const Generator values(broken.schemas());
      for (const Operation& operation : broken.operations()) {
        const auto made = generate_request(broken, values, operation);
        if (made) {
          const auto match =
              broken.route(made->request.method, spec::http::path_of(made->request.target));
          ASSERT_EQ(match.operation, &operation) << made->request.target;
          read_credentials(operation, made->request);
        }
      }
    } catch (const spec::LoadError& error) {
      EXPECT_EQ(damaged.path_count, 1U) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, Corpus, testing::ValuesIn(spec::contract::corpus()),
                         spec::contract::name_of);

constexpr std::string_view kDocument = R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a/{id}:
    post:
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}
        - {name: size, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 100}}
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 2, maxLength: 30}}}}}
      responses: {"204": {description: ok}}
)yaml";

std::vector<std::string> boundaries_of(std::string_view text, bool valid) {
  const Contract contract = load_contract_text(text);
  const Generator generator(contract.schemas());
  std::vector<std::string> found;
  for (const auto& each : boundary_requests(contract, generator, contract.operations().front())) {
    if (each.valid == valid) {
      found.push_back(std::string(to_text(each.part)) + each.place + ' ' + each.keyword);
    }
  }
  return found;
}

TEST(BoundaryRequests, violate_each_keyword_of_parameters_and_body) {
  EXPECT_THAT(boundaries_of(kDocument, false),
              testing::IsSupersetOf({"path/id minimum", "path/id type", "query/size missing",
                                     "query/size minimum", "query/size maximum", "query/size type",
                                     "body missing", "body required", "body/name minLength",
                                     "body/name maxLength", "body/name type"}));
}

TEST(BoundaryRequests, are_at_each_bound) {
  EXPECT_THAT(boundaries_of(kDocument, true),
              testing::IsSupersetOf({"path/id minimum", "query/size minimum", "query/size maximum",
                                     "body/name minLength", "body/name maxLength"}));
}

constexpr std::string_view kStructured = R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a:
    post:
      parameters:
        - {name: ids, in: query, schema: {type: array, minItems: 2, maxItems: 3, items: {type: integer, maximum: 5}}}
        - {name: joined, in: query, explode: false, schema: {type: array, maxItems: 2, items: {type: string, maxLength: 3}}}
        - {name: deep, in: query, style: deepObject, explode: true, schema: {type: object, required: [a], properties: {a: {type: integer}, b: {type: integer, minimum: 1}}, additionalProperties: false}}
        - {name: X-List, in: header, schema: {type: array, maxItems: 2, items: {type: integer}}}
        - {name: X-Pair, in: header, schema: {type: object, required: [a], properties: {a: {type: integer, maximum: 9}}}}
        - {name: sizes, in: cookie, explode: false, schema: {type: array, maxItems: 2, items: {type: integer}}}
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: {schema: {type: object, required: [lines], properties: {lines: {type: array, minItems: 1, maxItems: 2, items: {type: object, required: [n], properties: {n: {type: integer, maximum: 5}}}}}}}
          multipart/form-data: {schema: {type: object, required: [word], properties: {word: {type: string, maxLength: 5}}}}
      responses: {"204": {description: ok}}
)yaml";

TEST(BoundaryRequests, violate_lists_and_objects_in_every_place) {
  EXPECT_THAT(boundaries_of(kStructured, false),
              testing::IsSupersetOf(
                  {"query/ids minItems", "query/ids maxItems", "query/ids maximum",
                   "query/ids type", "query/joined maxItems", "query/joined maxLength",
                   "query/deep required", "query/deep minimum", "query/deep additionalProperties",
                   "header/X-List maxItems", "header/X-Pair maximum", "cookie/sizes maxItems"}));
}

TEST(BoundaryRequests, violate_bodies_of_every_media_type) {
  EXPECT_THAT(boundaries_of(kStructured, false),
              testing::IsSupersetOf({"body/lines maxItems", "body/lines/0 required",
                                     "body/lines/0/n maximum", "body/word maxLength"}));
}

TEST(BoundaryRequests, send_no_list_for_a_text_of_a_multipart_form) {
  EXPECT_THAT(boundaries_of(kStructured, false), testing::Not(testing::Contains("body/word type")));
}

TEST(GeneratedRequest, leaves_optional_values_out_on_request) {
  const Contract contract = load_contract_text(R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths: {/a: {get: {parameters: [{name: q, in: query, schema: {type: integer}}], responses: {"204": {description: ok}}}}}
)yaml");
  const Generator generator(contract.schemas());
  RequestOptions options;
  options.optional = OptionalParts::kBody;

  EXPECT_EQ(
      generate_request(contract, generator, contract.operations().front(), options)->request.target,
      "/a");
  options.optional = OptionalParts::kAll;
  EXPECT_THAT(
      generate_request(contract, generator, contract.operations().front(), options)->request.target,
      testing::StartsWith("/a?q="));
}

TEST(GeneratedRequest, gives_the_reason_when_there_is_none) {
  const Contract contract = load_contract_text(R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths: {/a: {get: {parameters: [{name: q, in: query, required: true, schema: {type: integer, minimum: 5, maximum: 4}}], responses: {"204": {description: ok}}}}}
)yaml");
  const auto request =
      generate_request(contract, Generator(contract.schemas()), contract.operations().front());

  ASSERT_FALSE(request.has_value());
  EXPECT_THAT(request.error().message,
              testing::AllOf(testing::HasSubstr("no value satisfies minimum and maximum"),
                             testing::EndsWith(", for q")));
}

}  // namespace
}  // namespace contract_tests::plan
