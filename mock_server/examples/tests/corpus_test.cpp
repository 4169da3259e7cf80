// Responses made from every description of the corpus are valid, and from damaged ones none is the
// end of the program.

#include "spec/contract/tests/corpus.hpp"

#include "mock_server/examples/response_example.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/tests/damages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::examples {

namespace {

using DeclaredResponse = spec::contract::Response;
using spec::contract::Contract;
using spec::contract::Description;
using spec::contract::Operation;
using spec::http::Response;
using spec::schema::generate::GenerateOptions;
using spec::schema::generate::Generator;

constexpr std::uint64_t kSeeds = 6;

// A status that the response governs.
int status_of(const Operation& operation, const DeclaredResponse& declared) {
  for (const int status : {declared.status, declared.range * 100 + 1, 599, 499, 299}) {
    if (status >= 200 && operation.response(status) == &declared) {
      return status;
    }
  }
  return 0;
}

// Each response of the operation, once for each media type. Those without a body are bare.
std::vector<Response> responses(const Contract& contract, const Generator& generator,
                                const Operation& operation, const GenerateOptions& options) {
  std::vector<Response> all;
  for (const DeclaredResponse& declared : operation.responses) {
    Response response;
    response.status = status_of(operation, declared);
    add_declared_headers(generator, {contract, declared}, options, response);
    if (declared.contents.empty()) {
      all.push_back(response);
    }
    for (const auto& content : declared.contents) {
      const auto body = generate_response_body(contract, generator, {content}, options);
      Response& whole = all.emplace_back(response);
      whole.headers.set("Content-Type", body ? body->media_type : "none/" + body.error().message);
      whole.body = body && operation.method != "HEAD" ? body->bytes : "";
    }
  }
  return all;
}

class Corpus : public testing::TestWithParam<Description> {};

TEST_P(Corpus, has_valid_responses) {
  const Contract contract = spec::contract::load_contract(GetParam().file);
  const Generator generator(contract.schemas());
  for (const Operation& operation : contract.operations()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const GenerateOptions options{.seed = seed, .use_examples = seed % 2 == 0};
      for (const Response& response : responses(contract, generator, operation, options)) {
        std::vector<std::string> lines;
        for (const auto& violation : validate_response(contract, operation, response,
                                                       {.head = operation.method == "HEAD"})) {
          lines.push_back(to_line(contract, violation));
        }
        EXPECT_THAT(lines, testing::IsEmpty())
            << response.status << ' ' << response.headers.find("Content-Type").value_or("") << ' '
            << response.body.substr(0, 200);
      }
    }
  }
}

TEST_P(Corpus, has_responses_where_it_is_damaged) {
  for (const auto& damaged : spec::contract::damaged_texts(GetParam().file)) {
    SCOPED_TRACE(damaged.what);
    try {
      const Contract contract =
          spec::contract::load_contract_text(damaged.text, "contract.json", {.tolerate = true});
      const Generator generator(contract.schemas());
      for (const Operation& operation : contract.operations()) {
        for (const Response& response : responses(contract, generator, operation, {})) {
          validate_response(contract, operation, response);
        }
      }
    } catch (const spec::LoadError& error) {
      EXPECT_EQ(damaged.path_count, 1U) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, Corpus, testing::ValuesIn(spec::contract::corpus()),
                         spec::contract::name_of);

}  // namespace

}  // namespace mock_server::examples
