// Single values in an update: texts with any characters, empty texts, nulls, unknown members,
// identifiers in another spelling.

#include "contract_tests/checks/update.hpp"
#include "contract_tests/demands/updates/updates.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace contract_tests::demands::updates {

using nlohmann::json;

namespace {

// A change of one field must not change the others.
void check_others(CaseRun& case_run, const Record& record, const Sent* later, bool own_may_change) {
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
void check_no_null_text(CaseRun& case_run, const Record& record, const Sent* seen) {
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
    case_run.report({{case_run.item().why.rule, "body" + place, "must be null or unchanged",
                      "is the text " + now->dump()}},
                    *seen);
  }
}

// A member that the request schema does not have must not be in a response.
void check_not_kept(CaseRun& case_run, const Sent* seen, const json& extra) {
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
                                           case_run.item().why.rule),
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
      case_run.report({{case_run.item().why.rule, "body" + place,
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
    item.run = on_record(
        [text = text](CaseRun& case_run, Record& record) { run_text(case_run, record, text); });
    drafting.add(std::move(item));
  }
  if (field.values.front().is_string()) {
    auto item = update_case(drafting, "an empty " + name + " is stored or rejected", "update/empty",
                            StatementClass::kAssumption);
    item.field = name;
    item.changed = {"body", name, std::nullopt, "empty"};
    item.run = on_record(&run_empty);
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
  null.run = on_record(&run_null);
  drafting.add(std::move(null));
  if (field.any_case) {
    auto letters =
        drafting.draft_by_book(name + " is accepted in either letter case", "body/letter-case");
    letters.field = name;
    letters.changed = {"body", name, std::nullopt, "in capital letters"};
    letters.run = on_record(&run_letters);
    drafting.add(std::move(letters));
  }
  if (!field.derived) {
    add_texts(drafting, name, field);
  }
}

void take_back(Case& item) {
  item.run = on_record(&run_taken_back);
}

void change_beside(const Drafting& drafting, Case& item, const json& extra) {
  item.field = drafting.rules.update->shown_values().begin().key();
  item.run = on_record(
      [extra = extra](CaseRun& case_run, Record& record) { run_extra(case_run, record, extra); });
}

}  // namespace contract_tests::demands::updates
