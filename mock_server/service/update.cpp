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

Outcome show(Call& call, const json& record) {
  return {fixtures::operation_response(call.api.contract, *call.operation,
                                       fixtures::success_status(*call.operation),
                                       fixtures::shown_record(*call.binding, record)),
          false};
}

}  // namespace

json changed_record(const Call& call, const json& record) {
  json changed = record;
  if (call.reading.body && call.reading.body->is_object()) {
    for (const auto& field : call.binding->update.fields) {
      apply_field(changed, field, *call.reading.body);
    }
  }
  for (const auto& derivation : call.binding->update.derivations) {
    if (const json* const from = fixtures::find(derivation.from, {call.reading, &record})) {
      changed[derivation.member] =
          from->is_null()
              ? json(nullptr)
              : json(derivation.before + fixtures::plain_text(*from) + derivation.after);
    }
  }
  return changed;
}

// Optimistic: made anew when another request changed the record meanwhile.
Outcome update_record(Call& call, const FoundRecord& first) {
  constexpr int kMaxTries = 1000;
  FoundRecord found = first;
  for (int tries = 0; tries < kMaxTries && found.value != nullptr; ++tries) {
    const json changed = changed_record(call, *found.stored);
    call.chosen_by = describe(call, found);
    if (spec::json::equal(changed, *found.stored)) {
      return show(call, *found.value);
    }
    Outcome outcome = show(call, as_staged(call, changed));
    if (!call.validate(outcome.response)) {
      return reject(call, fixtures::ErrorKind::kInternal,
                    "the changed record would violate the contract, or a limit leaves open whether "
                    "it does, so it is not kept");
    }
    const state::Put put = keep_record(call, found, changed);
    if (put == state::Put::kDone) {
      outcome.validated = true;
      return outcome;
    }
    if (put == state::Put::kFull) {
      return reject(call, fixtures::ErrorKind::kInternal,
                    "the sessions have no room for the changed record (--session-bytes): reset or "
                    "delete some");
    }
    found = find_record(call);
  }
  return reject(call, fixtures::ErrorKind::kInternal,
                "the record was changed by others again and again");
}

}  // namespace mock_server::service
