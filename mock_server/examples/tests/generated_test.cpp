// Bodies and headers of responses, case by case.

#include "mock_server/examples/header_table.hpp"
#include "mock_server/examples/response_example.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

namespace mock_server::examples {

namespace {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::load_contract;
using spec::contract::load_contract_text;
using spec::contract::MediaTypeObject;
using spec::contract::Operation;
using spec::contract::write::Body;
using spec::schema::generate::Generator;

TEST(Dates, have_the_form_of_http) {
  const auto* const row = find_header_row("last-modified");

  EXPECT_EQ(row->make({.seconds = 784'111'777}).front(), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(row->make({.seconds = 1'709'164'800}).front(), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(Dates, always_have_years_of_four_digits) {
  const auto* const row = find_header_row("last-modified");

  EXPECT_EQ(row->make({.seconds = 253'402'300'800}).front(), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(row->make({.seconds = -62'167'219'201}).front(), "Sat, 01 Jan 0000 00:00:00 GMT");
}

TEST(Locations, name_what_was_created_by_its_key) {
  const auto* const row = find_header_row("location");

  EXPECT_EQ(row->make({.status = 201, .path = "/items", .body = R"({"id": 3.00})"}).front(),
            "/items/3");
}

struct WrittenOut {
  std::string name;
  std::string example;
  std::optional<Body> body;

  friend void PrintTo(const WrittenOut& test, std::ostream* out) { *out << test.name; }
};

using MultipartText = spec::tests::RowTest;

TEST_P(MultipartText, is_sent_with_its_own_boundary) {
  const WrittenOut& row = GetParam();

  const Contract contract = load_contract_text(R"({"openapi": "3.1.0",
    "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {"200": {
    "description": "ok", "content": {"multipart/form-data": {"schema": {"type": "object",
    "properties": {"n": {"type": "integer"}}}}}}}}}}})");
  const Operation& operation = contract.operations()[0];

  const auto body =
      write_response_body(contract, {operation.responses[0].contents[0]}, json(row.example));

  ASSERT_EQ(body.has_value(), row.body.has_value());
  EXPECT_EQ(body ? body->media_type : "", row.body ? row.body->media_type : "");
  EXPECT_EQ(body ? body->bytes : "", row.body ? row.body->bytes : "");
}

const std::vector<WrittenOut> kTextsMultipartText = {
    {"parts", "--x\nContent-Disposition: form-data; name=\"n\"\n\n1\n--x--\n",
     Body{"multipart/form-data;boundary=x",
          "--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--x--\r\n"}},
    {"json", R"({"n": 1})",
     Body{"multipart/form-data;boundary=counterpart-7f3c1b9e",
          "--counterpart-7f3c1b9e\r\n"
          "Content-Disposition: form-data; name=\"n\"\r\n"
          "Content-Type: text/plain\r\n\r\n1\r\n--counterpart-7f3c1b9e--\r\n"}},
    {"words", "some words", std::nullopt},
    {"parts_without_an_end", "--x\n\n1\n", std::nullopt}};

INSTANTIATE_TEST_SUITE_P(Texts, MultipartText,
                         testing::ValuesIn(spec::tests::rows(kTextsMultipartText)),
                         spec::tests::kRowNames);

TEST(ResponseBody, has_the_bytes_of_an_external_example) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "external_bytes";
  std::filesystem::create_directories(folder);
  std::string bytes(256, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  std::ofstream(folder / "all.bin", std::ios::binary) << bytes;
  std::ofstream(folder / "contract.yaml") << R"yaml(
openapi: 3.1.0
info: {title: T, version: "1"}
paths: {/a: {get: {responses: {"200": {description: ok, content: {application/octet-stream; charset=utf-8: {examples: {all: {externalValue: all.bin}}}}}}}}}
)yaml";
  const Contract contract = load_contract(folder / "contract.yaml");
  const Operation& operation = contract.operations().front();

  const MediaTypeObject& content = operation.responses.front().contents.front();
  const auto body =
      generate_response_body(contract, Generator(contract.schemas()), {.content = content}, {});

  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(body->bytes, bytes);
  EXPECT_EQ(body->media_type, "application/octet-stream; charset=utf-8");
  std::filesystem::remove_all(folder);
}

}  // namespace

}  // namespace mock_server::examples
