// Filters: ranges inclusive at both ends, offsets, leaks, monotone windows; members of inner lists.
// The values come from the data that the server gives: the procedures choose them.

#include "contract_tests/plan/drafting.hpp"

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;

namespace {

struct Kind {
  std::string sentence;
  std::string rule;
  std::string procedure;
  StatementClass statement_class = StatementClass::kDocument;
};

class Filters {
 public:
  explicit Filters(const Drafting& drafting)
      : drafting_(drafting), block_(drafting.rules.filters) {}

  void draft() const {
    if (block_.contains("range")) {
      range();
    }
    if (block_.contains("member")) {
      member();
    }
  }

 private:
  void add(const Kind& kind, const json& filter, const json& more) const {
    auto item =
        drafting_.draft(kind.sentence, kind.rule, Drafting::clause(block_, kind.statement_class));
    item.procedure = kind.procedure;
    item.data = filter;
    item.data["items"] = block_.at("items");
    item.data["pages"] = drafting_.rules.pages;
    item.data.update(more);
    for (const auto* key : {"from", "to", "parameter"}) {
      if (filter.contains(key) &&
          drafting_.operation.parameter(spec::contract::Location::kQuery,
                                        filter.at(key).get<std::string>()) == nullptr) {
        item.unavailable = "the contract in use does not name the filter's parameters";
      }
    }
    drafting_.add(std::move(item));
  }

  void range() const {
    const auto& range = block_.at("range");
    const auto from = range.at("from").get<std::string>();
    const auto to = range.at("to").get<std::string>();
    const auto both = [&](const Kind& kind) {
      for (const bool lower : {true, false}) {
        auto named = kind;
        named.sentence = (lower ? from : to) + " " + kind.sentence;
        add(named, range, {{"lower", lower}});
      }
    };
    both({"is inclusive at its bound", "filter/inclusive", "filter_inclusive"});
    both({"lets nothing through from beyond its bound", "filter/ignored", "filter_leak"});
    both({"in another offset means the same", "filter/offset", "filter_offset"});
    both({"in an unusual spelling means the same", "filter/spelling", "filter_spelling",
          StatementClass::kStandard});
    both({"with fraction digits means what it says", "filter/fraction", "filter_fraction"});
    both({"is taken to its last digit", "filter/exact", "filter_exact"});
    both({"that is moved outwards loses nothing", "filter/monotone", "filter_monotone"});
    add({"a window of both bounds gives what lies inside it", "filter/window", "filter_window"},
        range, json::object());
    both({"is looked at before the list is cut into pages", "filter/paged", "filter_paged",
          StatementClass::kAssumption});
    for (const bool lower : {true, false}) {
      sizes(lower ? from : to, range, {{"lower", lower}});
    }
  }

  void sizes(const std::string& name, const json& filter, json more) const {
    if (drafting_.rules.pages.is_null() || !block_.contains("sizes")) {
      return;
    }
    more["sizes"] = block_.at("sizes");
    add({name + " leaves the sizes of pages as they are", "paging/size", "filter_size"}, filter,
        more);
  }

  void member() const {
    const auto& member = block_.at("member");
    const auto name = member.at("parameter").get<std::string>();
    add({name + " leaves nothing of others", "filter/member", "member_only"}, member,
        json::object());
    add({name + " leaves nothing out", "filter/member-complete", "member_complete"}, member,
        json::object());
    add({name + " is looked at before the list is cut into pages", "filter/paged", "filter_paged",
         StatementClass::kAssumption},
        member, json::object());
    sizes(name, member, json::object());
    if (block_.contains("range")) {
      const auto& range = block_.at("range");
      json both = member;
      both.update(range);
      add({name + " and " + range.at("from").get<std::string>() + " hold together",
           "filter/combined", "filter_combined"},
          both, json::object());
      add({name + " and both bounds hold together", "filter/combined", "filter_combined"}, both,
          {{"window", true}});
    }
    add({"an unknown " + name + " gives nothing", "filter/unknown-member", "member_unknown"},
        member, json::object());
    add({"a " + name + " without its last letter gives nothing", "filter/unknown-member",
         "member_unknown"},
        member, {{"as", "cut"}});
    for (const auto* value : {"%", "*", "_", "' OR '1'='1"}) {
      add({name + " " + value + " gives nothing", "filter/unknown-member", "member_unknown"},
          member, {{"literal", value}});
    }
    add({"a " + name + " in letters of the other case gives nothing", "filter/letter-case",
         "member_unknown", StatementClass::kAssumption},
        member, {{"as", "swapped"}});
  }

  const Drafting& drafting_;
  const json& block_;
};

}  // namespace

void draft_filters(const Drafting& drafting) {
  if (!drafting.rules.filters.is_null()) {
    Filters(drafting).draft();
  }
}

}  // namespace contract_tests::plan
