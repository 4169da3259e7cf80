// Pages: sizes at and beyond every bound, numbers, and the partition of the whole by two sizes.

#include "contract_tests/plan/drafting.hpp"

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;

namespace {

class Pages {
 public:
  explicit Pages(const Drafting& drafting)
      : drafting_(drafting),
        block_(drafting.rules.pages),
        size_(block_.at("size").at("parameter").get<std::string>()),
        number_(block_.at("number").at("parameter").get<std::string>()) {}

  void draft() const {
    const auto maximum = block_.at("size").at("maximum").get<int>();
    size_case(std::nullopt, "without a size a page holds the default number of items",
              "paging/default-size");
    for (const auto& probe : block_.at("size").at("probes")) {
      const auto text = std::to_string(probe.get<int>());
      size_case(probe.get<int>(), "a page size of " + text + " gives pages of " + text,
                "paging/size");
    }
    zero();
    refused(size_, "-1", "paging/minimum-size");
    refused(number_, "-1", "paging/minimum-number");
    refused_with_size();
    beyond(maximum);
    walk_cases();
  }

 private:
  Case start(std::string sentence, std::string rule, std::string procedure,
             StatementClass kind = StatementClass::kDocument) const {
    auto item =
        drafting_.draft(std::move(sentence), std::move(rule), Drafting::clause(block_, kind));
    item.procedure = std::move(procedure);
    item.data = {{"items", block_.at("items")},
                 {"size", size_},
                 {"number", number_},
                 {"first", block_.at("number").at("first")},
                 {"maximum", block_.at("size").at("maximum")}};
    if (!in_contract(size_) || !in_contract(number_)) {
      item.unavailable = "the contract in use does not name the paging parameters";
    }
    return item;
  }

  bool in_contract(const std::string& name) const {
    return drafting_.operation.parameter(spec::contract::Location::kQuery, name) != nullptr;
  }

  void size_case(std::optional<int> size, std::string sentence, std::string rule) const {
    auto item = start(std::move(sentence), std::move(rule), "page_size");
    item.data["expected"] = size.value_or(block_.at("size").at("default").get<int>());
    if (size) {
      item.request.query.emplace_back(size_, std::to_string(*size));
      item.changed = "query " + size_ + "=" + std::to_string(*size);
    } else if (!item.unavailable.empty()) {
      item.unavailable.clear();  // a page without parameters needs no names: judged by the document
      item.data.erase("size");
    }
    drafting_.add(std::move(item));
  }

  // The same where a size stands beside it.
  void refused_with_size() const {
    auto item = start("the value -1 for " + number_ + " is refused beside a size too",
                      "paging/minimum-number", "exchange");
    item.request.query = {{size_, "3"}, {number_, "-1"}};
    item.expect.want = Want::kRefused;
    item.changed = "query " + size_ + "=3, " + number_ + "=-1";
    drafting_.add(std::move(item));
  }

  void zero() const {
    auto item = start("a page size of 0 gives an empty page", "paging/zero", "page_size");
    item.data["expected"] = 0;
    item.request.query.emplace_back(size_, "0");
    item.expect.want = Want::kHandled;
    item.changed = "query " + size_ + "=0";
    drafting_.add(std::move(item));
  }

  void refused(const std::string& name, const std::string& value, std::string rule) const {
    auto item = start(name + " " + value + " is refused", std::move(rule), "exchange");
    item.data = json::object();
    item.request.query.emplace_back(name, value);
    item.expect.want = Want::kRefused;
    item.changed = "query " + name + "=" + value;
    drafting_.add(std::move(item));
  }

  // Beyond the maximum: a refusal or a page cut to the maximum are both legal.
  void beyond(int maximum) const {
    for (const auto& text : {std::to_string(maximum + 1), std::to_string(maximum * 10),
                             std::string("2147483647"), std::string("99999999999999999999")}) {
      auto item = start("a page size of " + text + " is refused or cut to the maximum",
                        "paging/maximum", "page_size");
      item.data["expected"] = maximum;
      item.request.query.emplace_back(size_, text);
      item.expect.want = Want::kHandled;
      item.changed = "query " + size_ + "=" + text;
      drafting_.add(std::move(item));
    }
  }

  void walk_cases() const {
    const auto& sizes = block_.at("partition");
    for (std::size_t at = 0; at + 1 < sizes.size(); ++at) {
      const auto small = sizes.at(at).dump();
      const auto large = sizes.at(at + 1).dump();
      auto item =
          start("pages of " + small + " and of " + large + " are partitions of the same whole",
                "paging/partition", "pages_partition");
      item.data["sizes"] = {sizes.at(at), sizes.at(at + 1)};
      drafting_.add(std::move(item));
    }
    auto first = start("the first page is page " + block_.at("number").at("first").dump(),
                       "paging/first-page", "pages_first");
    drafting_.add(std::move(first));
    unsized();
    auto past = start("a page past the end is empty", "paging/past-the-end", "pages_past_end",
                      StatementClass::kAssumption);
    drafting_.add(std::move(past));
    auto order = start("the order of items is the same in every reading", "paging/order",
                       "pages_order", StatementClass::kAssumption);
    drafting_.add(std::move(order));
    auto every =
        start("every page keeps the schema to its last item", "paging/every-page", "pages_every");
    drafting_.add(std::move(every));
    auto time = start("a large page takes no disproportionate time", "paging/time", "pages_time",
                      StatementClass::kAssumption);
    drafting_.add(std::move(time));
  }

  // A number counts in pages of the default size when no size is given.
  void unsized() const {
    const auto number = std::to_string(block_.at("number").at("first").get<int>() + 1);
    auto item =
        start("a page number counts without a page size too", "paging/number-ignored", "same");
    item.request.query.emplace_back(number_, number);
    auto sized = item.request;
    sized.query.emplace_back(size_, block_.at("size").at("default").dump());
    item.data["variant"] = to_json(sized);
    item.changed = "query " + number_ + "=" + number;
    drafting_.add(std::move(item));
  }

  const Drafting& drafting_;
  const json& block_;
  std::string size_;
  std::string number_;
};

}  // namespace

void draft_pages(const Drafting& drafting) {
  if (!drafting.rules.pages.is_null()) {
    Pages(drafting).draft();
  }
}

}  // namespace contract_tests::plan
