#include "mock_server/api/loading/validate_record.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/invoice/invoice_pdf.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

namespace mock_server::api {
namespace {

using nlohmann::json;
using spec::json::pointer_of;

bool is_list(const Binding& binding) {
  return binding.shows() == Shows::kRecords || binding.shows() == Shows::kElements;
}

// True if the record is a part of the response, and the rest is the operation's own.
bool is_part(const Binding& binding) {
  return binding.shows() == Shows::kRecords ||
         (binding.shows() != Shows::kElements && !binding.is_prepared() && binding.shows_record);
}

// The part of a record that the operation shows: the record, or all elements of its list. Those are
// moved, since lists are long; give_back() moves them back.
json shown_body(const Binding& binding, json& record) {
  if (binding.shows() == Shows::kRecords) {
    return wrap_elements(
        binding.list.into,
        json::array({wrap_elements(binding.list.element, shown_record(binding, record))}));
  }
  if (binding.shows() != Shows::kElements) {
    return wrap_elements(binding.into, shown_record(binding, record));
  }
  json* const elements = walk(&record, binding.list.elements);
  return wrap_elements(binding.list.into,
                       elements != nullptr ? std::move(*elements) : json::array());
}

void give_back(const Binding& binding, json& body, json& record) {
  json* const elements =
      binding.shows() == Shows::kElements ? walk(&record, binding.list.elements) : nullptr;
  if (elements != nullptr) {
    *elements = std::move(*walk(&body, binding.list.into));
  }
}

// The place of the record, or of the elements of its list, in the response.
std::vector<std::string> shown_at(const Binding& binding) {
  std::vector<std::string> at = is_list(binding) ? binding.list.into : binding.into;
  if (binding.shows() == Shows::kRecords) {
    at.emplace_back("0");
    at.insert(at.end(), binding.list.element.begin(), binding.list.element.end());
  }
  return at;
}

// The place in the record of `instance` in the response; nothing when it is not in the record.
std::optional<std::string> inside_record(const Binding& binding, const std::string& instance) {
  if (!is_list(binding) && !is_part(binding)) {
    return instance;
  }
  const auto tokens = spec::json::split_pointer(instance).value_or(std::vector<std::string>{});
  const auto at = shown_at(binding);
  if (tokens.size() < at.size() || !std::ranges::equal(at, std::span(tokens).first(at.size()))) {
    return std::nullopt;
  }
  return pointer_of(binding.list.elements) +
         pointer_of({tokens.begin() + static_cast<std::ptrdiff_t>(at.size()), tokens.end()});
}

// Leaves out members of a record that is part of a response if the response does not have them.
bool is_left_out(const Binding& binding, const spec::contract::Violation& violation) {
  return is_part(binding) &&
         (violation.rule == "additionalProperties" || violation.rule == "unevaluatedProperties");
}

// Generates members that such a response requires, and leaves out nulls that it does not have.
bool is_mended(const Binding& binding, const spec::contract::Violation& violation,
               const json& body) {
  const auto tokens = spec::json::split_pointer(violation.instance);
  const json* const value = tokens ? walk(&body, *tokens) : nullptr;
  return is_part(binding) && violation.part == spec::contract::Part::kBody &&
         (violation.rule == "required" || (value != nullptr && value->is_null()));
}

// True if the record's file exists. A fixture names one of its own folder, others one of any.
bool has_file(const RecordRules& rules, const std::string& name) {
  std::error_code error;
  return rules.own_folder.empty()
             ? find_record_file(rules.folders, name).has_value()
             : std::filesystem::is_regular_file(rules.own_folder / name, error);
}

void validate_file(const RecordRules& rules, const Binding& binding, const json& record,
                   std::vector<RecordProblem>& problems) {
  if (binding.file.render_invoice) {
    if (const auto problem = invoice::invoice_problem(record)) {
      problems.push_back({"", *problem});
    }
    return;
  }
  const json* const name = walk(&record, binding.file.file);
  if (name == nullptr || !name->is_string() ||
      !has_file(rules, name->get_ref<const std::string&>())) {
    const std::string where =
        rules.own_folder.empty() ? "the fixtures' folders" : rules.own_folder.string();
    problems.push_back(
        {pointer_of(binding.file.file),
         "must be the name of a file below " + where + ", for " + binding.operation->id +
             ", but is " +
             (name != nullptr ? spec::text::shortened(spec::json::write(*name), 200) : "missing")});
  }
}

// True if a response with this JSON body certainly satisfies the contract, without writing and
// parsing it: lists are long, and most are valid. After false the whole response has to be
// validated.
bool surely_satisfies_contract(const spec::contract::Contract& contract,
                               const spec::contract::Operation& operation, int status,
                               const json& body) {
  const auto schema = response_schema(contract, operation, status);
  return schema && spec::schema::check(contract.schemas(), schema->id, body,
                                       {.direction = spec::schema::Direction::kResponse}) ==
                       spec::schema::Verdict::kValid;
}

// Misspellings in the list that the binding's operation shows of the record.
void add_misspelt_elements(const spec::contract::Contract& contract, const Binding& binding,
                           const json& record, std::vector<RecordProblem>& found) {
  const auto schema =
      response_schema(contract, *binding.operation, binding.operation->success_status());
  const json* const elements = walk(&record, binding.list.elements);
  if (!schema || elements == nullptr) {
    return;
  }
  for (const auto& one : spec::schema::misspelt_members({*schema}, *elements, binding.list.into)) {
    found.push_back({pointer_of(binding.list.elements) + one.instance, one.message()});
  }
}

// A record that holds another key than its own.
std::optional<RecordProblem> validate_id(const Collection& collection, std::string_view key,
                                         const json& record) {
  const json* const id = collection.id() ? walk(&record, *collection.id()) : nullptr;
  if (id == nullptr || !(id->is_string() || spec::json::is_number(*id))) {
    return std::nullopt;
  }
  const std::string own = key_text(*id);
  if (own == key || (collection.is_scoped() && key.ends_with('/' + own))) {
    return std::nullopt;
  }
  return RecordProblem{pointer_of(*collection.id()),
                       "must be the record's key " + spec::text::in_quotes(key, 200) + ", but is " +
                           spec::text::shortened(spec::json::write(*id), 200),
                       "\"id\" of collection " + collection.name()};
}

std::vector<RecordProblem> validate_body(const spec::contract::Contract& contract,
                                         const Binding& binding, const json& body) {
  const int status = binding.operation->success_status();
  if (is_list(binding) && !binding.requires_headers() &&
      surely_satisfies_contract(contract, *binding.operation, status, body)) {
    return {};
  }
  const auto response = operation_response(contract, *binding.operation, status, body);
  std::vector<RecordProblem> problems;
  for (const auto& violation :
       spec::contract::validate_response(contract, *binding.operation, response)) {
    const auto inside = violation.part == spec::contract::Part::kBody
                            ? inside_record(binding, violation.instance)
                            : std::nullopt;
    const bool is_of_record = violation.part != spec::contract::Part::kHeader && !is_part(binding);
    if (is_left_out(binding, violation) || (!inside && !is_of_record)) {
      continue;
    }
    problems.push_back(problem_of(contract, violation));
    problems.back().is_mended = is_mended(binding, violation, body);
    problems.back().pointer = inside.value_or(
        violation.part == spec::contract::Part::kBody ? std::string{} : violation.instance);
  }
  return problems;
}

std::vector<RecordProblem> validate_by_bindings(const RecordRules& rules,
                                                const Collection& collection, json& record) {
  std::vector<RecordProblem> problems;
  for (const Binding& binding : rules.fixtures.bindings()) {
    if (binding.collection == &collection) {
      std::ranges::move(validate_by_binding(rules, binding, record), std::back_inserter(problems));
    }
  }
  return problems;
}

void drop_nulls(json& value) {
  if (value.is_object()) {
    for (auto member = value.begin(); member != value.end();) {
      member = member->is_null() ? value.erase(member) : std::next(member);
    }
  }
  if (value.is_structured()) {
    std::ranges::for_each(value, drop_nulls);
  }
}

std::vector<RecordProblem> validate_all(const RecordRules& rules, const Collection& collection,
                                        std::string_view key, json& record) {
  std::vector<RecordProblem> problems;
  if (auto problem = validate_id(collection, key, record)) {
    problems.push_back(std::move(*problem));
  }
  if (const auto* const schema = rules.fixtures.record_schema(collection.name())) {
    std::ranges::move(validate_by_schema(*schema->schemas, schema->id, collection.name(), record),
                      std::back_inserter(problems));
  }
  auto shown = validate_by_bindings(rules, collection, record);
  if (!shown.empty() && rules.drops_nulls) {
    drop_nulls(record);
    shown = validate_by_bindings(rules, collection, record);
  }
  std::ranges::move(shown, std::back_inserter(problems));
  return problems;
}

}  // namespace

std::string in_short(const RecordProblem& problem) {
  return problem.message + (problem.violated.empty() ? "" : "; violates " + problem.violated);
}

std::string in_full(const RecordProblem& problem) {
  return in_short(problem) + (problem.statement.empty() ? "" : " (" + problem.statement + ')');
}

RecordProblem problem_of(const spec::contract::Contract& contract,
                         const spec::contract::Violation& violation) {
  const auto& statement = contract.statement(violation.statement);
  return {violation.instance, violation.message.text(),
          '"' + violation.rule + "\" of " + violation.operation,
          statement.file + ':' + std::to_string(statement.line) + ' ' + statement.pointer};
}

std::vector<RecordProblem> validate_as_response(const spec::contract::Contract& contract,
                                                const Binding& binding, json& record) {
  if (binding.shows() == Shows::kNothing || binding.shows() == Shows::kFile ||
      !binding.shows_record) {
    return {};
  }
  json body = shown_body(binding, record);
  auto problems = validate_body(contract, binding, body);
  give_back(binding, body, record);
  return problems;
}

std::vector<RecordProblem> validate_by_binding(const RecordRules& rules, const Binding& binding,
                                               json& record) {
  std::vector<RecordProblem> problems;
  const json* const elements = walk(&record, binding.list.elements);
  if (binding.shows() == Shows::kFile) {
    validate_file(rules, binding, record, problems);
  } else if (binding.shows() == Shows::kElements &&
             (elements == nullptr || !elements->is_array())) {
    problems.push_back({pointer_of(binding.list.elements),
                        "must be the array that " + binding.operation->id + " shows"});
  } else {
    problems = validate_as_response(rules.contract, binding, record);
  }
  return problems;
}

std::vector<RecordProblem> validate_by_schema(const spec::schema::SchemaSet& schemas,
                                              spec::schema::SchemaId schema,
                                              std::string_view collection, const json& record) {
  std::vector<RecordProblem> problems;
  for (const auto& violation : spec::schema::validate(schemas, schema, record)) {
    problems.push_back({violation.instance, violation.message.text(),
                        '"' + violation.keyword + "\" of collection " + std::string(collection),
                        violation.statement.file_and_line() + ' ' + violation.statement.pointer()});
  }
  return problems;
}

std::vector<RecordProblem> misspelt_members(const spec::contract::Contract& contract,
                                            const FixtureStore& fixtures,
                                            const Collection& collection, const json& record) {
  std::vector<RecordProblem> found;
  std::vector<spec::schema::AppliedSchema> applied;
  std::vector<std::string> hidden;
  if (const auto* const schema = fixtures.record_schema(collection.name())) {
    applied.push_back(*schema);
  }
  for (const Binding& binding : fixtures.bindings()) {
    if (binding.collection != &collection) {
      continue;
    }
    if (binding.shows() == Shows::kElements) {
      add_misspelt_elements(contract, binding, record, found);
    } else if (binding.shows() == Shows::kRecord) {
      hidden.insert(hidden.end(), binding.hide.begin(), binding.hide.end());
      if (const auto schema =
              response_schema(contract, *binding.operation, binding.operation->success_status())) {
        applied.push_back(*schema);
      }
    }
  }
  for (const auto& one : spec::schema::misspelt_members(std::move(applied), record)) {
    if (one.instance != pointer_of({one.name}) ||
        std::ranges::find(hidden, one.name) == hidden.end()) {
      found.push_back({one.instance, one.message()});
    }
  }
  return found;
}

std::vector<RecordProblem> validate_record(const RecordRules& rules, const Collection& collection,
                                           std::string_view key, json& record) {
  if (!record.is_object()) {
    return {{"", "a record must be an object"}};
  }
  std::vector<RecordProblem> once;
  for (RecordProblem& problem : validate_all(rules, collection, key, record)) {
    const auto same = [&](const RecordProblem& said) {
      return said.pointer == problem.pointer && said.message == problem.message;
    };
    if (const auto said = std::ranges::find_if(once, same); said != once.end()) {
      said->is_mended = said->is_mended && problem.is_mended;
    } else {
      once.push_back(std::move(problem));
    }
  }
  return once;
}

std::vector<RecordProblem> validate_record(const LoadedApi& api, const Collection& collection,
                                           std::string_view key, json record) {
  return validate_record({api.contract, api.fixtures, api.options.folders, {}}, collection, key,
                         record);
}

}  // namespace mock_server::api
