// Messages made from every description of the corpus keep it.

#include "spec/contract/samples/tests/corpus.hpp"

#include "spec/contract/check.hpp"
#include "spec/contract/samples/message.hpp"
#include "spec/contract/samples/request_corners.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace spec::contract::samples {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kSeeds = 6;

std::vector<std::string> lines_of(const Contract& contract,
                                  const std::vector<Violation>& violations) {
  std::vector<std::string> lines;
  for (const Violation& violation : violations) {
    lines.push_back(to_line(contract, violation));
  }
  return lines;
}

class Corpus : public testing::TestWithParam<Description> {
 protected:
  Corpus() : contract(load_contract(GetParam().file)), sampler(contract.schemas()) {}

  // A status that the answer governs.
  static int status_of(const Operation& operation, const Answer& answer) {
    for (const int status : {answer.status, answer.range * 100 + 1, 599, 499, 299}) {
      if (status >= 200 && operation.answer(status) == &answer) {
        return status;
      }
    }
    return 0;
  }

  // Each answer of the operation, once for each content, as the double would send it.
  std::vector<http::Response> answers(const Operation& operation, const SampleOptions& options) {
    std::vector<http::Response> all;
    for (const Answer& answer : operation.answers) {
      http::Response response;
      response.status = status_of(operation, answer);
      add_declared_headers(sampler, {contract, answer}, options, response);
      if (answer.contents.empty()) {
        all.push_back(response);
      }
      for (const Content& content : answer.contents) {
        const auto body = sample_answer_body(contract, sampler, {operation, content}, options);
        EXPECT_TRUE(body.has_value())
            << operation.name << ": " << (body ? "" : body.error().message);
        if (body) {
          http::Response& whole = all.emplace_back(response);
          whole.headers.set("Content-Type", body->media_type);
          whole.body = operation.method == "HEAD" ? "" : body->bytes;
        }
      }
    }
    return all;
  }

  Contract contract;
  Sampler sampler;
};

TEST_P(Corpus, is_warned_of_nothing_unexpected) {
  std::vector<std::string> warnings;
  for (const Problem& problem : contract.warnings()) {
    warnings.push_back(to_line(problem));
  }
  std::vector<testing::Matcher<std::string>> expected;
  for (const document::Node& each : contract.root().find("x-warnings").elements()) {
    expected.push_back(testing::HasSubstr(std::string(each.string())));
  }
  EXPECT_THAT(warnings, testing::ElementsAreArray(expected));
}

TEST_P(Corpus, has_a_request_for_each_operation) {
  for (const Operation& operation : contract.operations()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      RequestOptions options;
      options.sample.seed = seed;
      options.sample.use_examples = seed % 2 == 0;
      const auto request = sample_request(contract, sampler, operation, options);

      ASSERT_TRUE(request.has_value()) << operation.name << ": " << request.error().message;
      const Match match = contract.route(request->method, http::path_of(request->target));
      ASSERT_EQ(match.operation, &operation) << request->target;
      const auto reading = check_request(contract, operation, *request, match.path_values);
      EXPECT_THAT(lines_of(contract, reading.violations), IsEmpty()) << request->target;
      const Credentials credentials = read_credentials(operation, *request);
      EXPECT_TRUE(credentials.satisfied_by_anyone || !credentials.given.empty()) << operation.name;
    }
  }
}

TEST_P(Corpus, has_answers_that_keep_it) {
  for (const Operation& operation : contract.operations()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      SampleOptions options;
      options.seed = seed;
      options.use_examples = seed % 2 == 0;
      for (const http::Response& response : answers(operation, options)) {
        const bool is_head = operation.method == "HEAD";
        EXPECT_THAT(
            lines_of(contract, check_response(contract, operation, response, {.head = is_head})),
            IsEmpty())
            << response.status << ' ' << response.body.substr(0, 200);
      }
    }
  }
}

TEST_P(Corpus, has_the_same_messages_for_the_same_seed) {
  for (const Operation& operation : contract.operations()) {
    RequestOptions options;
    options.sample.seed = 5;
    const auto first = sample_request(contract, sampler, operation, options);
    const auto second = sample_request(contract, Sampler(contract.schemas()), operation, options);

    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->target, second->target);
    EXPECT_EQ(first->headers, second->headers);
    EXPECT_EQ(first->body, second->body);
  }
}

// Where a schema has a keyword that can be broken, a corner breaks it.
TEST_P(Corpus, has_corners_that_the_judge_takes_as_they_say) {
  for (const Operation& operation : contract.operations()) {
    for (const RequestCorner& corner : request_corners(contract, sampler, operation)) {
      const Match match =
          contract.route(corner.request.method, http::path_of(corner.request.target));
      ASSERT_EQ(match.operation, &operation) << corner.change;
      const auto reading = check_request(contract, operation, corner.request, match.path_values);
      EXPECT_EQ(reading.violations.empty(), corner.valid) << corner.change;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, Corpus, testing::ValuesIn(corpus()), name_of);

}  // namespace

}  // namespace spec::contract::samples
