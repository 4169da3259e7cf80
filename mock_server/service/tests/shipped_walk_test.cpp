// The shipped contract: records, sessions and snapshots that are changed at random agree with a
// small model at every step, also after each new start.

#include "mock_server/service/tests/test_service.hpp"
#include "mock_server/service/tests/walk_seed.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace mock_server::service {
namespace {

using nlohmann::json;
using spec::http::Response;

constexpr int kShippedCalls = 10'000;
constexpr int kShippedCallsOfAStart = 2'500;
constexpr std::array<const char*, 3> kCallers{"", "a", "b"};
constexpr std::array<const char*, 2> kBrands{"brnd_F5ZR3qa7yEeeby3abP3E2",
                                             "brnd_Zs8IQ9Y7aJZqhB6baeCN6"};

std::string text_in(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TestService::Files shipped_files() {
  namespace fs = std::filesystem;
  const fs::path root = test_paths::source();
  TestService::Files files{{"contract.yaml", text_in(root / "spec/payments.openapi.yaml")}};
  for (const auto& entry : fs::recursive_directory_iterator(root / "fixtures")) {
    if (entry.path().extension() == ".yaml") {
      files.emplace_back(fs::relative(entry.path(), root).string(), text_in(entry.path()));
    }
  }
  return files;
}

class ShippedWalk {
 public:
  explicit ShippedWalk(std::uint64_t seed) : random_(seed), service_(shipped_files()) {
    for (const char* const brand : kBrands) {
      start_[brand] = name_of(ask("PATCH", brand_path(brand), "", "{}"));
    }
  }

  void step() {
    const std::string caller = kCallers.at(random_() % kCallers.size());
    switch (random_() % 12) {
      case 0: return reset(caller);
      case 1: return take_snapshot(caller);
      case 2: return restore_snapshot(caller);
      case 3: return remove(caller);
      case 4:
      case 5:
      case 6:
      case 7: return change(caller);
      default: return read(caller);
    }
  }

  void restart() { service_.restart(); }

 private:
  using Names = std::map<std::string, std::string>;  // by brand

  struct Caller {
    Names changed;
    std::map<std::string, Names> snapshots;
  };

  static std::string brand_path(const std::string& brand) { return "/brands/" + brand; }

  std::string any_brand() { return kBrands.at(random_() % kBrands.size()); }

  std::string any_snapshot() { return "s" + std::to_string(random_() % 3); }

  static std::string name_of(const Response& response) {
    const auto value = spec::json::read(response.body);
    return value && value->is_object() ? value->value("name", "(no name)") : "(no JSON)";
  }

  Response ask(const std::string& method, const std::string& target, const std::string& caller,
               const std::string& body = "") {
    spec::http::Request request{method, target, {{"Authorization", "Bearer dodo_test_walk"}}, body};
    if (!caller.empty()) {
      request.headers.add("X-Counterpart-Session", caller);
    }
    if (!body.empty()) {
      request.headers.add("Content-Type", "application/json");
    }
    request.headers.add("Content-Length", std::to_string(body.size()));
    return service_.ask(request).response;
  }

  std::string expected(const std::string& caller, const std::string& brand) {
    const Names& changed = callers_[caller].changed;
    const auto found = changed.find(brand);
    return found == changed.end() ? start_.at(brand) : found->second;
  }

  void change(const std::string& caller) {
    const std::string brand = any_brand();
    const std::string name = "Name " + std::to_string(random_() % 1000);
    const auto response = ask("PATCH", brand_path(brand), caller, json{{"name", name}}.dump());
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(name_of(response), name);
    callers_[caller].changed[brand] = name;
  }

  void read(const std::string& caller) {
    const std::string brand = any_brand();
    const auto response = ask("PATCH", brand_path(brand), caller, "{}");
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_EQ(name_of(response), expected(caller, brand)) << caller << ' ' << brand;
  }

  void reset(const std::string& caller) {
    ASSERT_EQ(ask("POST", "/_mock/reset", caller).status, 200);
    callers_[caller].changed.clear();
  }

  void take_snapshot(const std::string& caller) {
    const std::string name = any_snapshot();
    ASSERT_EQ(ask("PUT", "/_mock/snapshots/" + name, caller).status, 200);
    callers_[caller].snapshots[name] = callers_[caller].changed;
  }

  void restore_snapshot(const std::string& caller) {
    const std::string name = any_snapshot();
    const auto response = ask("POST", "/_mock/snapshots/" + name + "/restore", caller);
    Caller& model = callers_[caller];
    const auto found = model.snapshots.find(name);
    ASSERT_EQ(response.status, found == model.snapshots.end() ? 404 : 200) << response.body;
    if (found != model.snapshots.end()) {
      model.changed = found->second;
    }
  }

  void remove(const std::string& caller) {
    if (caller.empty()) {
      return reset(caller);
    }
    const int status = ask("DELETE", "/_mock/sessions/" + caller, "").status;
    ASSERT_EQ(status, callers_.erase(caller) != 0 ? 200 : 404) << caller;
  }

  std::mt19937_64 random_;
  TestService service_;
  Names start_;
  std::map<std::string, Caller> callers_;
};

TEST(ShippedStateWalk, agrees_with_a_model) {
  const std::uint64_t seed = walk_seed();
  SCOPED_TRACE(seed_trace(seed));
  ShippedWalk walk(seed);
  for (int call = 1; call <= kShippedCalls && !::testing::Test::HasFailure(); ++call) {
    walk.step();
    if (call % kShippedCallsOfAStart == 0) {
      walk.restart();
    }
  }
}

struct ShippedRequest {
  const char* name;
  const char* method;
  const char* target;
  const char* body;
};

using ShippedInference = spec::tests::RowTest;

// The whole response: status, fields and body.
std::string bytes_of(TestService& service, const ShippedRequest& asked) {
  spec::http::Request request{
      asked.method, asked.target, {{"Authorization", "Bearer dodo_test_walk"}}, asked.body};
  if (!request.body.empty()) {
    request.headers.add("Content-Type", "application/json");
    request.headers.add("Content-Length", std::to_string(request.body.size()));
  }
  const Response response = service.ask(request).response;
  std::string text = std::to_string(response.status) + '\n';
  for (const auto& [name, value] : response.headers.lines()) {
    text += name + ": " + value + '\n';
  }
  return text + '\n' + response.body;
}

TEST_P(ShippedInference, changes_no_byte_of_a_response) {
  const ShippedRequest& row = GetParam();

  constexpr std::size_t kNoSeedRecords = 0;
  TestService without(shipped_files());
  TestService with(shipped_files(), kNoSeedRecords);

  const std::string first = bytes_of(without, row);
  const std::string second = bytes_of(without, row);

  EXPECT_EQ(bytes_of(with, row), first);
  EXPECT_EQ(bytes_of(with, row), second);
}

const std::vector<ShippedRequest> kOperationsShippedInference = {
    {"a_customer", "GET", "/customers/cus_L9xVQ2zg4mZaouqKLiMcV", ""},
    {"no_customer", "GET", "/customers/cus_none", ""},
    {"a_brand", "PATCH", "/brands/brnd_F5ZR3qa7yEeeby3abP3E2", R"({"name": "Acme"})"},
    {"a_wrong_change", "PATCH", "/brands/brnd_F5ZR3qa7yEeeby3abP3E2", R"({"name": 7})"},
    {"a_page", "GET", "/subscriptions/sub_QYNdaKy8isWydfhl3Tvtn/usage-history?page_size=1", ""},
    {"a_licence", "POST", "/licenses/validate", R"({"license_key": "PRO-4F7K-9QXM-2WTR-8HVD"})"},
    {"an_invoice", "GET", "/invoices/payments/pay_dr0UwfMpf5rg7wOojmCUu", ""}};

INSTANTIATE_TEST_SUITE_P(Operations, ShippedInference,
                         ::testing::ValuesIn(spec::tests::rows(kOperationsShippedInference)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::service
