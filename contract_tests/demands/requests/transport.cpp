// Transport: codings, connections, conditions, expectations; and every declared error, requested by
// preference.

#include "contract_tests/checks/wire.hpp"
#include "contract_tests/demands/requests/requests.hpp"
#include "contract_tests/demands/same.hpp"
#include "contract_tests/demands/together.hpp"
#include "spec/http/media_type.hpp"

namespace contract_tests::demands::requests {

namespace {

RequestPlan with_header(RequestPlan plan, std::string name, std::string value) {
  plan.headers.emplace_back(std::move(name), std::move(value));
  return plan;
}

// True for media types where charset=utf-8 changes nothing; false where there is a charset already.
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

}  // namespace contract_tests::demands::requests
