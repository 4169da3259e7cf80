// Every description of the corpus in which something creates and reads records: what is created,
// changed and deleted at random agrees with a small model at every step. COUNTERPART_WALK is how
// many calls a walk makes in each collection.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/service/tests/inferred_walk.hpp"
#include "mock_server/service/tests/test_service.hpp"
#include "mock_server/service/tests/walk_seed.hpp"
#include "spec/contract/tests/corpus.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace mock_server::service {
namespace {

constexpr std::uint64_t kUsualCalls = 120;
constexpr std::uint64_t kMaxLengthening = 10;  // until something was kept as it was sent

std::uint64_t calls_of_a_walk() {
  const char* const given = std::getenv("COUNTERPART_WALK");
  return given != nullptr ? std::stoull(given) : kUsualCalls;
}

std::string walked_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class CorpusWalk : public ::testing::TestWithParam<spec::contract::Description> {};

TEST_P(CorpusWalk, agrees_with_a_model) {
  const std::uint64_t seed = walk_seed();
  const std::uint64_t calls = calls_of_a_walk();
  SCOPED_TRACE(seed_trace(seed));
  api::LoadedApiOptions options{GetParam().file, {}, false};
  options.infers = true;
  const auto api = api::load_api(options);
  for (const WalkedCollection& walked : walked_collections(*api)) {
    SCOPED_TRACE(walked.collection->name());
    TestService service({{"contract.yaml", walked_text(GetParam().file)}}, 0);
    InferredWalk walk(*api, walked, service, seed);
    const auto goes_on = [&](std::uint64_t call) {
      return call <= calls || (walk.kept() == 0 && call <= calls * kMaxLengthening);
    };
    for (std::uint64_t call = 1; goes_on(call) && !HasFailure(); ++call) {
      walk.step();
      if (call % (calls / 4 + 1) == 0) {
        service.restart();
      }
    }
    EXPECT_GT(walk.kept(), 0) << "nothing was kept as it was sent";
  }
}

INSTANTIATE_TEST_SUITE_P(Descriptions, CorpusWalk, testing::ValuesIn(spec::contract::corpus()),
                         spec::contract::name_of);

TEST(CorpusKinds, a_record_whose_key_should_be_in_the_body_is_asked_for) {
  const std::filesystem::path root = test_paths::source();
  TestService service(
      {{"contract.yaml", walked_text(root / "spec/contract/corpus/records_found_by_30.yaml")}}, 0);
  ASSERT_EQ(service.send("POST", "/pet", R"({"name": "Rex", "photoUrls": []})").status, 200);

  const auto response = service.send("PUT", "/pet", R"({"name": "Tom", "photoUrls": []})");

  EXPECT_EQ(response.status, 422);
  EXPECT_NE(response.body.find("body/id: must be the key of the record, but is missing"),
            std::string::npos)
      << response.body;
}

}  // namespace
}  // namespace mock_server::service
