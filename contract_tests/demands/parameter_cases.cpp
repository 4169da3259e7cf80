// Query parameters: values that cannot be of their type, values out of bounds, and the forms that
// mean "not given". Bounds of paging parameters are in page_cases.cpp.

#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/filter_cases.hpp"
#include "contract_tests/demands/request_variants.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace contract_tests::demands {

using plan::HostileText;
using spec::contract::Location;
using spec::contract::Parameter;

namespace {

bool is_page_size(const Drafting& drafting, const std::string& name) {
  return drafting.rules.pages && drafting.rules.pages->size == name;
}

bool is_page_number(const Drafting& drafting, const std::string& name) {
  return drafting.rules.pages && drafting.rules.pages->number == name;
}

struct WrongValue {
  std::string value;
  std::string rule;
  spec::contract::StatementId statement = 0;
};

void add_wrong_value(const Drafting& drafting, const Parameter& parameter,
                     const WrongValue& attempt) {
  auto item =
      drafting.draft("the value " + attempt.value + " for " + parameter.name + " is rejected",
                     attempt.rule, drafting.source_of(parameter, attempt.statement));
  item.request = with_query(item.request, parameter.name, attempt.value);
  item.changed = {"query", parameter.name, attempt.value};
  if (drafting.demand_rejection(item)) {  // it may have a form or another type that takes the value
    drafting.add(std::move(item));
  }
}

std::string integer_text(double number) {
  return std::to_string(static_cast<long long>(number));
}

// Spellings of a number that the contract does not have but whose meaning is plain. Not "1e1": that
// is an integer of JSON too (JSON Schema 2020-12 §4.2.3).
std::vector<std::string> number_spellings(const spec::schema::Summary& seen) {
  constexpr double kUsual = 3;
  constexpr double kHighest = 9;  // of one digit
  const double lowest = std::max(std::ceil(seen.minimum.value_or(0)), 0.0);
  const double highest = std::min(std::floor(seen.maximum.value_or(kHighest)), kHighest);
  if (lowest > highest) {
    return {};
  }
  const auto number = static_cast<int>(std::clamp(kUsual, lowest, highest));
  const auto digit = std::to_string(number);
  // The digits of Arabic are U+0660 to U+0669.
  const std::string arabic{'\xD9', static_cast<char>(0xA0 + number)};
  return {' ' + digit, digit + ' ', '+' + digit, "0x" + digit, arabic, "1,000"};
}

// The spellings that the service accepts, as one violation: its reader of numbers is lenient.
void run_spellings(CaseRun& case_run) {
  const auto& item = case_run.item();
  std::string accepted;
  const CaseResponse* last = nullptr;
  for (const plan::RequestPlan& request : requests_of(item)) {
    const auto& sent = case_run.send(request, item.expect);
    if (sent.accepted) {
      spec::text::append_to_list(accepted, spec::text::in_quotes(request.query.back().second));
      last = &sent;
    }
  }
  if (last != nullptr) {
    case_run.report({{item.basis.rule,
                      "query/" + item.request.query.back().first,
                      "must be an integer in decimal digits",
                      "is accepted as " + accepted,
                      {},
                      item.basis.source}},
                    *last);
  }
}

// One case for the whole contract, at the first parameter that a request may safely have: how
// numbers are read is the same in the whole service.
void add_spellings(const Drafting& drafting, const Parameter& parameter,
                   const spec::schema::Summary& seen) {
  constexpr const char* kRule = "parameter/spelling";
  const bool is_there = std::ranges::any_of(
      drafting.cases, [](const Case& item) { return item.basis.rule == kRule; });
  const auto type = drafting.contract.statement_at(seen.type_node);
  auto item = drafting.draft("unusual spellings of a number are rejected for " + parameter.name,
                             kRule, drafting.source_of(parameter, type));
  for (const auto& value : number_spellings(seen)) {
    auto request = with_query(item.request, parameter.name, value);
    if (drafting.is_rejected(request)) {
      item.others.push_back(std::move(request));
    }
  }
  if (is_there || drafting.writes || item.others.empty()) {
    return;
  }
  item.request = std::move(item.others.front());
  item.others.erase(item.others.begin());
  item.basis.source.statement_class = StatementClass::kAssumption;
  item.expect.want = Want::kHandled;
  item.expect.may_accept = true;
  item.expect.gateway = true;
  item.changed = {"query", parameter.name, std::nullopt, "in another spelling"};
  item.run = &run_spellings;
  drafting.add(std::move(item));
}

void add_number(const Drafting& drafting, const Parameter& parameter,
                const spec::schema::Summary& seen) {
  const auto& contract = drafting.contract;
  const auto type = contract.statement_at(seen.type_node);
  add_wrong_value(drafting, parameter, {"abc", "parameter/type", type});
  if (seen.is(spec::schema::kIntegerType)) {
    add_wrong_value(drafting, parameter, {"1.5", "parameter/type", type});
    for (const auto* value : {"1abc", "null"}) {
      add_wrong_value(drafting, parameter, {value, "parameter/type", type});
    }
    if (!is_page_size(drafting, parameter.name)) {  // there it may be cut instead
      add_wrong_value(drafting, parameter, {"99999999999999999999", "parameter/type", type});
    }
    add_spellings(drafting, parameter, seen);
  }
  if (is_page_size(drafting, parameter.name) || is_page_number(drafting, parameter.name)) {
    return;
  }
  if (seen.minimum) {
    add_wrong_value(drafting, parameter,
                    {integer_text(std::ceil(*seen.minimum) - 1), "parameter/minimum", type});
  }
  if (seen.maximum) {
    add_wrong_value(drafting, parameter,
                    {integer_text(std::floor(*seen.maximum) + 1), "parameter/maximum", type});
  }
}

void add_format(const Drafting& drafting, const Parameter& parameter,
                const spec::schema::Summary& seen) {
  const auto statement = drafting.contract.statement_at(seen.format_node);
  if (seen.format == "date-time") {
    for (const auto* value :
         {"yesterday", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z",
          "2024-01-01T25:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:00+25:00", "2024-01-01",
          "2024-01-01T00:00:00", "1704067200", "01/02/2024", "2024-01-01 00:00:00Z",
          "2024-01-01T24:00:00Z", "2024-01-01T00:00:00Z tail", " 2024-01-01T00:00:00Z"}) {
      add_wrong_value(drafting, parameter, {value, "parameter/format", statement});
    }
  } else if (seen.format == "uuid") {
    add_wrong_value(drafting, parameter, {"abc", "parameter/format", statement});
  }
}

// A value that a service may reject, without a server error.
void add_hostile(const Drafting& drafting, const Parameter& parameter, const std::string& what,
                 const std::string& value) {
  auto item = drafting.draft_no_server_error(
      parameter.name + " with " + what + " ends in no server error", "parameter/hostile",
      {"query", parameter.name, std::nullopt, "with " + what});
  item.request = with_query(item.request, parameter.name, value);
  drafting.add(std::move(item));
}

void add_hostile_texts(const Drafting& drafting, const Parameter& parameter,
                       const spec::schema::Summary& seen) {
  if (seen.format == "date-time") {
    add_hostile(drafting, parameter, "the first year", "0001-01-01T00:00:00Z");
    add_hostile(drafting, parameter, "the last year", "9999-12-31T23:59:59Z");
  } else if (seen.format.empty()) {
    constexpr std::size_t kLong = 1'000;
    add_hostile(drafting, parameter, "quotes", "x'\"\\<");
    add_hostile(drafting, parameter, "a NUL", std::string("x\0y", 3));
    add_hostile(drafting, parameter, "1000 letters", std::string(kLong, 'a'));
  }
}

// If an empty value is no text of the parameter's type, the service may reject it or take it as
// absent.
void add_not_given(const Drafting& drafting, const Parameter& parameter, bool is_text) {
  auto item =
      drafting.draft("an empty " + parameter.name + " counts as not given", "same/empty-parameter");
  item.basis.source = drafting.source_of(parameter.statement);
  item.basis.source.statement_class = StatementClass::kAssumption;
  compare_with(item, with_query(drafting.plain, parameter.name, ""));
  item.changed = {"query", parameter.name, ""};
  if (!is_text) {
    item.expect.statuses = {400, 422};
  }
  drafting.add(std::move(item));
}

void add_twice(const Drafting& drafting, const Parameter& parameter, const std::string& value) {
  auto item = drafting.draft_by_book(parameter.name + " given twice ends in no server error",
                                     "parameter/repeated");
  item.request.query.emplace_back(parameter.name, value);
  item.request.query.emplace_back(parameter.name, value);
  item.expect.want = Want::kHandled;
  item.changed = {"query", parameter.name, std::nullopt, "twice"};
  drafting.add(std::move(item));
}

}  // namespace

void add_parameter_cases(const Drafting& drafting) {
  for (const auto& parameter : drafting.operation.parameters) {
    if (parameter.location != Location::kQuery || !parameter.schema) {
      continue;
    }
    const auto& seen = drafting.summary({*parameter.schema});
    if (seen.is_number()) {
      add_number(drafting, parameter, seen);
    }
    if (!seen.format.empty() && seen.is_string()) {
      add_format(drafting, parameter, seen);
    }
    const bool scalar = seen.is_scalar();
    if (scalar && seen.is_string()) {
      add_hostile_texts(drafting, parameter, seen);
    }
    if (scalar && !parameter.required && parameter.allow_empty_value) {
      add_not_given(drafting, parameter, seen.is_string() && seen.format.empty());
    }
    if (scalar && !parameter.required) {
      add_twice(drafting, parameter, seen.is_string() ? "a" : "1");
    }
  }
}

// Hostile texts that a faulty server interprets or cannot handle: as identifiers and parameters
// they must not cause a server error, and such an identifier does not exist.

namespace {

// Such an identifier does not exist, so it must be rejected.
void run_unknown_identifier(CaseRun& case_run) {
  const auto& sent = case_run.send();
  if (sent.accepted) {
    case_run.report({{"status/unknown", "status",
                      "must be a rejection (4xx) because the identifier does not exist",
                      "is " + std::to_string(sent.exchange.status())}},
                    sent);
  }
}

void add_path(const Drafting& drafting, const HostileText& hostile) {
  auto item = drafting.draft_no_server_error(
      "an identifier with " + hostile.what + " ends in no server error", "status/hostile",
      "an identifier with " + hostile.what);
  for (auto& [name, value] : item.request.path) {
    value = hostile.text;
    if (hostile.encoded) {
      item.request.encoded_path.emplace_back(name, hostile.text);
    }
  }
  if (hostile.encoded) {
    item.request.path.clear();
  }
  if (!drafting.rules.unknown.empty()) {
    item.run = &run_unknown_identifier;
  }
  drafting.add(std::move(item));
}

// The plain request with this value, and no other, for the parameter.
RequestPlan with_value(const Drafting& drafting, const std::string& name,
                       const HostileText& hostile) {
  auto request = drafting.plain;
  plan::erase_pairs(request.query, name);
  request.raw_query += (request.raw_query.empty() ? "" : "&") + spec::text::percent_encode(name) +
                       '=' +
                       (hostile.encoded ? hostile.text : spec::text::percent_encode(hostile.text));
  return request;
}

// A parameter of numbers, dates and the like must reject such a text. False when the contract
// allows it.
bool add_rejected(const Drafting& drafting, const Parameter& parameter,
                  const spec::schema::Summary& seen, const HostileText& hostile) {
  const bool typed = !seen.is_string();
  const auto statement = drafting.contract.statement_at(typed ? seen.type_node : seen.format_node);
  auto item = drafting.draft(parameter.name + " with " + hostile.what + " is rejected",
                             typed ? "parameter/type" : "parameter/format",
                             drafting.source_of(parameter, statement));
  item.request = with_value(drafting, parameter.name, hostile);
  item.expect.gateway = true;
  item.changed = {"query", parameter.name, hostile.text};
  if (!drafting.demand_rejection(item)) {
    return false;
  }
  drafting.add(std::move(item));
  return true;
}

void add_handled(const Drafting& drafting, const Parameter& parameter, const HostileText& hostile) {
  auto item = drafting.draft_no_server_error(
      parameter.name + " with " + hostile.what + " ends in no server error", "parameter/encoding",
      {"query", parameter.name, hostile.text});
  item.request = with_value(drafting, parameter.name, hostile);
  drafting.add(std::move(item));
}

// A filter by such a value gives no items, or is rejected.
void add_member(const Drafting& drafting, const Parameter& parameter, const HostileText& hostile) {
  const auto& filters = *drafting.rules.filters;
  auto item = drafting.draft(parameter.name + " with " + hostile.what + " gives no items",
                             "filter/unknown-member",
                             Drafting::clause(filters.clause, StatementClass::kDocument));
  item.request = with_value(drafting, parameter.name, hostile);
  item.expect.want = Want::kHandled;
  item.expect.gateway = true;
  expect_no_member(item, *drafting.rules.pages, filters);
  item.changed = {"query", parameter.name, hostile.text};
  drafting.add(std::move(item));
}

void add_query(const Drafting& drafting, const Parameter& parameter, const HostileText& hostile) {
  const auto& seen = drafting.summary({*parameter.schema});
  if (!seen.is_scalar()) {
    return;
  }
  const auto& filters = drafting.rules.filters;
  const bool member = filters && filters->member && filters->member->parameter == parameter.name;
  const bool narrow = !seen.is_string() || seen.format == "date-time" || seen.format == "date" ||
                      seen.format == "uuid";
  if (narrow && add_rejected(drafting, parameter, seen, hostile)) {
    return;
  }
  add_handled(drafting, parameter, hostile);
  if (member) {
    add_member(drafting, parameter, hostile);
  }
}

}  // namespace

void add_hostile_cases(const Drafting& drafting) {
  for (const auto& hostile : drafting.hostile) {
    if (!drafting.plain.path.empty()) {
      add_path(drafting, hostile);
    }
    for (const auto& parameter : drafting.operation.parameters) {
      if (hostile.in_query && parameter.location == Location::kQuery && parameter.schema) {
        add_query(drafting, parameter, hostile);
      }
    }
  }
}

}  // namespace contract_tests::demands
