#include "contract_tests/plan/plan.hpp"

#include "contract_tests/plan/drafting.hpp"
#include "spec/schema/samples/sampler.hpp"

#include <algorithm>
#include <set>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::Location;
using spec::contract::Operation;

namespace {

const spec::contract::Content* body_content(const Operation& operation) {
  if (!operation.body || operation.body->contents.empty()) {
    return nullptr;
  }
  const auto& contents = operation.body->contents;
  const auto found = std::ranges::find_if(
      contents, [](const auto& content) { return content.media_type.is_json(); });
  return found == contents.end() ? nullptr : &*found;
}

bool is_secured(const Operation& operation) {
  return !operation.security.empty() &&
         std::ranges::none_of(operation.security,
                              [](const auto& alternative) { return alternative.schemes.empty(); });
}

void draft_operation(const Drafting& drafting) {
  draft_plain(drafting);
  draft_credentials(drafting);
  draft_methods(drafting);
  draft_transport(drafting);
  draft_parameters(drafting);
  draft_body(drafting);
  draft_pages(drafting);
  draft_filters(drafting);
  draft_file(drafting);
  draft_preferences(drafting);
  draft_update(drafting);
  draft_burst(drafting);
  draft_generated(drafting);
}

void refuse_twins(const std::vector<Case>& cases) {
  std::set<std::string_view> ids;
  std::vector<spec::Problem> problems;
  for (const auto& item : cases) {
    if (!ids.insert(item.id).second) {
      spec::Problem problem;
      problem.message = "two cases must not have the same name but both are " + item.id;
      problems.push_back(std::move(problem));
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
}

// Cases that rest on nothing of their own rest on what the book says about their rule.
void rest_on_book(std::vector<Case>& cases, const RuleBook& book) {
  std::vector<spec::Problem> problems;
  for (auto& item : cases) {
    const auto* rule = find_rule(book, item.why.rule);
    if (rule == nullptr) {
      spec::Problem problem;
      problem.message = item.id + " must be of a rule in the rule book but is of " + item.why.rule;
      problems.push_back(std::move(problem));
    } else if (item.why.source.pointer.empty() && item.why.source.clause.empty()) {
      item.why.source = rule->rests;
    } else if (item.why.source.clause.empty()) {
      item.why.source.clause = rule->rests.clause;
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
}

}  // namespace

RequestPlan plain_request(const Operation& operation, const OperationRules& rules) {
  RequestPlan plain;
  for (const auto& parameter : operation.parameters) {
    if (parameter.location == Location::kPath) {
      plain.path[parameter.name] = "${" + operation.id + '.' + parameter.name + '}';
    } else if (parameter.location == Location::kQuery && parameter.required) {
      plain.query.emplace_back(parameter.name, "${" + operation.id + '.' + parameter.name + '}');
    }
  }
  const auto* content = body_content(operation);
  if (content != nullptr && !content->examples.empty()) {
    plain.body = *content->examples.front().value;
  }
  return rules.request ? overlay(std::move(plain), *rules.request) : plain;
}

bool may_write(const Operation& operation, const OperationRules& rules, bool has_rules) {
  if (has_rules) {
    return rules.writes;
  }
  return operation.method != "GET" && operation.method != "HEAD" && operation.method != "OPTIONS";
}

std::map<std::string, std::string> names_of_examples(const spec::contract::Contract& contract) {
  std::map<std::string, std::string> names;
  for (const auto& operation : contract.operations()) {
    for (const auto& parameter : operation.parameters) {
      if (!parameter.examples.empty()) {
        const auto& value = *parameter.examples.front().value;
        names[operation.id + '.' + parameter.name] =
            value.is_string() ? value.get<std::string>() : value.dump();
      }
    }
  }
  return names;
}

Plan make_plan(PlanInput input) {
  Plan plan;
  plan.seed = input.seed;
  const spec::schema::samples::Sampler sampler(input.contract.schemas());
  for (const auto& operation : input.contract.operations()) {
    const auto& rules = input.rules.of(operation.id);
    const bool has_rules = input.rules.operations.contains(operation.id);
    draft_operation({.contract = input.contract,
                     .operation = operation,
                     .rules = rules,
                     .plain = plain_request(operation, rules),
                     .writes = may_write(operation, rules, has_rules),
                     .secured = is_secured(operation),
                     .sampler = &sampler,
                     .seed = input.seed,
                     .cases = plan.cases});
    for (auto& item : input.written) {
      if (item.operation == operation.id) {
        plan.cases.push_back(std::move(item));
      }
    }
  }
  refuse_twins(plan.cases);
  rest_on_book(plan.cases, input.book);
  return plan;
}

}  // namespace contract_tests::plan
