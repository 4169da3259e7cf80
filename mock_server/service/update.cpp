#include "mock_server/fixtures/merge_patch.hpp"
#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/error_response.hpp"
#include "spec/json/value.hpp"

namespace mock_server::service {
namespace {

using fixtures::OnNull;
using nlohmann::json;

void apply_field(json& record, const fixtures::UpdateField& field, const json& body) {
  const auto given = body.find(field.name);
  if (given == body.end()) {
    return;
  }
  if (!given->is_null()) {
    fixtures::merge_patch(record[field.name], *given);
  } else if (field.on_null == OnNull::kClear) {
    record[field.name] = nullptr;
  } else if (field.on_null == OnNull::kRemove) {
    record.erase(field.name);
  }
}

ChosenResponse show(RequestContext& context, const json& record) {
  return {fixtures::operation_response(context.api.contract, *context.operation,
                                       fixtures::success_status(*context.operation),
                                       fixtures::shown_record(*context.binding, record)),
          false};
}

}  // namespace

json changed_record(const RequestContext& context, const json& record) {
  json changed = record;
  if (context.reading.body && context.reading.body->is_object()) {
    for (const auto& field : context.binding->update.fields) {
      apply_field(changed, field, *context.reading.body);
    }
  }
  for (const auto& derivation : context.binding->update.derivations) {
    if (const json* const from = fixtures::find(derivation.from, {context.reading, &record})) {
      changed[derivation.member] =
          from->is_null()
              ? json(nullptr)
              : json(derivation.before + fixtures::plain_text(*from) + derivation.after);
    }
  }
  return changed;
}

// Optimistic: tries again if another request changed the record meanwhile.
ChosenResponse update_record(RequestContext& context, const FoundRecord& first) {
  constexpr int kMaxTries = 1000;
  FoundRecord found = first;
  for (int tries = 0; tries < kMaxTries && found.value != nullptr; ++tries) {
    const json changed = changed_record(context, *found.stored);
    context.chosen_by = describe(context, found);
    if (spec::json::equal(changed, *found.stored)) {
      return show(context, *found.value);
    }
    ChosenResponse chosen = show(context, with_scenario_changes(context, changed));
    if (!context.validate(chosen.response)) {
      return reject(
          context, fixtures::ErrorKind::kInternal,
          "the changed record would violate the contract, or that is undecided; it was not "
          "stored");
    }
    const state::Put put = keep_record(context, found, changed);
    if (put == state::Put::kDone) {
      chosen.validated = true;
      return chosen;
    }
    if (put == state::Put::kFull) {
      return reject(context, fixtures::ErrorKind::kInternal,
                    "the sessions are full (--session-bytes): reset or delete some");
    }
    found = find_record(context);
  }
  return reject(context, fixtures::ErrorKind::kInternal,
                "other requests kept changing the record; try again");
}

}  // namespace mock_server::service
