#include "mock_server/service/responses/record_response.hpp"

#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/responses/children.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::service::responses {
namespace {

using checks::in_short;
using checks::reject;
using nlohmann::json;
using spec::contract::Part;

using Tokens = std::vector<std::string>;

bool declares_body(const spec::contract::Operation& operation, int status) {
  const auto* const declared = operation.response(status);
  return declared == nullptr || !declared->contents.empty();
}

bool shows_record(const RequestContext& context, int status) {
  return context.binding->shows_record && declares_body(*context.operation, status);
}

// Takes the members away that the response does not have, and nulls that it does not allow.
void leave_out(json& body, const std::vector<spec::contract::Violation>& violations) {
  for (const auto& violation : violations) {
    const json* const member = spec::json::find(body, violation.instance);
    const bool is_extra =
        violation.rule == "additionalProperties" || violation.rule == "unevaluatedProperties";
    if (violation.part == Part::kBody && member != nullptr && (is_extra || member->is_null())) {
      spec::json::erase_member(body, violation.instance);
    }
  }
}

spec::http::Response response_of(RequestContext& context, const ShownBody& shown) {
  spec::http::Response response;
  if (declares_body(*context.operation, shown.status)) {
    response =
        api::operation_response(context.api.contract, *context.operation, shown.status, shown.body);
  } else {
    response.status = shown.status;
  }
  for (const auto& [name, value] : shown.headers.lines()) {
    response.headers.set(name, value);
  }
  add_declared_headers(context, response);
  for (const std::string& name : shown.left_out) {
    response.headers.remove(name);
  }
  return response;
}

std::optional<ChosenResponse> if_valid(RequestContext& context, const ShownBody& shown) {
  auto response = response_of(context, shown);
  if (!context.validate(response)) {
    return std::nullopt;
  }
  return ChosenResponse{std::move(response), true};
}

// The operation's generated response, which is kept: large ones take long to make.
json whole_example(const RequestContext& context, int status) {
  const api::RecordMaker maker = record_maker(context);
  const std::uint64_t seed = seed_for(context, context.operation->id);
  const std::string name = "whole " + context.operation->id + ' ' + std::to_string(status) + ' ' +
                           std::to_string(seed) + ' ' + std::to_string(maker.later.count());
  if (const auto kept = context.cache.find(name)) {
    return *spec::json::read(kept->response.body);
  }
  json example = api::generated_body(maker, *context.operation, status, seed);
  auto prepared = std::make_shared<api::PreparedResponse>();
  prepared->response.body = spec::json::write(example);
  context.cache.put(name, std::move(prepared));
  return example;
}

void complete(RequestContext& context, ShownBody& shown) {
  const auto schema = api::response_schema(context.api.contract, *context.operation, shown.status);
  if (!schema) {
    return;
  }
  const json example = whole_example(context, shown.status);
  add_required(context.api.contract, {schema->id}, example, shown.body);
}

void complete_documented(RequestContext& context, ShownBody& shown) {
  const auto schema = api::response_schema(context.api.contract, *context.operation, shown.status);
  if (schema && add_documented(context.api.contract, {schema->id}, nullptr, shown.body)) {
    const json example = whole_example(context, shown.status);
    add_documented(context.api.contract, {schema->id}, &example, shown.body);
  }
}

// The address as the response has it there: the whole URL where the contract says so.
json address_for(const RequestContext& context, const spec::schema::Schemas& schemas,
                 const std::string& location) {
  const bool is_whole =
      !schemas.empty() &&
      context.api.contract.summaries().summary_of(schemas).format.starts_with("ur");
  return is_whole && location.starts_with('/')
             ? reply::own_address(context.request, context.scheme) + location
             : location;
}

// Puts the key and the address of the record where the response has them beside it, or instead.
void add_key_and_address(const RequestContext& context, const json& record, int status,
                         const std::string& location, json& body) {
  const api::Binding& binding = *context.binding;
  const auto schema = api::response_schema(context.api.contract, *context.operation, status);
  const auto schemas_of = [&](const Tokens& at) {
    return schema ? api::schemas_at(context.api.contract, {schema->id}, at)
                  : spec::schema::Schemas{};
  };
  const auto& id = binding.collection->id();
  const json* const key = id ? api::walk(&record, *id) : nullptr;
  for (const Tokens& at : binding.shows_key) {
    if (key != nullptr) {
      api::set_at(body, at, *key);
    }
  }
  for (const Tokens& at : binding.shows_address) {
    if (!location.empty()) {
      api::set_at(body, at, address_for(context, schemas_of(at), location));
    }
  }
}

void echo_record(RequestContext& context, const json& record, const std::string& location,
                 ChosenResponse& chosen) {
  auto body = spec::json::read(chosen.response.body);
  if (!body) {
    return;
  }
  if (body->is_object()) {
    set_shared_members(*body, record);
  }
  add_key_and_address(context, record, chosen.response.status, location, *body);
  spec::http::Response echoed = chosen.response;
  echoed.body = spec::json::write(*body);
  const auto response_violations =
      spec::contract::validate_response(context.api.contract, *context.operation, echoed);
  if (response_violations.empty()) {
    chosen.response = std::move(echoed);
  }
}

// The example's value at that place of a body; elements of lists are like the example's first one.
const json* example_at(const json& example, const Tokens& tokens) {
  const json* at = &example;
  for (const std::string& token : tokens) {
    const bool is_list = at->is_array();
    at = is_list ? (at->empty() ? nullptr : &at->front()) : api::walk(at, {token});
    if (at == nullptr) {
      break;
    }
  }
  return at;
}

// "7" where a number is shown, and the other way round; null where that is not the difference.
json retyped(const json& value, const json& example) {
  if (value.is_string() && spec::json::is_number(example) &&
      spec::json::is_number_text(value.get_ref<const std::string&>())) {
    return spec::json::make_number(value.get_ref<const std::string&>());
  }
  return example.is_string() && value.is_primitive() && !value.is_string() && !value.is_null()
             ? json(api::plain_text(value))
             : json(nullptr);
}

// The value that the response shows instead: of an object, with what the record has of it.
json shown_instead(const json& value, const json& example) {
  if (json other = retyped(value, example); !other.is_null()) {
    return other;
  }
  json shown = example;
  if (shown.is_object() && value.is_object()) {
    set_shared_members(shown, value);
  }
  return shown;
}

// A member of a body, or the nearest one around what is no member: an array is shown whole, but
// objects in it one by one.
Tokens shown_member(const json& body, Tokens tokens) {
  while (!tokens.empty()) {
    const json* const outer = api::walk(&body, Tokens(tokens.begin(), tokens.end() - 1));
    const json* const own = api::walk(&body, tokens);
    if (outer == nullptr || outer->is_object() || (own != nullptr && own->is_object())) {
      break;
    }
    tokens.pop_back();
  }
  return tokens;
}

// Changes what the response cannot show to what it can, or takes it away: for this response alone.
// Returns pointers of what was changed; none where nothing could be.
std::vector<std::string> replace_unshowable(const RequestContext& context, const json& example,
                                            bool is_first, json& body) {
  std::vector<std::string> changed;
  for (const auto& violation : context.response_violations) {
    const auto at = spec::json::split_pointer(violation.instance);
    const bool is_of_body = at && violation.part == Part::kBody;
    const Tokens tokens = is_of_body ? shown_member(body, *at) : Tokens{};
    json* const value = is_of_body ? api::walk(&body, tokens) : nullptr;
    if (value == nullptr || (tokens.empty() && !(is_first && value->is_object()))) {
      continue;
    }
    const json* const instead = is_first ? example_at(example, tokens) : nullptr;
    if (instead != nullptr) {
      *value = shown_instead(*value, *instead);
    } else {
      spec::json::erase_member(body, spec::json::pointer_of(tokens));
    }
    std::string pointer = spec::json::pointer_of(tokens);
    if (std::ranges::find(changed, pointer) == changed.end()) {
      changed.push_back(std::move(pointer));
    }
  }
  return changed;
}

// The response of an inferred collection, which follows a 2xx in any case: members that it cannot
// show as they were sent are shown otherwise, with a warning.
std::optional<ChosenResponse> show_otherwise(RequestContext& context, ShownBody& shown) {
  constexpr int kMaxRounds = 4;
  const json example = whole_example(context, shown.status);
  std::vector<std::string> changed;
  std::optional<ChosenResponse> chosen;
  for (int round = 0; round < kMaxRounds && !chosen; ++round) {
    auto pointers = replace_unshowable(context, example, round < kMaxRounds / 2, shown.body);
    if (pointers.empty()) {
      break;
    }
    changed.insert(changed.end(), pointers.begin(), pointers.end());
    complete(context, shown);
    chosen = if_valid(context, shown);
  }
  const bool is_undecided =
      std::ranges::all_of(context.response_violations, &spec::contract::Violation::undecided);
  if (!chosen && is_undecided) {
    chosen = ChosenResponse{response_of(context, shown), true};
  }
  if (chosen && !changed.empty()) {
    std::ranges::sort(changed);
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    context.warnings.push_back(reply::header_text(
        "shown otherwise than kept, because the contract shows it otherwise here: body" +
        spec::text::join(changed, ", body")));
  }
  return chosen;
}

bool is_inferred(const RequestContext& context) {
  return context.binding != nullptr && context.binding->collection != nullptr &&
         context.binding->collection->shows_examples_first();
}

}  // namespace

void set_shared_members(json& example, const json& record) {
  for (const auto& [name, value] : record.items()) {
    const auto own = example.find(name);
    if (own == example.end() || own->type() != value.type()) {
      continue;
    }
    if (own->is_object()) {
      set_shared_members(*own, value);
    } else {
      *own = value;
    }
  }
}

std::optional<ChosenResponse> show_body(RequestContext& context, ShownBody shown) {
  constexpr int kMaxRepairs = 3;
  if (is_inferred(context)) {
    complete_documented(context, shown);
  }
  auto chosen = if_valid(context, shown);
  for (int repairs = 0; repairs < kMaxRepairs && !chosen; ++repairs) {
    leave_out(shown.body, context.response_violations);
    complete(context, shown);
    chosen = if_valid(context, shown);
  }
  if (!chosen && !shown.headers.empty()) {
    shown.headers = {};
    chosen = if_valid(context, shown);
  }
  return chosen || !is_inferred(context) ? std::move(chosen) : show_otherwise(context, shown);
}

std::optional<ChosenResponse> show_whole_record(RequestContext& context, const json& stored,
                                                int status, std::string location) {
  const api::Binding& binding = *context.binding;
  json record = stored;
  Children(context).show_in(record);
  if (binding.shows_record || !declares_body(*context.operation, status)) {
    ShownBody shown{status, api::wrap_elements(binding.into, api::shown_record(binding, record))};
    add_key_and_address(context, record, status, location, shown.body);
    if (!location.empty()) {
      shown.headers.set("Location", std::move(location));
    }
    return show_body(context, std::move(shown));
  }
  const std::string chosen_by = context.chosen_by;
  ChosenResponse chosen = example_response(context);
  context.chosen_by = chosen_by + "; response: " + context.chosen_by;
  if (is_rejection(chosen)) {
    return chosen;
  }
  echo_record(context, record, location, chosen);
  if (!location.empty()) {
    chosen.response.headers.set("Location", location);
  }
  return chosen;
}

std::optional<ChosenResponse> show_record(RequestContext& context, const json& record) {
  if (!context.binding->is_prepared()) {
    return show_whole_record(context, record, context.operation->success_status());
  }
  return ChosenResponse{api::operation_response(context.api.contract, *context.operation,
                                                context.operation->success_status(),
                                                api::shown_record(*context.binding, record)),
                        false};
}

std::string unshown_problem(const RequestContext& context, const FoundRecord& found,
                            const json& record, int status) {
  const api::Collection& collection = *context.binding->collection;
  if (shows_record(context, status)) {
    return "";
  }
  auto problems = api::validate_record(context.api, collection, found.key, record);
  std::erase_if(problems, [&](const auto& problem) {
    return problem.is_mended || (is_inferred(context) && !problem.pointer.empty());
  });
  const auto before = problems.empty() || found.stored == nullptr
                          ? std::vector<api::RecordProblem>{}
                          : api::validate_record(context.api, collection, found.key, *found.stored);
  const auto added = std::ranges::find_if(problems, [&](const auto& problem) {
    return std::ranges::none_of(before, [&](const auto& old) {
      return old.pointer == problem.pointer && old.violated == problem.violated;
    });
  });
  return added == problems.end() ? "" : "record" + added->pointer + ": " + in_short(*added);
}

bool is_rejection(const ChosenResponse& chosen) {
  constexpr int kFirstError = 400;
  return chosen.response.status >= kFirstError;
}

int created_status(const spec::contract::Operation& operation) {
  constexpr int kCreated = 201;
  return operation.declares(kCreated) ? kCreated : operation.success_status();
}

int changed_status(const spec::contract::Operation& operation) {
  for (const int status : {200, 204, 202}) {
    if (operation.declares(status)) {
      return status;
    }
  }
  return operation.success_status();
}

ChosenResponse not_shown(RequestContext& context, std::string_view why) {
  const std::string reason =
      context.response_violations.empty()
          ? std::string(why)
          : std::string(why) + " (" + in_short(context.response_violations.front()) + ')';
  context.response_violations.clear();
  if (is_inferred(context)) {
    if (api::row_of(context.binding->behaviour).changes && !context.unknown_records_are_samples) {
      return reject(context, api::ErrorKind::kNotImplemented, reason);
    }
    context.warnings.push_back(reply::header_text(reason));
    return example_response(context);
  }
  return reject(context, api::ErrorKind::kInternal, reason);
}

}  // namespace mock_server::service::responses
