// A contract of a thousand operations: memory, reports and standard output are bounded, whatever
// the server responds.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/large_description.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/sanitized.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace contract_tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::Ended;
using support::ScriptedServer;
using testing::HasSubstr;

constexpr int kResources = 334;  // of three operations each
constexpr std::size_t kMaxKilobytes = 150'000;
constexpr std::size_t kMaxReports = 20'000'000;

class LargeContract : public testing::Test {
 protected:
  void SetUp() override {
    if (spec::tests::kIsSanitized) {
      GTEST_SKIP() << "what a sanitizer adds to memory and time is not what the program needs";
    }
  }

  // Some requests of every operation: the plan must fit, whatever is sent of it.
  Ended run(int resources, std::vector<std::string> arguments) const {
    const auto contract = folder_.write("large.yaml", large_description(resources));
    arguments.insert(arguments.end(), {"--contract", contract.string(), "--max-requests", "4000",
                                       "--report", (folder_.path() / "run").string()});
    return support::run_child(test_paths::contract_tests(), arguments,
                              {{"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});
  }

  std::size_t bytes_of_reports() const {
    std::size_t bytes = 0;
    for (const auto& file : fs::directory_iterator(folder_.path() / "run")) {
      bytes += file.file_size();
    }
    return bytes;
  }

  test_support::Folder folder_;
};

TEST_F(LargeContract, is_tested_within_the_limits_of_memory_and_reports) {
  const auto ended = run(kResources, {});

  EXPECT_EQ(ended.out.find(" errors"), ended.out.find("0 errors") + 1) << ended.out.substr(0, 3000);
  EXPECT_LE(ended.peak_kilobytes, kMaxKilobytes);
  EXPECT_LE(bytes_of_reports(), kMaxReports);
  EXPECT_LE(std::ranges::count(ended.out, '\n'), 60) << ended.out.substr(0, 3000);
  EXPECT_GT(support::read_report(folder_.path() / "run").at("plan").at("left_out"), 1'000);
}

// Every case fails: a third of the operations is enough for more findings than reports show.
TEST_F(LargeContract, of_a_wrong_server_is_tested_within_them) {
  const std::string body(4'000, '<');
  const ScriptedServer server(
      {{.steps = json::array({{{"send",
                                "HTTP/1.1 200 OK\r\nContent-Type: "
                                "application/json\r\nContent-Length: " +
                                    std::to_string(body.size()) + "\r\n\r\n" + body}}}),
        .keep = true}});

  const auto ended =
      run(kResources / 3, {"--base-url", server.url(), "--token", "sk_of_this_test"});

  EXPECT_EQ(ended.exit_code, 1) << ended.err;
  EXPECT_LE(ended.peak_kilobytes, kMaxKilobytes);
  EXPECT_LE(bytes_of_reports(), kMaxReports);
  EXPECT_LE(std::ranges::count(ended.out, '\n'), 250) << ended.out.substr(0, 3000);
}

}  // namespace
}  // namespace contract_tests
