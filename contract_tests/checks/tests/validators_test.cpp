// Header fields about the content, and the end of a file.

#include "contract_tests/checks/header_fields.hpp"
#include "contract_tests/checks/pdf.hpp"
#include "contract_tests/checks/tests/of_rule.hpp"
#include "contract_tests/checks/wire.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace contract_tests::checks {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

RuleViolations violations_of(const char* field, const char* value) {
  client::Exchange exchange;
  exchange.sent.method = "GET";
  exchange.ending = client::Ending::kKeptOpen;
  exchange.record.head.status = 200;
  exchange.record.response.body = "hello";
  exchange.response.status = 200;
  exchange.response.headers.add("Date", "Sun, 06 Nov 1994 08:49:37 GMT");
  exchange.response.headers.add(field, value);
  return check_validators(exchange);
}

TEST(Validators, compare_the_digest_with_the_content) {
  EXPECT_THAT(
      violations_of("Content-Digest", "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"),
      IsEmpty());
  EXPECT_THAT(violations_of("Content-Digest", "sha-512=:AAAA:"), IsEmpty());
  EXPECT_THAT(
      violations_of("Repr-Digest", "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCA=:"),
      ElementsAre(of_rule("http/digest")));
}

struct Compressed {
  std::string media_type;
  bool is_archive;
};

TEST(Fields, know_an_archive_from_a_coding_without_its_label) {
  for (const auto& [media_type, is_archive] : std::vector<Compressed>{
           {"application/gzip", true},
           {"application/octet-stream", true},
           {"application/x-tar", true},
           {"application/vnd.oci.image.layer.v1.tar+gzip", true},
           {"application/json", false},
           {"application/problem+json", false},
           {"text/csv", false},
           {"image/svg+xml", false},
           {"application/pdf", false},
       }) {
    client::Exchange exchange;
    exchange.ending = client::Ending::kKeptOpen;
    exchange.record.head.status = 200;
    exchange.response.status = 200;
    exchange.response.headers.add("Content-Type", media_type);
    exchange.response.body = "\x1f\x8b and so on";

    EXPECT_EQ(check_fields(exchange).empty(), is_archive) << media_type;
  }
}

TEST(Fields, are_injected_only_by_a_request_that_has_them) {
  client::Exchange exchange;
  exchange.ending = client::Ending::kKeptOpen;
  exchange.record.head.status = 200;
  exchange.response.status = 200;
  exchange.response.headers.add("X-Evil", "1");
  exchange.sent.target = "/a";
  EXPECT_THAT(check_fields(exchange), IsEmpty());

  exchange.sent.target = "/a%0D%0AX-Evil%3A%201";
  EXPECT_THAT(check_fields(exchange), ElementsAre(of_rule("http/injection")));

  exchange.response.headers.set("X-Evil", "own");
  EXPECT_THAT(check_fields(exchange), IsEmpty());
}

TEST(Validators, find_a_last_change_in_the_future) {
  EXPECT_THAT(violations_of("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), IsEmpty());
  EXPECT_THAT(violations_of("Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT"),
              ElementsAre(of_rule("http/last-modified")));
}

TEST(Validators, distinguish_zlib_from_a_raw_stream) {
  client::Exchange exchange;
  exchange.record.response.headers.add("Content-Encoding", "deflate");
  exchange.record.response.body = "\x78\x9c and so on";
  EXPECT_THAT(check_validators(exchange), IsEmpty());

  exchange.record.response.body = "\xab\x56 and so on";
  EXPECT_THAT(check_validators(exchange), ElementsAre(of_rule("http/deflate")));
}

TEST(Pdf, ends_at_its_end) {
  const std::string file = "%PDF-1.4\nxref\nstartxref\n9\n%%EOF";

  EXPECT_THAT(check_pdf(file + "<br />Warning"), Contains(of_rule("file/behind-the-end")));
  EXPECT_THAT(check_pdf(file + "\r\n \n% read 3\n"), Not(Contains(of_rule("file/behind-the-end"))));
}

TEST(Framing, of_what_is_no_http_has_a_rule_where_nothing_says_more) {
  client::Exchange exchange;
  exchange.ending = client::Ending::kMalformed;

  EXPECT_THAT(
      check_framing(exchange),
      ElementsAre(RuleViolation{"http/malformed", "wire", "must be HTTP", "cannot be parsed"}));
}

}  // namespace
}  // namespace contract_tests::checks
