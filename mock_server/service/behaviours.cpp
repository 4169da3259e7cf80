#include "mock_server/service/behaviours.hpp"

#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/service/contract_examples.hpp"
#include "mock_server/service/error_response.hpp"
#include "mock_server/service/generation_options.hpp"
#include "spec/text/quote.hpp"

namespace mock_server::service {
namespace {

using fixtures::Behaviour;
using fixtures::ErrorKind;
using fixtures::Prepared;

Outcome send_prepared(Call& call, const Prepared& prepared) {
  call.chosen_by = prepared.chosen_by;
  return {prepared.response, true};
}

std::optional<Outcome> try_rules(Call& call, const FoundRecord& found) {
  if (call.binding->rules.empty()) {
    return std::nullopt;
  }
  const auto now = call.session->now();
  for (const fixtures::Rule& rule : call.binding->rules) {
    if (fixtures::holds(rule.when, {call.reading, found.value}, now)) {
      return send_prepared(call, rule.answer);
    }
  }
  return std::nullopt;
}

Outcome read_record(Call& call, const FoundRecord& found) {
  if (!found.is_changed()) {
    return send_prepared(call, *call.binding->prepared[found.index]);
  }
  call.chosen_by = describe(call, found);
  return {fixtures::operation_response(call.api.contract, *call.operation,
                                       fixtures::success_status(*call.operation),
                                       fixtures::shown_record(*call.binding, *found.value)),
          false};
}

Outcome no_such_record(Call& call, const FoundRecord& found) {
  std::string place = call.binding->key->text;
  place.erase(0, 1);
  return reject(call, ErrorKind::kNotFound,
                place + ": must be the key of a record of " + call.binding->collection->name() +
                    ", but is " + spec::text::in_quotes(found.key));
}

// Makes of a record one that nobody knows: under the key and with the changes of the request.
void stand_in(const Call& call, FoundRecord& found) {
  nlohmann::json record = *found.value;
  GenerationOptions(call).echo(record);
  if (call.unknown_records_are_samples && call.binding->behaviour == Behaviour::kUpdate) {
    record = changed_record(call, record);
  }
  if (!call.path_values.empty()) {
    found.key = call.path_values.back().second;
  }
  found.scenario_changes = std::make_shared<const nlohmann::json>(std::move(record));
  found.value = found.scenario_changes.get();
}

}  // namespace

Outcome behave(Call& call) {
  const FoundRecord found = find_record(call);
  if (auto answer = try_rules(call, found)) {
    return std::move(*answer);
  }
  if (found.value == nullptr) {
    return call.unknown_records_are_samples ? example_response(call) : no_such_record(call, found);
  }
  switch (call.binding->behaviour) {
    case Behaviour::kRead: return read_record(call, found);
    case Behaviour::kUpdate: return update_record(call, found);
    case Behaviour::kList: return list_elements(call, found);
    case Behaviour::kFile: return send_file(call, found);
    case Behaviour::kMatch: break;
  }
  // A match ends with a rule that always holds; load rejects any other.
  return reject(call, ErrorKind::kInternal, "no rule of " + call.operation->id + " holds");
}

std::optional<Outcome> any_record(Call& call) {
  const fixtures::Binding* const binding = call.binding;
  if (binding == nullptr || binding->collection == nullptr ||
      binding->collection->records().empty()) {
    return std::nullopt;
  }
  FoundRecord found = find_record(call);
  if (found.value == nullptr) {
    const fixtures::Record& record = binding->collection->records().front();
    found = {};
    found.key = record.key;
    found.fixture = &record;
    found.value = &record.value;
    stand_in(call, found);
  }
  switch (binding->behaviour) {
    case Behaviour::kRead:
    case Behaviour::kUpdate: return read_record(call, found);
    case Behaviour::kList: return list_elements(call, found);
    case Behaviour::kFile: {
      std::string why;
      const auto file = whole_file(call, found, why);
      return file ? std::optional(send_prepared(call, *file)) : std::nullopt;
    }
    case Behaviour::kMatch: return send_prepared(call, binding->rules.back().answer);
  }
  return std::nullopt;
}

}  // namespace mock_server::service
