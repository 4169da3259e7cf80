#include "mock_server/console/console_page.hpp"
#include "spec/text/encoding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include <array>
#include <string>
#include <string_view>

namespace mock_server::console {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string between(const std::string& page, std::string_view start, std::string_view end) {
  const std::size_t first = page.find(start) + start.size();
  return page.substr(first, page.find(end, first) - first);
}

// As a browser computes it of what is between the tags.
std::string source_of(const std::string& content) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(content.data(), content.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return "'sha256-" + spec::text::to_base64({reinterpret_cast<const char*>(digest.data()), size}) +
         "'";
}

std::string header(const spec::http::Response& response, std::string_view name) {
  return std::string(response.headers.find(name).value_or("(none)"));
}

TEST(ConsolePage, allows_its_own_script_and_style_alone) {
  const auto response = page_response({"GET", "/_mock/", {}, ""});

  const std::string script = source_of(between(response.body, "<script>", "</script>"));
  const std::string style = source_of(between(response.body, "<style>", "</style>"));
  EXPECT_THAT(header(response, "Content-Security-Policy"),
              AllOf(HasSubstr("default-src 'none'; script-src " + script + "; style-src " + style +
                              "; connect-src 'self';"),
                    HasSubstr("frame-ancestors 'none'"), Not(HasSubstr("unsafe"))));
  EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(header(response, "Referrer-Policy"), "no-referrer");
  EXPECT_EQ(header(response, "Content-Type"), "text/html; charset=utf-8");
}

TEST(ConsolePage, names_no_foreign_address_and_is_ascii) {
  const auto page = page_response({"GET", "/_mock/", {}, ""}).body;

  EXPECT_THAT(page, Not(testing::ContainsRegex("https?://[a-z0-9]")));
  EXPECT_EQ(page.find_first_not_of("\n !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"),
            std::string::npos);
}

TEST(ConsolePage, is_not_sent_again_to_a_browser_that_has_it) {
  const auto first = page_response({"GET", "/_mock/", {}, ""});

  const auto again =
      page_response({"GET", "/_mock/", {{"If-None-Match", header(first, "ETag")}}, ""});
  const auto other = page_response({"GET", "/_mock/", {{"If-None-Match", "\"other\""}}, ""});

  const auto on_two_lines =
      page_response({"GET",
                     "/_mock/",
                     {{"If-None-Match", "\"other\""}, {"If-None-Match", header(first, "ETag")}},
                     ""});

  EXPECT_EQ(on_two_lines.status, 304);
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(other.status, 200);
  EXPECT_EQ(other.body, first.body);
}

TEST(ConsolePage, as_a_file_holds_what_was_recorded_and_asks_no_server) {
  const nlohmann::json recorded = {{"/_mock/requests", {{"text", "</script><script>alert(1)"}}}};

  const std::string page = page_with(recorded);

  const std::string data =
      between(page, "<script type=\"application/json\" id=\"recorded\">", "</script>");
  EXPECT_EQ(nlohmann::json::parse(data), recorded);
  EXPECT_THAT(page, AllOf(HasSubstr("http-equiv=\"Content-Security-Policy\""),
                          HasSubstr("connect-src 'none'"), Not(HasSubstr("<script>alert"))));
}

}  // namespace
}  // namespace mock_server::console
