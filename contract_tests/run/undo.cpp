#include "contract_tests/run/undo.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/reversible_changes.hpp"
#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace contract_tests::run {

using nlohmann::json;
using spec::contract::Operation;

namespace {

constexpr std::size_t kMaxPath = 80;  // bytes that are shown of one

std::string shown(const nlohmann::json& record, const std::string& name) {
  const auto found = record.find(name);
  return found == record.end() ? "missing" : checks::shown(*found);
}

}  // namespace

bool UndoLog::note(PendingUndo change) {
  const auto key = *noted.insert(change.key).first;
  return pending.emplace(key, std::move(change)).second;
}

void UndoLog::leave(const RemainingValue& value, const client::Secrets& secrets) {
  const auto shown = [&secrets](const std::string& text) {
    return spec::text::without_controls(secrets.redacted(text));
  };
  RemainingValue left{shown(value.place), shown(value.now), shown(value.was), value.curl};
  const auto known = std::ranges::find(values, left.place, &RemainingValue::place);
  if (known == values.end()) {
    values.push_back(std::move(left));
  } else {
    known->now = std::move(left.now);
  }
}

void UndoLog::leave(const std::string& place, const nlohmann::json& was, const nlohmann::json& now,
                    const std::string& curl, const client::Secrets& secrets) {
  auto all = was;
  all.update(now);
  for (const auto& [name, value] : all.items()) {
    const bool same =
        was.contains(name) && now.contains(name) && spec::json::equal(was.at(name), now.at(name));
    if (!same) {
      leave(
          {place + ' ' + spec::json::pointer_of({name}), shown(now, name), shown(was, name), curl},
          secrets);
    }
  }
}

void UndoLog::last(const std::string& operation_name, const std::string& path, int status) {
  const std::lock_guard lock(lasting_mutex);
  auto& requests = lasting[operation_name];
  ++requests.requests;
  requests.statuses.insert(status);
  requests.paths.insert(spec::text::shortened(path, kMaxPath));
}

std::vector<RemainingChange> UndoLog::remaining_changes() const {
  constexpr std::size_t kMaxPaths = 10;
  std::vector<RemainingChange> lines;
  for (const auto& remaining_changes : values) {
    if (remaining_changes.now.empty()) {
      lines.push_back({remaining_changes.place, remaining_changes.curl});
    } else if (remaining_changes.now != remaining_changes.was) {
      lines.push_back({remaining_changes.place + " is now " + remaining_changes.now + " and was " +
                           remaining_changes.was,
                       remaining_changes.curl});
    }
  }
  for (const auto& [operation, those] : lasting) {
    std::string statuses;
    for (const int status : those.statuses) {
      spec::text::append_to_list(statuses, status == 0 ? "no response" : std::to_string(status));
    }
    const bool one = those.requests == 1;
    lines.push_back({operation + ": " + std::to_string(those.requests) +
                         (one ? " request was" : " requests were") + " not rejected (" + statuses +
                         "), and what " + (one ? "it" : "they") + " changed was not undone: " +
                         spec::text::names_listed(
                             std::vector(those.paths.begin(), those.paths.end()), kMaxPaths),
                     ""});
  }
  return lines;
}

void UndoLog::give_up(const spec::contract::Operation& operation, const std::string& path,
                      const std::string& member) {
  given_up.emplace(operation.id, operation.name + " did not restore " + path + ", of which " +
                                     member + " was changed, so it is not used any more");
}

namespace {

constexpr const char* kIdempotent = "RFC 9110 §9.2.2";  // PUT has the same effect twice as once
constexpr std::int64_t kMaxAdded = 1'000'000'000'000;
constexpr std::size_t kShown = 60;  // bytes of a value

// True if a time that the service sets by itself has moved to now: "updated_at".
bool is_set_to_now(const json& was, const json& now) {
  constexpr std::int64_t kSkew = 300;  // seconds that its clock may differ
  const auto instant = [](const json& value) {
    return spec::time::parse_date_time(value.is_string() ? value.get_ref<const std::string&>()
                                                         : "");
  };
  const auto from = instant(was);
  const auto to = instant(now);
  return from && to && *from < *to && std::abs(to->seconds - std::time(nullptr)) <= kSkew;
}

// True if another text or Boolean has replaced the value and contains nothing of it.
bool is_replaced(const json& was, const json& now) {
  const bool added = was.is_string() && now.is_string() &&
                     now.get_ref<const std::string&>().find(was.get_ref<const std::string&>()) !=
                         std::string::npos;
  return (was.is_string() || was.is_boolean()) && now.is_primitive() && !added;
}

class Restorer {
 public:
  explicit Restorer(CaseRun& case_run)
      : case_run_(case_run),
        undoing_(case_run),
        how_(plan::restoration_of(case_run.settings().contract, case_run.operation())),
        address_{.path = case_run.item().request.path},
        change_{.key = case_run.path_of(*how_.read, address_),
                .operation = how_.write,
                .request = address_,
                .read = how_.read} {}

  // Reads the record and checks that it can be restored; false, and the case skipped, when it
  // cannot.
  bool begin() {
    if (!case_run_.is_undone(change_.key)) {
      return false;
    }
    if (const auto why = why_not(); !why.empty()) {
      give_up(case_run_, why, undoing_.may_pass());
      return false;
    }
    return case_run_.note_undo(change_);
  }

  // Restores the record if it has changed. Where that fails, it stays noted: the end of the run
  // tries again.
  void end() {
    const auto before = read();
    if (before && spec::json::equal(*before, change_.was)) {
      case_run_.undone(change_.key);
      return;
    }
    const auto made = write_back();
    const auto now = undoing_.record(made.seen);
    if (!now) {
      case_run_.inconclusive("the record could not be restored at once (" + undoing_.status() +
                             ")");
      return;
    }
    settle(*now);
    if (const auto name = changed_member(*now); !name.empty()) {
      log().give_up(*how_.write, change_.key, spec::json::write(json(name)));
    }
  }

 private:
  UndoLog& log() { return case_run_.undo_log(); }

  std::optional<json> read() { return undoing_.record(undoing_.ask(*how_.read, address_)); }

  // Why the case cannot be carried out; "" when all that it changes can be undone.
  std::string why_not() {
    if (const auto found = log().given_up.find(how_.write->id); found != log().given_up.end()) {
      return found->second;
    }
    auto was = read();
    if (!was) {
      return "the record that it may change cannot be read first (" + undoing_.status() +
             "); name one that exists with --subjects";
    }
    remember(std::move(*was));
    auto why = why_unsafe();
    return why.empty() && !log().proven.contains(change_.key) ? prove() : why;
  }

  // The record as it was is written back with the members that the contract allows to be written.
  void remember(json record) {
    auto& body = change_.request.body.emplace(json::object());
    for (const auto& name : how_.members) {
      if (record.contains(name)) {
        body[name] = record.at(name);
      }
    }
    change_.was = std::move(record);
  }

  UndoResult write_back() {
    auto made = undoing_.undo(change_);
    if (made.acted != nullptr) {
      report_server_error(*made.acted);
    }
    return made;
  }

  // The change is undone, but for what `now` shows otherwise.
  void settle(const json& now, const std::string& curl = {}) {
    case_run_.undone(change_.key);
    case_run_.leave(change_.key, change_.was, now, curl);
  }

  // Why a body of the case must not be sent; "" when every change by it can be undone.
  std::string why_unsafe() const {
    for (const plan::RequestPlan& request : requests_of(case_run_.item())) {
      if (auto why = why_not_undoable(request); !why.empty()) {
        return why;
      }
    }
    return {};
  }

  std::string why_not_undoable(const plan::RequestPlan& request) const {
    if (!request.body && !request.raw_body) {
      return {};
    }
    const auto raw = request.raw_body ? spec::json::read(*request.raw_body)
                                      : spec::json::read(std::string_view("null"));
    const auto filled = plan::fill(request.body.value_or(nullptr), case_run_.settings().names);
    const json& body = request.raw_body && raw ? raw.value()
                       : filled                ? filled.value()
                                               : change_.was;
    if (!body.is_object()) {
      return "its body is not a JSON object, so the change could not be undone";
    }
    for (const auto& [name, value] : body.items()) {
      const bool known =
          change_.was.contains(name) && std::ranges::find(how_.members, name) != how_.members.end();
      if (!known) {
        return "its body has the member " + spec::json::write(name) +
               ", which the record lacks or no request may write, so the change could not be "
               "undone";
      }
      if (is_identifier(change_.was.at(name)) && !spec::json::equal(change_.was.at(name), value)) {
        return "its body changes the identifier of the record, which could not be undone";
      }
    }
    return {};
  }

  // True if the path names the record by this value.
  bool is_identifier(const json& value) const {
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    return std::ranges::any_of(address_.path, [&](const auto& parameter) {
      const auto filled = plan::fill(std::string_view(parameter.second), case_run_.names());
      return filled && filled.value() == text;
    });
  }

  // PUT replaces the whole record: a member that the contract does not have would be lost.
  std::string lost_by_put() const {
    const auto names = [](const std::vector<std::string>& list, const std::string& name) {
      return std::ranges::find(list, name) != list.end();
    };
    for (const auto& [name, value] : change_.was.items()) {
      if (how_.write->method == "PUT" && !names(how_.members, name) && !names(how_.shown, name)) {
        return spec::json::write(name);
      }
    }
    return {};
  }

  // Writes what was read, which must change nothing, and reads it again: "" when it is the same.
  std::string prove() {
    if (!is_valid(change_.request)) {
      return "the response to GET is not a valid body of " + how_.write->method +
             ", so the record could not be restored";
    }
    if (auto name = lost_by_put(); !name.empty()) {
      return "the record has the member " + name +
             ", which the contract does not have, so PUT could remove it for good";
    }
    if (!case_run_.note_undo(change_)) {
      return "too few requests are left to change a record and undo the change (--max-requests)";
    }
    const auto made = write_back();
    if (!made.accepted) {
      return not_written();
    }
    const auto now = undoing_.record(made.seen);
    if (!now) {  // the end of the run looks again
      return "the record cannot be read again (" + undoing_.status() + ")";
    }
    if (const auto name = changed_member(*now); !name.empty()) {
      return leave_alone(*now, name);
    }
    settle(*now);
    remember(*now);
    log().proven.insert(change_.key);
    return {};
  }

  bool is_valid(const plan::RequestPlan& request) const {
    return plan::validate_request(case_run_.settings().contract, *how_.write, request,
                                  case_run_.names())
        .is_valid();
  }

  // The first member that `now` does not show as it was, nor as the time of the change; "" where
  // all are.
  std::string changed_member(const json& now) const {
    for (const auto& [name, value] : change_.request.body->items()) {
      const auto is = now.value(name, json());
      if ((!now.contains(name) || !spec::json::equal(is, value)) && !is_set_to_now(value, is)) {
        return name;
      }
    }
    return {};
  }

  // The request that undoes the change: the values as they were, but the negative of an integer of
  // which `now` has twice the value, because the service adds what is written. Empty if a write
  // could change it once more: any other number, an object, a list, or a text that was added to.
  std::optional<plan::RequestPlan> undo_of_trial(const json& now, bool& adds) const {
    auto request = change_.request;
    for (auto& [name, value] : request.body->items()) {
      const auto is = now.value(name, json());
      if (spec::json::equal(is, value) || is_set_to_now(value, is) || is_replaced(value, is)) {
        continue;
      }
      const auto was = spec::json::to_int64(value);
      if (!was || *was == 1 || *was > kMaxAdded || spec::json::to_int64(is) != 2 * *was) {
        return std::nullopt;
      }
      value = -*was;
      adds = true;
    }
    return request;
  }

  // The service changes the record when its own values are written, as the last response shows:
  // that is undone once, where a valid request may do so, and no other record is written.
  std::string leave_alone(const json& changed, const std::string& name) {
    const auto& write = *how_.write;
    const auto& seen = case_run_.sent().back();
    bool adds = false;
    const auto request = undo_of_trial(changed, adds);
    const bool may_write = request && is_valid(*request);
    const auto now =
        may_write && undoing_.ask(write, *request) != nullptr ? read() : std::optional(changed);
    const auto undo_line = may_write ? "" : case_run_.curl_of(write, change_.request);
    if (now) {
      settle(*now, undo_line);
    }
    const auto shown = [&name](const json& record) {
      return spec::text::shortened(spec::json::write(record.value(name, json())), kShown);
    };
    const bool is_wrong = adds && write.method == "PUT";
    checks::RuleViolation violation{
        "record/trial", "body" + spec::json::pointer_of({name}),
        "must be " + shown(change_.was) + " after " + write.method + " of what GET shows",
        "is " + shown(changed) + (is_wrong ? ": PUT is not idempotent" : "")};
    if (!may_write) {
      violation.is += ": the service changes it under " + write.method +
                      ", so nothing more was written; its old values: " + undo_line;
    }
    if (is_wrong) {
      violation.source = {kIdempotent, spec::contract::StatementClass::kStandard, "", ""};
    }
    case_run_.report({std::move(violation)}, seen);
    auto why = "the service changes the record when its own values are written (" +
               spec::json::write(json(name)) + "), so it could not be restored";
    log().given_up.emplace(write.id, why);
    return why;
  }

  // Why nothing is changed after the record's own values were not accepted. A request that fails
  // may have changed the record all the same: then the end of the run writes it back.
  std::string not_written() {
    UndoClient undoing(case_run_);
    const auto now = undoing.record(undoing.ask(*how_.read, address_));
    if (now && spec::json::equal(*now, change_.was)) {
      case_run_.undone(change_.key);
    }
    return "the service rejects its own record (" + undoing_.status() +
           "), so it could not be restored";
  }

  // A server error for what GET shows and the contract allows.
  void report_server_error(const CaseResponse& sent) {
    const int status = sent.exchange.status();
    if (status / 100 == 5 && !is_transient(status) &&
        !is_documented_failure(case_run_.settings().contract, *how_.write, status)) {
      case_run_.report({{"status/success", "status",
                         "must be a success where " + how_.write->method + " sends what GET shows",
                         "is " + named(status)}},
                       sent);
    }
  }

  CaseRun& case_run_;
  UndoClient undoing_;
  const plan::Restoration how_;
  const plan::RequestPlan address_;
  PendingUndo change_;
};

}  // namespace

void run_restoring(CaseRun& case_run) {
  read_initial_state(case_run);
  Restorer restore(case_run);
  if (restore.begin()) {
    case_run.run();
    restore.end();
  }
}

}  // namespace contract_tests::run
