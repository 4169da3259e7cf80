#include "contract_tests/parity/recorded_calls.hpp"

#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/client/client.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/contract/checking/request_credentials.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/har/api_place.hpp"
#include "spec/http/form.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/message.hpp"
#include "spec/http/response_parser.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::parity {

using client::Exchange;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::har::Call;
using spec::http::Headers;

namespace {

constexpr std::size_t kMaxNamed = 5;      // of what is not used
constexpr std::size_t kMaxProblems = 20;  // of entries, each a line

run::Case case_of(const Contract& contract, const spec::contract::Match& match, const Call& call) {
  run::Case item;
  item.operation = match.operation->id;
  item.operation_name = match.operation->name;
  item.sentence = "a recorded call";
  item.id = "call_" + std::to_string(call.index + 1) + '.' + run::slug(match.operation->name);
  item.request.path = {match.path_values.begin(), match.path_values.end()};
  if (call.request.method != match.operation->method) {
    item.request.method = call.request.method;
  }
  expect(contract, *match.operation, call, match.path_values, item);
  return item;
}

// The calls that are not used, by kind: their number, and the first few.
class UnusedCalls {
 public:
  void add(const std::string& kind, const std::string& what) {
    auto& [count, names] = kinds_[kind];
    ++count;
    if (names.size() < kMaxNamed && std::ranges::find(names, what) == names.end()) {
      names.push_back(what);
    }
  }

  void append_to(std::vector<std::string>& notes) const {
    for (const auto& [kind, found] : kinds_) {
      const auto& [count, names] = found;
      notes.push_back(kind + " [" + (count == 1 ? "1 call" : std::to_string(count) + " calls") +
                      "]: " + spec::text::join(names) + (count > names.size() ? ", ..." : ""));
    }
  }

 private:
  std::map<std::string, std::pair<std::size_t, std::vector<std::string>>> kinds_;
};

std::string short_name(const Call& call) {
  return call.request.method + ' ' +
         spec::text::printable(spec::http::path_of(call.request.target));
}

std::vector<std::string> problem_lines(const std::vector<spec::Problem>& problems) {
  std::vector<std::string> lines;
  for (const auto& problem : problems) {
    if (lines.size() == kMaxProblems) {
      lines.push_back("and " + std::to_string(problems.size() - kMaxProblems) +
                      " more entries that cannot be read");
      break;
    }
    lines.push_back("cannot be read: " + to_line(problem));
  }
  return lines;
}

using Words = std::set<std::string>;

void add_keys_of_query(const Call& call, const Words& parameters, Words& secrets) {
  for (const auto& pair : spec::http::split_form(spec::http::query_of(call.request.target))) {
    if (parameters.contains(pair.name)) {
      secrets.insert(
          spec::text::percent_decode(pair.value, true).value_or(std::string(pair.value)));
    }
  }
}

// `fields`: those that hold keys, beside Authorization and Cookie.
void add_keys_of_field(const std::string& name, const std::string& value, const Words& fields,
                       Words& secrets) {
  const auto is_name = [&](std::string_view field) {
    return spec::text::equals_ignoring_case(field, name);
  };
  if (is_name("Authorization")) {
    const auto blank = value.find(' ');
    secrets.insert(value.substr(blank == std::string::npos ? 0 : blank + 1));
  } else if (std::ranges::any_of(fields, is_name)) {
    secrets.insert(value);
  } else if (is_name("Cookie")) {
    for (const auto& cookie : spec::http::split_cookies(value)) {
      secrets.emplace(cookie.value);
    }
  }
}

}  // namespace

RecordedCalls choose_calls(const Contract& contract, spec::har::Recording recording,
                           const std::optional<client::BaseUrl>& url) {
  RecordedCalls chosen;
  chosen.unread = problem_lines(recording.problems);
  spec::har::ApiPlace place(contract);
  for (const auto& call : recording.calls) {
    place.add(call);
  }
  const auto origin = url ? "" : place.origin();
  const auto base = place.base();
  UnusedCalls left_out;
  for (auto& call : recording.calls) {
    if (url ? !spec::har::take_base(call, *url) : !origin.empty() && call.origin != origin) {
      left_out.add("another host", call.origin);
      continue;
    }
    if (spec::http::is_preflight(call.request)) {
      left_out.add("a preflight", short_name(call));
      continue;
    }
    const auto match =
        contract.route(call.request.method, spec::http::path_of(call.request.target));
    if (match.kind != spec::contract::Match::Kind::kFound) {
      left_out.add("no operation of the contract", short_name(call));
      continue;
    }
    chosen.origin = call.origin;
    chosen.plan.cases.push_back(case_of(contract, match, call));
    chosen.calls.push_back(std::move(call));
  }
  left_out.append_to(chosen.left_out);
  if (chosen.calls.empty() && !base.empty()) {
    chosen.hint = "calls match operations below a path; if the API is there, pass --base-url " +
                  spec::text::printable(base);
  }
  return chosen;
}

std::vector<std::string> secrets_of(const Contract& contract, const std::vector<Call>& calls) {
  using spec::contract::Location;
  Words fields{"X-Api-Key", "Proxy-Authorization"};
  Words parameters;
  for (const auto& [location, name] : spec::contract::api_keys(contract)) {
    if (location == Location::kHeader || location == Location::kQuery) {
      (location == Location::kHeader ? fields : parameters).insert(name);
    }
  }
  Words words;
  for (const auto& call : calls) {
    add_keys_of_query(call, parameters, words);
    for (const auto& [name, value] : call.request.headers.lines()) {
      add_keys_of_field(name, value, fields, words);
    }
  }
  words.erase("");
  return {words.begin(), words.end()};
}

void expect(const Contract& contract, const Operation& operation, const Call& call,
            const std::vector<std::pair<std::string, std::string>>& path, run::Case& item) {
  item.expect.want = run::Want::kHandled;
  item.basis.rule = "recorded/handled";
  item.basis.source = checks::source_of(contract, operation.statement);
  auto reading = spec::contract::validate_request(contract, operation, call.request, path);
  std::erase_if(reading.violations, [](const spec::contract::Violation& violation) {
    return violation.part == spec::contract::Part::kHeader && violation.rule != "missing" &&
           spec::http::is_ignored_where_invalid(
               std::string_view(violation.instance).substr(violation.instance.empty() ? 0 : 1));
  });
  for (const auto& violation : reading.violations) {
    const bool of_lost_body =
        !call.has_request_body && (violation.part == spec::contract::Part::kBody ||
                                   violation.part == spec::contract::Part::kMediaType);
    if (violation.undecided || of_lost_body) {
      item.expect.want = run::Want::kAnything;
      return;
    }
  }
  if (!reading.violations.empty()) {
    const auto& violation = reading.violations.front();
    item.expect.want = run::Want::kRejected;
    item.basis.rule = violation.part == spec::contract::Part::kBody ? "body/" : "parameter/";
    item.basis.rule += violation.rule;
    item.basis.source = checks::source_of(contract, violation.statement);
    item.expect.may_accept =
        item.basis.source.statement_class == spec::contract::StatementClass::kAssumption;
    const auto message = violation.message.text();
    const std::string part(to_text(violation.part));
    item.changed =
        violation.part > spec::contract::Part::kBody
            ? checks::Change(part + ": " + message)
            : checks::Change(part, violation.instance.substr(violation.instance.empty() ? 0 : 1),
                             std::nullopt, message);
  }
}

namespace {

// True if the contract, or HTTP, has this status for a request that is valid, beside successes.
bool is_declared(const Contract& contract, const Operation& operation, const Call& call) {
  constexpr int kConditionalStatus = 304;
  const int status = call.response->status;
  if (status == kConditionalStatus && is_conditional(call.request.headers)) {
    return true;
  }
  const auto* response = operation.response(status);
  return status / 100 == 3 ? response != nullptr && (response->status != 0 || response->range != 0)
                           : run::is_documented_failure(contract, operation, status);
}

}  // namespace

void expect_response(const Contract& contract, const Call& call, run::Case& item) {
  const auto& operation = *contract.operation(item.operation);
  const int status = call.response->status;
  const bool is_valid = item.expect.want == run::Want::kHandled;
  if (is_valid) {
    item.basis.rule = "status/success";
    item.expect.want = run::Want::kAccepted;
  }
  if (status / 100 == 4 || (is_valid && is_declared(contract, operation, call))) {
    item.expect.want = run::Want::kStatus;
    item.expect.statuses = {status};
  }
}

namespace {

constexpr int kNoContent = 204;
constexpr int kNotModified = 304;
constexpr double kMaxTimeMs = 1e9;  // a recording may hold any number

// Fields over the coded bytes of a body.
constexpr std::array<std::string_view, 3> kOfCodedBytes{"Content-Digest", "Repr-Digest", "Digest"};

template <typename Names>
bool is_among(const Names& names, std::string_view name) {
  return std::ranges::any_of(names, [name](std::string_view other) {
    return spec::text::equals_ignoring_case(name, other);
  });
}

// By names of fields, of which case does not count.
bool begins_with(std::string_view name, std::string_view prefix) {
  return spec::text::equals_ignoring_case(name.substr(0, prefix.size()), prefix);
}

Headers without_transfer_fields(const Headers& headers) {
  const bool was_coded = headers.has("Content-Encoding");
  Headers kept;
  for (const auto& [name, value] : headers.lines()) {
    if (!is_of_recorded_transfer(name) && !(was_coded && is_among(kOfCodedBytes, name))) {
      add_lines(kept, name, value);
    }
  }
  return kept;
}

}  // namespace

bool is_of_recorded_transfer(std::string_view field) {
  return spec::http::is_of_transfer(field) || spec::text::equals_ignoring_case(field, "Alt-Svc");
}

void add_lines(Headers& headers, const std::string& name, std::string_view value) {
  while (true) {
    const auto end = std::min(value.find('\n'), value.size());
    std::string line(value.substr(0, end));
    std::erase_if(line, [](char letter) { return letter == '\r' || letter == '\0'; });
    headers.add(name, std::move(line));
    if (end == value.size()) {
      return;
    }
    value.remove_prefix(end + 1);
  }
}

bool is_conditional(const Headers& headers) {
  return std::ranges::any_of(headers.lines(), [](const auto& line) {
    return begins_with(line.first, "If-") || spec::text::equals_ignoring_case(line.first, "Range");
  });
}

Exchange exchange_of(const Call& call) {
  Exchange exchange;
  exchange.sent = call.request;
  exchange.url = call.url;
  client::ClientLimits limits;
  limits.response.body_bytes = std::max(limits.response.body_bytes, call.response->body.size());
  const int status = call.response->status;
  const bool has_body =
      call.request.method != "HEAD" && status != kNoContent && status != kNotModified;
  auto headers = without_transfer_fields(call.response->headers);
  if (has_body) {
    headers.set("Content-Length", std::to_string(call.response->body.size()));
  }
  auto bytes = "HTTP/1.1 " + std::to_string(status) + " \r\n";
  for (const auto& [name, value] : headers.lines()) {
    bytes += name + ": " + value + "\r\n";
  }
  bytes += "\r\n" + (has_body ? call.response->body : std::string());
  spec::http::ResponseParser parser(call.request.method, limits.response);
  parser.feed(bytes);
  parser.end_of_input();
  client::complete(exchange, parser.take(), limits.coding);
  exchange.timing.total = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::duration<double, std::milli>(std::clamp(call.time_ms, 0.0, kMaxTimeMs)));
  return exchange;
}

}  // namespace contract_tests::parity
