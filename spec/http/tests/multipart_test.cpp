#include "spec/http/form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spec::http {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Each part as "name(filename)=content".
std::vector<std::string> parts(std::string_view body, std::string_view boundary = "b") {
  const auto read = read_multipart(body, boundary);
  if (!read) {
    return {"at " + std::to_string(read.error().byte_offset) + ": " + read.error().message.text()};
  }
  std::vector<std::string> lines;
  for (const MultipartPart& part : *read) {
    lines.push_back(part.name + '(' + part.filename.value_or("") +
                    ")=" + std::string(part.content));
  }
  return lines;
}

std::string form_part(const std::string& parameters, const std::string& content) {
  return "--b\r\nContent-Disposition: form-data; " + parameters + "\r\n\r\n" + content + "\r\n";
}

TEST(Multipart, reads_fields_and_files_in_order) {
  const std::string body = form_part("name=a", "1") +
                           form_part("name=\"f\"; filename=\"x.bin\"", std::string("\0\r\n-", 4)) +
                           "--b--\r\n";

  EXPECT_THAT(parts(body), ElementsAre("a()=1", "f(x.bin)=" + std::string("\0\r\n-", 4)));
}

TEST(Multipart, keeps_repeated_names_and_empty_contents) {
  EXPECT_THAT(parts(form_part("name=a", "") + form_part("name=a", "2") + "--b--"),
              ElementsAre("a()=", "a()=2"));
}

TEST(Multipart, passes_over_preamble_epilogue_and_blanks_behind_a_boundary) {
  EXPECT_THAT(parts("hello\r\n--b \t\r\n\r\nx\r\n--b-- \r\nbye"), ElementsAre("()=x"));
}

TEST(Multipart, may_have_no_parts) {
  EXPECT_THAT(parts("--b--"), IsEmpty());
}

TEST(Multipart, takes_only_whole_boundary_lines) {
  EXPECT_THAT(parts(form_part("name=a", "x--b\r\n--bc\r\n-b") + "--b--"),
              ElementsAre("a()=x--b\r\n--bc\r\n-b"));
}

TEST(Multipart, unescapes_what_browsers_escape_in_names) {
  EXPECT_THAT(parts(form_part(R"(name="a%22b%0D%0a%41")", "1") + "--b--"),
              ElementsAre("a\"b\r\n%41()=1"));
}

TEST(Multipart, gives_each_part_its_headers) {
  const auto read = read_multipart("--b\r\ncontent-type:  text/csv \r\nX: \r\n\r\n1\r\n--b--", "b");

  EXPECT_EQ(read->front().headers.find("Content-Type"), "text/csv");
  EXPECT_EQ(read->front().headers.find("x"), "");
}

TEST(Multipart, without_its_closing_boundary_is_an_error) {
  EXPECT_THAT(parts(form_part("name=a", "1")),
              ElementsAre("at 50: must end with its closing boundary, but does not"));
  EXPECT_THAT(parts("x"), ElementsAre("at 1: must start with its boundary, but has none"));
  EXPECT_THAT(parts("x--b--"), ElementsAre("at 6: must start with its boundary, but has none"));
}

TEST(Multipart, a_malformed_part_is_an_error_at_the_part) {
  EXPECT_THAT(
      parts("--b\r\nA: 1\r\n--b--"),
      ElementsAre("at 5: must have an empty line behind the headers of each part, but has none"));
  EXPECT_THAT(
      parts("--b\r\nA 1\r\n\r\n\r\n--b--"),
      ElementsAre(
          "at 5: must have header lines \"name: value\" in each part, but has a different line"));
  EXPECT_THAT(parts(form_part("filename=x", "") + "--b--"),
              ElementsAre("at 5: must have a name in each form-data part, but has none"));
  EXPECT_THAT(
      parts(form_part("name=\"x", "") + "--b--"),
      ElementsAre(
          "at 5: must have a valid Content-Disposition in each part, but has an invalid one"));
}

TEST(Multipart, keeps_its_limits) {
  const std::string part = "--b\r\n\r\n\r\n";
  std::string many;
  for (int i = 0; i < 100'000; ++i) {
    many += part;
  }
  const auto with_header = [](std::size_t bytes) {
    return "--b\r\nA:" + std::string(bytes - 2, 'x') + "\r\n\r\n\r\n--b--";
  };

  EXPECT_THAT(parts(many + "--b--"), SizeIs(100'000));
  EXPECT_THAT(parts(many + part + "--b--"),
              ElementsAre("at 900005: must have at most 100000 parts, but has more"));
  EXPECT_THAT(parts(with_header(8192)), ElementsAre("()="));
  EXPECT_THAT(
      parts(with_header(8193)),
      ElementsAre("at 5: must have part headers of at most 8192 bytes, but has a longer one"));
  EXPECT_THAT(parts(part + "--b--", ""),
              ElementsAre("at 0: must name a boundary of 1 to 70 bytes"));
}

}  // namespace

}  // namespace spec::http
