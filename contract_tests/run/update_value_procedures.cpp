// Procedures about what single values do to a record: texts of any letters, empty texts, nulls,
// members that nobody knows, identifiers spelt another way. Each puts the record back.

#include "contract_tests/checks/update.hpp"
#include "contract_tests/run/procedures.hpp"
#include "contract_tests/run/record.hpp"
#include "spec/json/pointer.hpp"

#include <algorithm>
#include <cctype>

namespace contract_tests::run {

using nlohmann::json;
using plan::Want;

namespace {

std::string field_of(const Trial& trial) {
  return trial.item().data.at("field").get<std::string>();
}

std::string place_of(const Trial& trial, const Record& record) {
  return record.field(field_of(trial)).at("at").get<std::string>();
}

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
      checks::check_unchanged(record.original(), *later->body, excepted,
                              own_may_change ? "update/others" : "update/refused-changes"),
      *later);
}

std::string in_case(std::string text, int (*turned)(int)) {
  std::ranges::transform(text, text.begin(), [turned](unsigned char letter) {
    return static_cast<char>(turned(letter));
  });
  return text;
}

}  // namespace

void run_update_null(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const bool accepted = record.set({{field_of(trial), nullptr}}, Want::kHandled) != nullptr;
  check_others(trial, record, record.set(record.nothing()), accepted);
  record.undo();
}

void run_update_text(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto& text = trial.item().data.at("text");
  const auto* answer = record.set({{field_of(trial), text}}, Want::kHandled);
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
  record.undo();
}

void run_update_empty(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const bool accepted = record.set({{field_of(trial), ""}}, Want::kHandled) != nullptr;
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
  record.undo();
}

void run_update_extra(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto value = record.other_value(field_of(trial));
  auto body = trial.item().data.at("extra");
  body[field_of(trial)] = value;
  const auto* answer = record.set(body);
  const auto* later = record.set(record.nothing());
  if (answer != nullptr) {
    for (const auto* seen : {answer, later}) {
      if (seen != nullptr && seen->body) {
        trial.complain(
            checks::check_value(*seen->body, place_of(trial, record), value, trial.item().why.rule),
            *seen);
      }
    }
  }
  check_others(trial, record, later, answer != nullptr);
  record.undo();
}

// The identifier that the record has, set again as it is: nothing changes. Then in other letters.
void run_update_letters(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto known = record.known_identifier(field_of(trial));
  if (known.empty() ||
      record.set({{field_of(trial), in_case(known, &std::tolower)}}, Want::kHandled) == nullptr) {
    trial.not_run("the record shows no identifier that could be set again");
    record.forget();
    return;
  }
  record.set({{field_of(trial), in_case(known, &std::toupper)}}, Want::kAccepted);
  record.undo();
}

void run_update_unknown(Trial& trial) {
  if (const auto& sent = trial.send(); sent.accepted) {
    trial.leave(
        {sent.exchange.sent.target + ", which nobody had, was changed and may be there now"});
  }
  auto request = trial.item().request;
  request.body = trial.item().data.at("update").at("nothing");
  trial.send(request);
}

}  // namespace contract_tests::run
