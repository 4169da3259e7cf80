// Hostile texts that a faulty server interprets or cannot handle: as identifiers and parameters
// they must not cause a server error, and such an identifier does not exist.

#include "contract_tests/demands/lists/filters.hpp"
#include "contract_tests/demands/requests/requests.hpp"
#include "spec/text/encoding.hpp"

namespace contract_tests::demands::requests {

using plan::HostileText;
using spec::contract::Location;
using spec::contract::Parameter;

namespace {

// Such an identifier does not exist, so it must be rejected.
void run_unknown(CaseRun& case_run) {
  const auto& sent = case_run.send();
  if (sent.accepted) {
    case_run.report({{"status/unknown", "status",
                      "must be a rejection (4xx) because the identifier does not exist",
                      "is " + std::to_string(sent.exchange.status())}},
                    sent);
  }
}

void add_path(const Drafting& drafting, const HostileText& hostile) {
  auto item =
      drafting.draft_survived("an identifier with " + hostile.what + " ends in no server error",
                              "status/hostile", "an identifier with " + hostile.what);
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
    item.run = &run_unknown;
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
  auto item =
      drafting.draft_survived(parameter.name + " with " + hostile.what + " ends in no server error",
                              "parameter/encoding", {"query", parameter.name, hostile.text});
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
  lists::expect_no_member(item, *drafting.rules.pages, filters);
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

}  // namespace contract_tests::demands::requests
