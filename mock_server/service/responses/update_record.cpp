#include "mock_server/api/derived_members.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/later_steps.hpp"
#include "mock_server/service/responses/new_record.hpp"
#include "mock_server/service/responses/preconditions.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "mock_server/service/responses/referred_records.hpp"
#include "mock_server/service/responses/sent_lists.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/patch.hpp"
#include "spec/json/value.hpp"
#include "spec/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::service::responses {
namespace {

using api::OnNull;
using checks::reject;
using nlohmann::json;

void apply_field(json& record, const api::UpdateField& field, const json& body) {
  const auto given = body.find(field.name);
  if (given == body.end()) {
    return;
  }
  if (!given->is_null()) {
    record[field.name].merge_patch(*given);
  } else if (field.on_null == OnNull::kClear) {
    record[field.name] = nullptr;
  } else if (field.on_null == OnNull::kRemove) {
    record.erase(field.name);
  }
}

// Merges the whole body into the record. A member that null clears is null where the contract
// shows it as null, else it is taken away.
void apply_body(const RequestContext& context, json& record, const json& body) {
  const auto schemas = record_source(context).schemas;
  const auto& summaries = context.api.contract.summaries();
  for (const auto& [name, value] : body.items()) {
    const auto* const member =
        schemas.empty() ? nullptr : summaries.summary_of(schemas).property(name);
    if (!value.is_null()) {
      record[name].merge_patch(value);
    } else if (member != nullptr && summaries.summary_of(*member).nullable) {
      record[name] = nullptr;
    } else {
      record.erase(name);
    }
  }
}

// Changes members that the request set to what a record can have.
void fit_changed(RequestContext& context, const FoundRecord& found, json& changed) {
  const RecordSource source = record_source(context);
  const bool is_free =
      context.binding->update.every_field || context.binding->behaviour == api::Behaviour::kAct;
  if (is_free && !source.schemas.empty()) {
    const std::string name = context.binding->collection->name() + '=' + found.key;
    shape_sent_lists(context, source, found.key, found.stored, changed);
    const json* const sent = sent_object(context);
    if (sent != nullptr && api::has_amount(*sent)) {
      add_up_sent(context, source, sent, changed);
    }
    warn_of_unfit(context, fit_record(context, source, found.stored, name, changed));
  }
}

bool is_json_patch(const RequestContext& context) {
  const auto type = context.request.headers.find("Content-Type");
  const auto media_type = type ? spec::http::parse_media_type(*type) : std::nullopt;
  return context.binding->update.every_field && media_type &&
         media_type->essence() == "application/json-patch+json";
}

bool same_key(const json& before, const json& after, const std::vector<std::string>& id) {
  const json* const own = api::walk(&before, id);
  const json* const changed = api::walk(&after, id);
  return own == nullptr || (changed != nullptr && spec::json::equal(*own, *changed));
}

// The record as the request would have it.
spec::Result<json, spec::json::PatchError> outcome_of_request(RequestContext& context,
                                                              const FoundRecord& found) {
  if (is_json_patch(context) && context.reading.body) {
    auto patched = spec::json::apply_patch(*found.stored, *context.reading.body);
    const auto& id = context.binding->collection->id();
    if (patched && !patched->is_object()) {
      return spec::Unexpected{spec::json::PatchError{false, "", "must leave an object"}};
    }
    if (patched && id && !same_key(*found.stored, *patched, *id)) {
      return spec::Unexpected{
          spec::json::PatchError{false, "", "must not change the record's key"}};
    }
    if (patched) {
      fit_changed(context, found, *patched);
    }
    return patched;
  }
  json changed = changed_record(context, *found.stored);
  fit_changed(context, found, changed);
  return changed;
}

// Source: RFC 5789 §2.2.
ChosenResponse reject_patch(RequestContext& context, const spec::json::PatchError& error) {
  return reject(context,
                error.is_of_target ? api::ErrorKind::kConflict : api::ErrorKind::kInvalidBody,
                "body" + error.pointer + ": " + error.message);
}

ChosenResponse not_stored(RequestContext& context, const std::string& problem = "") {
  const std::string why =
      "the changed record would violate the contract, or that is undecided; it was not stored" +
      (problem.empty() ? "" : " (" + problem + ')');
  if (context.binding->is_prepared()) {
    return reject(context, api::ErrorKind::kInternal, why);
  }
  return not_shown(context, why);
}

// An action that changed nothing, since nothing says what it does.
void warn_of_no_effect(RequestContext& context) {
  const api::Binding& binding = *context.binding;
  if (binding.behaviour == api::Behaviour::kAct && binding.update.set.empty()) {
    context.warnings.push_back(
        reply::header_text("not played: " + context.operation->name + " names no state of " +
                           binding.collection->name() + " and changed nothing; bind " +
                           context.operation->id + ": behaviour: act, set: {/MEMBER: VALUE}"));
  }
}

}  // namespace

json changed_record(const RequestContext& context, const json& record) {
  json changed = record;
  if (!context.binding->update.set.empty()) {
    apply_settings(context, context.binding->update.set, context.session->now(), changed);
  }
  if (const json* const sent = sent_object(context)) {
    if (context.binding->update.every_field) {
      apply_body(context, changed, *sent);
    }
    for (const auto& field : context.binding->update.fields) {
      apply_field(changed, field, *sent);
    }
  }
  for (const auto& derivation : context.binding->update.derivations) {
    if (const json* const from = api::find(derivation.from, {context.reading, &record})) {
      changed[derivation.member] =
          from->is_null() ? json(nullptr)
                          : json(derivation.before + api::plain_text(*from) + derivation.after);
    }
  }
  return changed;
}

// Optimistic: tries again if another request changed the record meanwhile.
ChosenResponse update_record(RequestContext& context, const FoundRecord& first) {
  if (auto rejection = reject_other_key(context, first)) {
    return std::move(*rejection);
  }
  FoundRecord found = first;
  for (int tries = 0; tries < state::kMaxTries && found.value != nullptr; ++tries) {
    if (auto rejection = reject_other_version(context, found)) {
      return std::move(*rejection);
    }
    auto outcome = outcome_of_request(context, found);
    if (!outcome) {
      return reject_patch(context, outcome.error());
    }
    json changed = std::move(*outcome);
    if (auto rejection = reject_too_deep(context, changed)) {
      return std::move(*rejection);
    }
    context.chosen_by = describe(context, found);
    if (spec::json::equal(changed, *found.stored) && context.binding->after.empty()) {
      warn_of_no_effect(context);
      auto same = show_record(context, *found.value);
      return same ? std::move(*same) : not_stored(context);
    }
    renew_times(context, *found.stored, changed);
    auto shown = show_record(context, with_scenario_changes(context, changed));
    if (!shown || !(shown->validated || context.validate(shown->response))) {
      return not_stored(context);
    }
    ChosenResponse chosen = std::move(*shown);
    if (is_rejection(chosen)) {
      return chosen;
    }
    if (const auto problem =
            unshown_problem(context, found, changed, context.operation->success_status());
        !problem.empty()) {
      return not_stored(context, problem);
    }
    const state::Put put = keep_record(context, found, changed);
    if (put == state::Put::kDone) {
      chosen.validated = true;
      return chosen;
    }
    if (put == state::Put::kFull) {
      return sessions_are_full(context);
    }
    found = find_record(context);
  }
  return changed_too_often(context);
}

}  // namespace mock_server::service::responses
