// Records of the run's own: what is created can be read, what is changed is stored, what is deleted
// is gone, and no other identifier leads to a record.

#include "contract_tests/demands/own_record_cases.hpp"

#include "contract_tests/checks/documented_members.hpp"
#include "contract_tests/checks/normal_form.hpp"
#include "contract_tests/checks/wire.hpp"
#include "contract_tests/demands/request_variants.hpp"
#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/run/changes.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

void run_created(CaseRun& case_run) {
  const auto& created = case_run.send();
  const auto identifier = created_identifier(case_run, created);
  if (!identifier) {
    return;
  }
  const auto shown = read_item(case_run, item_of(case_run, case_run.item().request, *identifier));
  if (shown.sent != nullptr && shown.sent->exchange.status() / 100 == 4) {
    case_run.report(
        {{"record/created", "status",
          request_line_of(*shown.sent) + " must be a success because the record was created",
          "is " + std::to_string(shown.sent->exchange.status())}},
        *shown.sent);
  }
}

void run_identity(CaseRun& case_run) {
  const auto& own = *case_run.item().own;
  const auto& sent = case_run.send();
  const auto body = sent.accepted ? spec::json::read(sent.exchange.response.body)
                                  : spec::json::read(std::string_view(""));
  const auto* record = body ? record_in(own, body.value()) : nullptr;
  const auto named = record == nullptr ? std::nullopt : identifier_of(own, *record);
  const auto wanted = own_identifier(case_run);
  if (named && *named != wanted) {
    case_run.report(
        {{"record/another", "body", "must be the record " + wanted, "is the record " + *named}},
        sent);
  }
}

// The request with an identifier that no record has.
RequestPlan request_of_missing_record(const CaseRun& case_run) {
  return item_of(case_run, case_run.item().request,
                 plan::unused_identifier(own_identifier(case_run)));
}

void run_at_once(CaseRun& case_run) {
  run_together(case_run, request_of_missing_record(case_run));
}

void run_unknown_record(CaseRun& case_run) {
  const auto request = request_of_missing_record(case_run);
  const auto& sent = case_run.send(request, {.want = Want::kAnything});
  const int status = sent.exchange.status();
  if (!sent.conclusive || status / 100 == 4 || status == 501) {
    return;
  }
  checks::RuleViolation violation{"record/unknown", "status",
                                  "must be a rejection (4xx) because no record has the identifier",
                                  "is " + std::to_string(status)};
  const auto body = spec::json::read(sent.exchange.response.body);
  if (status / 100 == 2 && (!body || record_in(*case_run.item().own, body.value()) == nullptr)) {
    violation.severity = checks::Severity::kWarning;  // a success without a record
  }
  case_run.report({std::move(violation)}, sent);
}

// Compares the marker before and after a change with the response to the change.
void check_change(CaseRun& case_run, const ItemReading& before, const CaseResponse& change,
                  const ItemReading& after) {
  const auto& own = *case_run.item().own;
  const auto& old = before.record.at(own.marker);
  if (spec::json::equal(old, after.record.at(own.marker))) {
    case_run.report(
        {{"record/changed", "body",
          request_line_of(change) + " succeeded (" + std::to_string(change.exchange.status()) +
              "), so GET must show the new \"" + own.marker + "\"",
          "shows the old one"}},
        change);
    return;
  }
  case_run.report(checks::check_tags(before.sent->exchange, after.sent->exchange), *after.sent);
  const auto body = spec::json::read(change.exchange.response.body);
  const auto* record = body ? record_in(own, body.value()) : nullptr;
  if (record != nullptr && record->contains(own.marker) &&
      spec::json::equal(record->at(own.marker), old)) {
    case_run.report({{"record/changed",
                      "body" + spec::json::pointer_of({own.marker}),
                      "must show the new value, as GET does after it",
                      "shows the old one",
                      {},
                      {},
                      checks::Severity::kWarning}},
                    change);
  }
}

// The marker is written anew: other members may be the service's own.
void run_changed(CaseRun& case_run) {
  const auto& marker = case_run.item().own->marker;
  auto request = case_run.item().request;
  (*request.body)[marker] = plan::marker_text("Changed");
  const auto before = read_item(case_run, request);
  const auto& sent = case_run.send(request, case_run.item().expect);
  if (!is_made(sent)) {
    return;
  }
  const auto after = read_item(case_run, request);
  if (before.record.contains(marker) && after.record.contains(marker)) {
    check_change(case_run, before, sent, after);
  }
}

void run_deleted(CaseRun& case_run) {
  const auto& sent = case_run.send();
  if (!is_made(sent)) {
    return;
  }
  const auto after = read_item(case_run, case_run.item().request);
  if (after.sent != nullptr && after.sent->exchange.status() / 100 == 2) {
    case_run.report({{"record/deleted", "status",
                      request_line_of(*after.sent) +
                          " must be a rejection (404) because the record was deleted",
                      "is " + std::to_string(after.sent->exchange.status())}},
                    *after.sent);
  }
}

}  // namespace

ItemReading read_item(CaseRun& case_run, const RequestPlan& item) {
  const auto& own = *case_run.item().own;
  RequestPlan request;
  request.path = item.path;
  ItemReading shown;
  shown.sent = case_run.fetch(*own.read, request);
  const bool found = shown.sent != nullptr && shown.sent->exchange.status() == 200;
  const auto body = spec::json::read(found ? shown.sent->exchange.response.body : "");
  const auto* record = body ? record_in(own, body.value()) : nullptr;
  shown.record = record == nullptr ? json() : *record;
  return shown;
}

json normal_record(const CaseRun& case_run, const spec::contract::Operation& operation,
                   const CaseResponse& sent) {
  const auto& summaries = case_run.settings().contract.summaries();
  const auto* response = operation.response(sent.exchange.status());
  auto body = spec::json::read(sent.exchange.response.body);
  if (response == nullptr || !body) {
    return {};
  }
  const auto schema = spec::contract::json_schema(response->contents);
  if (!schema) {
    return {};
  }
  auto part = checks::documented_part(summaries, *schema, body.value());
  const auto normal = checks::normal_form(summaries, *schema, {},
                                          part ? std::move(*part) : std::move(body.value()));
  const auto* record = record_in(*case_run.item().own, normal);
  return record == nullptr ? json() : *record;
}

bool is_made(const CaseResponse& sent) {
  constexpr int kAcceptedForLater = 202;
  return sent.accepted && sent.exchange.status() != kAcceptedForLater;
}

std::optional<std::string> created_identifier(const CaseRun& case_run,
                                              const CaseResponse& created) {
  return is_made(created)
             ? identifier_in(*case_run.item().own, created.exchange.sent, created.exchange.response)
             : std::nullopt;
}

RequestPlan marked(const CaseRun& case_run) {
  auto request = case_run.item().request;
  const auto& marker = case_run.item().own->marker;
  if (!marker.empty() && request.body && request.body->is_object() &&
      request.body->contains(marker)) {
    (*request.body)[marker] = run::new_marker();
  }
  return request;
}

RequestPlan item_of(const CaseRun& case_run, RequestPlan request, const std::string& identifier) {
  request.path[case_run.item().own->parameter] = identifier;
  return request;
}

std::string own_identifier(const CaseRun& case_run) {
  const auto& item = case_run.item();
  const auto filled =
      plan::fill(std::string_view(item.request.path.at(item.own->parameter)), case_run.names());
  return filled ? filled.value() : "";
}

std::string request_line_of(const CaseResponse& sent) {
  return sent.exchange.sent.method + ' ' + sent.exchange.sent.target;
}

void add_own(const Drafting& drafting, std::string sentence, std::string rule,
             std::function<void(CaseRun&)> run) {
  auto item = drafting.draft_by_book(std::move(sentence), std::move(rule));
  item.run = std::move(run);
  item.own = drafting.own;
  item.lane = "writes";
  item.needs.writes = true;
  item.needs.own_record = true;
  item.needs.lasting = drafting.own->remove == nullptr ? kStays : "";
  drafting.add(std::move(item));
}

bool may_mark(const Drafting& drafting, RequestPlan request) {
  const auto& marker = drafting.own->marker;
  if (marker.empty() || !request.body || !request.body->is_object()) {
    return false;
  }
  (*request.body)[marker] = plan::marker_text("Changed");
  const auto& contents = drafting.operation.body->contents;
  return drafting.is_sound(request) && std::ranges::any_of(contents, [&](const auto& content) {
           return content.schema && drafting.summary({*content.schema}).property(marker) != nullptr;
         });
}

void add_own_record_cases(const Drafting& drafting) {
  const auto* own = drafting.own.get();
  const bool creates = own != nullptr && own->is_created_by(drafting.operation.id);
  if (own == nullptr || !(creates || own->is_of_item(drafting.operation))) {
    return;  // or it acts on the record in a way that only its words say
  }
  const auto& method = drafting.operation.method;
  if (creates) {
    add_own(drafting, "a record that was created can be read", "record/created", &run_created);
  } else if (method == "GET") {
    add_own(drafting, "the record is the one of its identifier", "record/another", &run_identity);
    add_own(drafting, "an identifier that no record has is rejected", "record/unknown",
            &run_unknown_record);
    add_own(drafting, "two requests at once get their own responses", "http/poisoned",
            &run_at_once);
  } else if (method == "PUT" || method == "PATCH") {
    if (may_mark(drafting, drafting.plain)) {
      add_own(drafting, "a change is stored", "record/changed", &run_changed);
    }
  } else if (method == "DELETE") {
    add_own(drafting, "a record that was deleted is gone", "record/deleted", &run_deleted);
  }
  add_member_cases(drafting);
  add_change_cases(drafting);
  add_download_cases(drafting);
  add_list_cases(drafting);
}

}  // namespace contract_tests::demands
