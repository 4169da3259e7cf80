#include "mock_server/service/responses/behaviours.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/examples/response_example.hpp"
#include "mock_server/service/checks/content_choice.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/issued_token.hpp"
#include "mock_server/service/responses/later_steps.hpp"
#include "mock_server/service/responses/parent_response.hpp"
#include "mock_server/service/responses/preconditions.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/write/write_body.hpp"
#include "spec/json/read.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace mock_server::service::responses {

namespace {

using request::ChosenResponse;
using request::RequestContext;

// `chosen`, a response with a record or a list, as the declared media type that Accept likes best:
// JSON among equals. A read for which Accept takes none is 406; a change, which is done, is shown
// as JSON then. What cannot be written of a read is the contract's example.
// Source: RFC 9110 §12.5.1.
ChosenResponse in_accepted_form(RequestContext& context, ChosenResponse chosen) {
  spec::http::Response& response = chosen.response;
  const auto* const declared = context.operation->response(response.status);
  const bool is_choice = declared != nullptr && declared->contents.size() > 1;
  if (!is_choice || response.status / 100 != 2 || response.body.empty()) {
    return chosen;
  }
  const auto* const sent =
      spec::contract::checking::select_content(declared->contents, response.headers);
  if (sent == nullptr || !sent->media_type.is_json()) {
    return chosen;
  }
  auto offered = checks::offered_contents(context, *declared);
  std::stable_partition(offered.begin(), offered.end(),
                        [sent](const auto& one) { return one.content == sent; });
  const auto accepted = checks::accepted_content(context, offered);
  if (accepted && accepted->content == sent) {
    return chosen;
  }
  // Of a stream that says something else than the record or list, the contract's example is sent.
  const bool is_stream = accepted && spec::contract::write::is_sequence(accepted->sent_as);
  const bool is_read = spec::http::is_safe_method(context.request.method) || is_stream;
  const auto value = spec::json::read(response.body);
  const bool fits =
      !is_stream || (value && request::satisfies_schema(context, *accepted->content, *value));
  const auto body =
      accepted && value && fits
          ? examples::write_response_body(context.api.contract,
                                          {*accepted->content, accepted->sent_as}, value.value())
          : std::nullopt;
  if (!body) {
    return is_read ? example_response(context) : std::move(chosen);
  }
  response.headers.set("Content-Type", body->media_type);
  response.body = body->bytes;
  chosen.validated = false;
  return chosen;
}

using api::Behaviour;
using api::ErrorKind;
using api::PreparedResponse;
using api::Shows;
using checks::reject;
using request::GenerationOptions;

ChosenResponse send_prepared(RequestContext& context, const PreparedResponse& prepared) {
  context.chosen_by = prepared.chosen_by;
  return {prepared.response, true};
}

ChosenResponse send_by_rule(RequestContext& context, const api::Rule& rule,
                            const FoundRecord& found) {
  ChosenResponse chosen = made_response(context, rule.response, found.value);
  context.chosen_by =
      rule.response.chosen_by +
      api::because(rule.when, {context.reading, found.value}, context.session->now());
  return chosen;
}

std::optional<ChosenResponse> try_rules(RequestContext& context, const FoundRecord& found) {
  if (context.binding->rules.empty()) {
    return std::nullopt;
  }
  const auto now = context.session->now();
  for (const api::Rule& rule : context.binding->rules) {
    if (api::holds(rule.when, {context.reading, found.value}, now)) {
      return send_by_rule(context, rule, found);
    }
  }
  return std::nullopt;
}

ChosenResponse read_record(RequestContext& context, const FoundRecord& found) {
  if (!found.is_changed() && context.binding->is_prepared()) {
    return send_prepared(context, *context.binding->prepared[found.index]);
  }
  context.chosen_by = describe(context, found);
  auto shown = show_record(context, *found.value);
  return shown ? std::move(*shown)
               : not_shown(context, "the record cannot be shown as the contract demands");
}

bool is_update(const RequestContext& context) {
  return context.binding->behaviour == Behaviour::kUpdate ||
         context.binding->behaviour == Behaviour::kAct;
}

// Changes the key of a record to the requested one, and applies the changes of the request.
void become_requested_record(const RequestContext& context, FoundRecord& found) {
  nlohmann::json record = *found.value;
  GenerationOptions(context).echo(record);
  if (context.unknown_records_are_samples && is_update(context)) {
    record = changed_record(context, record);
  }
  if (!context.path_values.empty()) {
    found.key = context.path_values.back().second;
  }
  found.scenario_changes = std::make_shared<const nlohmann::json>(std::move(record));
  found.value = found.scenario_changes.get();
}

// 404 when the record that should have the requested one is not there.
std::optional<ChosenResponse> reject_without_parent(RequestContext& context) {
  const api::Within* const missing = missing_parent(context);
  if (missing == nullptr || context.unknown_records_are_samples) {
    return std::nullopt;
  }
  const auto* const given = api::find(missing->given, {context.reading});
  return reject(context, ErrorKind::kNotFound,
                "there is no record " + spec::text::in_quotes(api::plain_text(*given)) + " in " +
                    missing->in->name() + ", to which those of " +
                    context.binding->collection->name() + " belong");
}

// A record that no session has changed, as the contract's example shows it.
ChosenResponse change_example(RequestContext& context, FoundRecord found) {
  auto record = example_record(context, record_source(context));
  if (!record.is_object()) {
    return example_response(context);
  }
  found.changed = std::make_shared<const nlohmann::json>(std::move(record));
  found.value = found.changed.get();
  found.stored = found.value;
  ChosenResponse chosen = update_record(context, found);
  const std::string& collection = context.binding->collection->name();
  if (context.session->read(state::record_cell(collection, found.key))) {  // it was kept
    context.session->compare_and_set(state::number_cell(collection), 0, "0");
  }
  return chosen;
}

// The response about a record that is not there.
ChosenResponse behave_without(RequestContext& context, const FoundRecord& found) {
  const bool is_known = is_known_absent(context, found);
  if (!context.unknown_records_are_samples && is_known) {
    return no_such_record(context, found);
  }
  return is_update(context) && !context.unknown_records_are_samples ? change_example(context, found)
                                                                    : example_response(context);
}

// `from`: what follows takes the record for the body.
void take_record_out(RequestContext& context) {
  if (context.binding->from.empty() || !context.reading.body) {
    return;
  }
  const nlohmann::json* const record = api::walk(&*context.reading.body, context.binding->from);
  nlohmann::json taken = record != nullptr ? *record : nlohmann::json(nlohmann::json::object());
  context.reading.body = std::move(taken);
}

ChosenResponse respond(RequestContext& context, const FoundRecord& found) {
  switch (context.binding->behaviour) {
    case Behaviour::kRead: return read_record(context, found);
    case Behaviour::kUpdate:
    case Behaviour::kAct: return update_record(context, found);
    case Behaviour::kList: return list_records(context);
    case Behaviour::kElements: return list_elements(context, found);
    case Behaviour::kFile: return send_file(context, found);
    case Behaviour::kCreate: return create_record(context);
    case Behaviour::kReplace: return replace_record(context, found);
    case Behaviour::kDelete: return delete_record(context, found);
    case Behaviour::kExample: return list_of_example(context);
    case Behaviour::kMatch: break;
  }
  // The last rule of a match always holds; a load rejects any other.
  return reject(context, ErrorKind::kInternal, "no rule of " + context.operation->id + " holds");
}

ChosenResponse behave_with(RequestContext& context, const FoundRecord& found) {
  const bool is_missing = found.value == nullptr && context.binding->collection != nullptr &&
                          !context.binding->is_about_collection();
  return is_missing ? behave_without(context, found) : respond(context, found);
}

}  // namespace

ChosenResponse made_response(RequestContext& context, const api::PreparedResponse& prepared,
                             const nlohmann::json* record) {
  ChosenResponse chosen{prepared.response, true};
  context.stream = context.stream ? context.stream : prepared.stream;
  if (prepared.made != nullptr) {
    api::fill(*prepared.made, {context.reading, record}, *context.session,
              request::seed_of(context), chosen.response);
    chosen.validated = false;
  }
  return chosen;
}

ChosenResponse no_such_record(RequestContext& context, const FoundRecord& found) {
  constexpr std::size_t kMaxShown = 3;
  const std::string& collection = context.binding->collection->name();
  const auto known = visible_keys(context);
  std::vector<std::string> shown;
  for (const std::string& key : std::span(known).first(std::min(known.size(), kMaxShown))) {
    shown.push_back(spec::text::shortened(key));
  }
  std::string text = "there is no record " + spec::text::in_quotes(found.key) + " in " +
                     collection + "; known: " + (shown.empty() ? "none" : spec::text::join(shown));
  if (known.size() > kMaxShown) {
    text += " and " + std::to_string(known.size() - kMaxShown) + " more";
  }
  return reject(context, ErrorKind::kNotFound,
                text + "; add one with PUT " + std::string(context.prefix) + "/_mock/records/" +
                    spec::text::percent_encode(collection) + '/' +
                    spec::text::shortened(spec::text::percent_encode(found.key), 200));
}

namespace {

ChosenResponse behave_by(RequestContext& context, const FoundRecord& found) {
  if (auto chosen = try_rules(context, found)) {
    return std::move(*chosen);
  }
  if (context.binding->behaviour == Behaviour::kExample) {
    return list_of_example(context);
  }
  take_record_out(context);
  if (auto rejection = reject_without_parent(context)) {
    return std::move(*rejection);
  }
  ChosenResponse chosen = with_parent(context, behave_with(context, found));
  return with_version(context, in_accepted_form(context, std::move(chosen)));
}

}  // namespace

ChosenResponse behave(RequestContext& context) {
  const FoundRecord found = find_record(context);
  return with_issued_token(context, with_retry_after(context, found, behave_by(context, found)));
}

ChosenResponse read_now(RequestContext& context, const FoundRecord& found) {
  return found.value == nullptr ? behave_without(context, found) : read_record(context, found);
}

std::optional<ChosenResponse> any_record(RequestContext& context) {
  const api::Binding* const binding = context.binding;
  if (binding == nullptr || binding->collection == nullptr || binding->is_about_collection() ||
      !binding->shows_record || binding->collection->records().empty()) {
    return std::nullopt;
  }
  FoundRecord found = find_record(context);
  if (found.value == nullptr) {
    const api::Record& record = binding->collection->records().front();
    found = {};
    found.key = record.key;
    found.fixture = &record;
    found.value = &record.value;
    become_requested_record(context, found);
  }
  switch (binding->shows()) {
    case Shows::kRecord: return read_record(context, found);
    case Shows::kElements: return list_elements(context, found);
    case Shows::kFile: {
      std::string why;
      const auto file = whole_file(context, found, why);
      return file ? std::optional(send_prepared(context, *file)) : std::nullopt;
    }
    case Shows::kNothing:
      if (binding->behaviour == Behaviour::kMatch) {
        return send_by_rule(context, binding->rules.back(), found);
      }
      break;
    case Shows::kMade:
    case Shows::kRemoved:
    case Shows::kRecords: break;  // about the collection
  }
  return std::nullopt;
}

}  // namespace mock_server::service::responses
