#include "spec/har/har.hpp"

#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::har {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

std::string har_of(const std::string& entries) {
  return R"({"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[)" + entries +
         "]}}";
}

// An entry of these members of request and response.
std::string entry_of(const std::string& request, const std::string& response) {
  return R"({"startedDateTime":"2026-03-01T10:00:00.5Z","time":12.5,"request":{)" + request +
         R"(},"response":{)" + response + "}}";
}

const std::string kGet = R"("method":"GET","url":"https://api.example.com/a%2Fb?x=1#top")";
const std::string kOk = R"("status":200,"statusText":"OK","content":{"size":2,"text":"{}"})";

Call call_of(const std::string& request, const std::string& response) {
  const auto recording = read_har(har_of(entry_of(request, response)), "calls.har");
  EXPECT_THAT(recording.problems, IsEmpty());
  return recording.calls.empty() ? Call{} : recording.calls.front();
}

TEST(Har, reads_a_call_with_its_target_origin_and_time) {
  const auto call = call_of(kGet + R"(,"headers":[{"name":"accept","value":"a/b"}])", kOk);

  EXPECT_EQ(call.request.method, "GET");
  EXPECT_EQ(call.request.target, "/a%2Fb?x=1");
  EXPECT_EQ(call.origin, "https://api.example.com");
  EXPECT_THAT(call.request.headers.lines(), ElementsAre(Pair("accept", "a/b")));
  EXPECT_EQ(call.started, "2026-03-01T10:00:00.5Z");
  EXPECT_EQ(call.time_ms, 12.5);
  EXPECT_EQ(call.response->status, 200);
  EXPECT_EQ(call.response->body, "{}");
  EXPECT_TRUE(call.has_request_body && call.has_response_body);
}

TEST(Har, leaves_pseudo_fields_of_http_2_out) {
  const auto fields = R"("headers":[{"name":":authority","value":"x"},{"name":"a","value":"1"}])";

  const auto call = call_of(kGet + "," + fields, kOk + "," + fields);

  EXPECT_THAT(call.request.headers.lines(), ElementsAre(Pair("a", "1")));
  EXPECT_THAT(call.response->headers.lines(), ElementsAre(Pair("a", "1")));
}

TEST(Har, status_0_is_no_response_and_says_why) {
  const auto call = call_of(kGet, R"("status":0,"_error":"net::ERR_FAILED")");

  EXPECT_FALSE(call.response.has_value());
  EXPECT_EQ(call.failure, "net::ERR_FAILED");
}

TEST(Har, a_credential_in_a_url_is_no_part_of_its_origin) {
  const auto call = call_of(R"("method":"GET","url":"HTTP://me:secret@Host:80")", kOk);

  EXPECT_EQ(call.origin, "http://host");
  EXPECT_EQ(call.request.target, "/");
}

TEST(Har, the_port_of_the_scheme_is_no_part_of_an_origin) {
  EXPECT_EQ(without_default_port("https://a.example:443"), "https://a.example");
  EXPECT_EQ(without_default_port("http://[::1]:80/v2:80"), "http://[::1]/v2:80");
  EXPECT_EQ(without_default_port("https://a.example:80"), "https://a.example:80");
  EXPECT_EQ(without_default_port("http://a.example:8080"), "http://a.example:8080");
  EXPECT_EQ(without_default_port(""), "");
}

struct BodyRow {
  std::string name;
  std::string request;   // members after method and URL
  std::string response;  // all members
  std::string request_body;
  std::string response_body;
  bool has_request_body = true;
  bool has_response_body = true;
};

const std::vector<BodyRow> kBodies{
    {"bytes_in_base64", "",
     R"("status":200,"content":{"size":2,"text":"/wA=","encoding":"base64"})", "",
     std::string("\xff\0", 2)},
    {"no_text_of_a_body", "", R"("status":200,"content":{"size":9})", "", "", true, false},
    {"no_content", "", R"("status":200,"bodySize":-1)", "", "", true, false},
    {"a_body_that_was_cut", "", R"("status":200,"content":{"size":9,"text":"{}"})", "", "{}", true,
     false},
    {"no_body_of_204", "", R"("status":204,"content":{"size":-1})", "", ""},
    {"base64_that_is_none", "", R"("status":200,"content":{"text":"?","encoding":"base64"})", "",
     "", true, false},
    {"text_of_a_request", R"(,"bodySize":2,"postData":{"mimeType":"a/b","text":"{}"})", kOk, "{}",
     "{}"},
    {"form_without_text",
     R"(,"postData":{"mimeType":"application/x-www-form-urlencoded",)"
     R"("params":[{"name":"a","value":"1 2"},{"name":"b","value":"&"}]})",
     kOk, "a=1%202&b=%26", "{}"},
    {"files_of_a_form",
     R"(,"postData":{"mimeType":"multipart/form-data; boundary=x","params":[{"name":"a"}]})", kOk,
     "", "{}", false},
    {"a_request_body_that_is_missing", R"(,"bodySize":7)", kOk, "", "{}", false},
};

using HarBodies = spec::tests::RowTest;

TEST_P(HarBodies, are_read_or_said_to_be_missing) {
  const BodyRow& row = GetParam();

  const auto call = call_of(kGet + row.request, row.response);

  EXPECT_EQ(call.request.body, row.request_body);
  EXPECT_EQ(call.response->body, row.response_body);
  EXPECT_EQ(call.has_request_body, row.has_request_body);
  EXPECT_EQ(call.has_response_body, row.has_response_body);
}

INSTANTIATE_TEST_SUITE_P(Table, HarBodies, testing::ValuesIn(spec::tests::rows(kBodies)),
                         spec::tests::kRowNames);

TEST(Har, an_entry_that_cannot_be_read_costs_that_entry) {
  const auto text = har_of(entry_of(R"("method":"GET","url":"/a:b")", kOk) + ",7," +
                           entry_of(R"("url":"http://a/")", kOk) + "," + entry_of(kGet, "") + "," +
                           entry_of(kGet, kOk));

  const auto recording = read_har(text, "calls.har");

  EXPECT_THAT(recording.calls, ElementsAre(testing::Field(&Call::index, 4)));
  EXPECT_THAT(
      recording.problems,
      ElementsAre(Problem{"calls.har", 0, 0, "/log/entries/0/request/url",
                          "must be a URL of http or https, but is \"/a:b\""},
                  Problem{"calls.har", 0, 0, "/log/entries/1/request", "must have a request"},
                  Problem{"calls.har", 0, 0, "/log/entries/2/request/method",
                          "must be the name of a method"},
                  Problem{"calls.har", 0, 0, "/log/entries/3/response/status",
                          "must be a status, or 0 for no response"}));
}

TEST(Har, entries_that_are_no_calls_over_http_are_counted) {
  const auto text =
      har_of(entry_of(R"("method":"GET","url":"ws://a/1")", "") + "," +
             entry_of(R"("method":"GET","url":"data:text/plain,a")", kOk) + "," +
             entry_of(R"("method":"GET","url":"WS://a/2")", "") + "," + entry_of(kGet, kOk));

  const auto recording = read_har(text, "calls.har");

  EXPECT_THAT(recording.calls, ElementsAre(testing::Field(&Call::index, 3)));
  EXPECT_THAT(recording.problems,
              ElementsAre(Problem{"calls.har", 0, 0, "/log/entries",
                                  "left out: 1 calls over data, which is not HTTP"},
                          Problem{"calls.har", 0, 0, "/log/entries",
                                  "left out: 2 calls over ws, which is not HTTP"}));
}

TEST(Har, bodies_are_read_from_files_below_its_folder_alone) {
  const test_support::Folder folder;
  folder.write("outside.json", "1");
  folder.write("har/attached.json", "12");
  const auto content = [](const std::string& file) {
    return entry_of(kGet, R"("status":200,"content":{"size":-1,"_file":")" + file + "\"}");
  };
  folder.write("har/calls.har", har_of(content("attached.json") + "," + content("../outside.json") +
                                       "," + content("/etc/hostname") + "," + content("none")));

  const auto calls = read_har_file(folder.path() / "har/calls.har").calls;

  ASSERT_THAT(calls, SizeIs(4));
  EXPECT_EQ(calls[0].response->body, "12");
  EXPECT_TRUE(calls[0].has_response_body);
  for (std::size_t i = 1; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i].response->body, "") << i;
    EXPECT_FALSE(calls[i].has_response_body) << i;
  }
}

struct TextRow {
  std::string name;
  std::string text;
  std::string error;
};

const std::vector<TextRow> kTexts{
    {"empty", "", "calls.har:1:1: the file ends here"},
    {"cut", "{\"log\":\n{\"entries\":[{", "calls.har:2:14: the file ends here"},
    {"no_json", "<html>", "calls.har:1:1: no JSON"},
    {"columns_are_characters", "{\"\xC3\xA9\": <", "calls.har:1:7: no JSON"},
    {"another_json", R"({"info":{}})", "calls.har: no HAR"},
    {"no_object", "[1]", "calls.har: no HAR"},
    {"zip", "PK\x03\x04...", "calls.har: a ZIP archive; unpack it"},
};

using HarTexts = spec::tests::RowTest;

TEST_P(HarTexts, that_are_none_are_rejected_with_their_place) {
  const TextRow& row = GetParam();

  std::string error;

  try {
    read_har(row.text, "calls.har");
  } catch (const LoadError& problem) {
    error = problem.what();
  }

  EXPECT_THAT(error, HasSubstr(row.error));
}

INSTANTIATE_TEST_SUITE_P(Table, HarTexts, testing::ValuesIn(spec::tests::rows(kTexts)),
                         spec::tests::kRowNames);

TEST(Har, may_start_with_a_byte_order_mark_and_nest_deep) {
  std::string stack;
  std::string end;
  for (int depth = 0; depth < 500; ++depth) {
    stack += R"({"parent":)";
    end += '}';
  }
  const auto entry = entry_of(kGet, kOk + ",\"_initiator\":" + stack + "1" + end);

  const auto recording = read_har("\xEF\xBB\xBF" + har_of(entry), "calls.har");

  EXPECT_THAT(recording.calls, SizeIs(1));
}

}  // namespace

}  // namespace spec::har
