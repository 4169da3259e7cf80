#include "mock_server/service/own_response.hpp"

#include "mock_server/reply/reply.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/checks/request_steps.hpp"
#include "mock_server/service/exchange_report.hpp"
#include "mock_server/service/forwarding.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/item_delivery.hpp"
#include "mock_server/service/responses/scenario_effects.hpp"
#include "mock_server/service/responses/uploads.hpp"
#include "mock_server/state/session_store.hpp"

#include <utility>

namespace mock_server::service {

using request::ChosenResponse;
using request::RequestContext;
using spec::http::Response;

namespace {

// Statuses of HTTP itself, which a contract need not declare.
bool is_http_level_status(int status) {
  return status == 206 || status == 304 || status == 405 || (status >= 413 && status <= 416) ||
         status == 431;
}

// The steps after operation and preferences are known: credentials, validation, rate limit,
// scenarios, behaviour.
ChosenResponse perform(RequestContext& context, const ServiceOptions& options) {
  if (context.preferences.forces_response()) {
    return responses::forced_response(context);
  }
  if (auto rejection = checks::check_credentials(context, {options.tokens, options.extra_token})) {
    return std::move(*rejection);
  }
  if (auto rejection = checks::validate_request(context, options.strict_query)) {
    return std::move(*rejection);
  }
  if (auto rejection = checks::check_rate(context, options.control.rate_limit)) {
    return std::move(*rejection);
  }
  if (auto scenario_changes = responses::play_scenarios(context)) {
    return std::move(*scenario_changes);
  }
  return responses::respond_with_files(context);
}

ChosenResponse conduct(RequestContext& context, const ServiceOptions& options) {
  if (auto chosen = checks::route(context)) {
    return std::move(*chosen);
  }
  if (auto chosen = checks::apply_preferences(context)) {
    return std::move(*chosen);
  }
  return perform(context, options);
}

void validate_response(RequestContext& context, ChosenResponse& chosen) {
  if (context.operation == nullptr) {
    return;
  }
  const bool is_done = chosen.validated || !context.response_violations.empty();
  const bool is_http_level = is_http_level_status(chosen.response.status);
  if (!is_done && (!is_http_level || context.preferences.forces_response())) {
    add_declared_headers(context, chosen.response);
  }
  add_status_fields(context, chosen.response);
  if (is_done || is_http_level) {
    return;
  }
  context.validate(chosen.response);
}

// A declared HEAD has another body than GET's, so that its length would be wrong. Source: RFC 9110
// §9.3.2.
Response without_body_of_head(const RequestContext& context, Response response) {
  if (context.operation != nullptr && context.operation->method == "HEAD") {
    response.body.clear();
  }
  return response;
}

// An exchange that cannot be kept in this process's state is one like others; a shared journal is
// away, too.
ChosenResponse conduct_or_say_why(RequestContext& context, const ServiceOptions& options,
                                  bool is_shared) {
  try {
    return conduct(context, options);
  } catch (const state::Unavailable& away) {
    if (is_shared) {
      throw;
    }
    context.chosen_by = "state";
    return {reply::unavailable(away.what()), true};
  }
}

}  // namespace

void set_options(RequestContext& context, const ServiceOptions& options) {
  context.unknown_records_are_samples = options.unknown_records_are_samples;
  context.examples_as_written = options.examples_as_written;
  context.strict_preferences = options.strict_preferences;
}

void respond_itself(RequestContext& context, const ServiceOptions& options, state::Store& store,
                    reply::Reply& reply) {
  ChosenResponse chosen = conduct_or_say_why(context, options, store.is_shared());
  note_fill(context);
  validate_response(context, chosen);
  reply.response = without_body_of_head(context, std::move(chosen.response));
  responses::set_delivery(context, store, reply);
}

}  // namespace mock_server::service
