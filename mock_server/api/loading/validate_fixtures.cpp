#include "mock_server/api/loading/validate_fixtures.hpp"

#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_source.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/invoice/invoice_pdf.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/document/document.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/schema_summary.hpp"
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
  if (binding.collection == nullptr || binding.collection->records().empty() ||
      context.document_only) {
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

// What actions and jobs set, by the schemas of the record.
struct SettingsCheck {
  const FixtureStore& fixtures;
  const Binding& binding;
  const spec::schema::Schemas& schemas;
  LoadContext& context;

  void validate(const Node& set) const {
    for (const auto& member : set.members()) {
      const auto at = spec::json::split_pointer(member.key);
      const auto found = at ? schemas_at(context.contract, schemas, *at) : spec::schema::Schemas{};
      if (!at || at->empty()) {
        continue;
      }
      if (found.empty()) {
        validate_name(member.value, *at);
        continue;
      }
      const Node value = member.value.find("value");
      const bool is_now = static_cast<bool>(member.value.find("now"));
      const nlohmann::json given = (value ? value : member.value).value();
      for (const auto schema : found) {
        if (!is_now && !given.is_null()) {
          validate_value(member.value, schema, given);
        }
      }
    }
  }

 private:
  void validate_value(const Node& node, spec::schema::SchemaId schema,
                      const nlohmann::json& given) const {
    const auto violations = spec::schema::validate(context.contract.schemas(), schema, given);
    if (!violations.empty() && is_sound(node, context.problems)) {
      context.report(node, violations.front().message.text() + "; records of " +
                               binding.collection->name() + " cannot have that value");
    }
  }

  // Members that only records of fixtures have are known by them.
  void validate_name(const Node& node, const std::vector<std::string>& at) const {
    const auto has = [&](const Record& record) { return record.value.contains(at.front()); };
    const auto hides = [&](const Binding& one) {
      return std::ranges::count(one.hide, at.front()) != 0 || !one.names.empty();
    };
    const auto& summary = context.contract.summaries().summary_of(schemas);
    if (at.size() > 1 || summary.open_names || summary.properties.empty() ||
        std::ranges::any_of(binding.collection->records(), has) ||
        std::ranges::any_of(fixtures.bindings(), hides)) {
      return;
    }
    std::vector<std::string_view> known;
    for (const auto& [name, schemas_of_member] : summary.properties) {
      known.push_back(name);
    }
    context.report(node, "must be a member of the records of " + binding.collection->name() +
                             ", but is " + spec::text::in_quotes(at.front()) +
                             spec::text::suggest_known(at.front(), known));
  }
};

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

void validate_settings(const FixtureStore& fixtures, const Binding& binding, LoadContext& context) {
  if (binding.collection == nullptr || context.document_only) {
    return;
  }
  const auto schemas =
      record_source(context.contract, fixtures.bindings(), *binding.collection).schemas;
  if (schemas.empty()) {
    return;
  }
  const SettingsCheck check{fixtures, binding, schemas, context};
  check.validate(binding.node.find("set"));
  for (const Node& step : binding.node.find("after").elements()) {
    check.validate(step.find("set"));
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
