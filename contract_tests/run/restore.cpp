#include "contract_tests/run/restore.hpp"

#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/plan/restoration.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>

namespace contract_tests::run {

using nlohmann::json;
using spec::contract::Operation;

namespace {

class Restore {
 public:
  explicit Restore(CaseRun& case_run)
      : case_run_(case_run), how_(plan::restoration_of(case_run.settings().contract, case_run.operation())) {
    address_.path = case_run.item().request.path;
  }

  // Reads the record and sees to it that it can be put back; false, and the case not run, when it
  // cannot.
  bool begin() {
    if (case_run_.undo_log().is_pending(key())) {
      case_run_.not_run("an earlier change of the record is still to be put back");
      return false;
    }
    auto was = read();
    if (!was) {
      stop("the record that it may change cannot be read before (" + status_ +
           "): name one that there is with --subjects");
      return false;
    }
    was_ = std::move(*was);
    auto why = harm();
    if (why.empty() && !case_run_.undo_log().is_proven(key())) {
      why = prove();
    }
    if (!why.empty()) {
      stop(why);
      return false;
    }
    return note();
  }

  // Puts the record back if it is not as it was. Where that fails, it stays noted: the end of the
  // run tries again.
  void end() {
    auto now = read();
    if (now && spec::json::equal(*now, was_)) {
      case_run_.undone(key());
      return;
    }
    now = write() ? read() : std::nullopt;
    if (!now) {
      case_run_.undecided("the record could not be put back at once (" + status_ + ")");
      return;
    }
    case_run_.undone(key());
    leave(*now);
  }

 private:
  // The case is not run; or it is undecided, where the service may do another time what it did not
  // do now.
  void stop(const std::string& why) {
    if (may_pass_) {
      case_run_.undecided(why);
    } else {
      case_run_.not_run(why);
    }
  }

  std::optional<spec::http::Request> built(const Operation& operation,
                                           const plan::RequestPlan& request) const {
    const auto& settings = case_run_.settings();
    auto made = plan::build_request(operation, request, settings.names, settings.url.prefix);
    return made ? std::optional(std::move(made.value())) : std::nullopt;
  }

  // The response to a request of the suite's own about the record; null when none could be sent.
  const Sent* ask(const Operation& operation, const plan::RequestPlan& request) {
    auto made = built(operation, request);
    const auto* sent = made ? case_run_.fetch(*made) : nullptr;
    may_pass_ =
        sent == nullptr || !sent->exchange.answered() || is_transient(sent->exchange.status());
    status_ =
        operation.method + " gives " +
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
      status_ += ", and no JSON object";
      return std::nullopt;
    }
    return std::move(body.value());
  }

  // What was there, as far as the contract lets it be written.
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
    return sent != nullptr && sent->exchange.status() / 100 == 2;
  }

  // Why a body of the case must not be sent; "" when whatever comes of them can be put back.
  std::string harm() const {
    for (const auto& request : requests_of(case_run_.item())) {
      if (auto why = harm_of(request); !why.empty()) {
        return why;
      }
    }
    return {};
  }

  std::string harm_of(const plan::RequestPlan& request) const {
    if (!request.body && !request.raw_body) {
      return {};
    }
    const auto raw = request.raw_body ? spec::json::read(*request.raw_body)
                                      : spec::json::read(std::string_view("null"));
    const json& body = request.raw_body && raw ? raw.value() : request.body.value_or(nullptr);
    if (!body.is_object()) {
      return "its body is no JSON object, so what comes of it could not be put back";
    }
    for (const auto& [name, value] : body.items()) {
      const bool known =
          was_.contains(name) && std::ranges::find(how_.members, name) != how_.members.end();
      if (!known) {
        return "its body has the member " + as_json(name) +
               ", which the record does not have or which no request may write, so it could not be "
               "put back";
      }
      if (is_identifier(was_.at(name)) && !spec::json::equal(was_.at(name), value)) {
        return "its body gives the record another identifier, which could not be put back";
      }
    }
    return {};
  }

  // Whether the path names the record by this value.
  bool is_identifier(const json& value) const {
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    return std::ranges::any_of(address_.path, [&](const auto& parameter) {
      const auto filled = plan::fill(std::string_view(parameter.second), case_run_.settings().names);
      return filled && filled.value() == text;
    });
  }

  // PUT replaces the whole record: a member that the contract names nowhere would be gone.
  std::string lost_by_put() const {
    const auto names = [](const std::vector<std::string>& list, const std::string& name) {
      return std::ranges::find(list, name) != list.end();
    };
    for (const auto& [name, value] : was_.items()) {
      if (how_.write->method == "PUT" && !names(how_.members, name) && !names(how_.shown, name)) {
        return as_json(name);
      }
    }
    return {};
  }

  // In quotes, control characters escaped.
  static std::string as_json(const std::string& name) {
    return json(name).dump(-1, ' ', false, json::error_handler_t::replace);
  }

  // Writes what was read, which changes nothing, and reads it again: "" when it is still the same.
  std::string prove() {
    const auto& settings = case_run_.settings();
    const auto validated = plan::validate_request(settings.contract, *how_.write, undo(), settings.names);
    if (validated.violated || !validated.decided) {
      return "what GET shows is no valid body of " + how_.write->method +
             ", so the record could not be put back";
    }
    if (auto name = lost_by_put(); !name.empty()) {
      return "the record has the member " + name +
             ", which the contract does not name and PUT could remove for good";
    }
    if (!note()) {
      return "too few requests are left to change a record and to put it back (--max-requests)";
    }
    if (!write()) {
      case_run_.undone(key());
      return "the service does not take back what it shows (" + status_ +
             "), so the record could not be put back";
    }
    const auto now = read();
    if (!now) {
      return "the record cannot be read again (" + status_ + ")";  // the end of the run looks again
    }
    case_run_.undone(key());
    leave(*now);
    const auto body = undo().body.value();
    for (const auto& [name, value] : body.items()) {
      if (!now->contains(name) || !spec::json::equal(now->at(name), value)) {
        return "the service makes another record of what it shows, so it could not be put back";
      }
    }
    was_ = *now;
    case_run_.undo_log().prove(key());
    return {};
  }

  bool note() { return case_run_.note_undo(key(), {how_.write->id, undo(), how_.read->id, was_}); }

  void leave(const json& now) {
    for (const auto& left : differences(key(), was_, now)) {
      case_run_.leave(left);
    }
  }

  // Where the record is.
  std::string key() const {
    const auto made = built(*how_.read, address_);
    return made ? std::string(spec::http::path_of(made->target)) : "";
  }

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

}  // namespace contract_tests::run
