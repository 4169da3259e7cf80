#include "contract_tests/run/changes/restore.hpp"

#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/restoration.hpp"
#include "contract_tests/run/changes/lasting.hpp"
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

namespace contract_tests::run::changes {

using nlohmann::json;
using spec::contract::Operation;

namespace {

constexpr const char* kIdempotent = "RFC 9110 §9.2.2";  // PUT has the same effect twice as once
constexpr std::int64_t kMaxAdded = 1'000'000'000'000;
constexpr std::size_t kShown = 60;  // bytes of a value

// Whether a time that the service sets by itself has moved to now: "updated_at".
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

// Whether another text or Boolean stands there that holds nothing of what was written.
bool is_replaced(const json& was, const json& now) {
  const bool added = was.is_string() && now.is_string() &&
                     now.get_ref<const std::string&>().find(was.get_ref<const std::string&>()) !=
                         std::string::npos;
  return (was.is_string() || was.is_boolean()) && now.is_primitive() && !added;
}

class Restore {
 public:
  explicit Restore(CaseRun& case_run)
      : case_run_(case_run),
        how_(plan::restoration_of(case_run.settings().contract, case_run.operation())) {
    address_.path = case_run.item().request.path;
  }

  // Reads the record and checks that it can be restored; false, and the case skipped, when it
  // cannot.
  bool begin() {
    if (case_run_.undo_log().is_pending(key())) {
      case_run_.skip("an earlier change of this record is not undone yet");
      return false;
    }
    if (auto why = case_run_.undo_log().why_given_up(how_.write->id); !why.empty()) {
      stop(why);
      return false;
    }
    auto was = read();
    if (!was) {
      stop("the record that it may change cannot be read first (" + status_ +
           "); name one that exists with --subjects");
      return false;
    }
    was_ = std::move(*was);
    auto why = why_unsafe();
    if (why.empty() && !case_run_.undo_log().is_proven(key())) {
      why = prove();
    }
    if (!why.empty()) {
      stop(why);
      return false;
    }
    return note();
  }

  // Restores the record if it has changed. Where that fails, it stays noted: the end of the run
  // tries again.
  void end() {
    auto now = read();
    if (now && spec::json::equal(*now, was_)) {
      case_run_.undone(key());
      return;
    }
    now = write() ? read() : std::nullopt;
    if (!now) {
      case_run_.inconclusive("the record could not be restored at once (" + status_ + ")");
      return;
    }
    case_run_.undone(key());
    leave(*now);
    if (const auto name = changed_member(*now); !name.empty()) {
      case_run_.undo_log().give_up(how_.write->id, how_.write->name + " did not restore " + key() +
                                                       ", of which " +
                                                       spec::json::write(json(name)) +
                                                       " was changed, so it is not used any more");
    }
  }

 private:
  void stop(const std::string& why) { give_up(case_run_, why, may_pass_); }

  // The response to a request for the record; null when none could be sent.
  const Sent* ask(const Operation& operation, const plan::RequestPlan& request) {
    const auto* sent = case_run_.fetch(operation, request);
    may_pass_ =
        sent == nullptr || !sent->exchange.answered() || is_transient(sent->exchange.status());
    status_ =
        operation.method + ": " +
        (sent == nullptr || !sent->exchange.answered() ? "no response"
                                                       : std::to_string(sent->exchange.status()));
    return sent;
  }

  std::optional<json> read() {
    const auto* sent = ask(*how_.read, address_);
    if (sent == nullptr || sent->exchange.status() != 200 || !sent->exchange.whole()) {
      return std::nullopt;
    }
    auto body = spec::json::read(sent->exchange.response.body);
    if (!body || !body.value().is_object()) {
      status_ += ", but not a JSON object";
      return std::nullopt;
    }
    return std::move(body.value());
  }

  // The record as it was, with the members that the contract allows to be written.
  plan::RequestPlan undo() const {
    auto request = address_;
    request.body = json::object();
    for (const auto& name : how_.members) {
      if (was_.contains(name)) {
        (*request.body)[name] = was_.at(name);
      }
    }
    return request;
  }

  bool write() {
    const auto* sent = ask(*how_.write, undo());
    if (sent != nullptr) {
      report_server_error(*sent);
    }
    return sent != nullptr && sent->exchange.status() / 100 == 2;
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
    const json& body = request.raw_body && raw ? raw.value() : filled ? filled.value() : was_;
    if (!body.is_object()) {
      return "its body is not a JSON object, so the change could not be undone";
    }
    for (const auto& [name, value] : body.items()) {
      const bool known =
          was_.contains(name) && std::ranges::find(how_.members, name) != how_.members.end();
      if (!known) {
        return "its body has the member " + spec::json::write(name) +
               ", which the record lacks or no request may write, so the change could not be "
               "undone";
      }
      if (is_identifier(was_.at(name)) && !spec::json::equal(was_.at(name), value)) {
        return "its body changes the identifier of the record, which could not be undone";
      }
    }
    return {};
  }

  // Whether the path names the record by this value.
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
    for (const auto& [name, value] : was_.items()) {
      if (how_.write->method == "PUT" && !names(how_.members, name) && !names(how_.shown, name)) {
        return spec::json::write(name);
      }
    }
    return {};
  }

  // Writes what was read, which must change nothing, and reads it again: "" when it is the same.
  std::string prove() {
    const auto& settings = case_run_.settings();
    if (!plan::validate_request(settings.contract, *how_.write, undo(), case_run_.names())
             .is_valid()) {
      return "the response to GET is not a valid body of " + how_.write->method +
             ", so the record could not be restored";
    }
    if (auto name = lost_by_put(); !name.empty()) {
      return "the record has the member " + name +
             ", which the contract does not have, so PUT could remove it for good";
    }
    if (!note()) {
      return "too few requests are left to change a record and undo the change (--max-requests)";
    }
    if (!write()) {
      return not_written();
    }
    const auto now = read();
    if (!now) {
      return "the record cannot be read again (" + status_ + ")";  // the end of the run looks again
    }
    if (const auto name = changed_member(*now); !name.empty()) {
      return leave_alone(*now, name);
    }
    case_run_.undone(key());
    leave(*now);
    was_ = *now;
    case_run_.undo_log().prove(key());
    return {};
  }

  // The first member that `now` does not show as it was, nor as the time of the change; "" where
  // all are.
  std::string changed_member(const json& now) const {
    const auto body = undo().body.value();
    for (const auto& [name, value] : body.items()) {
      const auto is = now.value(name, json());
      if ((!now.contains(name) || !spec::json::equal(is, value)) && !is_set_to_now(value, is)) {
        return name;
      }
    }
    return {};
  }

  // What undoes the change: the values as they were, but the negative of an integer of which `now`
  // has twice the value, because the service adds what is written. Nothing where a write could
  // change it once more: of any other number, an object, a list, or a text that was added to.
  std::optional<plan::RequestPlan> undo_of_trial(const json& now, bool& adds) const {
    auto request = undo();
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
    const bool may_write = request && plan::validate_request(case_run_.settings().contract, write,
                                                             *request, case_run_.names())
                                          .is_valid();
    const auto now = may_write && ask(write, *request) != nullptr ? read() : std::optional(changed);
    const auto undo_line = may_write ? "" : case_run_.curl_of(write, undo());
    if (now) {
      case_run_.undone(key());
      leave(*now, undo_line);
    }
    const auto shown = [&name](const json& record) {
      return spec::text::shortened(spec::json::write(record.value(name, json())), kShown);
    };
    const bool is_wrong = adds && write.method == "PUT";
    checks::RuleViolation violation{"record/trial", "body" + spec::json::pointer_of({name}),
                                    "must be " + shown(was_) + " after " + write.method +
                                        " of what GET shows, but is " + shown(changed) +
                                        (is_wrong ? ": PUT is not idempotent" : "")};
    if (!may_write) {
      violation.message += ": the service changes it under " + write.method +
                           ", so nothing more was written; its old values: " + undo_line;
    }
    if (is_wrong) {
      violation.source = {kIdempotent, spec::contract::StatementClass::kStandard, "", ""};
    }
    case_run_.report({std::move(violation)}, seen);
    auto why = "the service changes the record when its own values are written (" +
               spec::json::write(json(name)) + "), so it could not be restored";
    case_run_.undo_log().give_up(write.id, why);
    return why;
  }

  // Why nothing is changed after the record's own values were not accepted. A request that fails
  // may have changed the record all the same: then the end of the run writes it back.
  std::string not_written() {
    const auto how = status_;
    const bool may_pass = may_pass_;
    if (const auto now = read(); now && spec::json::equal(*now, was_)) {
      case_run_.undone(key());
    }
    may_pass_ = may_pass;
    return "the service rejects its own record (" + how + "), so it could not be restored";
  }

  // A server error for what GET shows and the contract allows.
  void report_server_error(const Sent& sent) {
    const int status = sent.exchange.status();
    if (status / 100 == 5 && !is_transient(status) &&
        !is_documented_failure(case_run_.settings().contract, *how_.write, status)) {
      case_run_.report({{"status/success", "status",
                         "must be a success where " + how_.write->method +
                             " sends what GET shows, but is " + named(status)}},
                       sent);
    }
  }

  bool note() { return case_run_.note_undo(key(), {how_.write, undo(), how_.read, was_}); }

  void leave(const json& now, const std::string& curl = {}) {
    for (auto& left : differences(key(), was_, now)) {
      left.curl = curl;
      case_run_.leave(left);
    }
  }

  // Where the record is.
  std::string key() const { return case_run_.path_of(*how_.read, address_); }

  CaseRun& case_run_;
  const plan::Restoration how_;
  plan::RequestPlan address_;
  json was_;
  bool may_pass_ = false;  // what the last request of `ask` met: no response, a limit, a gateway
  std::string status_;     // what the last request of `ask` gave, in words
};

}  // namespace

void run_restoring(CaseRun& case_run) {
  Restore restore(case_run);
  if (restore.begin()) {
    case_run.run();
    restore.end();
  }
}

}  // namespace contract_tests::run::changes
