#include "mock_server/service/mock_service.hpp"

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/control/control_api.hpp"
#include "mock_server/journal/journal_json.hpp"
#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/exchange_report.hpp"
#include "mock_server/service/forwarding.hpp"
#include "mock_server/service/own_response.hpp"
#include "mock_server/service/passed_exchange.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/revalidate.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/http/message.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace mock_server::service {

using api::ErrorKind;
using request::SessionChoice;
using spec::http::Request;
using spec::http::Response;

// Responses of requests that never came to an operation, or whose work was in vain.

namespace {

// The error response for the exception that is being handled. While the state is away, requests
// that need it are rejected; they may be sent again.
reply::Reply response_of_exception(const spec::http::Request& request) noexcept;

// Precondition: `choice` is not readable.
Response bad_session(const api::LoadedApi& api, const SessionChoice& choice) {
  const auto& entry = api.fixtures.errors()[ErrorKind::kMalformedRequest];
  const bool are_two = state::is_session_name(choice.name) && state::is_session_name(choice.other);
  return reply::error_response(
      entry.status, entry.code,
      are_two ? "header/X-Counterpart-Session: must name one session, but names \"" +
                    std::string(choice.name) + "\" and \"" + std::string(choice.other) + '"'
              : "session: must be 1 to 64 letters, digits, '.', '_' or '-', but is something else");
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

reply::Reply away_response(const Request& request, std::string_view why) noexcept {
  reply::Reply reply;
  reply.response.status = 503;
  try {
    reply.response = reply::unavailable(why);
    reply::add_cors(request, reply.response);
  } catch (...) {  // without memory it goes without them
  }
  return reply;
}

reply::Reply response_of_exception(const Request& request) noexcept {
  try {
    throw;
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

// False if the request is to be tried again; otherwise `reply` is the last word.
bool tell_not_kept(const Request& request, state::Commit outcome, reply::Reply& reply) {
  if (outcome == state::Commit::kAgain) {
    return false;
  }
  reply = internal_error(409, "CONFLICT",
                         "other requests kept changing the same state, and nothing was kept of "
                         "this; send it again");
  reply::add_cors(request, reply.response);
  return true;
}

}  // namespace

// A loaded API, and what was made from it.
struct MockService::Generation {
  Generation(std::shared_ptr<const api::LoadedApi> the_api, std::uint64_t seed,
             journal::Metrics& metrics)
      : api(std::move(the_api)),
        lazy_generator(api->contract.schemas(), seed),
        secrets(api->contract),
        only_error(checks::only_error(api->contract)),
        others(&metrics.operation("")) {
    for (const auto& operation : api->contract.operations()) {
      counters.push_back(&metrics.operation(operation.id));
    }
  }

  journal::OperationCounter& counter(const spec::contract::Operation* operation) const {
    return operation != nullptr ? *counters[operation->index] : *others;
  }

  std::shared_ptr<const api::LoadedApi> api;
  request::ResponseCache cache;
  request::LazyGenerator lazy_generator;
  checks::Secrets secrets;
  const spec::contract::Response* only_error;
  std::vector<journal::OperationCounter*> counters;  // by Operation::index
  journal::OperationCounter* others;                 // for requests that belong to no operation
};

namespace {

using request::choose_session;
using request::ChosenResponse;
using request::expects_invalid;
using request::RequestContext;
using spec::http::Request;
using spec::http::Response;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kOldGenerationGrace{1};
// Search steps of patterns for one request: about 50 ms on a loop, after which a worker begins it
// again, and 20 s there, after which the rest is undecided.
constexpr std::uint64_t kLoopSteps = 5'000'000;
constexpr std::uint64_t kWorkerSteps = 2'000'000'000;
constexpr std::uint64_t kNoChanges = std::numeric_limits<std::uint64_t>::max();

// "/" is the index where the contract has nothing there.
bool is_for_control(const spec::contract::Contract& contract, const Request& request,
                    std::string_view path) {
  if (path == "/" && (request.method == "GET" || request.method == "HEAD")) {
    return contract.route(request.method, path).kind == spec::contract::Match::Kind::kUnknownPath;
  }
  return control::is_control_path(path);
}

reply::Reply control_reply(const control::ControlContext& context, const Request& request,
                           std::string_view path) {
  if (spec::http::is_preflight(request)) {
    return {reply::response_preflight(request), {}};
  }
  reply::Reply reply = control::respond(context, request, path);
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

}  // namespace

MockService::MockService(std::shared_ptr<const api::LoadedApi> api, state::Store& store,
                         state::Journal& journal, ServiceOptions options)
    : store_(store), journal_(journal), options_(std::move(options)) {
  replace_api(std::move(api));
}

MockService::~MockService() = default;

reply::Reply MockService::handle(const Request& request, const reply::Peer& peer) noexcept {
  reply::Reply reply;
  const spec::schema::patterns::SearchBudget budget(
      peer.on_worker ? kWorkerSteps : kLoopSteps,
      [loops_changes = peer.on_worker ? kNoChanges : state::Session::changes_of_thread()] {
        return loops_changes == state::Session::changes_of_thread();
      });
  try {
    const auto open = store_.open_request();
    // Until what it changes is kept; the store says when to give up.
    while (!try_respond(request, peer, reply)) {
      reply = {};
    }
  } catch (const state::Unavailable&) {  // who keeps the state says so once
    reply = response_of_exception(request);
    log_failure(request, reply.response, options_, false);
  } catch (const spec::schema::patterns::SearchBudget::Exhaustion&) {
    reply = {};
    reply.needs_worker = true;
  } catch (...) {
    reply = response_of_exception(request);
    log_failure(request, reply.response, options_, true);
  }
  return reply;
}

namespace {

void log_control(const ServiceOptions& options, const Request& request, int status,
                 const std::string& session, SteadyClock::duration took) {
  if (options.log) {
    options.log({request.method, request.target, status, "", session, took, 0, "", true});
  }
}

}  // namespace

void MockService::watch_to_its_end(const RequestContext& context,
                                   const std::shared_ptr<Generation>& current,
                                   const FinishedExchange& done, reply::Reply& reply) {
  if (!context.passes_items) {
    watch(context, reply.response);
    return;
  }
  const auto report = [this, was_invalid = first_violation(context) != nullptr](
                          const RequestContext& ended, const Response& response) {
    watch(ended, response);
    if (!was_invalid && first_violation(ended) != nullptr) {
      metrics_.count_invalid_response();
    }
  };
  report_items(context, {current, current->secrets, journal_, options_, report}, done, reply);
}

// False if another request changed the same state meanwhile: then nothing was kept. `reply` is a
// new one.
bool MockService::try_respond(const Request& request, const reply::Peer& peer,
                              reply::Reply& reply) {
  const auto began = began_of(peer);
  const std::shared_ptr<Generation> current = generation();
  const api::LoadedApi& api = *current->api;
  const SessionChoice choice = choose_session(request);
  if (!choice.readable) {
    reply.response = bad_session(api, choice);
    reply::add_cors(request, reply.response);
    return true;
  }
  const auto session = store_.session(choice.name);
  if (is_for_control(api.contract, request, choice.path)) {
    reply = control_reply({control_api_, api, store_, journal_, metrics_, coverage_, *session,
                           options_.control, peer.loopback},
                          request, choice.path);
    if (const auto kept = session->commit(); kept != state::Commit::kDone) {
      return tell_not_kept(request, kept, reply);
    }
    log_control(options_, request, reply.response.status, session->name(),
                SteadyClock::now() - began);
    return true;
  }
  RequestContext context{api,         current->cache, current->lazy_generator,
                         request,     peer,           session,
                         choice.path, choice.prefix,  options_.control.scheme};
  context.ignored_session = choice.other;
  context.only_error = current->only_error;
  set_options(context, options_);
  auto passed = forward(context, options_.control.upstream);
  if (passed && passed->pending_response) {
    reply = std::move(*passed);
    return true;
  }
  const std::uint64_t id = journal_.next_id();
  if (passed) {
    reply = std::move(*passed);
    add_upstream_fields(context, current->secrets, id, reply.response);
  } else if (spec::http::is_preflight(request)) {
    context.chosen_by = state::kPreflight;
    reply.response = reply::response_preflight(request);
  } else {
    respond_itself(context, options_, store_, reply);
    add_headers(context, id, reply.response);
    add_upstream_fields(context, current->secrets, id, reply.response);
  }
  // On a loop, nothing from here on is begun again: a response of the service is here once.
  const spec::schema::patterns::SearchBudget rest(peer.on_worker ? kWorkerSteps : kLoopSteps,
                                                  [] { return false; });
  const FinishedExchange done{id, SteadyClock::now() - began, reply.response,
                              current->secrets.hide(request.target), fault_name(context, reply)};
  write_journal(context, current->secrets, journal_, done);
  if (const auto kept = session->commit(); kept != state::Commit::kDone) {
    return tell_not_kept(request, kept, reply);
  }
  watch_to_its_end(context, current, done, reply);
  write_log(context, current->secrets, options_, done);
  metrics_.count(current->counter(context.operation),
                 {reply.response.status, done.took, context.violations.size(),
                  first_violation(context) != nullptr});
  return true;
}

void MockService::record_rejection(const Request& request, Response& response,
                                   const reply::Peer& peer, std::string_view reason) noexcept {
  try {
    const SessionChoice choice = choose_session(request);
    const auto session = store_.session(choice.readable ? choice.name : "");
    const std::string violations = spec::json::write(journal::describe_rejection(reason));
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

std::shared_ptr<const api::LoadedApi> MockService::api() const {
  return generation()->api;
}

std::vector<std::string> MockService::replace_api(std::shared_ptr<const api::LoadedApi> api) {
  const auto fresh = api;
  const auto next = std::make_shared<Generation>(std::move(api), options_.control.seed, metrics_);
  std::array<std::shared_ptr<Generation>, kShards> shares;
  for (std::shared_ptr<Generation>& share : shares) {  // each with a count of its own
    share = {next.get(), [next](Generation*) {}};
  }
  for (std::size_t at = 0; at < kShards; ++at) {
    const std::lock_guard lock(shards_[at].mutex);
    shards_[at].generation.swap(shares[at]);
  }
  // The last user of the old loaded API destroys it, which takes milliseconds: better here than
  // during a request.
  const auto end = SteadyClock::now() + kOldGenerationGrace;
  const auto is_used = [](const auto& old) { return old.use_count() > 1; };
  while (std::ranges::any_of(shares, is_used) && SteadyClock::now() < end) {
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

void MockService::watch(const RequestContext& context, const Response& response) const {
  if (options_.watch && context.chosen_by != state::kPreflight) {
    options_.watch({context.api.contract, context.operation, context.path_values, context.request,
                    response, context.response_violations, expects_invalid(context.request),
                    context.served_by, context.no_response});
  }
}

reply::RequestNeeds MockService::begin(const Request& request, bool may_await) noexcept {
  try {
    if (options_.control.upstream == nullptr || !options_.control.upstream->settings) {
      return {};
    }
    const SessionChoice choice = choose_session(request);
    if (!choice.readable || is_for_control(generation()->api->contract, request, choice.path)) {
      return {};
    }
    auto settings =
        choose_upstream(options_.control.upstream, request, *store_.session(choice.name));
    if (!settings) {
      return {};
    }
    return {true, may_await ? ask_at_once(std::move(*settings), *options_.control.upstream, request,
                                          choice.path)
                            : nullptr};
  } catch (...) {
    return {.may_block = true};  // handle() says what is wrong
  }
}

std::shared_ptr<MockService::Generation> MockService::generation() const {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t mine = threads.fetch_add(1) % kShards;
  const std::lock_guard lock(shards_[mine].mutex);
  return shards_[mine].generation;
}

}  // namespace mock_server::service
