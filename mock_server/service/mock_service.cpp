#include "mock_server/service/mock_service.hpp"

#include "mock_server/control/describe.hpp"
#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/reply/fault_names.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/contract_examples.hpp"
#include "mock_server/service/credentials.hpp"
#include "mock_server/service/error_response.hpp"
#include "mock_server/service/generation_options.hpp"
#include "mock_server/service/rates.hpp"
#include "mock_server/service/request_steps.hpp"
#include "mock_server/service/revalidate.hpp"
#include "mock_server/service/scenarios.hpp"
#include "mock_server/service/secrets.hpp"
#include "mock_server/service/session_name.hpp"
#include "mock_server/service/status_fields.hpp"
#include "mock_server/state/unavailable.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace mock_server::service {

// A loaded API, and what was made from it.
struct MockService::Generation {
  Generation(std::shared_ptr<const fixtures::LoadedApi> the_api, std::uint64_t seed,
             state::Metrics& metrics)
      : api(std::move(the_api)),
        lazy_generator(api->contract.schemas(), seed),
        secrets(api->contract),
        others(&metrics.operation("")) {
    for (const auto& operation : api->contract.operations()) {
      counters.push_back(&metrics.operation(operation.id));
    }
  }

  state::OperationCounter& counter(const spec::contract::Operation* operation) const {
    return operation != nullptr ? *counters[operation->index] : *others;
  }

  std::shared_ptr<const fixtures::LoadedApi> api;
  ResponseCache cache;
  LazyGenerator lazy_generator;
  Secrets secrets;
  std::vector<state::OperationCounter*> counters;  // by Operation::index
  state::OperationCounter* others;                 // for requests that belong to no operation
};

namespace {

using fixtures::ErrorKind;
using spec::http::Request;
using spec::http::Response;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kOldGenerationGrace{1};
constexpr std::string_view kVary = "Origin, Prefer, X-Counterpart-Session";

// Statuses of HTTP itself, which a contract need not declare.
bool is_http_level_status(int status) {
  return status == 206 || status == 304 || status == 405 || (status >= 413 && status <= 416) ||
         status == 431;
}

// The steps after operation and preferences are known: credentials, validation, rate limit,
// scenarios, behaviour.
ChosenResponse perform(RequestContext& context, const ServiceOptions& options) {
  if (context.preferences.forces_response()) {
    return forced_response(context);
  }
  if (auto rejection = check_credentials(context, {options.tokens, options.extra_token})) {
    return std::move(*rejection);
  }
  if (auto rejection = validate_request(context, options.strict_query)) {
    return std::move(*rejection);
  }
  if (auto rejection = check_rate(context, options.rate_limit)) {
    return std::move(*rejection);
  }
  if (auto scenario_changes = play_scenarios(context)) {
    return std::move(*scenario_changes);
  }
  return context.binding != nullptr ? behave(context) : example_response(context);
}

ChosenResponse conduct(RequestContext& context, const ServiceOptions& options) {
  if (auto chosen = route(context)) {
    return std::move(*chosen);
  }
  if (auto chosen = apply_preferences(context)) {
    return std::move(*chosen);
  }
  return perform(context, options);
}

void validate_response(RequestContext& context, ChosenResponse& chosen) {
  if (context.operation == nullptr) {
    return;
  }
  const bool is_done = chosen.validated || !context.broken.empty();
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

// The first violation of the response; null if a limit left it undecided.
const spec::contract::Violation* first_violation(const RequestContext& context) {
  const auto found =
      std::ranges::find(context.broken, false, &spec::contract::Violation::undecided);
  return found == context.broken.end() ? nullptr : &*found;
}

bool is_undecided(const RequestContext& context) {
  return !(context.broken.empty() && context.not_understood.empty()) &&
         first_violation(context) == nullptr;
}

// The first violation of the response in a line, or else the first undecided point of request or
// response; "" for none.
std::string violation_line(const RequestContext& context) {
  if (const auto* const violation = first_violation(context)) {
    return to_line(context.api.contract, *violation);
  }
  for (const auto* const open : {&context.broken, &context.not_understood}) {
    if (!open->empty()) {
      return to_line(context.api.contract, open->front());
    }
  }
  return "";
}

// Where the journal explains the exchange: an address that needs no header.
std::string explained_at(std::string_view session, std::uint64_t id) {
  return (session.empty() ? "" : "/_s/" + std::string(session)) + "/_mock/requests/" +
         std::to_string(id);
}

// Warns of undeclared query parameters: "query/sort: no parameter of this operation".
void warn_of_unknown_query(const RequestContext& context, Response& response) {
  std::string warning;
  for (const std::string& name : context.unknown_query) {
    constexpr std::size_t kMaxLength = 400;
    const bool plain = std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
    if (warning.size() < kMaxLength) {
      warning += (warning.empty() ? "query/" : ", query/") +
                 spec::text::shortened(plain ? name : spec::text::percent_encode(name));
    }
  }
  if (!warning.empty()) {
    response.headers.add("X-Counterpart-Warning", warning + ": no parameter of this operation");
  }
}

bool breaks_or_met_limit(const RequestContext& context) {
  return !std::ranges::all_of(context.broken, &spec::contract::Violation::not_understood);
}

// Warns of the first part of the contract that is not understood, for request and response.
void warn_of_not_understood(const RequestContext& context, Response& response) {
  for (const auto* const open : {&context.not_understood, &context.broken}) {
    if (!open->empty() && open->front().not_understood) {
      response.headers.add("X-Counterpart-Warning",
                           reply::header_text(to_line(context.api.contract, open->front())));
    }
  }
}

void add_headers(const RequestContext& context, std::uint64_t id, Response& response) {
  auto& headers = response.headers;
  const std::string declared(headers.find("Vary").value_or(""));
  headers.set("Vary", declared + (declared.empty() ? "" : ", ") + std::string(kVary) +
                          (context.chose_by_accept ? ", Accept" : ""));
  if (context.rate) {
    add_rate_headers(*context.rate, response);
  }
  if (const std::string applied = context.preferences.applied(); !applied.empty()) {
    headers.set("Preference-Applied", reply::header_text(applied));
  }
  if (response.status >= 400) {
    headers.add("X-Counterpart-Explain", explained_at(context.session->name(), id));
  }
  if (breaks_or_met_limit(context)) {
    headers.add("X-Counterpart-Broken", (is_undecided(context) ? "undecided: " : "") +
                                            reply::header_text(violation_line(context)));
  }
  warn_of_unknown_query(context, response);
  for (const std::string& warning : context.warnings) {
    headers.add("X-Counterpart-Warning", reply::header_text(warning));
  }
  warn_of_not_understood(context, response);
  if (!context.ignored_session.empty()) {
    headers.add("X-Counterpart-Warning",
                "header/X-Counterpart-Session: ignored: the path selects another session");
  }
  reply::add_cors(context.request, response);
}

std::string json_text(const RequestContext& context,
                      const std::vector<spec::contract::Violation>& violations) {
  return violations.empty()
             ? std::string{}
             : spec::json::write(control::describe(context.api.contract, violations));
}

// A finished exchange, for journal, log and counters.
struct FinishedExchange {
  std::uint64_t id = 0;
  std::chrono::nanoseconds took{0};
  const Response& response;
  std::string hidden_target;  // "" when the target holds no secret
  std::string_view fault{};   // that breaks the delivery, by name; "" for none
};

std::string_view fault_name(const RequestContext& context, const reply::Reply& reply) {
  const bool has_body = !reply.response.body.empty() && !context.is_head();
  const reply::Fault fault =
      has_body ? reply.delivery.fault : reply::without_body(reply.delivery.fault);
  return fault == reply::Fault::kNone ? std::string_view{} : reply::name_of(fault);
}

void write_journal(const RequestContext& context, const Secrets& secrets, state::Journal& journal,
                   const FinishedExchange& done) {
  std::string chosen_by_both;
  if (!context.scenario_steps.empty()) {
    chosen_by_both =
        context.chosen_by + (context.chosen_by.empty() ? "" : "; ") + context.scenario_steps;
  }
  const std::string violations = json_text(context, context.violations);
  const std::string broken = json_text(context, context.broken);
  state::Exchange exchange;
  exchange.id = done.id;
  exchange.session = context.session->serial();
  exchange.time = context.session->now();
  exchange.took = done.took;
  exchange.peer = context.peer.address;
  exchange.operation = context.operation != nullptr ? std::string_view(context.operation->id) : "";
  exchange.chosen_by = context.scenario_steps.empty() ? context.chosen_by : chosen_by_both;
  exchange.violations = violations;
  exchange.broken = broken;
  exchange.request = &context.request;
  exchange.response = &done.response;
  exchange.fault = done.fault;
  exchange.target = done.hidden_target;
  exchange.hidden_fields = secrets.fields();
  journal.add(exchange);
}

// The first violation of the request in a line, without the value of a credential; "" for none.
std::string first_violation(const RequestContext& context, const Secrets& secrets) {
  if (context.violations.empty()) {
    return "";
  }
  const auto& first = context.violations.front();
  return secrets.concerns(first)
             ? std::string(to_text(first.part)) + first.instance + ": a credential that is wrong"
             : in_short(first);
}

void write_log(const RequestContext& context, const Secrets& secrets, const ServiceOptions& options,
               const FinishedExchange& done) {
  if (options.log) {
    const std::string broken = violation_line(context);
    const std::string violation = first_violation(context, secrets);
    const std::string_view target =
        done.hidden_target.empty() ? std::string_view(context.request.target) : done.hidden_target;
    LogLine line{context.request.method,
                 target,
                 done.response.status,
                 context.operation != nullptr ? std::string_view(context.operation->id) : "",
                 context.session->name(),
                 done.took,
                 context.violations.size(),
                 broken};
    line.undecided = is_undecided(context);
    line.fault = done.fault;
    line.warnings = context.warnings;
    line.violation = violation;
    options.log(line);
  }
}

Response bad_session(const fixtures::LoadedApi& api, const SessionChoice& choice) {
  const auto& entry = api.fixtures.errors()[ErrorKind::kMalformedRequest];
  const bool are_two = state::is_session_name(choice.name) && state::is_session_name(choice.other);
  return reply::error_response(
      entry.status, entry.code,
      are_two ? "header/X-Counterpart-Session: must name one session, but names \"" +
                    std::string(choice.name) + "\" and \"" + std::string(choice.other) + '"'
              : "session: must be 1 to 64 letters, digits, '.', '_' or '-', but is something else");
}

// "/" is the index where the contract has nothing there.
bool is_for_control(const spec::contract::Contract& contract, const Request& request,
                    std::string_view path) {
  if (path == "/" && (request.method == "GET" || request.method == "HEAD")) {
    return contract.route(request.method, path).kind == spec::contract::Match::Kind::kUnknownPath;
  }
  return control::is_control_path(path) && !reply::is_preflight(request);
}

reply::Reply control_reply(const control::ControlContext& context, const Request& request,
                           std::string_view path) {
  reply::Reply reply = control::answer(context, request, path);
  reply::add_cors(request, reply.response);
  if (reply.later) {
    const Request asked{request.method, "", request.headers, ""};
    reply.later = [asked, later = std::move(reply.later)](bool last) {
      auto response = later(last);
      if (response) {
        reply::add_cors(asked, *response);
      }
      return response;
    };
  }
  return reply;
}

reply::Reply internal_error(int status, std::string_view code, std::string_view what) noexcept {
  reply::Reply reply;
  try {
    reply.response = reply::error_response(status, code, what);
  } catch (...) {
    reply.response.status = status;
  }
  return reply;
}

// What needs the state is rejected while that is away; it may be sent again.
reply::Reply away_response(const Request& request, std::string_view why) noexcept {
  reply::Reply reply = internal_error(503, "SERVICE_UNAVAILABLE", why);
  try {
    reply.response.headers.set("Retry-After", "1");
    reply::add_cors(request, reply.response);
  } catch (...) {  // without memory it goes without them
  }
  return reply;
}

}  // namespace

MockService::MockService(std::shared_ptr<const fixtures::LoadedApi> api, state::Store& store,
                         state::Journal& journal, ServiceOptions options)
    : store_(store), journal_(journal), options_(std::move(options)) {
  replace_api(std::move(api));
}

MockService::~MockService() = default;

reply::Reply MockService::handle(const Request& request, const reply::Peer& peer) noexcept {
  try {
    return answer(request, peer);
  } catch (const state::Unavailable& away) {
    return away_response(request, away.what());
  } catch (const std::bad_alloc&) {
    return internal_error(503, "SERVICE_UNAVAILABLE", "out of memory; try again soon");
  } catch (const std::exception& error) {
    return internal_error(500, "INTERNAL_SERVER_ERROR", error.what());
  } catch (...) {
    return internal_error(500, "INTERNAL_SERVER_ERROR", "unknown internal error");
  }
}

reply::Reply MockService::answer(const Request& request, const reply::Peer& peer) {
  const auto began = SteadyClock::now();
  const std::shared_ptr<Generation> current = generation();
  const fixtures::LoadedApi& api = *current->api;
  const SessionChoice choice = choose_session(request);
  if (!choice.readable) {
    reply::Reply reply{bad_session(api, choice), {}};
    reply::add_cors(request, reply.response);
    return reply;
  }
  const auto session = store_.session(choice.name);
  if (is_for_control(api.contract, request, choice.path)) {
    reply::Reply reply = control_reply({control_api_, api, store_, journal_, metrics_, coverage_,
                                        *session, options_.control, peer.loopback},
                                       request, choice.path);
    if (options_.log) {
      options_.log({request.method, request.target, reply.response.status, "", session->name(),
                    SteadyClock::now() - began, 0, "", true});
    }
    return reply;
  }
  RequestContext context{api,         current->cache, current->lazy_generator,
                         request,     peer,           session,
                         choice.path, choice.prefix};
  context.ignored_session = choice.other;
  context.unknown_records_are_samples = options_.unknown_records_are_samples;
  context.examples_as_written = options_.examples_as_written;
  context.strict_preferences = options_.strict_preferences;
  const std::uint64_t id = journal_.next_id();
  reply::Reply reply;
  if (reply::is_preflight(request)) {
    context.chosen_by = state::kPreflight;
    reply.response = reply::response_preflight(request);
  } else {
    ChosenResponse chosen = conduct(context, options_);
    validate_response(context, chosen);
    reply.response = std::move(chosen.response);
    add_headers(context, id, reply.response);
    reply.delivery = context.preferences.delivery;
    if (options_.watch) {
      options_.watch({api.contract, context.operation, context.path_values, request, reply.response,
                      context.broken, expects_invalid(request)});
    }
  }
  const FinishedExchange done{id, SteadyClock::now() - began, reply.response,
                              current->secrets.hide(request.target), fault_name(context, reply)};
  write_journal(context, current->secrets, journal_, done);
  write_log(context, current->secrets, options_, done);
  metrics_.count(current->counter(context.operation),
                 {reply.response.status, done.took, context.violations.size(),
                  first_violation(context) != nullptr});
  return reply;
}

void MockService::record_rejection(const Request& request, Response& response,
                                   const reply::Peer& peer, std::string_view reason) noexcept {
  try {
    const SessionChoice choice = choose_session(request);
    const auto session = store_.session(choice.readable ? choice.name : "");
    const std::string violations = spec::json::write(control::describe_rejection(reason));
    state::Exchange exchange;
    exchange.id = journal_.next_id();
    exchange.session = session->serial();
    exchange.time = session->now();
    exchange.peer = peer.address;
    exchange.chosen_by = "transport";
    exchange.violations = violations;
    Response explained = response;
    explained.headers.add("X-Counterpart-Explain", explained_at(session->name(), exchange.id));
    reply::expose_headers(request, explained, "X-Counterpart-Explain");
    exchange.request = &request;
    exchange.response = &explained;
    journal_.add(exchange);
    metrics_.count_rejection();
    if (options_.log) {
      LogLine line{request.method, request.target, response.status, "", session->name()};
      line.violations = 1;
      line.violation = reason;
      options_.log(line);
    }
    response = std::move(explained);
  } catch (const std::exception&) {  // without memory there is no entry; the response is sent
  }
}

std::shared_ptr<const fixtures::LoadedApi> MockService::api() const {
  return generation()->api;
}

std::vector<std::string> MockService::replace_api(std::shared_ptr<const fixtures::LoadedApi> api) {
  const auto fresh = api;
  auto next = std::make_shared<Generation>(std::move(api), options_.seed, metrics_);
  {
    const std::lock_guard lock(mutex_);
    generation_.swap(next);
  }
  // The last user of the old loaded API destroys it, which takes milliseconds: better here than
  // during a request.
  const auto end = SteadyClock::now() + kOldGenerationGrace;
  while (next.use_count() > 1 && SteadyClock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  coverage_.forget_measure();
  std::vector<std::string> dropped;
  try {
    dropped = revalidate_sessions(store_, *fresh);
  } catch (const state::Unavailable& away) {
    dropped = {std::string("sessions were not compared with what was loaded: ") + away.what()};
  }
  store_.changes().note_reload();
  return dropped;
}

std::shared_ptr<MockService::Generation> MockService::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

}  // namespace mock_server::service
