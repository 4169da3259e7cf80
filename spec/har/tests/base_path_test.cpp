#include "spec/contract/loading/load_contract.hpp"
#include "spec/har/api_place.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::har {
namespace {

Call call_to(const std::string& origin, const std::string& target) {
  Call call;
  call.origin = origin;
  call.url = origin + target;
  call.request = {"GET", target, {}, ""};
  return call;
}

struct TakenBase {
  std::string name;
  std::string base;
  std::string origin;
  std::string target;
  bool is_taken = true;
  std::string after{};  // the target; "" for the same
};

using TakenBases = spec::tests::RowTest;

TEST_P(TakenBases, leave_the_path_of_the_operation) {
  const TakenBase& row = GetParam();
  Call call = call_to(row.origin, row.target);

  EXPECT_EQ(take_base(call, *net::parse_base_url(row.base)), row.is_taken);

  EXPECT_EQ(call.request.target, row.after.empty() ? row.target : row.after);
  EXPECT_EQ(call.origin, row.after.empty() ? row.origin : row.base);
}

const std::vector<TakenBase> kTableTakenBases = {
    {"without_a_path", "https://a.example", "https://a.example", "/notes?x=1"},
    {"path", "https://a.example/v2", "https://a.example", "/v2/notes?x=/", true, "/notes?x=/"},
    {"path_of_two", "https://a.example/api/v2", "https://a.example:443", "/api/v2/notes", true,
     "/notes"},
    {"the_path_itself", "https://a.example/v2", "https://a.example", "/v2?x=1", true, "/?x=1"},
    {"the_path_alone", "https://a.example/v2", "https://a.example", "/v2", true, "/"},
    {"longer_segment", "https://a.example/v2", "https://a.example", "/v21/notes"},
    {"path_in_the_origin", "https://a.example/v2", "https://a.example/v2", "/notes", true,
     "/notes"},
    {"half_in_the_origin", "https://a.example/api/v2", "https://a.example/api", "/v2/notes", true,
     "/notes"},
    {"cut_already", "https://a.example/v2", "https://a.example", "/notes"},
    {"letter_case", "https://a.example/v2", "https://A.example", "/v2/notes", true, "/notes"},
    {"other_host", "https://a.example/v2", "https://b.example", "/v2/notes", false},
    {"other_scheme", "https://a.example/v2", "http://a.example", "/v2/notes", false},
    {"other_port", "https://a.example/v2", "https://a.example:8443", "/v2/notes", false},
    {"no_origin", "https://a.example/v2", "", "/v2/notes", false}};

INSTANTIATE_TEST_SUITE_P(Table, TakenBases, testing::ValuesIn(spec::tests::rows(kTableTakenBases)),
                         spec::tests::kRowNames);

constexpr const char* kNotes = R"({
  "openapi": "3.1.0", "info": {"title": "Notes", "version": "1"},
  "paths": {"/notes": {"get": {"operationId": "list_notes",
    "responses": {"200": {"description": "d"}}}}}})";

struct Place {
  std::string name;
  std::vector<std::pair<std::string, std::string>> calls;  // origin and target
  std::string origin{};
  std::string base{};
};

using ApiPlaces = spec::tests::RowTest;

TEST_P(ApiPlaces, are_where_most_calls_are_for_operations) {
  const Place& row = GetParam();

  const auto contract = contract::load_contract_text(kNotes, "notes.json");
  ApiPlace place(contract);

  for (const auto& [origin, target] : row.calls) {
    place.add(call_to(origin, target));
  }

  EXPECT_EQ(place.origin(), row.origin);
  EXPECT_EQ(place.base(), row.base);
}

const std::vector<Place> kTableApiPlaces = {
    {"none", {{"http://a", "/x"}, {"http://b", "/y/z"}}},
    {"most", {{"http://a", "/notes"}, {"http://b", "/notes"}, {"http://b", "/notes"}}, "http://b"},
    {"first_of_equals", {{"http://b", "/notes"}, {"http://a", "/notes"}}, "http://b"},
    {"other_calls_do_not_count",
     {{"http://a", "/x"}, {"http://a", "/y"}, {"http://b", "/notes"}},
     "http://b"},
    {"below_a_path", {{"http://a", "/api/v2/notes?x=1"}}, "", "http://a/api/v2"},
    {"below_the_usual_path",
     {{"http://a", "/old/notes"}, {"http://a", "/v2/notes"}, {"http://a", "/v2/notes"}},
     "",
     "http://a/v2"}};

INSTANTIATE_TEST_SUITE_P(Table, ApiPlaces, testing::ValuesIn(spec::tests::rows(kTableApiPlaces)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::har
