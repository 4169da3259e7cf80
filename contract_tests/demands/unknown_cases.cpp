// Identifiers of the right form that no record has: made from one that a record has, which a list
// shows, the subjects name or the run has created.

#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/own_record_cases.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

constexpr int kUnknownStatus = 404;
constexpr const char* kNotFoundRule = "record/not-found";

bool declares_not_found(const Drafting& drafting) {
  const auto* response = drafting.operation.response(kUnknownStatus);
  return response != nullptr && response->status == kUnknownStatus;
}

// The last path parameter of an operation about one record, if the run may give it a value.
std::string record_parameter(const Drafting& drafting) {
  const auto names = parameter_names(drafting.operation.segments);
  const bool ends = drafting.operation.path.ends_with('}') && !names.empty();
  const auto value = ends ? drafting.plain.path.find(names.back()) : drafting.plain.path.end();
  return value != drafting.plain.path.end() && value->second.starts_with("${") ? names.back() : "";
}

// True for an identifier whose form says all about which ones there may be.
bool has_plain_form(const std::string& identifier) {
  constexpr std::size_t kUuid = 36;
  return spec::text::is_all_digits(identifier) ||
         (identifier.size() == kUuid && std::ranges::count(identifier, '-') == 4);
}

// True if the made-up identifier is one by chance: of texts, any may be that of a record.
bool is_of_a_record(const CaseResponse& sent, const std::string& identifier) {
  return sent.exchange.status() / 100 == 2 && !has_plain_form(identifier) &&
         sent.exchange.response.body.find(identifier) != std::string::npos;
}

// What is wrong with the response to a request about no record; `known` is a record of another
// identifier.
void check_not_found(CaseRun& case_run, const CaseResponse& sent, const std::string& identifier,
                     const json& known) {
  const int status = sent.exchange.status();
  // One that is not declared is another rule's.
  const auto* declared = case_run.operation().response(status);
  const bool rejects = (status == 400 || status == 422) && declared != nullptr;
  if (!sent.conclusive || (status / 100 != 2 && !rejects)) {
    return;
  }
  const std::string must = "must be the declared 404, because no record has the identifier " +
                           identifier + (rejects ? ", which is of the right form" : "");
  checks::RuleViolation violation{kNotFoundRule, "status", must, "is " + std::to_string(status)};
  const auto body = spec::json::read(sent.exchange.response.body);
  const bool shows_one =
      status / 100 == 2 && body && body.value().is_object() && !body.value().empty();
  if (shows_one && sent.exchange.sent.method == "GET") {
    violation.rule = "record/unknown";
    violation.is += spec::json::equal(body.value(), known) ? " with another record" : "";
  } else if (rejects && !has_plain_form(identifier)) {
    violation.severity = checks::Severity::kNote;
  } else if (sent.exchange.sent.method == "DELETE") {
    violation.severity = checks::Severity::kNote;  // to delete what is not there may be a success
  }
  case_run.report({std::move(violation)}, sent);
}

void check_unused(CaseRun& case_run, const CaseResponse& sent, const std::string& identifier,
                  const json& known) {
  if (is_of_a_record(sent, identifier)) {
    case_run.skip("the service has a record with the identifier that was made up");
  } else {
    check_not_found(case_run, sent, identifier, known);
  }
}

// The identifier of a record of another collection, which is valid here too; "" if none is known.
// Two collections may have the same number.
std::string identifier_of_others(const CaseRun& case_run, const std::string& parameter,
                                 const std::string& identifier) {
  const auto& settings = case_run.settings();
  const auto& own = case_run.operation();
  for (const auto& other : settings.contract.operations()) {
    if (other.method != "GET" || other.path == own.path || !other.path.ends_with('}')) {
      continue;
    }
    const auto name = other.id + '.' + parameter_names(other.segments).back();
    const auto value = settings.names.find(name);
    const bool is_known =
        value && (!settings.made_up.contains(name) || settings.found.contains(name));
    if (!is_known || *value == identifier || spec::text::is_all_digits(*value)) {
      continue;
    }
    auto request = case_run.item().request;
    request.path[parameter] = *value;
    if (plan::validate_request(settings.contract, own, request, case_run.names()).is_valid()) {
      return *value;
    }
  }
  return "";
}

// Two collections may have records of one identifier: a success must only show no other record.
void check_other_collection(CaseRun& case_run, const std::string& parameter,
                            const std::string& identifier, const json& known) {
  const auto other = identifier_of_others(case_run, parameter, identifier);
  if (other.empty()) {
    return;
  }
  auto request = case_run.item().request;
  request.path[parameter] = other;
  const auto& sent = case_run.send(request, {.want = Want::kAnything});
  const auto body = spec::json::read(sent.exchange.response.body);
  if (sent.exchange.status() / 100 != 2 || (body && spec::json::equal(body.value(), known))) {
    check_not_found(case_run, sent, other, known);
  }
}

// A record must be known: else another one that is made up says nothing.
void run_read(CaseRun& case_run, const std::string& parameter) {
  const auto& settings = case_run.settings();
  const auto& item = case_run.item();
  const auto name = item.operation + '.' + parameter;
  const auto identifier =
      plan::fill(std::string_view(item.request.path.at(parameter)), case_run.names());
  const bool is_known = !settings.made_up.contains(name) || settings.found.contains(name);
  const auto* known =
      identifier && is_known ? case_run.fetch(case_run.operation(), item.request) : nullptr;
  if (known == nullptr || known->exchange.status() / 100 != 2) {
    case_run.skip("no record is known from which another identifier could be made");
    return;
  }
  const auto unused = plan::unused_identifier(identifier.value());
  auto request = item.request;
  request.path[parameter] = unused;
  const auto body = spec::json::read(known->exchange.response.body);
  const auto record = body ? body.value() : json();
  check_unused(case_run, case_run.send(request, {.want = Want::kAnything}), unused, record);
  check_other_collection(case_run, parameter, identifier.value(), record);
}

// The own record is as before where a request is about another one, which does not exist.
void run_write(CaseRun& case_run) {
  const auto unused = plan::unused_identifier(own_identifier(case_run));
  const auto request = item_of(case_run, case_run.item().request, unused);
  const auto before = read_item(case_run, case_run.item().request);
  const auto missing = read_item(case_run, request);
  const bool is_missing = missing.sent != nullptr && run::is_gone(missing.sent->exchange.status());
  if (before.record.is_null() || !is_missing) {
    case_run.skip("no identifier is known that no record has");
    return;
  }
  const auto& sent = case_run.send(request, {.want = Want::kAnything});
  const auto after = read_item(case_run, case_run.item().request);
  const auto& marker = case_run.item().own->marker;
  const bool is_gone = after.sent != nullptr && run::is_gone(after.sent->exchange.status());
  const bool is_changed = !marker.empty() && after.record.contains(marker) &&
                          after.record.at(marker) != before.record.at(marker);
  if (sent.exchange.status() / 100 == 2 && (is_gone || is_changed)) {
    case_run.report({{"record/unknown", "status",
                      request_line_of(sent) + " must be the declared 404, because no record has "
                                              "the identifier",
                      "is " + std::to_string(sent.exchange.status()) + " and " +
                          (is_gone ? "removed" : "changed") + " another record"}},
                    sent);
    return;
  }
  check_unused(case_run, sent, unused, before.record);
}

// A change of a record that was deleted is none of a record.
void run_deleted_before(CaseRun& case_run) {
  const auto& item = case_run.item();
  case_run.fetch(*item.own->remove, {.path = item.request.path});
  const auto gone = read_item(case_run, item.request);
  if (gone.sent == nullptr || !run::is_gone(gone.sent->exchange.status())) {
    case_run.skip("GET does not show that the record was deleted");
    return;
  }
  const auto& sent = case_run.send(item.request, {.want = Want::kAnything});
  check_not_found(case_run, sent, own_identifier(case_run), json());
}

void add_write(const Drafting& drafting) {
  const auto& own = *drafting.own;
  const auto& method = drafting.operation.method;
  const bool may_create = drafting.operation.response(201) != nullptr &&
                          drafting.operation.response(201)->status == 201;
  if (!own.is_of_item(drafting.operation) || may_create ||
      (method != "PUT" && method != "PATCH" && method != "DELETE")) {
    return;
  }
  add_own(drafting, "an identifier that no record has is not found", kNotFoundRule, &run_write);
  if (method != "DELETE" && own.remove != nullptr) {
    add_own(drafting, "a record that was deleted is not found", kNotFoundRule, &run_deleted_before);
  }
}

}  // namespace

void add_unknown_cases(const Drafting& drafting) {
  const auto parameter = record_parameter(drafting);
  if (drafting.rules.request || parameter.empty() || !declares_not_found(drafting)) {
    return;
  }
  if (drafting.operation.method != "GET") {
    if (drafting.own != nullptr) {
      add_write(drafting);
    }
    return;
  }
  auto item =
      drafting.draft_by_book("an identifier that no record has is not found", kNotFoundRule);
  item.run = [parameter](CaseRun& case_run) { run_read(case_run, parameter); };
  drafting.add(std::move(item));
}

}  // namespace contract_tests::demands
