// What single values do to a record: texts of any letters, empty texts, nulls, members that nobody
// knows, identifiers spelt another way.

#include "contract_tests/checks/update.hpp"
#include "contract_tests/demands/updates.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

// What a change of one field must leave as it was.
void check_others(Trial& trial, const Record& record, const Sent* later, bool own_may_change) {
  if (later == nullptr || !later->body) {
    return;
  }
  auto excepted = record.moves();
  if (own_may_change) {
    excepted.insert(place_of(trial, record));
  }
  trial.complain(
      record.changes(*later, excepted, own_may_change ? "update/others" : "update/refused-changes"),
      *later);
}

// What is null must not come back as the word for it.
void check_no_null_text(Trial& trial, const Record& record, const Sent* seen) {
  static constexpr std::array<std::string_view, 5> kWords{"null", "nil", "none", "undefined",
                                                          "(null)"};
  const auto place = place_of(trial, record);
  const auto* before = spec::json::find(record.original(), place);
  const auto* now = seen == nullptr || !seen->body ? nullptr : spec::json::find(*seen->body, place);
  if (now == nullptr || !now->is_string() || (before != nullptr && *before == *now)) {
    return;
  }
  const auto word = spec::text::to_lower(now->get_ref<const std::string&>());
  if (std::ranges::find(kWords, word) != kWords.end()) {
    trial.complain({{trial.item().why.rule, "body" + place,
                     "must be null, or left as it was, but is the text " + now->dump()}},
                   *seen);
  }
}

// A member that the request's shape does not have is in no answer.
void check_not_kept(Trial& trial, const Sent* seen, const json& extra) {
  const auto whole = seen == nullptr
                         ? std::nullopt
                         : std::optional(spec::json::read(seen->exchange.response.body));
  for (const auto& [name, value] : extra.items()) {
    if (whole && *whole && whole->value().is_object() && whole->value().contains(name)) {
      trial.complain({{"update/extra", "body/" + name,
                       "must not be kept, for the request has no such member, but is"}},
                     *seen);
    }
  }
}

void run_null(Trial& trial, Record& record) {
  const auto* answer = record.set({{trial.item().field, nullptr}}, Want::kHandled);
  const auto* later = record.set(record.nothing());
  for (const auto* seen : {answer, later}) {
    check_no_null_text(trial, record, seen);
  }
  check_others(trial, record, later, answer != nullptr);
}

void run_text(Trial& trial, Record& record, const std::string& text) {
  const auto* answer = record.set({{trial.item().field, text}}, Want::kHandled);
  if (answer == nullptr) {
    trial.not_run("the service does not take such a text");
  } else {
    const auto* later = record.set(record.nothing());
    for (const auto* seen : {answer, later}) {
      if (seen != nullptr && seen->body) {
        trial.complain(
            checks::check_text(*seen->body, place_of(trial, record), text, trial.item().why.rule),
            *seen);
      }
    }
  }
}

void run_empty(Trial& trial, Record& record) {
  const bool accepted = record.set({{trial.item().field, ""}}, Want::kHandled) != nullptr;
  const auto* later = record.set(record.nothing());
  if (accepted && later != nullptr && later->body) {
    const auto place = place_of(trial, record);
    const auto* now = spec::json::find(*later->body, place);
    if (now != nullptr && !now->is_null() && *now != "") {
      trial.complain({{trial.item().why.rule, "body" + place,
                       "must be empty, or the change refused, but is " + now->dump()}},
                     *later);
    }
  }
  check_others(trial, record, later, accepted);
}

void run_extra(Trial& trial, Record& record, const json& extra) {
  const auto& field = trial.item().field;
  const json change{{field, record.other_value(field)}};
  auto body = extra;
  body.update(change);
  const auto* answer = record.set(body);
  const auto* later = record.set(record.nothing());
  if (answer != nullptr) {
    check_shown(trial, record, answer, change);
    check_shown(trial, record, later, change);
  }
  check_not_kept(trial, later, extra);
  check_others(trial, record, later, answer != nullptr);
}

// The identifier that the record has, set again as it is: nothing changes. Then in other letters.
void run_letters(Trial& trial, Record& record) {
  const auto known = record.known_identifier(trial.item().field);
  if (known.empty() ||
      record.set({{trial.item().field, spec::text::to_lower(known)}}, Want::kHandled) == nullptr) {
    trial.not_run("the record shows no identifier that could be set again");
    record.forget();
    return;
  }
  record.set({{trial.item().field, spec::text::to_upper(known)}}, Want::kAccepted);
}

void run_taken_back(Trial& trial, Record& record) {
  record.set(trial.item().request.body.value_or(record.nothing()), trial.item().expect.want);
}

// Texts that a service may reject, but not keep as others.
void add_texts(const Drafting& drafting, const std::string& name, const plan::FieldRules& field) {
  for (const auto& [what, text] : field.texts) {
    auto item = update_case(
        drafting, "a " + name + " " + what + " is kept as it was sent or refused", "update/echo");
    item.field = name;
    item.changed = "body /" + name;
    item.run =
        on_record([text = text](Trial& trial, Record& record) { run_text(trial, record, text); });
    drafting.add(std::move(item));
  }
  if (field.values.front().is_string()) {
    auto item = update_case(drafting, "an empty " + name + " is taken or refused", "update/empty",
                            StatementClass::kAssumption);
    item.field = name;
    item.changed = "body /" + name + " empty";
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
  null.changed = "body /" + name;
  null.needs.double_only = field.derived;
  null.run = on_record(&run_null);
  drafting.add(std::move(null));
  if (field.any_case) {
    auto letters =
        drafting.draft("the letters of " + name + " may be of either case", "body/letter-case");
    letters.why.source = {};
    letters.field = name;
    letters.changed = "body /" + name + " in capital letters";
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
  item.run =
      on_record([extra = extra](Trial& trial, Record& record) { run_extra(trial, record, extra); });
}

}  // namespace contract_tests::demands
