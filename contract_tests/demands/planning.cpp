#include "contract_tests/demands/planning.hpp"

#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/drafting.hpp"
#include "contract_tests/demands/own_record_cases.hpp"
#include "contract_tests/demands/update_cases.hpp"
#include "contract_tests/plan/generated_plan.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/reversible_changes.hpp"
#include "spec/contract/resources/resource.hpp"
#include "spec/load_error.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace contract_tests::demands {

using spec::contract::Operation;
using spec::schema::generate::Generator;

namespace {

void add_cases(const Drafting& drafting) {
  add_plain_cases(drafting);
  // Before other cases that change a record: a wrong value that they restore would become the
  // record, and no later response would differ from it.
  add_update_cases(drafting);
  add_hostile_cases(drafting);
  add_credential_cases(drafting);
  add_method_cases(drafting);
  add_transport_cases(drafting);
  add_parameter_cases(drafting);
  add_body_cases(drafting);
  add_page_cases(drafting);
  add_filter_cases(drafting);
  add_listed_cases(drafting);
  add_row_cases(drafting);
  add_file_cases(drafting);
  add_preference_cases(drafting);
  add_own_record_cases(drafting);
  add_unknown_cases(drafting);
  add_burst_case(drafting);
  add_generated_cases(drafting);
}

void set_body(plan::RequestPlan& request, const nlohmann::json& body) {
  if (request.raw_body) {
    request.raw_body.reset();
    request.body_type.reset();
  }
  request.body = body;
}

// A body that the user gives is that of every plain request.
void take_given_body(const PlanInput& input, Drafting& drafting) {
  const auto given = input.bodies.find(drafting.operation.id);
  if (given == input.bodies.end()) {
    return;
  }
  auto& plain = drafting.plain;
  set_body(plain, given->second);
  drafting.is_given = true;
  drafting.made_up = !plain.encoded_path.empty();
  for (const auto& violated :
       validate_request(input.contract, drafting.operation, plain).violated) {
    if (violated.part == spec::contract::Part::kBody) {
      throw spec::LoadError(spec::Problem{"--subjects", 0, 0, violated.instance,
                                          "the body of " + drafting.operation.id +
                                              " is invalid by the contract (" + violated.rule +
                                              ")"});
    }
  }
}

// True if a path value is one name, which stands for another value where the run knows better.
bool is_one_name(const plan::RequestPlan& request, const std::string& parameter) {
  const auto found = request.path.find(parameter);
  return found != request.path.end() && found->second.starts_with("${") &&
         found->second.find('}') == found->second.size() - 1;
}

// A body without the members by which it would name a record itself, where the contract allows
// that: the path names it, or the service.
void leave_identifier_out(const plan::OwnRecord& own, Drafting& drafting) {
  auto request = drafting.plain;
  if (request.body && request.body->is_object()) {
    for (const auto& name : own.members) {
      request.body->erase(name);
    }
    if (drafting.is_sound(request)) {
      drafting.plain = std::move(request);
    }
  }
}

// The texts with which a record is created are those of its changes too, where they may be.
void take_texts(const plan::OwnRecord& own, Drafting& drafting) {
  auto request = drafting.plain;
  if (drafting.is_given || !request.body || !request.body->is_object()) {
    return;
  }
  for (const auto& [name, form] : own.texts) {
    if (request.body->contains(name)) {
      (*request.body)[name] = own.request.body->at(name);
    }
  }
  if (drafting.is_sound(request)) {
    drafting.plain = std::move(request);
  }
}

// The inputs for the requests of all operations.
struct Sources {
  const PlanInput& input;
  Generator generator{input.contract.schemas()};
  spec::contract::Resources resources = resources_of(input.contract);
};

spec::Result<plan::GeneratedPlain, spec::schema::generate::GenerateFailure> generated_plain(
    const Sources& sources, const Operation& operation) {
  const auto& contract = sources.input.contract;
  auto drawn = plan::generated_plain(contract, sources.generator, operation);
  if (drawn) {
    plan::name_references(contract, sources.resources, operation, *drawn);
  }
  return drawn;
}

// Of a body that the user gives, where there is one.
std::optional<plan::RequestPlan> plain_request_of(const Sources& sources,
                                                  const Operation& operation) {
  auto drawn = generated_plain(sources, operation);
  auto request = drawn ? std::optional(std::move(drawn->request)) : std::nullopt;
  const auto given = sources.input.bodies.find(operation.id);
  if (given != sources.input.bodies.end()) {
    request = request.value_or(plan::RequestPlan());
    set_body(*request, given->second);
  }
  return request;
}

// Records of the run's own, for the operations that create, change or delete one.
void find_own_record(const Sources& sources, Drafting& drafting) {
  const auto& input = sources.input;
  const auto& operation = drafting.operation;
  if (!drafting.rules.request && !drafting.rules.update) {
    auto own = plan::own_record_of(
        input.contract, sources.resources, operation,
        [&sources](const Operation& create) { return plain_request_of(sources, create); });
    const bool usable =
        own.why_not.empty() && input.rules.of_operation(own.create->id).request == std::nullopt &&
        (own.is_created_by(operation.id) || is_one_name(drafting.plain, own.parameter));
    if (usable) {
      leave_identifier_out(own, drafting);
      take_texts(own, drafting);
      drafting.own = std::make_shared<const plan::OwnRecord>(std::move(own));
    } else if (own.create != nullptr && own.create->id == operation.id) {
      drafting.lasting = own.why_not;
    }
  }
}

// True if a request of the operation must have header fields or cookies, or a body, that `plain`
// lacks.
bool needs_more_than_a_target(const Operation& operation, const plan::RequestPlan& plain) {
  using spec::contract::Location;
  return (operation.body && operation.body->required && !plain.body) ||
         std::ranges::any_of(operation.parameters, [](const auto& parameter) {
           return parameter.required && (parameter.location == Location::kHeader ||
                                         parameter.location == Location::kCookie);
         });
}

constexpr const char* kNoRequest =
    "no valid request could be generated (correct the schema, or add an example): ";

// A plain request: by rules where they give one, else generated from the contract.
Drafting drafting_of(const Sources& sources, const Operation& operation, PlanShare& share,
                     run::Plan& plan) {
  const auto& input = sources.input;
  const auto& rules = input.rules.of_operation(operation.id);
  Drafting drafting{.contract = input.contract,
                    .operation = operation,
                    .rules = rules,
                    .list = input.rules.list_of(operation.id),
                    .hostile = input.hostile,
                    .plain = ruled_request(operation, rules),
                    .writes = may_write(operation, rules),
                    .lasting = lasting_of(input.contract, operation, rules),
                    .share = &share,
                    .generator = &sources.generator,
                    .seed = input.seed,
                    .cases = plan.cases};
  if (!rules.request) {
    auto drawn = generated_plain(sources, operation);
    if (!drawn) {
      drafting.unmade = {kNoRequest + drawn.error().message, run::Reason::Kind::kUnmade};
    } else {
      drafting.open = validate_plain(input.contract, operation, *drawn).is_open();
      drafting.plain = std::move(drawn->request);
      plan.made_up.merge(drawn->names);
      drafting.made_up =
          drafting.plain.body || drafting.plain.raw_body || !drafting.plain.encoded_path.empty();
    }
  }
  take_given_body(input, drafting);
  if (auto required = plan::required_part(operation, drafting.plain);
      required != plan::RequestPlan()) {
    plan.required.emplace(operation.id, std::move(required));
  }
  if (drafting.unmade.is_unmade() && needs_more_than_a_target(operation, drafting.plain)) {
    drafting.unmade.kind = run::Reason::Kind::kUnmakable;
  }
  find_own_record(sources, drafting);
  return drafting;
}

// Names of parameters may differ in what a name of a case cannot show: "a-b" and "a_b".
void number_twins(std::span<Case> cases) {
  std::set<std::string> ids;
  for (auto& item : cases) {
    const auto sentence = item.sentence;
    for (int number = 2; !ids.insert(item.id).second; ++number) {
      item.sentence = sentence + " (" + std::to_string(number) + ")";
      item.id = run::name_of(item.operation_name, item.sentence);
    }
  }
}

// The cases from `first` on that stay: their order is the plan's.
void thin_out(std::vector<Case>& cases, std::size_t first, const PlanShare& share) {
  const auto stays = share.kept_cases();
  auto end = first;
  for (std::size_t at = first; at < cases.size(); ++at) {
    if (stays[at - first]) {
      std::swap(cases[end++], cases[at]);
    }
  }
  cases.resize(end);
}

// Operations may differ in what a name of a case cannot show, too: /docs and /docs/.
void number_operation(std::span<Case> cases, std::set<std::string>& taken) {
  if (cases.empty()) {
    return;
  }
  const auto plain = cases.front().id.substr(0, cases.front().id.find('.'));
  auto name = plain;
  for (int number = 2; !taken.insert(name).second; ++number) {
    name = plain + '_' + std::to_string(number);
  }
  for (auto& item : cases) {
    item.id.replace(0, plain.size(), name);
  }
}

void reject_twins(const std::vector<Case>& cases) {
  std::set<std::string_view> ids;
  std::vector<spec::Problem> problems;
  for (const auto& item : cases) {
    if (!ids.insert(item.id).second) {
      problems.push_back({"", 0, 0, "", "two cases have the same name: " + item.id});
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
}

// Cases without a source get the one of their rule in the rule book.
void set_sources(std::vector<Case>& cases, const plan::RuleBook& book) {
  std::vector<spec::Problem> problems;
  for (auto& item : cases) {
    const auto* rule = find_rule(book, item.basis.rule);
    if (rule == nullptr) {
      problems.push_back(
          {"", 0, 0, "", item.id + ": the rule book has no rule " + item.basis.rule});
    } else if (item.basis.source.pointer.empty() && item.basis.source.clause.empty()) {
      item.basis.source = rule->rests;
    } else if (item.basis.source.clause.empty()) {
      item.basis.source.clause = rule->rests.clause;
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
}

}  // namespace

run::Plan make_plan(PlanInput input) {
  run::Plan plan;
  plan.rules = input.rules.hash;
  plan.seed = input.seed;
  const Sources sources{input};
  std::set<std::string> taken;
  const auto& operations = input.contract.operations();
  const auto limit =
      std::max<std::size_t>(input.max_cases / std::max<std::size_t>(operations.size(), 1), 1);
  std::size_t number = 0;
  for (const auto& operation : operations) {
    const auto first = static_cast<std::ptrdiff_t>(plan.cases.size());
    PlanShare share(limit, number++);
    add_cases(drafting_of(sources, operation, share, plan));
    thin_out(plan.cases, static_cast<std::size_t>(first), share);
    plan.left_out += share.left_out();
    number_twins({plan.cases.begin() + first, plan.cases.end()});
    for (auto& item : input.written) {
      if (item.operation == operation.id) {
        plan.cases.push_back(std::move(item));
      }
    }
    number_operation({plan.cases.begin() + first, plan.cases.end()}, taken);
  }
  reject_twins(plan.cases);
  set_sources(plan.cases, input.book);
  plan.cases.shrink_to_fit();  // up to half of it was room to grow
  return plan;
}

}  // namespace contract_tests::demands
