// Procedures about what single values do to a record: texts of any letters, empty texts, nulls,
// members that nobody knows, identifiers spelt another way. Each puts the record back.

#include "contract_tests/checks/update.hpp"
#include "contract_tests/run/procedures.hpp"
#include "contract_tests/run/record.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

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
      record.changes(*later, excepted, own_may_change ? "update/others" : "update/refused-changes"),
      *later);
}

std::string in_case(std::string text, int (*turned)(int)) {
  std::ranges::transform(text, text.begin(), [turned](unsigned char letter) {
    return static_cast<char>(turned(letter));
  });
  return text;
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
  const auto word = in_case(now->get<std::string>(), &std::tolower);
  if (std::ranges::find(kWords, word) != kWords.end()) {
    trial.complain({{trial.item().why.rule, "body" + place,
                     "must be null, or left as it was, but is the text " + now->dump()}},
                   *seen);
  }
}

// A member that the request's shape does not have is in no answer.
void check_not_kept(Trial& trial, const Sent* seen) {
  const auto whole = seen == nullptr
                         ? std::nullopt
                         : std::optional(spec::json::read(seen->exchange.response.body));
  for (const auto& [name, value] : trial.item().data.at("extra").items()) {
    if (whole && *whole && whole->value().is_object() && whole->value().contains(name)) {
      trial.complain({{"update/extra", "body/" + name,
                       "must not be kept, for the request has no such member, but is"}},
                     *seen);
    }
  }
}

}  // namespace

void run_update_null(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto* answer = record.set({{field_of(trial), nullptr}}, Want::kHandled);
  const auto* later = record.set(record.nothing());
  for (const auto* seen : {answer, later}) {
    check_no_null_text(trial, record, seen);
  }
  check_others(trial, record, later, answer != nullptr);
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
  check_not_kept(trial, later);
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

}  // namespace contract_tests::run
