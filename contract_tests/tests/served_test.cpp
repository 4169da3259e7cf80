// Every description of spec/contract/corpus, and one of 150 operations, served by the mock server
// without fixtures: each operation can return every declared response, each response is valid, each
// invalid request is rejected and each valid one accepted.

#include "contract_tests/client/client.hpp"
#include "contract_tests/demands/tests/boundary_requests.hpp"
#include "contract_tests/plan/generated_plan.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/tests/support/large_description.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/tests/corpus.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace contract_tests {
namespace {

using DeclaredResponse = spec::contract::Response;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::http::Request;
using spec::http::Response;
using testing::IsEmpty;

// A mock server of one contract, and requests for it.
class Player {
 public:
  explicit Player(const std::filesystem::path& file)
      : contract_(spec::contract::load_contract(file)),
        generator_(contract_.schemas()),
        mock_(program::MockProcess::start(
            test_paths::mock_server(),
            {"--port", "0", "--quiet", "--stateless", "--contract", file.string()})),
        client_(client::parse_base_url(mock_.value().url()).value(), trust_) {
    names_.set("token", "any");
  }

  const Contract& contract() const { return contract_; }

  const spec::schema::generate::Generator& generator() const { return generator_; }

  Request request(const Operation& operation, std::uint64_t seed) const {
    plan::RequestOptions options;
    options.values.seed = seed;
    const auto made = plan::generate_request(contract_, generator_, operation, options);
    EXPECT_TRUE(made.has_value()) << operation.name << ": " << (made ? "" : made.error().message);
    return made ? with_credentials(operation, *made) : Request{};
  }

  // A generated or boundary request as the suite sends it.
  template <typename Made>
  Request with_credentials(const Operation& operation, const Made& made) const {
    plan::RequestPlan plan;
    plan.encoded_path = {made.path.begin(), made.path.end()};
    return build_request(operation, with_drawn(plan, made.request), names_, "").value();
  }

  // The response, decoded; it must be whole and valid.
  Response ask(const Operation& operation, Request request, const std::string& prefer) {
    if (!prefer.empty()) {
      request.headers.add("Prefer", prefer);
    }
    const auto exchange = client_.send(request);
    EXPECT_TRUE(exchange.is_complete() && !exchange.coding_error) << exchange.failure;
    const Response& response = exchange.response;
    std::vector<std::string> violations;
    for (const auto& violation :
         validate_response(contract_, operation, response, {.head = operation.method == "HEAD"})) {
      violations.push_back(to_line(contract_, violation));
    }
    EXPECT_THAT(violations, IsEmpty())
        << request.method << ' ' << request.target << ' ' << prefer << ": " << response.status
        << ' ' << response.body.substr(0, 200);
    EXPECT_FALSE(response.headers.has("X-Counterpart-Invalid"));
    EXPECT_TRUE(response.status == 206 || response.status == 416 ||
                !response.headers.has("Content-Range"));
    return response;
  }

  int status_of(const Request& request) { return client_.send(request).status(); }

 private:
  Contract contract_;
  spec::schema::generate::Generator generator_;
  client::Trust trust_;
  spec::Result<program::MockProcess, std::string> mock_;
  client::Client client_;
  plan::Names names_;
};

bool is_success(const DeclaredResponse& answer) {
  return answer.status / 100 == 2 || answer.range == 2 || (answer.status == 0 && answer.range == 0);
}

void serve(Player& player, const Operation& operation) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Response response = player.ask(operation, player.request(operation, seed), "");
    EXPECT_EQ(response.status / 100, 2) << operation.name << ' ' << response.body;
  }
}

void serve_by_preference(Player& player, const Operation& operation) {
  const Request request = player.request(operation, 0);
  for (const char* const seed : {"1", "2", "3"}) {
    player.ask(operation, request, "dynamic=true, seed=" + std::string(seed));
  }
  for (const DeclaredResponse& answer : operation.responses) {
    const int status = answer.status != 0  ? answer.status
                       : answer.range != 0 ? answer.range * 100 + 3
                                           : 503;
    const Response response = player.ask(operation, request, "code=" + std::to_string(status));
    EXPECT_EQ(response.status, status) << operation.name;
  }
}

class Served : public testing::TestWithParam<spec::contract::Description> {};

TEST_P(Served, can_return_every_declared_response) {
  Player player(GetParam().file);
  for (const Operation& operation : player.contract().operations()) {
    if (std::ranges::any_of(operation.responses, is_success)) {
      serve(player, operation);
    }
    serve_by_preference(player, operation);
  }
}

TEST_P(Served, rejects_invalid_requests_and_accepts_valid_ones) {
  Player player(GetParam().file);
  for (const Operation& operation : player.contract().operations()) {
    for (const auto& each :
         plan::boundary_requests(player.contract(), player.generator(), operation)) {
      EXPECT_EQ(player.status_of(player.with_credentials(operation, each)) / 100,
                each.valid ? 2 : 4)
          << operation.name << ": " << each.change;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, Served, testing::ValuesIn(spec::contract::corpus()),
                         spec::contract::name_of);

TEST(LargeDescription, is_served_whole_without_an_example) {
  const auto file = std::filesystem::path(testing::TempDir()) / "large_description.yaml";
  std::ofstream(file) << large_description(50);
  Player player(file);

  ASSERT_EQ(player.contract().operations().size(), 150U);
  for (const Operation& operation : player.contract().operations()) {
    serve(player, operation);
    serve_by_preference(player, operation);
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace contract_tests
