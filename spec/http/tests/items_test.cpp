#include "spec/http/items.hpp"

#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::http {

namespace {

std::string in_words(const Item& item) {
  std::string words = item.data.value_or("nothing");
  words += item.event ? " event=" + *item.event : "";
  words += item.id ? " id=" + *item.id : "";
  words += item.retry ? " retry=" + *item.retry : "";
  return words + (item.must.empty() ? "" : "; " + std::string(item.must));
}

std::vector<std::string> items_of(ItemForm form, std::string_view body) {
  std::vector<std::string> items;
  while (const auto size = item_size(form, body)) {
    items.push_back(in_words(read_item(form, body.substr(0, *size))));
    body.remove_prefix(*size);
  }
  if (!body.empty()) {
    items.push_back("cut: " + in_words(read_item(form, body)));
  }
  return items;
}

struct BodyRow {
  std::string name;
  ItemForm form;
  std::string_view body;
  std::vector<std::string> items;
};

const std::vector<BodyRow> kBodies{
    {"an_event_has_fields",
     ItemForm::kEvents,
     "event: a\nid: 1\nretry: 10\ndata: x\n\n",
     {"x event=a id=1 retry=10"}},
    {"lines_of_data_are_joined",
     ItemForm::kEvents,
     "data: a\ndata:b\ndata\ndata:  c\n\n",
     {"a\nb\n\n c"}},
    {"every_line_end_counts",
     ItemForm::kEvents,
     "data: a\r\n\r\ndata: b\r\rdata: c\n\n",
     {"a", "b", "c"}},
    {"a_comment_is_nothing", ItemForm::kEvents, ": soon\n\ndata: a\n: b\n\n", {"nothing", "a"}},
    {"an_event_without_data_is_nothing", ItemForm::kEvents, "id: 1\n\n", {"nothing id=1"}},
    {"empty_data_are_data", ItemForm::kEvents, "data:\n\n", {""}},
    {"a_byte_order_mark_is_passed_over",
     ItemForm::kEvents,
     "\xEF\xBB\xBF"
     "data: a\n\n",
     {"a"}},
    {"an_event_without_an_empty_line_is_cut",
     ItemForm::kEvents,
     "data: a\n\ndata: b\n",
     {"a", "cut: b"}},
    {"json_is_no_event",
     ItemForm::kEvents,
     "{\"a\": 1}\n\n",
     {"nothing; must have only the fields data, event, id and retry"}},
    {"a_retry_has_digits",
     ItemForm::kEvents,
     "retry: soon\ndata: a\n\n",
     {"a; must have a retry of digits alone"}},
    {"lines_have_json", ItemForm::kLines, "{}\n\n [1]\r\n2", {"{}", "nothing", "[1]", "cut: 2"}},
    {"records_follow_separators", ItemForm::kRecords, "\x1e{}\n\x1e[\n1]\n", {"{}", "[\n1]"}},
    {"two_separators_are_nothing", ItemForm::kRecords, "\x1e\x1e{}\n", {"nothing", "{}"}},
    {"a_record_needs_a_separator",
     ItemForm::kRecords,
     "{}\n",
     {"{}; must begin with a record separator"}},
    {"a_number_may_be_cut",
     ItemForm::kRecords,
     "\x1e"
     "12\x1e{}\n",
     {"12; must end in a line feed", "{}"}},
};

using ItemBodies = spec::tests::RowTest;

TEST_P(ItemBodies, have_items) {
  const BodyRow& row = GetParam();

  EXPECT_EQ(items_of(row.form, row.body), row.items);
}

INSTANTIATE_TEST_SUITE_P(Table, ItemBodies, testing::ValuesIn(spec::tests::rows(kBodies)),
                         spec::tests::kRowNames);

TEST(Items, are_written_as_they_are_read) {
  EXPECT_EQ(write_item(ItemForm::kEvents, {"a\nb", "e", "1"}),
            "event: e\nid: 1\ndata: a\ndata: b\n\n");
  EXPECT_EQ(write_item(ItemForm::kLines, {"{}"}), "{}\n");
  EXPECT_EQ(write_item(ItemForm::kRecords, {"{}"}), "\x1e{}\n");
}

TEST(Items, of_ten_megabytes_without_an_end_are_read_at_once) {
  const std::string body = "data: " + std::string(10'000'000, 'x');

  EXPECT_EQ(item_size(ItemForm::kEvents, body), std::nullopt);
  EXPECT_EQ(whole_items(ItemForm::kLines, body), 0);
  EXPECT_EQ(read_item(ItemForm::kEvents, body).data->size(), 10'000'000);
}

}  // namespace

}  // namespace spec::http
