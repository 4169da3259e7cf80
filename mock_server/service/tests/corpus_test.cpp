// Every description of the corpus, and one of 150 operations, served without fixtures: each
// operation is answered, every answer keeps the contract, every broken request is refused.

#include "spec/contract/samples/tests/corpus.hpp"

#include "mock_server/fixtures/world.hpp"
#include "mock_server/service/mock_service.hpp"
#include "mock_server/service/tests/large_description.hpp"
#include "mock_server/service/tests/spine.hpp"
#include "mock_server/state/ring_journal.hpp"
#include "spec/contract/check.hpp"
#include "spec/contract/samples/message.hpp"
#include "spec/contract/samples/request_corners.hpp"
#include "spec/http/coding.hpp"
#include "spec/http/list_field.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace mock_server::service {
namespace {

using spec::contract::Answer;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::contract::samples::Description;
using spec::contract::samples::request_corners;
using spec::contract::samples::RequestCorner;
using spec::contract::samples::RequestOptions;
using spec::contract::samples::Sampler;
using spec::http::Request;
using spec::http::Response;
using testing::IsEmpty;

// As a browser reads it: decoded as the headers say, of the length and range that they say.
void expect_readable(const Response& response) {
  const auto codings = spec::http::list_field(response.headers, "Content-Encoding").value_or("");
  const auto decoded = spec::http::decode_content(codings, response.body);
  EXPECT_TRUE(decoded.has_value()) << codings << ": " << (decoded ? "" : decoded.error().message);
  const std::string size = std::to_string(response.body.size());
  EXPECT_EQ(response.headers.find("Content-Length").value_or(size), size);
  EXPECT_FALSE(response.headers.has("Transfer-Encoding"));
  EXPECT_TRUE(response.status == 206 || response.status == 416 ||
              !response.headers.has("Content-Range"));
}

// A service that plays one description, and requests for it.
class Player {
 public:
  explicit Player(const std::filesystem::path& file)
      : world_(fixtures::load_world({file, {}, false})),
        sampler_(world_->contract.schemas()),
        store_([] { return state::TimePoint(); }),
        service_(world_, store_, journal_, {}) {}

  const Contract& contract() const { return world_->contract; }

  const Sampler& sampler() const { return sampler_; }

  Request request(const Operation& operation, std::uint64_t seed) const {
    RequestOptions options;
    options.sample.seed = seed;
    const auto made = sample_request(contract(), sampler_, operation, options);
    EXPECT_TRUE(made.has_value()) << operation.name << ": " << (made ? "" : made.error().message);
    return made ? *made : Request{};
  }

  // The answer; it must keep the contract.
  Response ask(const Operation& operation, Request request, const std::string& prefer) {
    if (!prefer.empty()) {
      request.headers.add("Prefer", prefer);
    }
    Response response = service_.handle(request, {true, "127.0.0.1"}).response;
    if (operation.method == "HEAD") {
      response.body.clear();  // as the front door does
    }
    std::vector<std::string> broken;
    for (const auto& violation :
         check_response(contract(), operation, response, {.head = operation.method == "HEAD"})) {
      broken.push_back(to_line(contract(), violation));
    }
    EXPECT_THAT(broken, IsEmpty())
        << request.method << ' ' << request.target << ' ' << prefer << ": " << response.status
        << ' ' << response.body.substr(0, 200);
    EXPECT_FALSE(response.headers.has("X-Counterpart-Broken"));
    expect_readable(response);
    return response;
  }

  int status_of(const Request& request) {
    return service_.handle(request, {true, "127.0.0.1"}).response.status;
  }

 private:
  std::shared_ptr<const fixtures::World> world_;
  Sampler sampler_;
  state::Store store_;
  state::RingJournal journal_;
  MockService service_;
};

bool is_success(const Answer& answer) {
  return answer.status / 100 == 2 || answer.range == 2 || (answer.status == 0 && answer.range == 0);
}

void serve(Player& player, const Operation& operation) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Response response = player.ask(operation, player.request(operation, seed), "");
    EXPECT_EQ(response.status / 100, 2) << operation.name << ' ' << response.body;
  }
}

void serve_by_wish(Player& player, const Operation& operation) {
  const Request request = player.request(operation, 0);
  for (const char* const seed : {"1", "2", "3"}) {
    player.ask(operation, request, "dynamic=true, seed=" + std::string(seed));
  }
  for (const Answer& answer : operation.answers) {
    const int status = answer.status != 0  ? answer.status
                       : answer.range != 0 ? answer.range * 100 + 3
                                           : 503;
    const Response response = player.ask(operation, request, "code=" + std::to_string(status));
    EXPECT_EQ(response.status, status) << operation.name;
  }
}

class Corpus : public testing::TestWithParam<Description> {};

TEST_P(Corpus, is_served_without_fixtures) {
  Player player(GetParam().file);
  for (const Operation& operation : player.contract().operations()) {
    const bool has_success = std::ranges::any_of(operation.answers, is_success);
    if (has_success) {
      serve(player, operation);
    }
    serve_by_wish(player, operation);
  }
}

TEST_P(Corpus, has_its_broken_requests_refused_and_its_sound_ones_taken) {
  Player player(GetParam().file);
  for (const Operation& operation : player.contract().operations()) {
    for (const RequestCorner& corner :
         request_corners(player.contract(), player.sampler(), operation)) {
      const int status = player.status_of(corner.request);
      EXPECT_EQ(status / 100, corner.valid ? 2 : 4) << operation.name << ": " << corner.change;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, Corpus, testing::ValuesIn(spec::contract::samples::corpus()),
                         spec::contract::samples::name_of);

TEST(LargeDescription, is_served_whole_without_an_example) {
  const Spine::Files files{{"contract.yaml", large_description()}};
  const Spine spine(files);
  Player player(spine.folder() / "contract.yaml");

  ASSERT_EQ(player.contract().operations().size(), 150U);
  for (const Operation& operation : player.contract().operations()) {
    serve(player, operation);
    serve_by_wish(player, operation);
  }
}

}  // namespace
}  // namespace mock_server::service
