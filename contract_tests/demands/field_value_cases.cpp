// Single values in an update: texts with any characters, empty texts, nulls, unknown members,
// identifiers in another spelling.

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/demands/update_cases.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

// A change of one field must not change the others.
void check_others(CaseRun& case_run, const Record& record, const CaseResponse* later,
                  bool own_may_change) {
  if (later == nullptr || !later->body) {
    return;
  }
  auto excepted = record.volatile_fields();
  if (own_may_change) {
    excepted.insert(place_of(case_run, record));
  }
  case_run.report(record.changes(*later, excepted,
                                 own_may_change ? "update/others" : "update/rejected-changes"),
                  *later);
}

// A null must not be stored as the text "null".
void check_no_null_text(CaseRun& case_run, const Record& record, const CaseResponse* seen) {
  static constexpr std::array<std::string_view, 5> kWords{"null", "nil", "none", "undefined",
                                                          "(null)"};
  const auto place = place_of(case_run, record);
  const auto* before = spec::json::find(record.original(), place);
  const auto* now = seen == nullptr || !seen->body ? nullptr : spec::json::find(*seen->body, place);
  if (now == nullptr || !now->is_string() || (before != nullptr && *before == *now)) {
    return;
  }
  const auto word = spec::text::to_lower(now->get_ref<const std::string&>());
  if (std::ranges::find(kWords, word) != kWords.end()) {
    case_run.report({{case_run.item().basis.rule, "body" + place, "must be null or unchanged",
                      "is the text " + now->dump()}},
                    *seen);
  }
}

// A member that the request schema does not have must not be in a response.
void check_not_kept(CaseRun& case_run, const CaseResponse* seen, const json& extra) {
  const auto whole = seen == nullptr
                         ? std::nullopt
                         : std::optional(spec::json::read(seen->exchange.response.body));
  for (const auto& [name, value] : extra.items()) {
    if (whole && *whole && whole->value().is_object() && whole->value().contains(name)) {
      case_run.report(
          {{"update/extra", "body/" + name,
            "must not be stored because the request schema has no such member", "is stored"}},
          *seen);
    }
  }
}

void run_null(CaseRun& case_run, Record& record) {
  const auto* response = record.set({{case_run.item().field, nullptr}}, Want::kHandled);
  const auto* later = record.set(record.nothing());
  for (const auto* seen : {response, later}) {
    check_no_null_text(case_run, record, seen);
  }
  check_others(case_run, record, later, response != nullptr);
}

void run_text(CaseRun& case_run, Record& record, const std::string& text) {
  const auto* response = record.set({{case_run.item().field, text}}, Want::kHandled);
  if (response == nullptr) {
    case_run.skip("the service rejects this text");
  } else {
    const auto* later = record.set(record.nothing());
    for (const auto* seen : {response, later}) {
      if (seen != nullptr && seen->body) {
        case_run.report(checks::check_text(*seen->body, place_of(case_run, record), text,
                                           case_run.item().basis.rule),
                        *seen);
      }
    }
  }
}

void run_empty(CaseRun& case_run, Record& record) {
  const bool accepted = record.set({{case_run.item().field, ""}}, Want::kHandled) != nullptr;
  const auto* later = record.set(record.nothing());
  if (accepted && later != nullptr && later->body) {
    const auto place = place_of(case_run, record);
    const auto* now = spec::json::find(*later->body, place);
    if (now != nullptr && !now->is_null() && *now != "") {
      case_run.report({{case_run.item().basis.rule, "body" + place,
                        "must be empty, or the change rejected", "is " + now->dump()}},
                      *later);
    }
  }
  check_others(case_run, record, later, accepted);
}

void run_extra(CaseRun& case_run, Record& record, const json& extra) {
  const auto& field = case_run.item().field;
  const json change{{field, record.other_value(field)}};
  auto body = extra;
  body.update(change);
  const auto* response = record.set(body);
  const auto* later = record.set(record.nothing());
  if (response != nullptr) {
    check_shown(case_run, record, response, change);
    check_shown(case_run, record, later, change);
  }
  check_not_kept(case_run, later, extra);
  check_others(case_run, record, later, response != nullptr);
}

// The identifier that the record has, set again as it is: nothing changes. Then in other letters.
void run_letters(CaseRun& case_run, Record& record) {
  const auto known = record.known_identifier(case_run.item().field);
  if (known.empty() || record.set({{case_run.item().field, spec::text::to_lower(known)}},
                                  Want::kHandled) == nullptr) {
    case_run.skip("the record shows no identifier that could be sent again");
    record.forget();
    return;
  }
  record.set({{case_run.item().field, spec::text::to_upper(known)}}, Want::kAccepted);
}

void run_taken_back(CaseRun& case_run, Record& record) {
  record.set(case_run.item().request.body.value_or(record.nothing()), case_run.item().expect.want);
}

// Texts that a service may reject, but not keep as others.
void add_texts(const Drafting& drafting, const std::string& name, const plan::FieldRules& field) {
  for (const auto& [what, text] : field.texts) {
    auto item = update_case(drafting, "a " + name + " " + what + " is stored as sent or rejected",
                            "update/echo");
    item.field = name;
    item.changed = {"body", name};
    item.run = run_on_record(
        [text = text](CaseRun& case_run, Record& record) { run_text(case_run, record, text); });
    drafting.add(std::move(item));
  }
  if (field.values.front().is_string()) {
    auto item = update_case(drafting, "an empty " + name + " is stored or rejected", "update/empty",
                            StatementClass::kAssumption);
    item.field = name;
    item.changed = {"body", name, std::nullopt, "empty"};
    item.run = run_on_record(&run_empty);
    drafting.add(std::move(item));
  }
}

}  // namespace

void add_value_cases(const Drafting& drafting, const std::string& name,
                     const plan::FieldRules& field) {
  auto null = update_case(drafting, "a null " + name + " ends in no server error", "update/null",
                          StatementClass::kAssumption);
  null.field = name;
  null.changed = {"body", name};
  null.needs.mock_only = field.derived;
  null.run = run_on_record(&run_null);
  drafting.add(std::move(null));
  if (field.any_case) {
    auto letters =
        drafting.draft_by_book(name + " is accepted in either letter case", "body/letter-case");
    letters.field = name;
    letters.changed = {"body", name, std::nullopt, "in capital letters"};
    letters.run = run_on_record(&run_letters);
    drafting.add(std::move(letters));
  }
  if (!field.derived) {
    add_texts(drafting, name, field);
  }
}

void take_back(Case& item) {
  item.run = run_on_record(&run_taken_back);
}

void change_beside(const Drafting& drafting, Case& item, const json& extra) {
  item.field = drafting.rules.update->shown_values().begin().key();
  item.run = run_on_record(
      [extra = extra](CaseRun& case_run, Record& record) { run_extra(case_run, record, extra); });
}

// Changes that are rejected change nothing: neither the record nor another.

namespace {

// Reads `record` again after a request that must be rejected, and restores it if it has
// changed.
void check_kept(CaseRun& case_run, Record& record, bool was_rejected, const std::string& rule) {
  const auto* later = record.set(record.nothing());
  if (later == nullptr || !later->body) {
    return;
  }
  const auto changes = record.changes(*later, record.volatile_fields(), rule);
  if (was_rejected) {
    case_run.report(changes, *later);
  }
  if (changes.empty()) {
    record.forget();
  } else {
    record.undo();
  }
}

// Sends the request that must be rejected; a change at another identifier cannot be undone.
const CaseResponse& send_rejected(CaseRun& case_run, const RequestPlan& read) {
  const auto& sent = case_run.send();
  if (sent.accepted && case_run.item().request.path != read.path) {
    case_run.leave({sent.exchange.sent.target +
                    " did not exist, was changed by the suite, and may exist now"});
  }
  return sent;
}

// The other record, read and noted for undo; empty if that fails.
std::optional<Record> read_other(CaseRun& case_run, const std::optional<RequestPlan>& request) {
  if (!request) {
    return std::nullopt;
  }
  Record other(case_run, *request);
  return other.read() && other.intend() ? std::optional(std::move(other)) : std::nullopt;
}

// The records that must not change: the one that `read` reads, and another.
struct RejectedChange {
  RequestPlan read;
  std::optional<RequestPlan> other;
};

void run_rejected_change(CaseRun& case_run, const RejectedChange& kept) {
  Record record(case_run, kept.read);
  if (!record.read()) {
    if (!case_run.is_skipped()) {
      send_rejected(case_run, kept.read);  // at least the rejection itself
    }
    return;
  }
  if (!record.intend()) {
    return;
  }
  auto other = read_other(case_run, kept.other);
  const auto& rejected = send_rejected(case_run, kept.read);
  const bool was_rejected = rejected.conclusive && rejected.exchange.status() / 100 == 4;
  const auto& own = case_run.item().basis.rule;
  check_kept(case_run, record, was_rejected,
             own.starts_with("update/") ? own : "update/rejected-changes");
  if (other) {
    check_kept(case_run, *other, was_rejected, "update/rejected-changes");
  }
}

RejectedChange keep(Case& item, RejectedChange kept) {
  if (kept.other) {
    item.others.push_back(*kept.other);
  }
  item.others.push_back(kept.read);
  item.run = [kept](CaseRun& case_run) { run_rejected_change(case_run, kept); };
  return kept;
}

RejectedChange both_records(const Drafting& drafting) {
  const auto& other = drafting.rules.update->other;
  return {drafting.plain, other ? std::optional(overlay(drafting.plain, *other)) : std::nullopt};
}

// A change of an unknown identifier creates nothing.
void add_unknown(const Drafting& drafting, const json& body) {
  auto item =
      update_case(drafting, "a change of an unknown identifier is rejected and creates nothing",
                  "status/unknown", StatementClass::kAssumption);
  item.request = overlay(item.request, drafting.rules.unknown.front());
  item.request.body = body;
  item.expect.want = Want::kRejected;
  item.changed = "an unknown identifier, a body that changes fields";
  auto empty = item.request;
  empty.body = drafting.rules.update->nothing;
  auto kept = keep(item, both_records(drafting));
  item.run = [kept = std::move(kept), empty](CaseRun& case_run) {
    run_rejected_change(case_run, kept);
    case_run.send(empty);
  };
  drafting.add(std::move(item));
}

}  // namespace

void keep_record(const Drafting& drafting, Case& item) {
  keep(item, {drafting.plain, std::nullopt});
}

void keep_records(const Drafting& drafting, Case& item) {
  keep(item, both_records(drafting));
}

Case unauthorized_change(const Drafting& drafting, std::string sentence, json body) {
  auto item = update_case(drafting, std::move(sentence), "update/unauthorized");
  item.request.body = std::move(body);
  item.request.authorization = "";
  item.expect.want = Want::kUnauthorized;
  keep_record(drafting, item);
  return item;
}

void add_rejected_changes(const Drafting& drafting) {
  const auto body = drafting.rules.update->shown_values();
  const auto add = [&drafting](Case item, checks::Change changed) {
    item.others.clear();
    keep_records(drafting, item);
    item.changed = std::move(changed);
    drafting.add(std::move(item));
  };
  // It may be accepted or rejected: the case is whether a rejected one is applied.
  const auto start = [&](std::string sentence, std::string rule) {
    auto item = update_case(drafting, std::move(sentence), std::move(rule));
    item.request.body = body;
    item.expect.want = Want::kHandled;
    return item;
  };
  const auto wrong = [&](std::string sentence, const std::string& field, const char* changed) {
    auto item = start(std::move(sentence), "update/atomic");
    (*item.request.body)[field] = json::array({"wrong"});
    item.expect.want = Want::kRejected;
    add(std::move(item), changed);
  };
  wrong("a change with one invalid field changes nothing", body.begin().key(),
        "body with one field of a wrong type");
  wrong("a change whose last field is invalid changes nothing", std::prev(body.end()).key(),
        "body with its last field of a wrong type");

  auto text =
      start("a change sent as text changes nothing when it is rejected", "update/rejected-changes");
  text.request.body_type = "text/plain";
  add(std::move(text), {"header", "Content-Type", "text/plain", "and a body that changes fields"});

  auto cut =
      start("a truncated change changes nothing when it is rejected", "update/rejected-changes");
  const auto whole = spec::json::write(body);
  cut.request.body.reset();
  cut.request.raw_body = whole.substr(0, whole.size() - 1);
  add(std::move(cut), "a body that changes fields without its last byte");

  add(unauthorized_change(drafting, "a change without credentials changes nothing", body),
      "no header Authorization, a body that changes fields");
  if (!drafting.rules.unknown.empty()) {
    add_unknown(drafting, body);
  }
}

}  // namespace contract_tests::demands
