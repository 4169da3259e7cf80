// Requests that create, replace and delete records: one compare-and-set each.

#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/children.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/new_record.hpp"
#include "mock_server/service/responses/preconditions.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/result.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace mock_server::service::responses {
namespace {

using api::Behaviour;
using api::ErrorKind;
using checks::reject;
using nlohmann::json;

ChosenResponse exists_already(RequestContext& context, const std::string& key) {
  return reject(context, ErrorKind::kConflict,
                "there is a record " + spec::text::in_quotes(key) + " in " +
                    context.binding->collection->name() + " already");
}

// Null where the contract declares none.
const auto* location_header(const RequestContext& context) {
  const auto* const response = context.operation->response(created_status(*context.operation));
  return response != nullptr ? response->header("Location") : nullptr;
}

// True if the contract wants the whole URL there, and not a path alone.
bool has_whole_location(const RequestContext& context) {
  const auto* const header = location_header(context);
  return header != nullptr && header->schema &&
         context.api.contract.summaries().summary_of(*header->schema).format == "uri";
}

// The part that the path of one record has behind that of all, with the key: "/7" for "/{id}",
// "(7)" for "({id})". Nothing if it is another path.
std::optional<std::string> tail_of(std::string_view one, std::string_view all,
                                   const std::string& own_key) {
  if (!one.starts_with(all)) {
    return std::nullopt;
  }
  const std::string_view tail = one.substr(all.size());
  const std::size_t open = tail.find('{');
  const std::size_t close = tail.find('}');
  const bool has_one_parameter = close != std::string_view::npos && open < close &&
                                 tail.find('{', close) == std::string_view::npos &&
                                 tail.find('/', 1) == std::string_view::npos;
  if (!has_one_parameter) {
    return std::nullopt;
  }
  return std::string(tail.substr(0, open)) + spec::text::percent_encode(own_key) +
         std::string(tail.substr(close + 1));
}

// The path that reads the created record: "/todos/7" for a request to "/todos"; that of any other
// operation about it where the contract declares the header. "" when there is none.
std::string location_of(const RequestContext& context, const std::string& own_key) {
  const std::string& path = context.operation->path;
  const bool is_declared = location_header(context) != nullptr;
  for (const auto& binding : context.api.fixtures.bindings()) {
    const bool is_about_one =
        binding.behaviour == Behaviour::kRead ||
        (is_declared && binding.collection != nullptr && api::row_of(binding.behaviour).needs_key);
    const bool is_own = is_about_one && binding.collection == context.binding->collection;
    const auto tail = is_own ? tail_of(binding.operation->path, path, own_key) : std::nullopt;
    if (tail) {
      return (has_whole_location(context) ? reply::own_address(context.request, context.scheme)
                                          : std::string{}) +
             std::string(context.prefix) + std::string(context.path) + *tail;
    }
  }
  return "";
}

// Says that the record was created `number`th; what cannot be noted only shows in the order.
void note_number(const RequestContext& context, const std::string& key, std::uint64_t number) {
  const std::string name = state::order_cell(context.binding->collection->name(), key);
  context.session->compare_and_set(name, context.session->read(name).version,
                                   std::to_string(number));
}

// The way in which a record is stored.
struct Storing {
  std::string_view done;  // "created"
  int status = 200;
  std::string location{};
  std::string_view why_not{};  // where it cannot be shown
  std::uint64_t number = 0;    // of a creation
};

// Nothing when another request stored a record of that key meanwhile.
std::optional<ChosenResponse> try_store(RequestContext& context, const FoundRecord& found,
                                        const json& record, const Storing& how) {
  if (auto rejection = reject_too_deep(context, record)) {
    return rejection;
  }
  context.chosen_by =
      std::string(how.done) + " record " + context.binding->collection->name() + '/' + found.key;
  auto chosen =
      show_whole_record(context, with_scenario_changes(context, record), how.status, how.location);
  if (!chosen) {
    return not_shown(context, how.why_not);
  }
  if (is_rejection(*chosen)) {
    return chosen;
  }
  if (const auto problem = unshown_problem(context, found, record, how.status); !problem.empty()) {
    return not_shown(context, std::string(how.why_not) + " (" + problem + ')');
  }
  switch (keep_record(context, found, record)) {
    case state::Put::kDone:
      if (how.number != 0) {
        note_number(context, found.key, how.number);
      }
      return chosen;
    case state::Put::kFull: return sessions_are_full(context);
    case state::Put::kStale: break;
  }
  return std::nullopt;
}

std::optional<ChosenResponse> try_create(RequestContext& context, const std::string& own_key,
                                         std::uint64_t number, const FoundRecord& found) {
  const bool is_named = context.binding->behaviour != Behaviour::kCreate;  // by the path
  context.created_keys.assign(is_named ? 0 : 1, own_key);
  return try_store(context, found, make_record(context, own_key, nullptr),
                   {.done = "created",
                    .status = created_status(*context.operation),
                    .location = location_of(context, own_key),
                    .why_not = "the new record cannot be shown as the contract demands; it was not "
                               "kept",
                    .number = number});
}

std::string new_key(const RequestContext& context, std::uint64_t number) {
  const api::Collection& collection = *context.binding->collection;
  const std::uint64_t seed = seed_for(context, collection.name() + '/' + std::to_string(number));
  return api::make_key(record_maker(context), collection, record_source(context), {number, seed});
}

// A record that the session can put one of its own in place of: an unchanged one that the
// collection was given to start with.
bool gives_way(const RequestContext& context, const FoundRecord& found) {
  return found.fixture != nullptr && !found.is_changed() &&
         context.binding->collection->shows_examples_first();
}

std::string own_part(const RequestContext& context, const FoundRecord& found) {
  return found.key.substr(key_prefix(context).size());
}

ChosenResponse create_under_key(RequestContext& context, const FoundRecord& found) {
  const auto number = take_number(context);
  if (!number) {
    return sessions_are_full(context);
  }
  auto chosen = try_create(context, own_part(context, found), *number, found);
  return chosen ? std::move(*chosen) : changed_too_often(context);
}

std::optional<ChosenResponse> try_replace(RequestContext& context, const FoundRecord& found) {
  return try_store(context, found, make_record(context, own_part(context, found), found.stored),
                   {.done = "replaced",
                    .status = changed_status(*context.operation),
                    .why_not = "the record cannot be shown as the contract demands; it was not "
                               "replaced"});
}

}  // namespace

std::optional<ChosenResponse> reject_other_key(RequestContext& context, const FoundRecord& found) {
  const auto& id = context.binding->collection->id();
  const bool is_checked =
      context.binding->behaviour == Behaviour::kReplace || context.binding->update.every_field;
  if (!is_checked || !sent_object(context) || !id || id->empty()) {
    return std::nullopt;
  }
  if (context.binding->key && !api::key_given(*context.binding, {context.reading})) {
    return reject(
        context, ErrorKind::kInvalidBody,
        context.binding->key->text.substr(1) + ": must be the key of the record, but is missing");
  }
  const json* const given = api::walk(sent_object(context), *id);
  const std::string own_key = own_part(context, found);
  if (given == nullptr || api::key_text(*given) == own_key) {
    return std::nullopt;
  }
  return reject(context, ErrorKind::kInvalidBody,
                "body" + spec::json::pointer_of(*id) + ": must be the key in the path " +
                    spec::text::in_quotes(own_key, 200) + ", but is " +
                    spec::text::shortened(spec::json::write(*given), 200));
}

namespace {

// Stores one record; its value, or the response that says why not.
spec::Result<json, ChosenResponse> store_one(RequestContext& context) {
  for (int tries = 0; tries < state::kMaxTries; ++tries) {
    const auto number = take_number(context);
    const auto given = key_in_body(context);
    if (!number) {
      return spec::Unexpected{sessions_are_full(context)};
    }
    const std::string own_key = given ? *given : new_key(context, *number);
    const FoundRecord found = find_record(context, record_key(context, own_key));
    const bool is_free = !found.exists || (given && gives_way(context, found));
    if (!is_free && given) {
      return spec::Unexpected{exists_already(context, own_key)};
    }
    if (!is_free) {
      continue;
    }
    json record = make_record(context, own_key, nullptr);
    if (auto rejection = reject_too_deep(context, record)) {
      return spec::Unexpected{std::move(*rejection)};
    }
    const state::Put put = keep_record(context, found, record);
    if (put == state::Put::kDone) {
      note_number(context, found.key, *number);
      context.created_keys.push_back(own_key);
      return record;
    }
    if (put == state::Put::kFull) {
      return spec::Unexpected{sessions_are_full(context)};
    }
  }
  return spec::Unexpected{changed_too_often(context)};
}

// Each object of the request's list becomes a record, in turn; the response has all of them where
// it has a list.
ChosenResponse create_several(RequestContext& context) {
  const json all = *context.reading.body;
  json shown = json::array();
  for (const json& one : all) {
    context.reading.body = one;
    auto stored = store_one(context);
    if (!stored) {
      return std::move(stored.error());
    }
    shown.push_back(api::shown_record(*context.binding, *stored));
  }
  context.chosen_by = "created " + std::to_string(all.size()) + " records of " +
                      context.binding->collection->name();
  std::vector<std::string> into = context.binding->into;
  if (!context.binding->shows_record || into.empty() || into.back() != "0") {
    return example_response(context);
  }
  into.pop_back();
  auto chosen = show_body(
      context, {created_status(*context.operation), api::wrap_elements(into, std::move(shown))});
  return chosen ? std::move(*chosen) : example_response(context);
}

bool sends_several(const RequestContext& context) {
  const auto& body = context.reading.body;
  return body && body->is_array() &&
         std::ranges::all_of(*body, [](const json& one) { return one.is_object(); });
}

}  // namespace

ChosenResponse create_record(RequestContext& context) {
  if (sends_several(context)) {
    return create_several(context);
  }
  if (!sent_object(context) && !context.request.body.empty()) {
    return not_shown(context, "the request has no JSON object or form to make a record of");
  }
  const auto given = key_in_body(context);
  if (given && given->empty()) {
    return reject(context, ErrorKind::kInvalidBody, "body: the record's key must not be empty");
  }
  for (int tries = 0; tries < state::kMaxTries; ++tries) {
    const auto number = take_number(context);
    if (!number) {
      return sessions_are_full(context);
    }
    const std::string own_key = given ? *given : new_key(context, *number);
    const FoundRecord found = find_record(context, record_key(context, own_key));
    const bool is_free = !found.exists || (given && gives_way(context, found));
    if (!is_free && given) {
      return exists_already(context, own_key);
    }
    if (is_free) {
      if (auto chosen = try_create(context, own_key, *number, found)) {
        return std::move(*chosen);
      }
    }
  }
  return changed_too_often(context);
}

ChosenResponse replace_record(RequestContext& context, const FoundRecord& first) {
  if (!sent_object(context) && !context.request.body.empty()) {
    return not_shown(context, "the request has no JSON object or form to make a record of");
  }
  if (auto rejection = reject_other_key(context, first)) {
    return std::move(*rejection);
  }
  FoundRecord found = first;
  for (int tries = 0; tries < state::kMaxTries; ++tries) {
    if (auto rejection = reject_other_version(context, found)) {
      return std::move(*rejection);
    }
    if (found.value == nullptr) {
      const bool may_create = context.binding->creates || context.unknown_records_are_samples ||
                              !is_in_use(context, *context.binding->collection);
      return may_create && !found.exists ? create_under_key(context, found)
                                         : no_such_record(context, found);
    }
    if (auto chosen = try_replace(context, found)) {
      return std::move(*chosen);
    }
    found = find_record(context);
  }
  return changed_too_often(context);
}

namespace {

// "deleted": true, and the like, where the response has such a member.
void say_that_it_is_done(ChosenResponse& chosen) {
  const auto read = spec::json::read(chosen.response.body);
  json body = read ? read.value() : json();
  bool is_changed = false;
  for (const char* const name : {"deleted", "is_deleted", "success", "ok"}) {
    if (body.is_object() && body.contains(name) && body[name] == false) {
      body[name] = is_changed = true;
    }
  }
  if (is_changed) {
    chosen.response.body = spec::json::write(body);
  }
}

}  // namespace

ChosenResponse delete_record(RequestContext& context, const FoundRecord& first) {
  FoundRecord found = first;
  for (int tries = 0; tries < state::kMaxTries; ++tries) {
    if (found.value == nullptr && is_known_absent(context, found)) {
      return context.unknown_records_are_samples ? example_response(context)
                                                 : no_such_record(context, found);
    }
    if (auto rejection = reject_other_version(context, found)) {
      return std::move(*rejection);
    }
    const std::string name = context.binding->collection->name() + '/' + found.key;
    context.chosen_by = "deleted record " + name;
    auto chosen = show_whole_record(context, found.value != nullptr ? *found.value : json::object(),
                                    context.operation->success_status());
    if (chosen && is_rejection(*chosen)) {
      return std::move(*chosen);
    }
    if (!chosen) {
      chosen = not_shown(context, "the deleted record cannot be shown as the contract demands");
    }
    say_that_it_is_done(*chosen);
    const state::Put put = context.session->compare_and_set(
        state::record_cell(context.binding->collection->name(), found.key), found.version, "");
    if (put == state::Put::kDone) {
      if (found.value != nullptr) {
        delete_children(context, *context.binding, *found.value);
      }
      return std::move(*chosen);
    }
    if (put == state::Put::kFull) {
      return sessions_are_full(context);
    }
    found = find_record(context);
  }
  return changed_too_often(context);
}

}  // namespace mock_server::service::responses
