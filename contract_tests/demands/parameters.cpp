// Query parameters: values that cannot be of their type, values out of bounds, and the forms that
// mean "not given". Bounds of paging parameters are in pages.cpp.

#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/same.hpp"
#include "contract_tests/demands/walks.hpp"

#include <array>
#include <cmath>

namespace contract_tests::demands {

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
  bool readable = false;  // its meaning is plain, though the contract has no such spelling
};

void add_rejected(const Drafting& drafting, const Parameter& parameter, const WrongValue& attempt) {
  auto item =
      drafting.draft("the value " + attempt.value + " for " + parameter.name + " is rejected",
                     attempt.rule, drafting.source_of(parameter, attempt.statement));
  if (attempt.readable) {
    item.why.source.statement_class = StatementClass::kAssumption;
  }
  item.request = with_query(item.request, parameter.name, attempt.value);
  item.changed = "query " + parameter.name + "=" + attempt.value;
  if (drafting.demand_rejection(item)) {  // it may have a form or another type that takes the value
    drafting.add(std::move(item));
  }
}

std::string whole(double number) {
  return std::to_string(static_cast<long long>(number));
}

void add_number(const Drafting& drafting, const Parameter& parameter,
                const spec::schema::Summary& seen) {
  const auto& contract = drafting.contract;
  const auto type = contract.statement_at(seen.type_node);
  add_rejected(drafting, parameter, {"abc", "parameter/type", type});
  if (seen.is(spec::schema::kIntegerType)) {
    add_rejected(drafting, parameter, {"1.5", "parameter/type", type});
    for (const auto* value : {"1abc", "0x10", "1,000", "1e1", "null", "\u0661", " 3", "3 "}) {
      add_rejected(drafting, parameter, {value, "parameter/type", type});
    }
    if (!is_page_size(drafting, parameter.name)) {  // there it may be cut instead
      add_rejected(drafting, parameter, {"99999999999999999999", "parameter/type", type});
    }
    add_rejected(drafting, parameter, {"+5", "parameter/type", type, true});
  }
  if (is_page_size(drafting, parameter.name) || is_page_number(drafting, parameter.name)) {
    return;
  }
  if (seen.minimum) {
    add_rejected(drafting, parameter,
                 {whole(std::ceil(*seen.minimum) - 1), "parameter/minimum", type});
  }
  if (seen.maximum) {
    add_rejected(drafting, parameter,
                 {whole(std::floor(*seen.maximum) + 1), "parameter/maximum", type});
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
      add_rejected(drafting, parameter, {value, "parameter/format", statement});
    }
  } else if (seen.format == "uuid") {
    add_rejected(drafting, parameter, {"abc", "parameter/format", statement});
  }
}

// A value that a service may reject, without a server error.
void add_hostile(const Drafting& drafting, const Parameter& parameter, const std::string& what,
                 const std::string& value) {
  auto item = drafting.draft(parameter.name + " with " + what + " ends in no server error",
                             "parameter/hostile");
  item.why.source = {};
  item.request = with_query(item.request, parameter.name, value);
  item.expect.want = Want::kHandled;
  item.expect.gateway = true;
  item.changed = "query " + parameter.name + " with " + what;
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

void add_not_given(const Drafting& drafting, const Parameter& parameter) {
  auto item =
      drafting.draft("an empty " + parameter.name + " counts as not given", "same/empty-parameter");
  item.why.source = drafting.source_of(parameter.statement);
  item.why.source.statement_class = StatementClass::kAssumption;
  compare_with(item, with_query(drafting.plain, parameter.name, ""));
  item.changed = "query " + parameter.name + "=";
  drafting.add(std::move(item));
}

void add_twice(const Drafting& drafting, const Parameter& parameter, const std::string& value) {
  auto item =
      drafting.draft(parameter.name + " given twice ends in no server error", "parameter/repeated");
  item.why.source = {};
  item.request.query.emplace_back(parameter.name, value);
  item.request.query.emplace_back(parameter.name, value);
  item.expect.want = Want::kHandled;
  item.changed = "query " + parameter.name + " twice";
  drafting.add(std::move(item));
}

}  // namespace

void add_parameter_cases(const Drafting& drafting) {
  for (const auto& parameter : drafting.operation.parameters) {
    if (parameter.location != Location::kQuery || !parameter.schema) {
      continue;
    }
    const auto seen = drafting.summary({*parameter.schema});
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
      add_not_given(drafting, parameter);
    }
    if (scalar && !parameter.required) {
      add_twice(drafting, parameter, seen.is_string() ? "a" : "1");
    }
  }
}

}  // namespace contract_tests::demands
