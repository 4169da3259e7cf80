#include "contract_tests/demands/update_cases.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

void run_nothing(CaseRun& case_run, Record& record) {
  if (const auto* again = record.set(record.nothing())) {
    case_run.suspect(record.changes(*again, record.volatile_fields(), case_run.item().basis.rule),
                     *again);
  }
}

// The second response must show the same record as the first.
void check_again(CaseRun& case_run, const Record& record, const CaseResponse* first,
                 const CaseResponse* second) {
  if (first != nullptr && second != nullptr && first->normal && second->normal) {
    case_run.report(checks::check_unchanged(*first->normal, *second->normal,
                                            record.volatile_fields(), case_run.item().basis.rule),
                    *second);
  }
}

// Changes the field first: only then does an empty change show that it resets the field.
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
      case_run.report(record.changes(*seen, excepted, case_run.item().basis.rule), *seen);
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
    case_run.report({{case_run.item().basis.rule, "body" + place,
                      "must change when " + case_run.item().field + " changes", "is the same"}},
                    *response);
  }
}

void run_two_changes(CaseRun& case_run, Record& record) {
  const auto body = record.other_values();
  check_shown(case_run, record, record.set(body), body);
}

// True if the record stored the value of a member that only the service sets.
void check_owned(CaseRun& case_run, const Record& record, const CaseResponse& later,
                 const json& value) {
  const auto pointer = spec::json::pointer_of({case_run.item().field});
  const auto* before = spec::json::find(record.original(), pointer);
  const auto* after = later.body ? spec::json::find(*later.body, pointer) : nullptr;
  if (after == nullptr || *after != value) {
    return;
  }
  const checks::RuleViolations found{{case_run.item().basis.rule, "body" + pointer,
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

class UpdateCases {
 public:
  UpdateCases(const Drafting& drafting, const plan::UpdateRules& rules)
      : drafting_(drafting), rules_(rules), shown_(rules.shown_values()) {}

  void add() const {
    add(start("an empty change does not change the record", "update/nothing"), &run_nothing);
    add(start("an empty change keeps earlier changes", "update/nothing"), &run_nothing_after);
    for (const auto& [name, field] : rules_.fields) {
      add_field(name, field);
    }
    auto together = start("several fields change together", "update/echo");
    together.changed = "body with every field";
    add(std::move(together), &run_two_changes);
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
    item.run = run_on_record(run);
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
      item.run =
          run_on_record([values = values, beside = beside](CaseRun& case_run, Record& record) {
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

void check_shown(CaseRun& case_run, const Record& record, const CaseResponse* seen,
                 const json& body) {
  if (seen == nullptr || !seen->body) {
    return;
  }
  for (const auto& [name, value] : body.items()) {
    case_run.report(
        checks::check_value(*seen->body, record.field(name).at, value, case_run.item().basis.rule),
        *seen);
  }
}

void add_update_cases(const Drafting& drafting) {
  if (const auto& rules = drafting.rules.update) {
    UpdateCases(drafting, *rules).add();
  }
}

namespace {

// A UUID at the end of a text ("https://assets.example/6f1d..."), from which the field was made.
json uuid_at_end(const json& value) {
  constexpr std::size_t kUuid = 36;
  if (!value.is_string() || value.get_ref<const std::string&>().size() < kUuid) {
    return nullptr;
  }
  const auto& text = value.get_ref<const std::string&>();
  const auto tail = text.substr(text.size() - kUuid);
  const bool fits = tail.find_first_not_of("0123456789abcdefABCDEF-") == std::string::npos;
  return fits ? json(tail) : json(nullptr);
}

}  // namespace

Record::Record(CaseRun& case_run) : Record(case_run, case_run.item().request) {}

Record::Record(CaseRun& case_run, RequestPlan base)
    : case_run_(case_run),
      base_(std::move(base)),
      rules_(*case_run.settings().rules.of_operation(case_run.operation().id).update) {
  base_.body = nothing();
}

// If a change could not be undone, no more are made, unless changes may last.
bool Record::may_change() {
  const auto& operation = case_run_.operation().id;
  const auto& given_up = case_run_.undo_log().given_up;
  const auto found = given_up.find(operation);
  if (case_run_.settings().consent.may_last(operation)) {
    return true;
  }
  if (found != given_up.end()) {
    case_run_.skip(found->second);
    return false;
  }
  return case_run_.is_undone(key());
}

bool Record::read() {
  if (!may_change()) {
    return false;
  }
  const auto& sent = case_run_.send(base_, {.want = Want::kAccepted});
  if (!sent.accepted || !sent.body || !sent.body->is_object()) {
    return false;
  }
  original_ = *sent.body;
  original_normal_ = *sent.normal;
  if (!agrees_with_subjects()) {
    case_run_.skip("the record shows another identifier than the subject " +
                   case_run_.item().needs.restores + ", so the change might not be undone");
    return false;
  }
  return true;
}

checks::RuleViolations Record::changes(const CaseResponse& later,
                                       const std::set<std::string>& excepted,
                                       const std::string& rule) const {
  return later.normal ? checks::check_unchanged(original_normal_, *later.normal, excepted, rule)
                      : checks::RuleViolations{};
}

// On a service an identifier is restored to the one in the subjects; where the record shows one
// too, they must be the same.
bool Record::agrees_with_subjects() const {
  const auto& restores = case_run_.item().needs.restores;
  const auto named = case_run_.settings().names.find(restores);
  if (restores.empty() || case_run_.settings().target == run::Target::kMock || !named) {
    return true;
  }
  return std::ranges::none_of(rules_.fields, [&](const auto& entry) {
    const plan::FieldRules& field = entry.second;
    const auto* now = spec::json::find(original_, field.at);
    const auto shown = now == nullptr ? json() : uuid_at_end(*now);
    return field.restore == restores && shown.is_string() &&
           !spec::text::equals_ignoring_case(shown.get_ref<const std::string&>(), *named);
  });
}

const CaseResponse* Record::set(const json& body, Want want) {
  if (body != nothing() && !intend()) {
    return nullptr;
  }
  auto request = base_;
  request.body = body;
  const auto& sent = case_run_.send(request, {.want = want});
  return sent.accepted ? &sent : nullptr;
}

bool Record::intend() {
  const auto request = request_of_undo();
  intended_ = case_run_.note_undo({.key = key(),
                                   .operation = &case_run_.operation(),
                                   .request = request,
                                   .was = *request.body}) ||
              intended_;
  return intended_;
}

void Record::undo() {
  if (!intended_) {
    return;
  }
  const auto& sent = case_run_.send(request_of_undo(), {.want = Want::kAnything});
  if (!sent.accepted || !sent.body) {
    if (sent.conclusive) {
      case_run_.report({{"update/undo", "status", "must be a success",
                         "is " + std::to_string(sent.exchange.status())}},
                       sent);
    }
    return;  // stays noted: the end of the run tries again
  }
  case_run_.undone(key());
  auto excepted = volatile_fields();
  for (const auto& [name, field] : rules_.fields) {
    if (field.derived) {
      excepted.insert(field.at);
    }
  }
  const auto differences = changes(sent, excepted, "update/undo");
  for (const auto& change : differences) {
    case_run_.leave(
        {sent.exchange.sent.target + ' ' + change.place + ' ' + change.message().text()});
  }
  if (!differences.empty()) {
    case_run_.undo_log().give_up(case_run_.operation(), path(), differences.front().place);
  }
  case_run_.report(differences, sent);
}

void Record::forget() {
  case_run_.undone(key());
  intended_ = false;
}

json Record::other_value(const std::string& name) const {
  const auto* now = spec::json::find(original_, field(name).at);
  const auto& values = field(name).values;
  return now != nullptr && *now == values[0] ? values[1] : values[0];
}

json Record::other_values() const {
  auto body = json::object();
  for (const auto& [name, field] : rules_.fields) {
    if (!field.derived) {
      body[name] = other_value(name);
    }
  }
  return body;
}

std::string Record::known_identifier(const std::string& name) const {
  if (case_run_.settings().target != run::Target::kMock) {
    return case_run_.settings().names.find(field(name).restore).value_or("");
  }
  const auto* now = spec::json::find(original_, field(name).at);
  const auto identifier = now == nullptr ? json() : uuid_at_end(*now);
  return identifier.is_string() ? identifier.get<std::string>() : "";
}

RequestPlan Record::request_of_undo() const {
  auto request = base_;
  auto& body = request.body.emplace(json::object());
  for (const auto& [name, field] : rules_.fields) {
    const auto* was = spec::json::find(original_, field.at);
    const json value = was == nullptr ? json(nullptr) : *was;
    if (!field.derived) {
      body[name] = value;
    } else if (const auto known = known_identifier(name);
               run::touches(case_run_.item(), name) && (!known.empty() || value.is_null())) {
      body[name] = known.empty() ? json(nullptr) : json(known);
    }
  }
  return request;
}

std::string Record::path() const {
  return case_run_.path_of(case_run_.operation(), base_);
}

// Records may differ by more than the path: by a query, or by whom the request is from.
std::string Record::key() const {
  auto rest = base_;
  rest.path.clear();
  rest.body.reset();
  return path() + ' ' + spec::json::write(to_json(rest));
}

std::function<void(CaseRun&)> run_on_record(std::function<void(CaseRun&, Record&)> change) {
  return [change = std::move(change)](CaseRun& case_run) {
    Record record(case_run);
    if (record.read()) {
      change(case_run, record);
      record.undo();
    }
  };
}

}  // namespace contract_tests::demands
