// `run --report FOLDER` of the real program.

#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::program {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using transport::testing::Process;

// The data in the page.
json recorded_in(const std::string& page) {
  const std::string mark = "id=\"recorded\">";
  const std::size_t at = page.find(mark);
  const std::size_t begin = at == std::string::npos ? page.size() : at + mark.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin), nullptr, false);
}

TEST(RunPage, has_every_request_with_its_explanation_and_what_was_covered) {
  const test_support::Folder folder;
  const std::string calls =
      "curl -s -A 'a<script>' \"$MOCK_URL/custmers/x\" >/dev/null; curl -s -H 'Content-Type: "
      "application/json' -d '{\"license_key\": 5}' \"$MOCK_URL/_s/mine/licenses/validate\" "
      ">/dev/null; curl -s -X POST \"$MOCK_URL/_mock/clock/advance\" >/dev/null";
  Process server({test_paths::mock_server(), "--control-token", "key", "run", "--report",
                  (folder.path() / "new" / "report").string(), "--", "sh", "-c", calls});

  const std::string errors = server.errors();
  const std::string page =
      test_support::read_file(folder.path() / "new" / "report" / "console.html");
  json all = recorded_in(page);  // not const: what is missing is null, not undefined

  ASSERT_TRUE(all.is_object()) << errors << page;
  EXPECT_THAT(errors, HasSubstr("console.html"));
  EXPECT_EQ(server.end(), 1);
  EXPECT_EQ(all["/_mock/"]["name"], "Counterpart mock_server");
  EXPECT_EQ(all["/_mock/requests"]["matched"], 2);
  EXPECT_EQ(all["/_mock/requests/1"]["near_misses"][0]["operation"], "get_customer_handler");
  EXPECT_EQ(all["/_mock/requests/2"]["session"], "mine");
  EXPECT_EQ(all["/_mock/requests/2"]["request_violations"][0]["instance"], "/license_key");
  EXPECT_EQ(all["/_mock/coverage"]["requests"], 2);
  EXPECT_FALSE(all["/_mock/records/customers"]["records"].empty());
  EXPECT_THAT(page, testing::Not(HasSubstr("a<script>")));
}

}  // namespace
}  // namespace mock_server::program
