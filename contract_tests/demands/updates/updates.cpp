#include "contract_tests/demands/updates/updates.hpp"

#include "contract_tests/checks/update.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace contract_tests::demands::updates {

using nlohmann::json;

namespace {

void run_nothing(CaseRun& case_run, Record& record) {
  if (const auto* again = record.set(record.nothing())) {
    case_run.suspect(record.changes(*again, record.volatile_fields(), case_run.item().why.rule),
                     *again);
  }
}

// The second response must show the same record as the first.
void check_again(CaseRun& case_run, const Record& record, const Sent* first, const Sent* second) {
  if (first != nullptr && second != nullptr && first->normal && second->normal) {
    case_run.report(checks::check_unchanged(*first->normal, *second->normal,
                                            record.volatile_fields(), case_run.item().why.rule),
                    *second);
  }
}

// Whether an empty change resets a field is seen only after the field was changed.
void run_nothing_after(CaseRun& case_run, Record& record) {
  const auto* changed = record.set(record.other_values());
  check_again(case_run, record, changed, record.set(record.nothing()));
}

// A body with another value for the case's field.
json new_value(const CaseRun& case_run, const Record& record) {
  return {{case_run.item().field, record.other_value(case_run.item().field)}};
}

void run_echo(CaseRun& case_run, Record& record) {
  const auto body = new_value(case_run, record);
  check_shown(case_run, record, record.set(body), body);
}

void run_stored(CaseRun& case_run, Record& record) {
  const auto body = new_value(case_run, record);
  if (record.set(body) != nullptr) {
    check_shown(case_run, record, record.set(record.nothing()), body);
  }
}

void run_twice(CaseRun& case_run, Record& record) {
  const auto body = new_value(case_run, record);
  const auto* first = record.set(body);
  check_again(case_run, record, first, record.set(body));
}

void run_others(CaseRun& case_run, Record& record) {
  auto excepted = record.volatile_fields();
  excepted.insert(place_of(case_run, record));
  const auto* response = record.set(new_value(case_run, record));
  const auto* later = record.set(record.nothing());
  for (const auto* seen : {response, later}) {
    if (seen != nullptr) {
      case_run.report(record.changes(*seen, excepted, case_run.item().why.rule), *seen);
    }
  }
}

void run_derived(CaseRun& case_run, Record& record) {
  const auto* response = record.set(new_value(case_run, record));
  if (response == nullptr || !response->body) {
    return;
  }
  const auto& place = place_of(case_run, record);
  const auto* before = spec::json::find(record.original(), place);
  const auto* after = spec::json::find(*response->body, place);
  if (after == nullptr || after->is_null() || (before != nullptr && *before == *after)) {
    case_run.report({{case_run.item().why.rule, "body" + place,
                      "must change when " + case_run.item().field + " changes", "is the same"}},
                    *response);
  }
}

void run_together(CaseRun& case_run, Record& record) {
  const auto body = record.other_values();
  check_shown(case_run, record, record.set(body), body);
}

// Whether the record stored the value of a member that only the service sets.
void check_owned(CaseRun& case_run, const Record& record, const Sent& later, const json& value) {
  const auto pointer = spec::json::pointer_of({case_run.item().field});
  const auto* before = spec::json::find(record.original(), pointer);
  const auto* after = later.body ? spec::json::find(*later.body, pointer) : nullptr;
  if (after == nullptr || *after != value) {
    return;
  }
  const checks::RuleViolations found{{case_run.item().why.rule, "body" + pointer,
                                      "must not be writable",
                                      "is now " + spec::json::write(value)}};
  // A volatile field may have changed by itself: it is a violation when another value is stored
  // too.
  if (record.volatile_fields().contains(pointer)) {
    case_run.suspect(found, later);
  } else {
    case_run.report(found, later);
  }
  case_run.leave({later.exchange.sent.target + ' ' + pointer, spec::json::write(value),
                  before == nullptr ? "missing" : spec::json::write(*before)});
}

// Sets a member that only the service sets to one of `values` that it does not have; alone, or
// beside a field that a request may change ("" for none).
void run_owned(CaseRun& case_run, Record& record, const std::vector<json>& values,
               const std::string& beside) {
  const auto& name = case_run.item().field;
  const auto value = std::ranges::find_if(values, [&](const json& one) {
    return !record.original().contains(name) || record.original().at(name) != one;
  });
  if (value == values.end()) {
    return;
  }
  json body{{name, *value}};
  if (!beside.empty()) {
    body[beside] = record.other_value(beside);
  }
  record.set(body, Want::kHandled);
  if (const auto* later = record.set(record.nothing())) {
    check_owned(case_run, record, *later, *value);
  }
}

void run_other(CaseRun& case_run, Record& record) {
  const auto& other = case_run.item().others.front();
  const auto& before = case_run.send(other, {.want = Want::kAccepted});
  if (before.accepted) {
    record.set(record.other_values());
    check_again(case_run, record, &before, &case_run.send(other, {.want = Want::kAccepted}));
  }
}

class Updates {
 public:
  Updates(const Drafting& drafting, const plan::UpdateRules& rules)
      : drafting_(drafting), rules_(rules), shown_(rules.shown_values()) {}

  void add() const {
    add(start("an empty change does not change the record", "update/nothing"), &run_nothing);
    add(start("an empty change keeps earlier changes", "update/nothing"), &run_nothing_after);
    for (const auto& [name, field] : rules_.fields) {
      add_field(name, field);
    }
    auto together = start("several fields change together", "update/echo");
    together.changed = "body with every field";
    add(std::move(together), &run_together);
    for (const auto& [name, values] : rules_.owned) {
      add_owned(name, values);
    }
    add_rejected_changes(drafting_);
    add_other();
  }

 private:
  using Run = void (*)(CaseRun&, Record&);

  Case start(std::string sentence, std::string rule,
             StatementClass kind = StatementClass::kDocument) const {
    return update_case(drafting_, std::move(sentence), std::move(rule), kind);
  }

  void add(Case item, Run run) const {
    item.run = on_record(run);
    drafting_.add(std::move(item));
  }

  void add_field(const std::string& name, const plan::FieldRules& field) const {
    const auto one = [&](Case item, Run run) {
      item.field = name;
      item.changed = {"body", name};
      item.needs.mock_only = field.derived;
      add(std::move(item), run);
    };
    constexpr auto kAssumption = StatementClass::kAssumption;
    const auto a_new = "a new " + name;
    if (field.derived) {
      one(start(a_new + " changes the record", "update/derived", kAssumption), &run_derived);
    } else {
      one(start(a_new + " is in the response", "update/echo"), &run_echo);
      one(start(a_new + " is stored", "update/stored"), &run_stored);
      one(start("the same " + name + " twice gives the same record", "update/twice", kAssumption),
          &run_twice);
    }
    one(start(a_new + " changes nothing else", "update/others"), &run_others);
    add_value_cases(drafting_, name, field);
    for (const auto& [who, authorization] :
         {std::pair("without credentials", ""),
          std::pair("with an unknown token", "Bearer counterpart-nobody-has-this-token")}) {
      auto item = unauthorized_change(drafting_, a_new + " " + who + " changes nothing",
                                      {{name, field.values.front()}});
      item.request.authorization = authorization;
      item.field = name;
      item.needs.mock_only = field.derived;
      item.changed = {"body", name, std::nullopt, who};
      drafting_.add(std::move(item));
    }
  }

  // Alone, and together with a change of a writable field.
  void add_owned(const std::string& name, const std::vector<json>& values) const {
    const auto one = [&](const std::string& sentence, const std::string& beside) {
      auto item = start(name + sentence, "update/owned");
      item.field = name;
      item.changed = {"body", name, std::nullopt, beside.empty() ? "" : "and /" + beside};
      item.run = on_record([values = values, beside = beside](CaseRun& case_run, Record& record) {
        run_owned(case_run, record, values, beside);
      });
      drafting_.add(std::move(item));
    };
    one(" cannot be set by a request", "");
    one(" cannot be set together with a change", shown_.begin().key());
  }

  void add_other() const {
    if (rules_.other) {
      auto item = start("a change does not change other records", "update/other-record");
      item.others = {overlay(drafting_.plain, *rules_.other)};
      item.changed = "body with every field";
      add(std::move(item), &run_other);
    }
  }

  const Drafting& drafting_;
  const plan::UpdateRules& rules_;
  json shown_;
};

}  // namespace

Case update_case(const Drafting& drafting, std::string sentence, std::string rule,
                 StatementClass kind) {
  return drafting.draft(std::move(sentence), std::move(rule),
                        Drafting::clause(drafting.rules.update->clause, kind));
}

const std::string& place_of(const CaseRun& case_run, const Record& record) {
  return record.field(case_run.item().field).at;
}

void check_shown(CaseRun& case_run, const Record& record, const Sent* seen, const json& body) {
  if (seen == nullptr || !seen->body) {
    return;
  }
  for (const auto& [name, value] : body.items()) {
    case_run.report(
        checks::check_value(*seen->body, record.field(name).at, value, case_run.item().why.rule),
        *seen);
  }
}

void add_update_cases(const Drafting& drafting) {
  if (const auto& rules = drafting.rules.update) {
    Updates(drafting, *rules).add();
  }
}

}  // namespace contract_tests::demands::updates
