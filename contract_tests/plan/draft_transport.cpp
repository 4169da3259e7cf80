// How requests travel: codings, connections, conditions, expectations.

#include "contract_tests/plan/drafting.hpp"
#include "spec/http/media_type.hpp"

namespace contract_tests::plan {

using nlohmann::json;

namespace {

void add_same(const Drafting& drafting, std::string sentence, std::string rule,
              const RequestPlan& variant, std::string changed) {
  auto item = drafting.draft(std::move(sentence), std::move(rule));
  item.why.source = {};
  item.procedure = "same";
  item.data = {{"variant", to_json(variant)}};
  item.changed = std::move(changed);
  drafting.add(std::move(item));
}

RequestPlan with_header(RequestPlan plan, std::string name, std::string value) {
  plan.headers.emplace_back(std::move(name), std::move(value));
  return plan;
}

// Of media types whose charset says nothing new when it is utf-8; false where there is one already.
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
  add_same(drafting, "a body in chunks is read like one with a length", "same/chunked", chunked,
           "the body in chunks");
  auto charset = plain;
  charset.body_type = plain.body_type.value_or("application/json") + "; charset=utf-8";
  if (is_text(*charset.body_type)) {
    add_same(drafting, "a charset of utf-8 beside the media type changes nothing", "same/charset",
             charset, "header Content-Type: " + *charset.body_type);
  }
  if (!plain.body_type && plain.body) {
    auto capitals = plain;
    capitals.body_type = "Application/JSON";
    add_same(drafting, "the letters of the media type may be of either case",
             "same/media-type-case", capitals, "header Content-Type: Application/JSON");
  }
  auto expect = plain;
  expect.expect_continue = true;
  add_same(drafting, "an expectation of 100 is answered before the body comes", "http/expect",
           expect, "header Expect: 100-continue");
}

}  // namespace

void draft_transport(const Drafting& drafting) {
  const auto& plain = drafting.plain;
  add_same(drafting, "compression may be offered", "same/coding",
           with_header(plain, "Accept-Encoding", "gzip, deflate, br"),
           "header Accept-Encoding: gzip, deflate, br");
  add_same(drafting, "no Accept is as good as any", "same/accept", with_header(plain, "Accept", ""),
           "no header Accept");
  add_body_forms(drafting);

  if (drafting.operation.method == "GET") {
    add_same(drafting, "a validator that nobody gave does not shorten the answer",
             "http/not-modified", with_header(plain, "If-None-Match", "\"counterpart-gave-none\""),
             "header If-None-Match: \"counterpart-gave-none\"");
    auto validator = drafting.draft("a validator that was given is understood or left alone",
                                    "http/not-modified");
    validator.why.source = {};
    validator.procedure = "validator";
    drafting.add(std::move(validator));
  }

  auto reuse =
      drafting.draft("two requests on one connection get their own answers", "http/poisoned");
  reuse.why.source = {};
  reuse.procedure = "reuse";
  if (!drafting.rules.unknown.empty()) {
    reuse.data = {{"other", to_json(overlay(plain, drafting.rules.unknown.front()))}};
  } else {
    reuse.data = {{"other", to_json(plain)}};
  }
  drafting.add(std::move(reuse));
}

void draft_preferences(const Drafting& drafting) {
  for (const auto& answer : drafting.operation.answers) {
    if (answer.status < 400) {
      continue;
    }
    const auto status = std::to_string(answer.status);
    auto item = drafting.draft("the double answers " + status + " when asked to", "double/prefer",
                               drafting.source_of(answer.statement));
    item.request.headers.emplace_back("Prefer", "code=" + status);
    item.expect.want = Want::kStatus;
    item.expect.statuses = {answer.status};
    item.changed = "header Prefer: code=" + status;
    item.needs.double_only = true;
    drafting.add(std::move(item));
  }
}

}  // namespace contract_tests::plan
