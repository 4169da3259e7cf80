#include "mock_server/api/loading/validate_fixtures.hpp"

#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/invoice/invoice_pdf.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/document/document.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/spelling.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace mock_server::api::loading {
namespace {

using spec::contract::Violation;
using spec::document::Node;
using spec::json::pointer_of;

spec::Problem at_node(const Record& record, const RecordProblem& problem) {
  return nearest_below(record.node, problem.pointer).problem(in_full(problem));
}

void validate_rules(Binding& binding, LoadContext& context) {
  for (Rule& rule : binding.rules) {
    rule.response.chosen_by =
        rule.node.file_and_line() + ": rule " + rule.name + " of " + binding.operation->id;
    validation_result(*binding.operation, rule, context);
  }
}

// True when the operation's body may hold null there; else null never gets as far as the record.
bool takes_null(const Binding& binding, const std::string& field, const LoadContext& context) {
  if (!binding.operation->body) {
    return false;
  }
  const nlohmann::json body{{field, nullptr}};
  return std::ranges::any_of(binding.operation->body->contents, [&](const auto& content) {
    return !content.schema ||
           std::ranges::none_of(
               spec::schema::validate(context.contract.schemas(), *content.schema, body),
               [&](const auto& violation) { return violation.instance == pointer_of({field}); });
  });
}

// A field that null clears must be one that may be null in the response.
void validate_nulls(const Binding& binding, LoadContext& context) {
  if (binding.collection->records().empty() || context.document_only) {
    return;
  }
  const Record& record = binding.collection->records().front();
  for (const UpdateField& field : binding.update.fields) {
    if (field.on_null != OnNull::kClear || !takes_null(binding, field.name, context)) {
      continue;
    }
    nlohmann::json changed = shown_record(binding, record.value);
    changed[field.name] = nullptr;
    const auto response = operation_response(context.contract, *binding.operation,
                                             binding.operation->success_status(), changed);
    for (const Violation& violation :
         spec::contract::validate_response(context.contract, *binding.operation, response)) {
      if (violation.instance == pointer_of({field.name})) {
        context.problems.push_back(binding.node.find("fields")
                                       .find(field.name)
                                       .problem("must have on_null: keep or remove, because the "
                                                "response does not allow null: " +
                                                in_full(problem_of(context.contract, violation))));
        break;
      }
    }
  }
}

void warn_of_misspelt_defaults(const FixtureStore& fixtures, const Collection& collection,
                               LoadContext& context) {
  for (const Default& one : collection.defaults()) {
    const nlohmann::json record{{one.member, one.value}};
    for (const RecordProblem& problem :
         misspelt_members(context.contract, fixtures, collection, record)) {
      add_warning(context, one.node.problem(problem.message));
    }
  }
}

}  // namespace

std::string unknown_operation(const spec::contract::Contract& contract, std::string_view id) {
  std::vector<std::string_view> ids;
  for (const auto& operation : contract.operations()) {
    ids.push_back(operation.id);
  }
  return "must be the id of an operation of the contract, but is " + spec::text::in_quotes(id) +
         spec::text::suggest_known(id, ids);
}

void add_warning(LoadContext& context, spec::Problem warning) {
  if (std::ranges::find(context.warnings, warning) == context.warnings.end()) {
    context.warnings.push_back(std::move(warning));
  }
}

void warn_of_misspelt_members(const FixtureStore& fixtures, LoadContext& context) {
  for (const auto& [name, collection] : fixtures.collections()) {
    warn_of_misspelt_defaults(fixtures, collection, context);
    for (const Record& record : collection.records()) {
      for (const RecordProblem& one :
           misspelt_members(context.contract, fixtures, collection, record.value)) {
        add_warning(context, at_node(record, one));
      }
    }
  }
}

void warn_of_unused_records(const FixtureStore& fixtures, LoadContext& context) {
  std::vector<std::string_view> used;
  for (const Binding& binding : fixtures.bindings()) {
    if (binding.collection != nullptr) {
      used.push_back(binding.collection->name());
    }
    for (const Within& within : binding.within) {
      if (within.in != nullptr) {
        used.push_back(within.in->name());
      }
    }
  }
  for (const auto& [name, collection] : fixtures.collections()) {
    if (std::ranges::find(used, name) == used.end() && !collection.records().empty()) {
      add_warning(context, collection.records().front().node.problem(
                               "the records of collection \"" + name +
                               "\" are not used: no operation responds with this collection" +
                               spec::text::suggest_known(name, used)));
    }
  }
}

void validation_result(const spec::contract::Operation& operation, Rule& rule,
                       LoadContext& context) {
  if (!rule.is_whole) {
    return;  // that was reported
  }
  const ResponseTemplate* const made = rule.response.made.get();
  if (made != nullptr) {
    fill_with_samples(operation, rule, context);
  }
  for (const Violation& violation :
       spec::contract::validate_response(context.contract, operation, rule.response.response)) {
    // Statuses that only the assumed part of the contract declares are not validated without it.
    if (context.document_only && violation.part == spec::contract::Part::kStatus) {
      continue;
    }
    if (made != nullptr && depends_on_request(*made, violation)) {
      continue;
    }
    const Node at = rule.body && violation.part == spec::contract::Part::kBody
                        ? nearest_below(rule.body, violation.instance)
                        : rule.node;
    const bool is_made = made != nullptr && template_of(*made, violation) != nullptr;
    context.problems.push_back(
        at.problem(in_full(problem_of(context.contract, violation)) +
                   (is_made ? "; a template makes that value: another one must be there, or "
                              "{literal: {...}} around what is no template"
                            : "")));
  }
  const auto schema = response_schema(context.contract, operation, rule.response.response.status);
  const auto body = spec::json::read(rule.response.response.body);
  if (rule.body && schema && body) {
    for (const auto& one : spec::schema::misspelt_members({*schema}, body.value())) {
      add_warning(context, nearest_below(rule.body, one.instance).problem(one.message()));
    }
  }
}

void validate_records(const RecordRules& rules, Collection& collection, LoadContext& context) {
  for (Record& record : collection.records()) {
    RecordRules own = rules;
    own.own_folder = record.folder;
    for (const RecordProblem& problem :
         validate_record(own, collection, record.key, record.value)) {
      context.problems.push_back(at_node(record, problem));
    }
  }
}

void prepare_and_validate(Binding& binding, LoadContext& context) {
  validate_rules(binding, context);
  if (binding.collection != nullptr && binding.is_prepared()) {
    for (const Record& record : binding.collection->records()) {
      binding.prepared.push_back(std::make_shared<const PreparedResponse>(
          PreparedResponse{operation_response(context.contract, *binding.operation,
                                              binding.operation->success_status(),
                                              shown_record(binding, record.value)),
                           describe(*binding.collection, record)}));
    }
  }
  if (binding.behaviour == Behaviour::kUpdate) {
    validate_nulls(binding, context);
  }
}

}  // namespace mock_server::api::loading
