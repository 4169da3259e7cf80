// The path of a contract's servers, for a base URL without one.

#include "contract_tests/client/client.hpp"
#include "contract_tests/program/tested_server.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace contract_tests::program {
namespace {

struct Row {
  std::string name;
  std::string servers;
  std::string path;  // for shop.example
};

using BasePath = spec::tests::RowTest;

TEST_P(BasePath, is_that_of_the_server_that_fits_best) {
  const Row& row = GetParam();

  const auto contract = spec::contract::load_contract_text(
      "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: " + row.servers +
      "\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\n");

  EXPECT_EQ(base_path_of(contract, "shop.example"), row.path);
}

const std::vector<Row> kServersBasePath = {
    {"none", "[]", ""},
    {"path_alone", "[{url: /api/v3}]", "/api/v3"},
    {"slash_at_the_end", "[{url: 'https://a.example/v1/'}]", "/v1"},
    {"no_path", "[{url: 'https://a.example'}]", ""},
    {"the_same_host", "[{url: 'https://a.example/v1'}, {url: 'https://Shop.example:8443/v2'}]",
     "/v2"},
    {"the_same_host_without_a_path",
     "[{url: 'https://a.example/v1'}, {url: 'https://shop.example'}]", ""},
    {"the_first", "[{url: 'https://a.example/v1'}, {url: 'https://b.example/v2'}]", "/v1"},
    {"variable",
     "[{url: 'https://{host}/{version}', variables: {host: {default: a.example}, version: "
     "{default: v4}}}]",
     "/v4"},
    {"whole_url_in_a_variable",
     "[{url: '{base_url}', variables: {base_url: {default: 'https://a.example'}}}]", ""}};

INSTANTIATE_TEST_SUITE_P(Servers, BasePath, testing::ValuesIn(spec::tests::rows(kServersBasePath)),
                         spec::tests::kRowNames);

TEST(BasePathOfOperations, is_none_where_operations_have_other_servers) {
  const std::string start =
      "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: /v1}]\npaths: {/a: {get: "
      "{responses: {'200': {description: ok}}}}, /b: {servers: [{url: ";
  const std::string end = "}], get: {responses: {'200': {description: ok}}}}}\n";

  EXPECT_EQ(base_path_of(spec::contract::load_contract_text(start + "/v2" + end), "a.example"), "");
  EXPECT_EQ(base_path_of(spec::contract::load_contract_text(start + "/v1" + end), "a.example"),
            "/v1");
}

TEST(BaseUrl, names_a_path_even_if_it_is_a_slash_alone) {
  EXPECT_FALSE(client::parse_base_url("http://a.example").value().names_a_path);
  EXPECT_TRUE(client::parse_base_url("http://a.example/").value().names_a_path);
  EXPECT_EQ(client::parse_base_url("http://a.example/").value().prefix, "");
}

}  // namespace
}  // namespace contract_tests::program
