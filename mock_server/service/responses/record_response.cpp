#include "mock_server/service/responses/record_response.hpp"

#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::service::responses {
namespace {

using checks::in_short;
using checks::reject;
using nlohmann::json;
using spec::contract::Part;

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

void complete(RequestContext& context, ShownBody& shown) {
  const auto schema = api::response_schema(context.api.contract, *context.operation, shown.status);
  if (!schema) {
    return;
  }
  const json example = api::generated_body(record_maker(context), *context.operation, shown.status,
                                           seed_for(context, context.operation->id));
  add_required(context.api.contract, {schema->id}, example, shown.body);
}

// Sets the members of the example that the record has, too: of an object, those that both have, for
// it may be another object of that name.
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

void echo_record(RequestContext& context, const json& record, ChosenResponse& chosen) {
  auto body = spec::json::read(chosen.response.body);
  if (!body || !body->is_object()) {
    return;
  }
  set_shared_members(*body, record);
  spec::http::Response echoed = chosen.response;
  echoed.body = spec::json::write(*body);
  const auto response_violations =
      spec::contract::validate_response(context.api.contract, *context.operation, echoed);
  if (response_violations.empty()) {
    chosen.response = std::move(echoed);
  }
}

}  // namespace

std::optional<ChosenResponse> show_body(RequestContext& context, ShownBody shown) {
  constexpr int kMaxRepairs = 3;
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
  return chosen;
}

std::optional<ChosenResponse> show_whole_record(RequestContext& context, const json& record,
                                                int status, std::string location) {
  const api::Binding& binding = *context.binding;
  if (binding.shows_record || !declares_body(*context.operation, status)) {
    ShownBody shown{status, api::wrap_elements(binding.into, api::shown_record(binding, record))};
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
  echo_record(context, record, chosen);
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
  std::erase_if(problems, [](const auto& problem) { return problem.is_mended; });
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
  if (context.binding->collection->shows_examples_first()) {
    context.warnings.push_back(reply::header_text(reason));
    return example_response(context);
  }
  return reject(context, api::ErrorKind::kInternal, reason);
}

}  // namespace mock_server::service::responses
