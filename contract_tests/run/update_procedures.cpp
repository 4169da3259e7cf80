// Procedures about changes. Each reads the record first, notes how to put it back, and puts it
// back.

#include "contract_tests/checks/update.hpp"
#include "contract_tests/run/procedures.hpp"
#include "contract_tests/run/record.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

namespace contract_tests::run {

using nlohmann::json;
using plan::Want;

namespace {

// A record that can be used, its field's new value, and what else may move.
struct Change {
  Record record;
  std::string field;
  std::string pointer;
  json value;
};

std::optional<Change> start_change(Trial& trial) {
  Change change{Record(trial), trial.item().data.value("field", ""), "", json()};
  if (!change.record.read()) {
    return std::nullopt;
  }
  const auto& field = change.record.field(change.field);
  change.pointer = field.at("at").get<std::string>();
  change.value = change.record.other_value(change.field);
  return change;
}

}  // namespace

void run_generated_update(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  record.set(trial.item().request.body.value_or(record.nothing()), trial.item().expect.want);
  record.undo();
}

void run_update_nothing(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto* again = record.set(record.nothing());
  if (again != nullptr) {
    trial.suspect(record.changes(*again, record.moves(), trial.item().why.rule), *again);
  }
}

// What an empty change sets back cannot be seen before it has been set to something else.
void run_update_nothing_after(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto* changed = record.set(record.other_values());
  const auto* later = record.set(record.nothing());
  if (changed != nullptr && later != nullptr && changed->normal && later->normal) {
    trial.complain(checks::check_unchanged(*changed->normal, *later->normal, record.moves(),
                                           trial.item().why.rule),
                   *later);
  }
  record.undo();
}

void run_update_echo(Trial& trial) {
  auto change = start_change(trial);
  if (!change) {
    return;
  }
  const auto* answer = change->record.set({{change->field, change->value}});
  if (answer != nullptr && answer->body) {
    trial.complain(
        checks::check_value(*answer->body, change->pointer, change->value, trial.item().why.rule),
        *answer);
  }
  change->record.undo();
}

void run_update_stored(Trial& trial) {
  auto change = start_change(trial);
  if (!change) {
    return;
  }
  if (change->record.set({{change->field, change->value}}) != nullptr) {
    const auto* later = change->record.set(change->record.nothing());
    if (later != nullptr && later->body) {
      trial.complain(
          checks::check_value(*later->body, change->pointer, change->value, trial.item().why.rule),
          *later);
    }
  }
  change->record.undo();
}

void run_update_twice(Trial& trial) {
  auto change = start_change(trial);
  if (!change) {
    return;
  }
  const json body{{change->field, change->value}};
  const auto* first = change->record.set(body);
  const auto* second = change->record.set(body);
  if (first != nullptr && second != nullptr && first->normal && second->normal) {
    trial.complain(checks::check_unchanged(*first->normal, *second->normal, change->record.moves(),
                                           trial.item().why.rule),
                   *second);
  }
  change->record.undo();
}

void run_update_others(Trial& trial) {
  auto change = start_change(trial);
  if (!change) {
    return;
  }
  auto excepted = change->record.moves();
  excepted.insert(change->pointer);
  const auto* answer = change->record.set({{change->field, change->value}});
  const auto* later = change->record.set(change->record.nothing());
  for (const auto* seen : {answer, later}) {
    if (seen != nullptr) {
      trial.complain(change->record.changes(*seen, excepted, trial.item().why.rule), *seen);
    }
  }
  change->record.undo();
}

void run_update_derived(Trial& trial) {
  auto change = start_change(trial);
  if (!change) {
    return;
  }
  const auto* answer = change->record.set({{change->field, change->value}});
  if (answer != nullptr && answer->body) {
    const auto* before = spec::json::find(change->record.original(), change->pointer);
    const auto* after = spec::json::find(*answer->body, change->pointer);
    if (after == nullptr || after->is_null() || (before != nullptr && *before == *after)) {
      trial.complain({{trial.item().why.rule, "body" + change->pointer,
                       "must show the change of " + change->field + " but does not"}},
                     *answer);
    }
  }
  change->record.undo();
}

void run_update_together(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto body = record.other_values();
  const auto* answer = record.set(body);
  if (answer != nullptr && answer->body) {
    for (const auto& [name, value] : body.items()) {
      trial.complain(
          checks::check_value(*answer->body, record.field(name).at("at").get<std::string>(), value,
                              trial.item().why.rule),
          *answer);
    }
  }
  record.undo();
}

void run_update_owned(Trial& trial) {
  Record record(trial);
  if (!record.read()) {
    return;
  }
  const auto name = trial.item().data.at("field").get<std::string>();
  std::string pointer;
  spec::json::append_token(pointer, name);
  const auto* before = spec::json::find(record.original(), pointer);
  for (const auto& value : trial.item().data.at("values")) {
    if (before != nullptr && *before == value) {
      continue;
    }
    json body{{name, value}};
    if (const auto beside = trial.item().data.value("beside", ""); !beside.empty()) {
      body[beside] = record.other_value(beside);
    }
    record.set(body, Want::kHandled);
    const auto* later = record.set(record.nothing());
    const auto* after =
        later == nullptr || !later->body ? nullptr : spec::json::find(*later->body, pointer);
    if (after != nullptr && *after == value) {
      const checks::Complaints found{
          {trial.item().why.rule, "body" + pointer,
           "must not be set by a request but is now " + spec::json::write(value)}};
      // One of several values may have come by itself: it is believed when another comes, too.
      if (trial.item().data.at("values").size() > 1) {
        trial.suspect(found, *later);
      } else {
        trial.complain(found, *later);
      }
      trial.leave({later->exchange.sent.target + ' ' + pointer, spec::json::write(value),
                   before == nullptr ? "missing" : spec::json::write(*before)});
    }
    break;
  }
  record.undo();
}

void run_update_other(Trial& trial) {
  const auto other = plan::request_from(trial.item().data.at("other"));
  Record record(trial);
  const auto& before = trial.send(other, {.want = Want::kAccepted});
  if (!before.accepted || !record.read()) {
    return;
  }
  record.set(record.other_values());
  const auto& after = trial.send(other, {.want = Want::kAccepted});
  if (before.normal && after.normal) {
    trial.complain(checks::check_unchanged(*before.normal, *after.normal, record.moves(),
                                           trial.item().why.rule),
                   after);
  }
  record.undo();
}

namespace {

// Reads `record` again after a request that was to be rejected, and puts it back where that
// changed it.
void check_kept(Trial& trial, Record& record, bool was_rejected, const std::string& rule) {
  const auto* later = record.set(record.nothing());
  if (later == nullptr || !later->body) {
    return;
  }
  const auto changes = record.changes(*later, record.moves(), rule);
  if (was_rejected) {
    trial.complain(changes, *later);
  }
  if (changes.empty()) {
    record.forget();
  } else {
    record.undo();
  }
}

// Sends the request that is to be rejected; what it changed at another identifier than the record's
// cannot be put back.
const Sent& send_rejected(Trial& trial) {
  const auto& sent = trial.send();
  const auto read = plan::request_from(trial.item().data.at("read"));
  if (sent.accepted && trial.item().request.path != read.path) {
    trial.leave(
        {sent.exchange.sent.target + ", which nobody had, was changed and may be there now"});
  }
  return sent;
}

// The other record of the case, read and noted to be put back; nothing where the case names none.
std::optional<Record> other_record(Trial& trial) {
  if (!trial.item().data.contains("other")) {
    return std::nullopt;
  }
  Record other(trial, plan::request_from(trial.item().data.at("other")));
  return other.read() && other.intend() ? std::optional(std::move(other)) : std::nullopt;
}

}  // namespace

void run_refused_unchanged(Trial& trial) {
  Record record(trial, plan::request_from(trial.item().data.at("read")));
  if (!record.read()) {
    if (!trial.is_not_run()) {
      send_rejected(trial);  // at least the rejection itself
    }
    return;
  }
  if (!record.intend()) {
    return;
  }
  auto other = other_record(trial);
  const auto& refused = send_rejected(trial);
  const bool was_rejected = refused.conclusive && refused.exchange.status() / 100 == 4;
  const auto& own = trial.item().why.rule;
  check_kept(trial, record, was_rejected,
             own.starts_with("update/") ? own : "update/refused-changes");
  if (other) {
    check_kept(trial, *other, was_rejected, "update/refused-changes");
  }
}

void run_update_unknown(Trial& trial) {
  run_refused_unchanged(trial);
  auto request = trial.item().request;
  request.body = trial.item().data.at("update").at("nothing");
  trial.send(request);
}

}  // namespace contract_tests::run
