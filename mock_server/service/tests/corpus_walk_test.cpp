// Every description of the corpus in which something creates and reads records: what is created,
// changed and deleted at random agrees with a small model at every step. COUNTERPART_SEED repeats a
// walk; COUNTERPART_WALK is how many calls it makes in each collection.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/service/tests/inferred_walk.hpp"
#include "mock_server/service/tests/test_service.hpp"
#include "spec/contract/tests/corpus.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace mock_server::service {
namespace {

constexpr int kUsualCalls = 120;

std::uint64_t number_of(const char* variable, std::uint64_t usual) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? std::stoull(given) : usual;
}

std::string walked_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class CorpusWalk : public ::testing::TestWithParam<spec::contract::Description> {};

TEST_P(CorpusWalk, agrees_with_a_model) {
  const std::uint64_t seed = number_of("COUNTERPART_SEED", std::random_device{}());
  const std::uint64_t calls = number_of("COUNTERPART_WALK", kUsualCalls);
  SCOPED_TRACE("COUNTERPART_SEED=" + std::to_string(seed));
  fixtures::LoadedApiOptions options{GetParam().file, {}, false};
  options.infers = true;
  const auto api = fixtures::load_api(options);
  for (const WalkedCollection& walked : walked_collections(*api)) {
    SCOPED_TRACE(walked.collection->name());
    TestService service({{"contract.yaml", walked_text(GetParam().file)}}, 0);
    InferredWalk walk(*api, walked, service, seed);
    for (std::uint64_t call = 1; call <= calls && !HasFailure(); ++call) {
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
