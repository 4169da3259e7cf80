// Transport: codings, connections, conditions, expectations; and every declared error, requested by
// preference.

#include "contract_tests/checks/wire.hpp"
#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/request_variants.hpp"
#include "spec/http/media_type.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

namespace contract_tests::demands {

namespace {

RequestPlan with_header(RequestPlan plan, std::string name, std::string value) {
  plan.headers.emplace_back(std::move(name), std::move(value));
  return plan;
}

// True for media types where charset=utf-8 changes nothing; false if there is a charset already.
bool is_text(const std::string& field) {
  const auto type = spec::http::parse_media_type(field);
  return type && (type->is_json() || type->type == "text");
}

void add_body_forms(const Drafting& drafting) {
  const auto& plain = drafting.plain;
  if (!plain.body && !plain.raw_body) {
    return;
  }
  auto chunked = plain;
  chunked.chunked = true;
  add_same(drafting, "a chunked body is read like one with a length", "same/chunked", chunked,
           "the body in chunks");
  auto charset = plain;
  charset.body_type = plain.body_type.value_or("application/json") + "; charset=utf-8";
  if (is_text(*charset.body_type)) {
    add_same(drafting, "charset=utf-8 in Content-Type changes nothing", "same/charset", charset,
             {"header", "Content-Type", charset.body_type});
  }
  if (!plain.body_type && plain.body) {
    auto capitals = plain;
    capitals.body_type = "Application/JSON";
    add_same(drafting, "the media type is accepted in either letter case", "same/media-type-case",
             capitals, {"header", "Content-Type", "Application/JSON"});
  }
  auto expect = plain;
  expect.expect_continue = true;
  add_same(drafting, "Expect: 100-continue gets a status before the body", "http/expect", expect,
           {"header", "Expect", "100-continue"});
}

// An entity tag without the mark of a weak one.
std::string_view opaque(std::string_view tag) {
  return tag.starts_with("W/") ? tag.substr(2) : tag;
}

void run_validator(CaseRun& case_run) {
  const auto& first = case_run.send();
  if (!first.accepted) {
    return;
  }
  const auto& second = case_run.send();
  if (!second.accepted) {
    return;
  }
  case_run.report(checks::check_tags(first.exchange, second.exchange), second);
  const auto given = first.exchange.response.headers.find("ETag");
  if (!given) {
    return;
  }
  auto request = case_run.item().request;
  request.headers.emplace_back("If-None-Match", std::string(*given));
  const auto& third = case_run.send(request, {.want = Want::kAnything});
  if (third.conclusive && third.exchange.status() / 100 > 3) {
    case_run.report({{"http/not-modified", "status", "must be 304 or the whole response",
                      "is " + std::to_string(third.exchange.status())}},
                    third);
  }
  const auto kept = third.exchange.response.headers.find("ETag").value_or(*given);
  if (third.conclusive && third.exchange.status() == 304 && opaque(kept) != opaque(*given)) {
    case_run.report(
        {{"http/not-modified-tag", "header/ETag",
          "must be the tag of the request, " + std::string(*given), "is " + std::string(kept)}},
        third);
  }
}

void add_reuse(const Drafting& drafting) {
  if (!may_be_repeated(drafting)) {
    return;
  }
  auto reuse = drafting.draft_by_book("two requests on one connection get their own responses",
                                      "http/poisoned");
  const auto& unknown = drafting.rules.unknown;
  ask_in_turn(reuse, unknown.empty() ? drafting.plain : overlay(drafting.plain, unknown.front()));
  drafting.add(std::move(reuse));
}

}  // namespace

void add_transport_cases(const Drafting& drafting) {
  const auto& plain = drafting.plain;
  add_same(drafting, "offering compression changes nothing", "same/coding",
           with_header(plain, "Accept-Encoding", "gzip, deflate, br"),
           {"header", "Accept-Encoding", "gzip, deflate, br"});
  add_same(drafting, "a request without Accept gets the same response", "same/accept",
           with_header(plain, "Accept", ""), "no header Accept");
  add_body_forms(drafting);

  if (drafting.operation.method == "GET") {
    add_same(drafting, "an unknown entity tag gets the whole response", "http/not-modified",
             with_header(plain, "If-None-Match", "\"counterpart-gave-none\""),
             {"header", "If-None-Match", "\"counterpart-gave-none\""});
    auto validator = drafting.draft_by_book("the current entity tag gets 304 or the whole response",
                                            "http/not-modified");
    validator.run = &run_validator;
    drafting.add(std::move(validator));
  }

  add_reuse(drafting);
}

void add_preference_cases(const Drafting& drafting) {
  for (const auto& response : drafting.operation.responses) {
    if (response.status < 400) {
      continue;
    }
    const auto status = std::to_string(response.status);
    auto item = drafting.draft("the mock returns " + status + " for Prefer: code=" + status,
                               "mock/prefer", drafting.source_of(response.statement));
    item.request.headers.emplace_back("Prefer", "code=" + status);
    item.expect.want = Want::kStatus;
    item.expect.statuses = {response.status};
    item.changed = {"header", "Prefer", "code=" + status};
    item.needs.mock_only = true;
    drafting.add(std::move(item));
  }
}

// Cases for any operation: a plain request succeeds, gives the same response twice, and unknown
// identifiers are rejected; and the operation is reliable over the whole run.

namespace {

// The statement of the first declared success, else the operation.
checks::Source success_source(const Drafting& drafting) {
  const auto& responses = drafting.operation.responses;
  const auto success = std::ranges::find_if(responses, &spec::contract::Response::is_success);
  return drafting.source_of(success == responses.end() ? drafting.operation.statement
                                                       : success->statement);
}

void add_unknown(const Drafting& drafting) {
  std::size_t number = 0;
  for (const auto& unknown : drafting.rules.unknown) {
    const std::string which = ++number == 1 ? "" : " (" + std::to_string(number) + ")";
    auto item = drafting.draft("an unknown identifier is rejected" + which, "status/unknown");
    item.basis.source.statement_class = StatementClass::kAssumption;
    item.request = overlay(item.request, unknown);
    item.expect.want = Want::kRejected;
    item.changed = "an unknown identifier";
    drafting.add(std::move(item));
  }
}

void add_path_cases(const Drafting& drafting) {
  if (drafting.plain.path.empty()) {
    return;
  }
  auto encoded = drafting.plain;
  encoded.encode_path = true;
  add_same(drafting, "a percent-encoded identifier gives the same response", "same/uri", encoded);

  // An injection shows in a header of the response (checks/header_fields.cpp); any other wrong
  // response is an error of the status.
  auto item = drafting.draft_no_server_error(
      "a line break in the identifier is not copied into a header", "status/hostile",
      "a line break and a header's text behind the identifier");
  for (auto& [name, value] : item.request.path) {
    value += "\r\nX-Evil: 1";
  }
  drafting.add(std::move(item));
}

// Two requests at once must not get each other's responses.
void add_together(const Drafting& drafting) {
  if (drafting.rules.unknown.empty() || !may_be_repeated(drafting)) {
    return;
  }
  auto item =
      drafting.draft_by_book("two requests at once get their own responses", "http/poisoned");
  ask_together(item, overlay(drafting.plain, drafting.rules.unknown.front()));
  item.changed = "beside others at the same time";
  drafting.add(std::move(item));
}

// The statuses of the operation over the whole run.
void run_tally(CaseRun& case_run) {
  const auto counts = case_run.tally().counts();
  const auto found = counts.find(case_run.operation().name);
  if (found == counts.end()) {
    case_run.skip("no request of the operation was sent");
    return;
  }
  case_run.report(check_count(found->second), CaseResponse{});
  if (found == counts.begin()) {  // once, for all operations
    case_run.report(check_acceptance(counts), CaseResponse{});
  }
}

}  // namespace

void add_plain_cases(const Drafting& drafting) {
  auto plain = drafting.draft("a plain request succeeds and satisfies its schema", "status/success",
                              success_source(drafting));
  plain.is_plain = true;
  drafting.add(std::move(plain));
  add_same(drafting, "the same request twice gets the same response", "same/twice", drafting.plain);
  add_path_cases(drafting);
  add_unknown(drafting);
  add_together(drafting);

  auto unknown_query = drafting.plain;
  unknown_query.query.emplace_back("counterpart_unknown", "1");
  if (drafting.operation.querystring() == nullptr &&
      !drafting.is_rejected(unknown_query)) {  // an object parameter may spread over any name
    add_same(drafting, "an unknown query parameter changes nothing", "same/unknown-query",
             unknown_query);
  }

  auto browser =
      drafting.draft_by_book("a request from a browser application succeeds", "http/cors");
  browser.request.headers.emplace_back("Origin", "https://app.counterpart.example");
  browser.request.headers.emplace_back("Sec-Fetch-Mode", "cors");
  browser.changed = {"header", "Origin"};
  drafting.add(std::move(browser));

  auto tally =
      drafting.draft_by_book("the operation is reliable over the whole run", "status/flaky");
  tally.run = &run_tally;
  tally.sends_nothing = true;
  tally.lane = "last";
  drafting.add(std::move(tally));
}

// By rules: a bounded burst reaches the rate limit without other errors.

namespace {

constexpr const char* kBurstRule = "burst/limit";

void run_burst(CaseRun& case_run, const plan::BurstRules& rules) {
  constexpr std::size_t kAtOnce = 20;
  for (std::size_t asked = 0; asked < rules.requests; asked += kAtOnce) {
    const std::vector<RequestPlan> requests(std::min(kAtOnce, rules.requests - asked),
                                            case_run.item().request);
    const auto responses = case_run.send_together(requests, case_run.item().expect);
    const bool limited = std::ranges::any_of(responses, [&rules](const CaseResponse* sent) {
      return sent->exchange.status() == rules.status;
    });
    if (limited) {
      std::this_thread::sleep_for(
          std::min(std::chrono::milliseconds(1'000), case_run.settings().retries.max_wait));
      case_run.send(case_run.item().request, {.want = Want::kAccepted});
      return;
    }
    if (!std::ranges::all_of(responses, &CaseResponse::conclusive)) {
      return;
    }
  }
  case_run.skip(std::to_string(rules.requests) + " requests did not reach the rate limit");
}

// Without rules, at the first operation of the contract that reads and declares a rate limit.
std::optional<plan::BurstRules> burst_rules_of_contract(const Drafting& drafting) {
  constexpr int kTooManyRequests = 429;
  constexpr std::size_t kRequests = 200;
  const auto* response = drafting.operation.response(kTooManyRequests);
  const bool is_there = std::ranges::any_of(
      drafting.cases, [](const Case& item) { return item.basis.rule == kBurstRule; });
  if (is_there || drafting.rules.request || drafting.operation.method != "GET" ||
      response == nullptr || response->status != kTooManyRequests) {
    return std::nullopt;
  }
  return plan::BurstRules{.clause = {}, .requests = kRequests, .status = kTooManyRequests};
}

}  // namespace

void add_burst_case(const Drafting& drafting) {
  const auto rules =
      drafting.rules.burst ? drafting.rules.burst : burst_rules_of_contract(drafting);
  if (!rules) {
    return;
  }
  auto item = drafting.draft("a burst of " + std::to_string(rules->requests) +
                                 " requests reaches the rate limit without other errors",
                             kBurstRule);
  if (!rules->clause.empty()) {
    item.basis.source = Drafting::clause(rules->clause, StatementClass::kDocument);
  }
  item.run = [rules = *rules](CaseRun& case_run) { run_burst(case_run, rules); };
  item.expect.want = Want::kAnything;
  item.expect.statuses = {rules->status};
  item.needs.burst = true;
  item.lane = "burst";
  drafting.add(std::move(item));
}

}  // namespace contract_tests::demands
