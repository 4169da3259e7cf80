#include "mock_server/service/forwarding.hpp"

#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/fault.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/request_steps.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/exchange_report.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/upstream/proxy_fields.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/http/coding.hpp"
#include "spec/http/form.hpp"
#include "spec/http/header_field.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mock_server::service {

namespace {

using request::is_preference;
using request::may_have_preferences;
using request::Preferences;
using request::read_preferences;
using spec::contract::Match;
using spec::contract::Violation;
using spec::http::Request;
using spec::http::Response;
using SteadyClock = std::chrono::steady_clock;
using SystemClock = std::chrono::system_clock;
using upstream::FailureKind;

constexpr int kLoop = 508;
constexpr std::string_view kWholeServer = "*";  // the target of OPTIONS
constexpr std::string_view kLoopField = "X-Counterpart-Loop";
constexpr std::size_t kMaxDecodedBytes = 10U * 1024 * 1024;
constexpr std::string_view kNoMemory = "memory is short (--memory-bytes)";
constexpr std::string_view kInstead = "mock; ";  // and why, in the service's place
constexpr std::string_view kServedBy = "X-Counterpart-Served-By";
constexpr std::string_view kViolations = "X-Counterpart-Violations";
constexpr std::string_view kExplain = "X-Counterpart-Explain";

// Without our own parameters; as it is, with its mark, if it has none of them.
std::string query_for(std::string_view target) {
  const std::string_view whole = target.substr(std::min(target.find('?'), target.size()));
  bool has_ours = false;
  std::string kept;
  for (const spec::http::FormPair& pair : spec::http::split_form(spec::http::query_of(target))) {
    if (is_preference(pair.name)) {
      has_ours = true;
    } else {
      kept.append(1, kept.empty() ? '?' : '&').append(pair.text);
    }
  }
  return has_ours ? kept : std::string(whole);
}

struct OutgoingRequest {
  Request request;
  std::string target;  // without the prefix of the service's URL
  SystemClock::time_point started;
  SteadyClock::time_point began;
};

// The request to the service: the path and query without the session's prefix and our own
// parameters. `path`: of the request, without that prefix.
OutgoingRequest request_for(const Request& received, std::string_view path,
                            const upstream::Settings& settings, const upstream::Gateway& gateway) {
  const std::string target = std::string(path) + query_for(received.target);
  // The server as a whole has no path. Source: RFC 9112 §3.2.4.
  const std::string whole = target == kWholeServer ? target : settings.url.prefix + target;
  return {upstream::to_service(received, whole, settings.url.authority(), gateway.pseudonym()),
          target, SystemClock::now(), SteadyClock::now()};
}

// A request to the service, and what came of it. To be waited for when it was sent.
class UpstreamRequest final : public reply::PendingResponse {
 public:
  using Result = spec::Result<upstream::UpstreamResponse, upstream::Failure>;

  UpstreamRequest(upstream::Settings settings, OutgoingRequest sent,
                  std::optional<upstream::Exchange> exchange)
      : settings_(std::move(settings)), sent_(std::move(sent)), exchange_(std::move(exchange)) {}

  int descriptor() const override { return exchange_->descriptor(); }

  std::chrono::steady_clock::time_point due() const override { return exchange_->due(); }

  State read() override;

  std::size_t held_bytes() const override {
    return exchange_->held_bytes() + sent_.request.body.size();
  }

  bool keep_no_more() override { return exchange_->keep_no_more(); }

  const upstream::Settings& settings() const { return settings_; }

  const OutgoingRequest& sent() const { return sent_; }

  // Null if it is still to come, and `may_leave`.
  Result* result(upstream::Gateway& gateway, bool may_leave);

  bool lacks_memory() const { return exchange_ && exchange_->keeps_no_more(); }

 private:
  const upstream::Settings settings_;
  const OutgoingRequest sent_;
  std::optional<upstream::Exchange> exchange_;
  std::optional<Result> result_;
};

UpstreamRequest::Result* UpstreamRequest::result(upstream::Gateway& gateway, bool may_leave) {
  if (!result_) {
    auto sent = gateway.send(settings_.url, sent_.request, exchange_, may_leave);
    if (!sent) {
      result_.emplace(spec::Unexpected{sent.error()});
    } else if (*sent) {
      result_.emplace(std::move(**sent));
    }
  }
  return result_ ? &*result_ : nullptr;
}

// A body that is long or compressed takes long to validate, and where there is no good response the
// service may be asked again.
reply::PendingResponse::State UpstreamRequest::read() {
  const spec::http::Response& response = exchange_->parser().record().response;
  while (!exchange_->is_done()) {
    if (!exchange_->read(SteadyClock::now())) {
      return State::kWaits;
    }
  }
  const bool is_quick = exchange_->parser().has_ended() && exchange_->why_not().empty() &&
                        response.body.size() <= reply::kQuickBodyBytes &&
                        !response.headers.has("Content-Encoding");
  return is_quick ? State::kReady : State::kNeedsThread;
}

std::shared_ptr<UpstreamRequest> asked_of(const reply::Peer& peer) {
  return std::static_pointer_cast<UpstreamRequest>(
      peer.pending_response);  // only this file makes one
}

// Finds the operation and validates the request; rejects nothing.
void look_at_request(RequestContext& context) {
  Match match = context.api.contract.route(context.request.method, context.path);
  if (match.kind != Match::Kind::kFound) {
    return;
  }
  context.operation = match.operation;
  context.binding = context.api.fixtures.binding(*match.operation);
  context.path_values = std::move(match.path_values);
  checks::read_request(context);
  for (Violation& one : std::exchange(context.reading.violations, {})) {
    (one.not_understood ? context.not_understood : context.violations).push_back(std::move(one));
  }
  if (!context.violations.empty()) {
    context.not_understood.clear();
  }
}

// Why the mock responds in place of this response; "" if it does not.
std::string why_fill(const RequestContext& context, const upstream::Settings& settings,
                     int status) {
  if (settings.mode != upstream::Mode::kFill) {
    return "";
  }
  const upstream::Fill& fill = settings.fill;
  if (std::ranges::find(fill.statuses, status) != fill.statuses.end()) {
    return "the service responded " + std::to_string(status);
  }
  return fill.unknown_operation && status == 404 && context.operation != nullptr &&
                 !context.operation->declares(404)
             ? "the service has no such operation"
             : "";
}

std::string why_fill(const upstream::Settings& settings, const upstream::Failure& failure) {
  const upstream::Fill& fill = settings.fill;
  const bool fills = settings.mode == upstream::Mode::kFill &&
                     ((failure.kind == FailureKind::kConnect && fill.connect_error) ||
                      (failure.kind == FailureKind::kTimeout && fill.timeout));
  return fills ? failure.message : "";
}

// The mock responds as if nothing had been looked at.
std::optional<reply::Reply> leave_to_mock(RequestContext& context, const std::string& why) {
  context.served_by = std::string(kInstead) + why;
  context.operation = nullptr;
  context.binding = nullptr;
  context.path_values.clear();
  context.violations.clear();
  context.not_understood.clear();
  return std::nullopt;
}

reply::Reply error_reply(RequestContext& context, int status, std::string_view code,
                         const std::string& why) {
  context.served_by = std::string(kInstead) + why;
  context.no_response = why;
  context.chosen_by = std::string(state::kNoResponse) + why;
  reply::Reply reply{reply::error_response(status, code, why), {}};
  reply::add_cors(context.request, reply.response);
  return reply;
}

std::nullopt_t note_not_validated(RequestContext& context, const std::string& why) {
  const std::string text = "the response is not validated: " + why;
  context.chosen_by += "; " + text;
  context.warnings.push_back(text);
  return std::nullopt;
}

// Validates the response into `context.response_violations`. What it is without its content coding;
// nothing where it has none, or where that cannot be taken off: then nothing is validated. The
// memory is charged to `made`, and there is no more where that has no room.
std::optional<Response> look_at_response(RequestContext& context, const Response& response,
                                         reply::Charge& made) {
  std::optional<Response> decoded;
  const std::string codings =
      spec::http::list_field(response.headers, "Content-Encoding").value_or("");
  if (!codings.empty()) {
    if (!made.try_add_to_half(kMaxDecodedBytes)) {
      return note_not_validated(context, std::string(kNoMemory));
    }
    auto body = spec::http::decode_content(codings, response.body, {.max_bytes = kMaxDecodedBytes});
    if (!body) {
      return note_not_validated(context, "its body " + body.error().message.text());
    }
    decoded = Response{response.status, response.reason, response.headers, std::move(*body)};
    decoded->headers.remove("Content-Encoding");
    decoded->headers.set("Content-Length", std::to_string(decoded->body.size()));
    made.change_to(decoded->body.capacity());
  }
  if (!made.try_add_to_half(reply::bytes_of_values((decoded ? *decoded : response).body))) {
    note_not_validated(context, std::string(kNoMemory));
  } else if (context.operation != nullptr && !context.is_head() &&
             !upstream::is_unchanged_or_part(response.status, context.request.headers)) {
    context.validate(decoded ? *decoded : response);
  }
  return decoded;
}

// A response as it was validated.
struct ValidatedResponse {
  const Response& decoded;
  bool is_whole = true;  // false: nothing of it was validated
  // Of the items that passed one by one; null for any other body.
  const std::vector<std::chrono::milliseconds>* item_times = nullptr;
  bool items_go_on = false;
};

// Precondition: there is a recorder. `received`: the request.
void record(const Request& received, const upstream::Recorder& recorder,
            const OutgoingRequest& sent, const upstream::Settings& settings,
            const ValidatedResponse& validated) {
  using std::chrono::microseconds;
  Request as_sent = received;
  as_sent.target = sent.target;
  const std::string url = (settings.url.tls ? "https://" : "http://") + settings.url.authority() +
                          (sent.target == kWholeServer ? "" : sent.request.target);
  recorder({.url = url,
            .request = as_sent,
            .decoded = validated.decoded,
            .is_whole = validated.is_whole,
            .item_times = validated.item_times,
            .items_go_on = validated.items_go_on,
            .started = sent.started,
            .took = std::chrono::duration_cast<microseconds>(SystemClock::now() - sent.started)});
}

// The service's response goes on: its items are validated as they pass, its status and fields now.
void look_at_items(RequestContext& context, const Response& head) {
  context.passes_items = true;
  context.chosen_by += "; its items are validated as they pass";
  if (context.operation != nullptr) {
    context.response_violations = spec::contract::validate_response(
        context.api.contract, *context.operation, head, {.head = true});
  }
}

// Validates and records the response, as far as it is here.
void look_at(RequestContext& context, const std::shared_ptr<UpstreamRequest>& asked,
             const upstream::UpstreamResponse& passed, const upstream::Recorder& recorder) {
  const Response& response = passed.response;
  const bool is_recorded = asked->settings().mode == upstream::Mode::kRecord && recorder;
  if (passed.rest && !asked->lacks_memory() && upstream::items_of(response.headers) &&
      !response.headers.has("Content-Encoding")) {
    look_at_items(context, response);
    if (is_recorded) {
      context.record_items = [asked, recorder, request = context.request](
                                 const Response& items, const auto& times, bool go_on) {
        record(request, recorder, asked->sent(), asked->settings(), {items, true, &times, go_on});
      };
    }
    return;
  }
  if (passed.rest) {
    context.chosen_by += asked->lacks_memory()
                             ? "; " + std::string(kNoMemory) + ", so its body is not validated"
                             : "; its body is long, so it is not validated";
  }
  reply::MemoryBudget unbounded(std::numeric_limits<std::size_t>::max());
  reply::Charge made(context.peer.memory != nullptr ? *context.peer.memory : unbounded);
  const auto decoded = passed.rest ? std::nullopt : look_at_response(context, response, made);
  if (is_recorded) {
    record(context.request, recorder, asked->sent(), asked->settings(),
           {decoded ? *decoded : response, !passed.rest});
  }
}

// Only faults without a body can be made of a body that is not all here.
void drop_fault_of_stream(reply::Reply& reply) {
  reply::Fault& fault = reply.delivery.fault;
  const bool is_of_items = reply::is_of_items(fault);
  if (is_of_items ||
      (reply.stream && fault != reply::Fault::kNone && reply::delivers_head(fault))) {
    reply.response.headers.add("X-Counterpart-Warning",
                               "fault " + std::string(reply::row_of(fault).name) +
                                   (is_of_items ? ": only in a stream that the mock makes"
                                                : ": not with a body that is streamed"));
    fault = reply::Fault::kNone;
  }
}

// The reply with the service's response. If the service is a mock, too, its headers about the
// exchange are replaced by ours.
reply::Reply pass_on(RequestContext& context, upstream::UpstreamResponse&& passed) {
  reply::Reply reply{std::move(passed.response), {}};
  for (const std::string_view ours : {kServedBy, kViolations, kExplain}) {
    reply.response.headers.remove(ours);
  }
  reply.delivery = read_preferences(context.request).delivery;
  reply.stream = std::move(passed.rest);
  reply.is_endless = reply.stream && upstream::items_of(reply.response.headers).has_value();
  reply.interim = std::move(passed.interim);
  reply.passed_on = true;
  drop_fault_of_stream(reply);
  return reply;
}

// Marked, so that each mock on the way back knows that no service sent it.
reply::Reply loop_found(RequestContext& context, const upstream::Settings& settings) {
  auto reply = error_reply(
      context, kLoop, "LOOP_DETECTED",
      "--upstream " + settings.url.text() + " leads back to this mock; name the real service");
  reply.response.headers.set(std::string(kLoopField), "1");
  return reply;
}

// The service gave no response: the mock's, or an error response.
std::optional<reply::Reply> no_response(RequestContext& context, const upstream::Settings& settings,
                                        const upstream::Failure& failure) {
  if (const std::string why = why_fill(settings, failure); !why.empty()) {
    return leave_to_mock(context, why);
  }
  const bool late = failure.kind == FailureKind::kTimeout;
  return error_reply(context, late ? 504 : 502, late ? "GATEWAY_TIMEOUT" : "BAD_GATEWAY",
                     failure.message);
}

std::optional<reply::Reply> ask_service(RequestContext& context, upstream::Upstream& upstream,
                                        const upstream::Settings& settings) {
  upstream::Gateway& gateway = upstream.gateway;
  if (upstream::has_been_here(context.request, gateway.pseudonym())) {
    look_at_request(context);
    return loop_found(context, settings);
  }
  const Request& received =
      context.peer.received != nullptr ? *context.peer.received : context.request;
  std::shared_ptr<UpstreamRequest> asked = asked_of(context.peer);
  if (asked == nullptr) {
    asked = std::make_shared<UpstreamRequest>(
        settings, request_for(received, context.path, settings, gateway), std::nullopt);
  }
  UpstreamRequest::Result* const known = asked->result(gateway, context.peer.on_worker);
  if (known == nullptr) {
    asked->needs_worker = settings.mode == upstream::Mode::kRecord;  // see upstream::Recorder
    reply::Reply reply;
    reply.pending_response = std::move(asked);
    return reply;
  }
  look_at_request(context);
  UpstreamRequest::Result& result = *known;
  if (!result) {
    return no_response(context, settings, result.error());
  }
  if (result->response.status == kLoop && result->response.headers.has(kLoopField)) {
    return loop_found(context, settings);
  }
  if (const auto why = why_fill(context, settings, result->response.status); !why.empty()) {
    return leave_to_mock(context, why);
  }
  context.served_by = "upstream";
  context.chosen_by = "upstream";
  look_at(context, asked, *result, upstream.recorder);
  return pass_on(context, std::move(*result));
}

}  // namespace

std::optional<upstream::Settings> choose_upstream(const upstream::Upstream* upstream,
                                                  const Request& request,
                                                  const state::Session& session) {
  if (upstream == nullptr || !upstream->settings) {
    return std::nullopt;
  }
  auto settings = upstream->settings;
  bool is_asked = true;
  if (const state::Cell cell = session.read(state::kUpstreamCell); cell) {
    if (const auto own = upstream::parse_session_settings(*cell.text)) {
      is_asked = own->mode.has_value();
      settings->mode = own->mode.value_or(upstream::Mode::kObserve);
      settings->fill = own->fill;
    }
  }
  if (may_have_preferences(request)) {
    const Preferences preferences = read_preferences(request);
    if (!preferences.violation.empty()) {
      return std::nullopt;  // the mock rejects it
    }
    is_asked = preferences.upstream.value_or(is_asked && !preferences.forces_response());
  }
  return is_asked && upstream::may_go_on(request) ? settings : std::nullopt;
}

std::shared_ptr<reply::PendingResponse> ask_at_once(upstream::Settings settings,
                                                    upstream::Upstream& upstream,
                                                    const Request& request, std::string_view path) {
  const bool is_recorded = settings.mode == upstream::Mode::kRecord && upstream.recorder;
  if (is_recorded || upstream::has_been_here(request, upstream.gateway.pseudonym())) {
    return nullptr;
  }
  OutgoingRequest sent = request_for(request, path, settings, upstream.gateway);
  auto exchange = upstream.gateway.begin(settings.url, sent.request);
  return exchange ? std::make_shared<UpstreamRequest>(std::move(settings), std::move(sent),
                                                      std::move(exchange))
                  : nullptr;
}

std::chrono::steady_clock::time_point began_of(const reply::Peer& peer) {
  const auto asked = asked_of(peer);
  return asked != nullptr ? asked->sent().began : SteadyClock::now();
}

std::optional<reply::Reply> forward(RequestContext& context, upstream::Upstream* upstream) {
  if (const auto asked = asked_of(context.peer)) {
    return ask_service(context, *upstream, asked->settings());
  }
  const auto chosen = choose_upstream(upstream, context.request, *context.session);
  if (!chosen) {
    context.served_by = upstream != nullptr && upstream->settings ? "mock" : "";
    return std::nullopt;
  }
  return ask_service(context, *upstream, *chosen);
}

void note_fill(RequestContext& context) {
  if (context.served_by.starts_with(kInstead)) {
    context.chosen_by += (context.chosen_by.empty() ? "" : "; ") +
                         std::string("in place of the service: ") +
                         context.served_by.substr(kInstead.size());
  }
}

void add_upstream_fields(const RequestContext& context, const Secrets& secrets, std::uint64_t id,
                         Response& response) {
  if (context.served_by.empty()) {
    return;
  }
  response.headers.set(kServedBy, reply::header_text(context.served_by));
  if (context.served_by != "upstream") {
    return;
  }
  std::vector<std::string> lines;
  for (const Violation& one : context.violations) {
    lines.push_back("request: " + (secrets.concerns(one) ? "a credential" : checks::in_short(one)));
  }
  for (const Violation& one : context.response_violations) {
    if (!one.undecided) {
      lines.push_back("response: " + to_line(context.api.contract, one));
    }
  }
  if (context.operation == nullptr) {
    lines.emplace_back("request: the contract has no such operation");
  }
  if (!lines.empty()) {
    response.headers.set(kViolations,
                         reply::header_text(std::to_string(lines.size()) + "; " + lines.front()));
    response.headers.set(kExplain, explained_at(context.session->name(), id));
  }
}

}  // namespace mock_server::service
