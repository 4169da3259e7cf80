#include "mock_server/program/run_watch.hpp"

#include "spec/contract/checking/validate_message.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace mock_server::program {

namespace {

constexpr std::size_t kMaxViolations = 200;
constexpr std::size_t kMaxShownTarget = 200;
constexpr std::size_t kMaxReasons = 8;
constexpr std::string_view kNotWrong =
    "marked by Prefer: expect=invalid, but it satisfies the contract";

std::string request_line(const reply::ObservedExchange& exchange) {
  return exchange.request.method.substr(0, 20) + ' ' +
         exchange.request.target.substr(0, kMaxShownTarget) + " -> " +
         std::to_string(exchange.response.status);
}

// True if it was rejected for its credentials, which validate_request() does not look at.
bool lacks_credentials(const reply::ObservedExchange& exchange) {
  constexpr int kUnauthorized = 401;
  return exchange.operation->is_secured() && exchange.response.status == kUnauthorized;
}

std::uint64_t sum(const Statuses& statuses) {
  std::uint64_t requests = 0;
  for (const auto& [status, count] : statuses) {
    requests += count;
  }
  return requests;
}

}  // namespace

void Watch::note_violation(CallViolations call) {
  ++seen_.violation_count;
  if (seen_.violations.size() < kMaxViolations) {
    seen_.violations.push_back(std::move(call));
  }
}

void Watch::count_response(const reply::ObservedExchange& exchange) {
  if (exchange.served_by == "upstream") {
    ++seen_.responses.by_service;
  } else if (!exchange.no_response.empty()) {
    ++seen_.responses.missing;
    std::string why(exchange.no_response);
    if (seen_.responses.reasons.size() < kMaxReasons || seen_.responses.reasons.contains(why)) {
      ++seen_.responses.reasons[std::move(why)];
    }
  } else if (!exchange.served_by.empty()) {
    ++seen_.responses.by_mock;
  }
}

void Watch::see_unknown(const reply::ObservedExchange& exchange) {
  const std::string& method = exchange.request.method;
  const std::string& target = exchange.request.target;
  const std::lock_guard lock(mutex_);
  if (allowed_.contains(method, target) || is_of_browsers(method, target)) {
    ++seen_.ignored;
    return;
  }
  ++seen_.others;
  count_response(exchange);
  if (exchange.expects_invalid) {
    ++seen_.on_purpose;
  } else if (method != "OPTIONS") {
    note_violation({"", request_line(exchange), {"no operation has this path and method"}});
  }
}

void Watch::see(const reply::ObservedExchange& exchange) {
  if (exchange.operation == nullptr) {
    see_unknown(exchange);
    return;
  }
  const spec::contract::Contract& contract = exchange.contract;
  const auto& operation = *exchange.operation;
  const auto reading =
      spec::contract::validate_request(contract, operation, exchange.request, exchange.path_values);
  if (exchange.no_response.empty()) {
    coverage_.note(contract, operation, exchange.request, reading);
    coverage_.note(contract, operation, exchange.response);
  }
  CallViolations call{operation.id, request_line(exchange), {}};
  const auto add = [&](std::string_view who, const spec::contract::Violation& violation) {
    if (!violation.undecided) {  // a limit of the validator is no violation
      call.lines.push_back(std::string(who) + to_line(contract, violation));
    }
  };
  for (const auto& violation : reading.violations) {
    add("", violation);
  }
  const bool is_wrong = !call.lines.empty() || lacks_credentials(exchange);
  if (exchange.expects_invalid) {
    call.lines.clear();
    // One that is undecided may be wrong.
    if (reading.violations.empty() && !is_wrong) {
      call.lines.emplace_back(kNotWrong);
    }
  }
  for (const auto& violation : exchange.response_violations) {
    add("the response: ", violation);
  }
  const bool is_allowed = allowed_.contains(exchange.request.method, exchange.request.target);
  const std::lock_guard lock(mutex_);
  ++seen_.called[operation.id][exchange.response.status];
  seen_.on_purpose += exchange.expects_invalid && is_wrong ? 1 : 0;
  if (!is_allowed) {
    count_response(exchange);
  }
  if (!call.lines.empty() && !is_allowed) {
    note_violation(std::move(call));
  }
}

Summary Watch::summary(const spec::contract::Contract& contract) const {
  const std::lock_guard lock(mutex_);
  Summary summary = seen_;
  summary.coverage = coverage_.report(contract);
  // Calls of operations that a reload removed.
  std::erase_if(summary.called, [&](const auto& entry) {
    const bool is_gone = contract.operation(entry.first) == nullptr;
    summary.others += is_gone ? sum(entry.second) : 0;
    return is_gone;
  });
  return summary;
}

std::uint64_t Summary::requests() const {
  std::uint64_t requests = others;
  for (const auto& [id, statuses] : called) {
    requests += sum(statuses);
  }
  return requests;
}

bool AllowedCalls::contains(std::string_view method, std::string_view target) const {
  const std::string call = std::string(method) + ' ' + std::string(spec::http::path_of(target));
  return std::ranges::any_of(calls_, [&call](std::string_view allowed) {
    return allowed.ends_with('*') ? call.starts_with(allowed.substr(0, allowed.size() - 1))
                                  : call == allowed;
  });
}

bool is_of_browsers(std::string_view method, std::string_view target) {
  static constexpr std::array<std::string_view, 4> kPaths{
      "/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png",
      "/.well-known/appspecific/com.chrome.devtools.json"};
  return (method == "GET" || method == "HEAD") &&
         std::ranges::find(kPaths, spec::http::path_of(target)) != kPaths.end();
}

std::string why_no_call(const std::string& text) {
  const auto blank = text.find(' ');
  const bool is_call = blank != std::string::npos && spec::http::is_token(text.substr(0, blank)) &&
                       text.substr(blank + 1).starts_with('/') &&
                       text.find_first_of(" ?#", blank + 1) == std::string::npos &&
                       text.find('*') >= text.size() - 1;
  return is_call ? ""
                 : "must be METHOD /path, with * only at its end, for example 'GET /assets/*', but "
                   "is " +
                       spec::text::in_quotes(text);
}

}  // namespace mock_server::program
