#include "mock_server/service/exchange_report.hpp"

#include "mock_server/journal/journal_json.hpp"
#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/entity.hpp"
#include "mock_server/reply/fault.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/checks/request_steps.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::service {

namespace {

using spec::http::Response;

constexpr std::string_view kVary = "Origin, Prefer, X-Counterpart-Session";

bool is_undecided(const RequestContext& context) {
  return !(context.response_violations.empty() && context.not_understood.empty()) &&
         first_violation(context) == nullptr;
}

// The first violation of the response in a line, or else the first undecided point of request or
// response; "" for none.
std::string violation_line(const RequestContext& context) {
  if (const auto* const violation = first_violation(context)) {
    return to_line(context.api.contract, *violation);
  }
  for (const auto* const open : {&context.response_violations, &context.not_understood}) {
    if (!open->empty()) {
      return to_line(context.api.contract, open->front());
    }
  }
  return "";
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

bool is_invalid_or_undecided(const RequestContext& context) {
  return !std::ranges::all_of(context.response_violations,
                              &spec::contract::Violation::not_understood);
}

// Warns of the first part of the contract that is not understood, for request and response.
void warn_of_not_understood(const RequestContext& context, Response& response) {
  for (const auto* const open : {&context.not_understood, &context.response_violations}) {
    if (!open->empty() && open->front().not_understood) {
      response.headers.add("X-Counterpart-Warning",
                           reply::header_text(to_line(context.api.contract, open->front())));
    }
  }
}

std::string json_text(const RequestContext& context,
                      const std::vector<spec::contract::Violation>& violations) {
  return violations.empty()
             ? std::string{}
             : spec::json::write(journal::describe(context.api.contract, violations));
}

// The first violation of the request in a line, without the value of a credential; "" for none.
std::string violation_of_request(const RequestContext& context, const Secrets& secrets) {
  if (context.violations.empty()) {
    return "";
  }
  const auto& first = context.violations.front();
  return secrets.concerns(first)
             ? std::string(to_text(first.part)) + first.instance + ": a credential that is wrong"
             : checks::in_short(first);
}

}  // namespace

const spec::contract::Violation* first_violation(const RequestContext& context) {
  const auto found =
      std::ranges::find(context.response_violations, false, &spec::contract::Violation::undecided);
  return found == context.response_violations.end() ? nullptr : &*found;
}

std::string explained_at(std::string_view session, std::uint64_t id) {
  return (session.empty() ? "" : "/_s/" + std::string(session)) + "/_mock/requests/" +
         std::to_string(id);
}

void add_headers(const RequestContext& context, std::uint64_t id, Response& response) {
  auto& headers = response.headers;
  std::string vary(headers.find("Vary").value_or(""));
  spec::text::append_to_list(vary, kVary);
  if (context.chose_by_accept) {
    vary += ", Accept";
  }
  headers.set("Vary", std::move(vary));
  if (context.rate) {
    checks::add_rate_headers(*context.rate, response);
  }
  if (const std::string applied = context.preferences.applied(); !applied.empty()) {
    headers.set("Preference-Applied", reply::header_text(applied));
  }
  if (response.status >= 400) {
    headers.add("X-Counterpart-Explain", explained_at(context.session->name(), id));
  }
  if (is_invalid_or_undecided(context)) {
    headers.add("X-Counterpart-Invalid", (is_undecided(context) ? "undecided: " : "") +
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

std::string_view fault_name(const RequestContext& context, const reply::Reply& reply) {
  const bool has_body = !reply.response.body.empty() && !context.is_head();
  const reply::Fault fault =
      has_body ? reply.delivery.fault : reply::without_body(reply.delivery.fault);
  return fault == reply::Fault::kNone ? std::string_view{} : reply::row_of(fault).name;
}

void write_journal(const RequestContext& context, const Secrets& secrets, state::Journal& journal,
                   const FinishedExchange& done) {
  std::string chosen_by_both;
  if (!context.scenario_steps.empty()) {
    chosen_by_both =
        context.chosen_by + (context.chosen_by.empty() ? "" : "; ") + context.scenario_steps;
  }
  const std::string violations = json_text(context, context.violations);
  const std::string response_violations = json_text(context, context.response_violations);
  state::Exchange exchange;
  exchange.id = done.id;
  exchange.session = context.session->serial();
  exchange.time = done.began ? *done.began : context.session->now();
  exchange.took = done.took;
  exchange.peer = context.peer.address;
  exchange.operation = context.operation != nullptr ? std::string_view(context.operation->id) : "";
  exchange.chosen_by = context.scenario_steps.empty() ? context.chosen_by : chosen_by_both;
  exchange.violations = violations;
  exchange.response_violations = response_violations;
  exchange.request = &context.request;
  exchange.response = &done.response;
  exchange.fault = done.fault;
  exchange.target = done.hidden_target;
  exchange.hidden_fields = secrets.fields();
  exchange.response_body_bytes = done.response_body_bytes;
  if (done.began) {
    journal.amend(exchange);
  } else {
    journal.add(exchange);
  }
}

void write_log(const RequestContext& context, const Secrets& secrets, const ServiceOptions& options,
               const FinishedExchange& done) {
  if (options.log) {
    const std::string response_violation = violation_line(context);
    const std::string violation = violation_of_request(context, secrets);
    const std::string_view target =
        done.hidden_target.empty() ? std::string_view(context.request.target) : done.hidden_target;
    LogLine line{context.request.method,
                 target,
                 done.response.status,
                 context.operation != nullptr ? std::string_view(context.operation->id) : "",
                 context.session->name(),
                 done.took,
                 context.violations.size(),
                 response_violation};
    line.undecided = is_undecided(context);
    line.fault = done.fault;
    line.warnings = context.warnings;
    line.served_by = context.served_by;
    line.violation = violation;
    options.log(line);
  }
}

void log_failure(const spec::http::Request& request, const Response& response,
                 const ServiceOptions& options, bool warns) noexcept {
  try {
    if (options.log) {
      const std::vector<std::string> why{"no response was made: " + response.body};
      LogLine line{request.method, spec::http::path_of(request.target), response.status, "", ""};
      line.warnings = std::span(why).first(warns ? 1 : 0);
      options.log(line);
    }
  } catch (...) {  // without memory there is no line
  }
}

namespace {

void add_once(Response& response, std::string_view name, std::string value) {
  if (!response.headers.has(name)) {
    response.headers.add(std::string(name), std::move(value));
  }
}

// The methods of the path, without the request's own, which this response says is not allowed.
std::string other_methods(const RequestContext& context) {
  std::string allow;
  for (const auto& operation : context.api.contract.operations()) {
    if (operation.path == context.operation->path &&
        operation.method != context.operation->method) {
      allow += operation.method + ", ";
    }
  }
  return allow.find("OPTIONS") == std::string::npos ? allow + "OPTIONS"
                                                    : allow.substr(0, allow.size() - 2);
}

}  // namespace

void add_status_fields(const RequestContext& context, Response& response) {
  switch (response.status) {
    case 206:
    case 416:
      if (auto range = reply::content_range(response.status, response.body.size());
          !range.empty()) {
        add_once(response, "Content-Range", std::move(range));
      }
      break;
    case 301:
    case 302:
    case 303:
    case 307:
    case 308: add_once(response, "Location", "/moved"); break;
    case 401: add_once(response, "WWW-Authenticate", checks::challenges(*context.operation)); break;
    case 405: add_once(response, "Allow", other_methods(context)); break;
    case 407: add_once(response, "Proxy-Authenticate", "Basic realm=\"counterpart\""); break;
    case 429:
    case 503: add_once(response, "Retry-After", "1"); break;
    default: break;
  }
}

}  // namespace mock_server::service
