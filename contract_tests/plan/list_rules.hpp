#pragma once

// What a list must do with its pages, totals, filters and order: concluded from the contract
// (spec/contract/resources), and changed by the rules of people. One form for both, the block
// `list` of a rules file. Pure functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/resources/resource.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

struct Rules;

// A part of a list: a parameter of the query, or what a response shows.
struct ListPart {
  std::string parameter = {};  // "" if it has none
  std::string at = {};         // JSON pointer in the response, or header field; "" if it has none
  bool in_header = false;
  checks::Source source = {};

  bool exists() const { return !parameter.empty() || !at.empty(); }
};

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct ListFilterRule {
  std::string parameter;
  std::string at;  // JSON pointer in an item; "" is any text of it
  // "equal"; "at_least", "at_most", "more_than", "less_than"; "from" and "until" where a value at
  // the bound itself may be in or out; "contains".
  std::string is;
  std::vector<nlohmann::json> values;  // that the contract lists
  checks::Source source;
};

struct ListOrderRule {
  Pairs query;  // sort=name, order=desc
  std::string at;
  bool descending = false;
  bool named = false;  // the contract names the value; else it is a guess by the member's name
  checks::Source source;

  std::string text() const;  // "sort=name&order=desc"
};

struct ListRules {
  std::string items;  // JSON pointer of the list
  std::string key;    // JSON pointer in an item of what names it; "" if nothing does
  ListPart size;
  ListPart number;
  ListPart offset;
  ListPart cursor;  // without `at`, the value is the key of the last item; without a parameter,
                    // `at` is a URL
  ListPart back;    // the same to the page before; without `at`, of the first item
  ListPart total;   // of items
  ListPart pages;   // their number
  ListPart more;    // true if another page follows
  ListPart last;    // true if none does
  std::optional<std::size_t> usual_size;  // without a size
  std::size_t min_size = 1;
  std::optional<std::size_t> max_size;
  std::vector<std::size_t> sizes;  // the only ones; empty: any
  std::optional<int> first;        // number of the first page, where the contract says
  std::vector<ListFilterRule> filters;
  std::vector<ListOrderRule> orders;
};

// The rules of a list, and the block that says them.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct InferredList {
  ListRules rules;
  nlohmann::ordered_json block;
};

// The block `list` that the contract suggests for an operation; null if it returns no list.
nlohmann::ordered_json inferred_list(const spec::contract::Contract& contract,
                                     const spec::contract::Resources& resources,
                                     const spec::contract::Operation& operation);

// `base` with what `over` says instead: members one by one, "off" without them.
nlohmann::ordered_json overridden(nlohmann::ordered_json base, const nlohmann::json& over);

// Precondition: `block` is valid by rules.schema.yaml, and has `items`.
ListRules list_rules_from(const spec::contract::Contract& contract,
                          const spec::contract::Operation& operation,
                          const nlohmann::ordered_json& block);

// Adds to `rules` what the contract suggests for each GET, under what the rules say of its list.
// Rules on pages are used instead; what they leave open is filled in.
void add_inferred_lists(const spec::contract::Contract& contract, Rules& rules);

// The blocks of all lists, as a rules file that says the same.
std::string print_lists(const Rules& rules);

}  // namespace contract_tests::plan
