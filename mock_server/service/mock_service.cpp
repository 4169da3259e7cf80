#include "mock_server/service/mock_service.hpp"

#include "mock_server/control/describe.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/fault_names.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/credentials.hpp"
#include "mock_server/service/contract_examples.hpp"
#include "mock_server/service/rates.hpp"
#include "mock_server/service/revalidate.hpp"
#include "mock_server/service/error_response.hpp"
#include "mock_server/service/generation_options.hpp"
#include "mock_server/service/scenarios.hpp"
#include "mock_server/service/secrets.hpp"
#include "mock_server/service/session_name.hpp"
#include "mock_server/service/status_fields.hpp"
#include "mock_server/service/request_steps.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace mock_server::service {

// A loaded API on stage, with what was made from it.
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

constexpr std::chrono::seconds kFarewell{1};
constexpr std::string_view kVary = "Origin, Prefer, X-Counterpart-Session";

// Statuses that belong to HTTP and not to the contract.
bool is_https_own(int status) {
  return status == 206 || status == 304 || status == 405 || (status >= 413 && status <= 416) ||
         status == 431;
}

// Operation and preferences are known: who may, what is right, how often, and then the behaviour.
Outcome perform(Call& call, const ServiceOptions& options) {
  if (call.preferences.forces_response()) {
    return forced_response(call);
  }
  if (auto rejection = check_credentials(call, {options.tokens, options.extra_token})) {
    return std::move(*rejection);
  }
  if (auto rejection = validate_request(call, options.strict_query)) {
    return std::move(*rejection);
  }
  if (auto rejection = check_rate(call, options.rate_limit)) {
    return std::move(*rejection);
  }
  if (auto scenario_changes = play_scenarios(call)) {
    return std::move(*scenario_changes);
  }
  return call.binding != nullptr ? behave(call) : example_response(call);
}

Outcome conduct(Call& call, const ServiceOptions& options) {
  if (auto outcome = route(call)) {
    return std::move(*outcome);
  }
  if (auto outcome = apply_preferences(call)) {
    return std::move(*outcome);
  }
  return perform(call, options);
}

void validate_response(Call& call, Outcome& outcome) {
  if (call.operation == nullptr) {
    return;
  }
  const bool is_done = outcome.validated || !call.broken.empty();
  const bool is_https = is_https_own(outcome.response.status);
  if (!is_done && (!is_https || call.preferences.forces_response())) {
    add_declared_headers(call, outcome.response);
  }
  add_status_fields(call, outcome.response);
  if (is_done || is_https) {
    return;
  }
  call.validate(outcome.response);
}

// What the response breaks in the first place; a limit that was hit is no violation.
const spec::contract::Violation* first_violation(const Call& call) {
  const auto found = std::ranges::find(call.broken, false, &spec::contract::Violation::undecided);
  return found == call.broken.end() ? nullptr : &*found;
}

bool is_undecided(const Call& call) {
  return !(call.broken.empty() && call.not_understood.empty()) && first_violation(call) == nullptr;
}

// What the response breaks first in a line, or else what is undecided of answer or request; "" for
// none of them.
std::string words(const Call& call) {
  if (const auto* const violation = first_violation(call)) {
    return to_line(call.api.contract, *violation);
  }
  for (const auto* const open : {&call.broken, &call.not_understood}) {
    if (!open->empty()) {
      return to_line(call.api.contract, open->front());
    }
  }
  return "";
}

// Where the journal says why.
std::string explained_at(std::string_view prefix, std::uint64_t id) {
  return std::string(prefix) + "/_mock/requests/" + std::to_string(id);
}

// Names the query parameters that the operation has not: "query/sort: is no parameter of this
// operation".
void warn_of_unknown_query(const Call& call, Response& response) {
  std::string warning;
  for (const std::string& name : call.unknown_query) {
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

bool breaks_or_met_limit(const Call& call) {
  return !std::ranges::all_of(call.broken, &spec::contract::Violation::not_understood);
}

// Names the places of the contract that are not understood, the first of request and answer.
void warn_of_not_understood(const Call& call, Response& response) {
  for (const auto* const open : {&call.not_understood, &call.broken}) {
    if (!open->empty() && open->front().not_understood) {
      response.headers.add("X-Counterpart-Warning",
                           reply::header_text(to_line(call.api.contract, open->front())));
    }
  }
}

void add_headers(const Call& call, std::uint64_t id, Response& response) {
  auto& headers = response.headers;
  const std::string declared(headers.find("Vary").value_or(""));
  headers.set("Vary", declared + (declared.empty() ? "" : ", ") + std::string(kVary) +
                          (call.chose_by_accept ? ", Accept" : ""));
  if (call.rate) {
    add_rate_headers(*call.rate, response);
  }
  if (const std::string applied = call.preferences.applied(); !applied.empty()) {
    headers.set("Preference-Applied", reply::header_text(applied));
  }
  if (response.status >= 400) {
    headers.add("X-Counterpart-Explain", explained_at(call.prefix, id));
  }
  if (breaks_or_met_limit(call)) {
    headers.add("X-Counterpart-Broken",
                (is_undecided(call) ? "undecided: " : "") + reply::header_text(words(call)));
  }
  warn_of_unknown_query(call, response);
  for (const std::string& warning : call.warnings) {
    headers.add("X-Counterpart-Warning", reply::header_text(warning));
  }
  warn_of_not_understood(call, response);
  if (!call.ignored_session.empty()) {
    headers.add("X-Counterpart-Warning",
                "header/X-Counterpart-Session: is ignored: the path selects another session");
  }
  reply::add_cors(call.request, response);
}

std::string json_text(const Call& call, const std::vector<spec::contract::Violation>& violations) {
  return violations.empty() ? std::string{}
                            : spec::json::write(control::describe(call.api.contract, violations));
}

// An exchange that is over, for journal, log and counters.
struct Done {
  std::uint64_t id = 0;
  std::chrono::nanoseconds took{0};
  const Response& response;
  std::string hidden_target;  // "" when the target holds no secret
  std::string_view fault{};   // that breaks the delivery, by name; "" for none
};

std::string_view fault_word(const Call& call, const reply::Reply& reply) {
  const bool has_body = !reply.response.body.empty() && !call.is_head();
  const reply::Fault fault =
      has_body ? reply.delivery.fault : reply::without_body(reply.delivery.fault);
  return fault == reply::Fault::kNone ? std::string_view{} : reply::name_of(fault);
}

void note(const Call& call, const Secrets& secrets, state::Journal& journal, const Done& done) {
  std::string chosen_by_both;
  if (!call.scenario_steps.empty()) {
    chosen_by_both = call.chosen_by + (call.chosen_by.empty() ? "" : "; ") + call.scenario_steps;
  }
  const std::string violations = json_text(call, call.violations);
  const std::string broken = json_text(call, call.broken);
  state::Exchange exchange;
  exchange.id = done.id;
  exchange.session = call.session->serial();
  exchange.time = call.session->now();
  exchange.took = done.took;
  exchange.peer = call.peer.address;
  exchange.operation = call.operation != nullptr ? std::string_view(call.operation->id) : "";
  exchange.chosen_by = call.scenario_steps.empty() ? call.chosen_by : chosen_by_both;
  exchange.violations = violations;
  exchange.broken = broken;
  exchange.request = &call.request;
  exchange.response = &done.response;
  exchange.fault = done.fault;
  exchange.target = done.hidden_target;
  exchange.hidden_fields = secrets.fields();
  journal.note(exchange);
}

// The first violation of the request in a line, without the value of a credential; "" for none.
std::string first_violation(const Call& call, const Secrets& secrets) {
  if (call.violations.empty()) {
    return "";
  }
  const auto& first = call.violations.front();
  return secrets.concerns(first)
             ? std::string(to_text(first.part)) + first.instance + ": a credential that is wrong"
             : in_short(first);
}

void log(const Call& call, const Secrets& secrets, const ServiceOptions& options,
         const Done& done) {
  if (options.log) {
    const std::string broken = words(call);
    const std::string violation = first_violation(call, secrets);
    const std::string_view target =
        done.hidden_target.empty() ? std::string_view(call.request.target) : done.hidden_target;
    LogLine line{call.request.method,
                 target,
                 done.response.status,
                 call.operation != nullptr ? std::string_view(call.operation->id) : "",
                 call.session->name(),
                 done.took,
                 call.violations.size(),
                 broken};
    line.undecided = is_undecided(call);
    line.fault = done.fault;
    line.warnings = call.warnings;
    line.violation = violation;
    options.log(line);
  }
}

Response bad_session(const fixtures::LoadedApi& api, const SessionChoice& choice) {
  const auto& entry = api.fixtures.errors()[ErrorKind::kMalformedRequest];
  const bool are_two = state::is_session_name(choice.name) && state::is_session_name(choice.other);
  return reply::error_response(
      entry.status, entry.code,
      are_two ? "header/X-Counterpart-Session: must be one session, but is \"" +
                    std::string(choice.name) + "\" and \"" + std::string(choice.other) + '"'
              : "session: must be 1 to 64 letters, digits, '.', '_' or '-', but is something else");
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

reply::Reply last_net(int status, std::string_view code, std::string_view what) noexcept {
  reply::Reply reply;
  try {
    reply.response = reply::error_response(status, code, what);
  } catch (...) {
    reply.response.status = status;
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
  } catch (const std::bad_alloc&) {
    return last_net(503, "SERVICE_UNAVAILABLE",
                    "there is not enough memory for this now; try again soon");
  } catch (const std::exception& error) {
    return last_net(500, "INTERNAL_SERVER_ERROR", error.what());
  } catch (...) {
    return last_net(500, "INTERNAL_SERVER_ERROR", "something that is no exception was thrown");
  }
}

reply::Reply MockService::answer(const Request& request, const reply::Peer& peer) {
  const auto began = SteadyClock::now();
  const std::shared_ptr<Generation> on_stage = generation();
  const fixtures::LoadedApi& api = *on_stage->api;
  const SessionChoice choice = choose_session(request);
  if (!choice.readable) {
    reply::Reply reply{bad_session(api, choice), {}};
    reply::add_cors(request, reply.response);
    return reply;
  }
  const auto session = store_.session(choice.name);
  if (control::is_control_path(choice.path) && !reply::is_preflight(request)) {
    reply::Reply reply = control_reply({control_api_, api, store_, journal_, metrics_, *session,
                                        options_.control, peer.loopback},
                                       request, choice.path);
    if (options_.log) {
      options_.log({request.method, request.target, reply.response.status, "", session->name(),
                    SteadyClock::now() - began, 0, "", true});
    }
    return reply;
  }
  Call call{api, on_stage->cache, on_stage->lazy_generator, request,
            peer,  session,         choice.path,       choice.prefix};
  call.ignored_session = choice.other;
  call.unknown_records_are_samples = options_.unknown_records_are_samples;
  call.examples_as_written = options_.examples_as_written;
  const std::uint64_t id = journal_.next_id();
  reply::Reply reply;
  if (reply::is_preflight(request)) {
    call.chosen_by = "preflight";
    reply.response = reply::response_preflight(request);
  } else {
    Outcome outcome = conduct(call, options_);
    validate_response(call, outcome);
    reply.response = std::move(outcome.response);
    add_headers(call, id, reply.response);
    reply.delivery = call.preferences.delivery;
    if (options_.watch) {
      options_.watch(
          {api.contract, call.operation, call.path_values, request, reply.response, call.broken});
    }
  }
  const Done done{id, SteadyClock::now() - began, reply.response,
                  on_stage->secrets.hide(request.target), fault_word(call, reply)};
  note(call, on_stage->secrets, journal_, done);
  log(call, on_stage->secrets, options_, done);
  metrics_.count(
      on_stage->counter(call.operation),
      {reply.response.status, done.took, call.violations.size(), first_violation(call) != nullptr});
  return reply;
}

void MockService::note_rejection(const Request& request, Response& response, const reply::Peer& peer,
                               std::string_view reason) noexcept {
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
    explained.headers.add("X-Counterpart-Explain", explained_at(choice.prefix, exchange.id));
    reply::expose_headers(request, explained, "X-Counterpart-Explain");
    exchange.request = &request;
    exchange.response = &explained;
    journal_.note(exchange);
    metrics_.note_rejection();
    if (options_.log) {
      LogLine line{request.method, request.target, response.status, "", session->name()};
      line.violations = 1;
      line.violation = reason;
      options_.log(line);
    }
    response = std::move(explained);
  } catch (const std::exception&) {  // without memory there is no note; the client is answered
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
  // Who leaves the old loaded API last tears it down, which takes milliseconds: better here than in a
  // request's way.
  const auto end = SteadyClock::now() + kFarewell;
  while (next.use_count() > 1 && SteadyClock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return revalidate_sessions(store_, *fresh);
}

std::shared_ptr<MockService::Generation> MockService::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

}  // namespace mock_server::service
