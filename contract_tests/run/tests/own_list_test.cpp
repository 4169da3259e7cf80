// The records in the list of a collection, and when it is known to show all.

#include "contract_tests/run/record_list.hpp"

#include <gmock/gmock.h>

namespace contract_tests::run {
namespace {

using nlohmann::json;
using testing::ElementsAre;

plan::OwnRecord own_by_id() {
  plan::OwnRecord own;
  own.members = {"id"};
  own.marker = "title";
  return own;
}

TEST(RecordsIn, a_body_are_the_one_list_of_objects_or_the_one_that_is_named) {
  EXPECT_EQ(*records_in(json::parse(R"([{"id": 1}])"), ""), json::parse(R"([{"id": 1}])"));
  EXPECT_EQ(*records_in(json::parse(R"({"data": [], "total": 0})"), ""), json::array());
  EXPECT_EQ(*records_in(json::parse(R"({"a": {"b": []}, "c": []})"), "/a/b"), json::array());
  EXPECT_EQ(records_in(json::parse(R"({"a": [], "b": []})"), ""), nullptr);
  EXPECT_EQ(records_in(json::parse("[1]"), ""), nullptr);
  EXPECT_EQ(records_in(json::parse(R"({"a": 1})"), ""), nullptr);
}

// True if a list of `count` records with this body is whole.
bool is_whole_with(const std::string& body, std::size_t count, const std::string& header = "",
                   bool has_query = false) {
  spec::contract::Operation list;
  if (has_query) {
    list.parameters.emplace_back().location = spec::contract::Location::kQuery;
  }
  client::Exchange exchange;
  if (!header.empty()) {
    exchange.response.headers.add(header, "3");
  }
  return is_whole(list, exchange, json::parse(body), count);
}

TEST(IsWhole, a_list_whose_records_are_counted_or_that_has_no_pages) {
  EXPECT_TRUE(is_whole_with("[]", 4));
  EXPECT_TRUE(is_whole_with(R"({"total": 30})", 30, "", true));
  EXPECT_TRUE(is_whole_with(R"({"totalCount": 30, "next": "x"})", 30));
  for (const std::string name : {"total_tasks", "totalUsers", "recordsTotal"}) {
    EXPECT_TRUE(is_whole_with("{\"" + name + "\": 30}", 30, "", true)) << name;
    EXPECT_FALSE(is_whole_with("{\"" + name + "\": 31}", 30, "", true)) << name;
  }
  EXPECT_TRUE(is_whole_with("[]", 3, "X-Total-Count", true));
  EXPECT_TRUE(is_whole_with(R"({"next": null, "has_more": false})", 2));
}

TEST(TotalIn, a_response_is_what_it_calls_so) {
  client::Exchange exchange;
  const auto total = [&exchange](const std::string& body) {
    return total_in(exchange, json::parse(body), 10);
  };

  EXPECT_EQ(total(R"({"items": [], "total_items": 25})"), 25);
  EXPECT_EQ(total(R"({"meta": {"pages": 3, "totalCount": 25}})"), 25);
  EXPECT_EQ(total(R"({"count": 25})"), 25);
  EXPECT_EQ(total(R"({"count": 10})"), std::nullopt);  // of the page, maybe
  EXPECT_EQ(total(R"({"total": 3})"), std::nullopt);
  EXPECT_EQ(total(R"({"total_price": 2500, "total_pages": 30})"), std::nullopt);
  exchange.response.headers.add("X-Total-Count", "26");
  EXPECT_EQ(total("[]"), 26);
}

TEST(IsWhole, no_list_that_may_have_pages) {
  EXPECT_FALSE(is_whole_with("[]", 5));
  EXPECT_FALSE(is_whole_with("[]", 1, "", true));
  EXPECT_FALSE(is_whole_with("[]", 1, "Link"));
  EXPECT_FALSE(is_whole_with(R"({"next": "/films?after=7"})", 1));
  EXPECT_FALSE(is_whole_with(R"({"has_more": true})", 1));
  EXPECT_FALSE(is_whole_with(R"({"total": 31})", 30));
  EXPECT_FALSE(is_whole_with(R"({"total_pages": 10})", 10));
}

TEST(MarkedRecords, are_those_with_the_text_in_any_case) {
  const OwnList list{.records = {{{"id", 1}, {"title", "Counterpart7"}},
                                 {{"id", "b2"}, {"title", "counterpart7"}},
                                 {{"id", 3}, {"title", "Counterpart70"}},
                                 {{"title", "Counterpart7"}}}};

  EXPECT_THAT(marked_records(own_by_id(), list, "Counterpart7"), ElementsAre("1", "b2"));
  EXPECT_EQ(find_record(own_by_id(), list, "b2"), &list.records[1]);
  EXPECT_EQ(find_record(own_by_id(), list, "4"), nullptr);
}

// The member by which a list of these may leave out the record.
std::string filtered_by(const std::string& records, const std::string& record) {
  const auto shown = json::parse(records);
  return may_be_filtered_by(own_by_id(), {.records = {shown.begin(), shown.end()}},
                            json::parse(record));
}

TEST(MayBeFilteredBy, a_member_of_few_values_that_the_record_has_otherwise) {
  EXPECT_EQ(filtered_by(R"([{"on": true}, {"on": true}])", R"({"on": false})"), "on");
  EXPECT_EQ(filtered_by(R"([{"at": "a"}, {"at": "b"}])", R"({"at": null})"), "at");
  EXPECT_EQ(filtered_by(R"([{"at": "a"}, {"at": "b"}])", "{}"), "at");
  EXPECT_EQ(filtered_by(R"([{"is": "a"}, {"is": "b"}, {"is": "a"}])", R"({"is": "c"})"), "is");
  EXPECT_EQ(filtered_by(R"([{"n": 1}, {"n": 1}])", R"({"n": 2})"), "n");
  EXPECT_EQ(filtered_by(R"([{"n": 1}])", R"({"n": 2})"), "n");
}

TEST(MayBeFilteredBy, no_member_in_which_all_records_differ_nor_the_marker) {
  EXPECT_EQ(filtered_by(R"([{"id": 1, "title": "a"}, {"id": 2, "title": "a"}])",
                        R"({"id": 3, "title": "c"})"),
            "");
  EXPECT_EQ(filtered_by(R"([{"on": true}, {"on": false}])", R"({"on": true})"), "");
  EXPECT_EQ(filtered_by(R"([{"tags": []}, {"tags": []}])", R"({"tags": ["x"]})"), "");
}

}  // namespace
}  // namespace contract_tests::run
