// Fields of forms are read as they were written, whatever media type or style they have.

#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/write/write_body.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spec::contract::write {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class FormFields : public testing::TestWithParam<std::size_t> {
 protected:
  FormFields()
      : contract(load_contract(test_paths::source() + "/spec/contract/corpus/form_fields_31.yaml")),
        operation(contract.operations()[GetParam()]) {}

  // Writes `value` as the body of the form's operation.
  Body written(const json& value) const {
    const BodyForm form = form_of(contract, operation.body->contents.front());
    const auto one = [](const Parameter&) { return std::optional<json>(1); };
    return write_body(form, value, one).value_or(Body{});
  }

  Contract contract;
  const Operation& operation;
};

TEST_P(FormFields, are_read_as_they_were_written) {
  const json value = {{"n", 5},
                      {"form", {{"k", 1}, {"l", {1, 2}}}},
                      {"forms", {{{"k", 1}}, {{"k", 2}}}},
                      {"word", "a \"b\""},
                      {"each", {"a,b", "100%25"}},
                      {"blanks", {1, 2}},
                      {"turns", {{"r", 3}}},
                      {"spread", {{"x", 4}, {"y", "+"}}},
                      {"deep", {{"k", 6}}},
                      {"deeps", {{{"k", 7}, {"l", {"a"}}}, {{"k", 8}}}}};
  http::Request request{
      .method = "POST", .target = operation.path, .headers = {}, .body = written(value).bytes};
  request.headers.set("Content-Type", written(value).media_type);

  const RequestReading reading = validate_request(contract, operation, request, {});

  EXPECT_EQ(reading.body.value_or(nullptr), value) << request.body;
}

TEST_P(FormFields, are_written_in_the_format_that_they_say) {
  const bool is_encoded = operation.path == "/urlencoded";
  const std::string bytes =
      written({{"xml", {{"k", "v"}}}, {"csv", json::array({{{"id", 1}}})}}).bytes;

  EXPECT_THAT(bytes, HasSubstr(is_encoded ? "%3Cdoc%20k%3D%22v%22%3E" : "<doc k=\"v\"></doc>"));
  EXPECT_THAT(bytes, HasSubstr(is_encoded ? "csv=id%0D%0A1%0D%0A" : "\r\n\r\nid\r\n1\r\n"));
}

INSTANTIATE_TEST_SUITE_P(Forms, FormFields, testing::Values(0, 1));

}  // namespace

}  // namespace spec::contract::write
