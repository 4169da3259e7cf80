#include "contract_tests/demands/updates/record.hpp"

#include "contract_tests/checks/update.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>

namespace contract_tests::demands::updates {

using nlohmann::json;

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
      rules_(*case_run.settings().rules.of(case_run.operation().id).update) {
  base_.body = nothing();
}

// Where a change could not be undone, no more are made, unless changes may last.
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

checks::RuleViolations Record::changes(const Sent& later, const std::set<std::string>& excepted,
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

const Sent* Record::set(const json& body, Want want) {
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

std::function<void(CaseRun&)> on_record(std::function<void(CaseRun&, Record&)> change) {
  return [change = std::move(change)](CaseRun& case_run) {
    Record record(case_run);
    if (record.read()) {
      change(case_run, record);
      record.undo();
    }
  };
}

}  // namespace contract_tests::demands::updates
