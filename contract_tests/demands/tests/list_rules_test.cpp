// What a contract suggests of its lists: each row adds a parameter or a member of the response to
// one list, and names a part of the block that comes of it.

#include "contract_tests/plan/list_rules.hpp"

#include "spec/contract/loading/load_contract.hpp"
#include "spec/json/pointer.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

namespace contract_tests::plan {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kRecord =
    "{type: object, properties: {id: {type: string}, name: {type: string}, price: {type: number}, "
    "size: {type: string}, state: {type: string, enum: [open, closed]}, paid: {type: boolean}, "
    "created_at: {type: string, format: date-time}}}";

std::string contract_text(const std::string& parameters, const std::string& members) {
  return "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /books:\n    get:\n"
         "      operationId: list\n      parameters: [" +
         parameters +
         "]\n      responses: {'200': {description: some, content: {application/json: {schema: "
         "{type: object, properties: {items: {type: array, items: " +
         kRecord + "}" + members + "}}}}}}\n";
}

struct ListRow {
  std::string name;
  std::string parameters;
  std::string members;  // of the response, each after a comma
  std::string at;       // in the block
  std::string value;    // JSON; "" if there is nothing
};

using InferredRules = spec::tests::RowTest;

TEST_P(InferredRules, are_what_the_contract_shows) {
  const ListRow& row = GetParam();
  const test_support::Folder folder;
  const auto contract = spec::contract::load_contract(
      folder.write("c.yaml", contract_text(row.parameters, row.members)));

  const json block =
      inferred_list(contract, spec::contract::resources_of(contract), *contract.operation("list"));

  const auto* found = spec::json::find(block, row.at);
  EXPECT_EQ(found == nullptr ? "" : found->dump(), row.value) << block.dump(1);
}

const char* const kLimit = "{name: limit, in: query, schema: {type: integer, maximum: 50}}";
const char* const kAfter = "{name: after, in: query, schema: {type: string}}";

std::string query(const std::string& name, const std::string& schema) {
  return "{name: '" + name + "', in: query, schema: {" + schema + "}}";
}

const std::vector<ListRow> kRules = {
    {"the_list", "", "", "/items", R"("/items")"},
    {"its_key", "", "", "/key", R"("/id")"},
    {"a_size", kLimit, "", "/size/parameter", R"("limit")"},
    {"the_maximum_of_a_size", kLimit, "", "/size/maximum", "50"},
    {"the_first_page", query("page", "type: integer, minimum: 0"), "", "/number/first", "0"},
    {"a_short_name_of_pages", query("p", "type: integer"), "", "/number/parameter", R"("p")"},
    {"an_offset", query("skip", "type: integer"), "", "/offset/parameter", R"("skip")"},
    {"a_size_that_is_a_member", query("size", "type: string"), "", "/filters/size/at",
     R"("/size")"},
    {"a_cursor_shown_below", kAfter,
     ", paging: {type: object, properties: {cursors: {type: object, properties: {after: {type: "
     "string}}}}}",
     "/cursor/at", R"("/paging/cursors/after")"},
    {"a_link_of_hal", "",
     ", _links: {type: object, properties: {next: {type: object, properties: {href: {type: "
     "string}}}}}",
     "/cursor/at", R"("/_links/next/href")"},
    {"a_cursor_by_key", kAfter, "", "/cursor/parameter", R"("after")"},
    {"a_time_that_is_no_cursor", query("after", "type: string, format: date-time"), "", "/cursor",
     ""},
    {"a_cursor_back_by_key", std::string(kAfter) + "," + query("before", "type: string"), "",
     "/back/parameter", R"("before")"},
    {"a_cursor_back_that_is_shown", kAfter,
     ", next_cursor: {type: string}, previous_cursor: {type: string}", "/back/at",
     R"("/previous_cursor")"},
    {"a_total", "", ", meta: {type: object, properties: {total: {type: integer}}}", "/total/at",
     R"("/meta/total")"},
    {"a_total_two_levels_below", "",
     ", meta: {type: object, properties: {page: {type: object, properties: {total: {type: "
     "integer}}}}}",
     "/total/at", R"("/meta/page/total")"},
    {"a_total_that_is_a_text", "", ", total: {type: string}", "/total", ""},
    {"more", "", ", has_more: {type: boolean}", "/more/at", R"("/has_more")"},
    {"the_last_page", "", ", last: {type: boolean}", "/last/at", R"("/last")"},
    {"a_filter", query("state", "type: string"), "", "/filters/state/is", R"("equal")"},
    {"a_filter_in_brackets", query("filter[name]", "type: string"), "", "/filters/filter[name]/at",
     R"("/name")"},
    {"a_filter_with_a_word_before", query("filter_name", "type: string"), "",
     "/filters/filter_name/at", R"("/name")"},
    {"a_minimum", query("min_price", "type: number"), "", "/filters/min_price/is", R"("at_least")"},
    {"a_maximum", query("price_lte", "type: number"), "", "/filters/price_lte/is", R"("at_most")"},
    {"an_open_bound", query("created_before", "type: string"), "", "/filters/created_before/is",
     R"("until")"},
    {"a_value_for_all", query("state", "type: string, enum: [open, closed, all]"), "",
     "/filters/state/values", R"(["open","closed"])"},
    {"an_unknown_parameter", query("colour", "type: string"), "", "/filters", ""},
    {"a_minus", query("sort", "type: string, enum: [-price]"), "", "/orders",
     R"({"sort=-price":{"at":"/price","class":"assumption","descending":true}})"},
    {"a_comma", query("sort", "type: string, enum: ['price,desc']"), "",
     "/orders/sort=price%2Cdesc/descending", "true"},
    {"the_newest", query("sort", "type: string, enum: [newest]"), "", "/orders/sort=newest/at",
     R"("/created_at")"},
    {"a_date_that_falls", query("sort", "type: string, enum: [date_desc]"), "",
     "/orders/sort=date_desc/at", R"("/created_at")"},
    {"a_direction_before_the_member",
     query("order", "type: string, enum: [asc]") + "," +
         query("sort", "type: string, enum: [name]"),
     "", "/orders/sort=name&order=asc/at", R"("/name")"},
    {"an_order_of_states", query("sort", "type: string, enum: [state]"), "", "/orders", ""},
};

INSTANTIATE_TEST_SUITE_P(Table, InferredRules, testing::ValuesIn(spec::tests::rows(kRules)),
                         spec::tests::kRowNames);

TEST(OverriddenRules, change_a_part_or_take_it_out) {
  const ordered_json base{{"size", {{"parameter", "limit"}, {"default", 10}}}, {"key", "/id"}};

  EXPECT_EQ(overridden(base, {{"size", {{"default", 20}}}}).at("size"),
            ordered_json({{"parameter", "limit"}, {"default", 20}}));
  EXPECT_FALSE(overridden(base, {{"size", "off"}}).contains("size"));
  EXPECT_TRUE(overridden(base, "off").is_null());
  EXPECT_EQ(overridden(base, {{"total", {{"at", "/n"}}}}).at("total").at("at"), "/n");
}

}  // namespace
}  // namespace contract_tests::plan
