#include "contract_tests/run/changes/changes.hpp"

#include "contract_tests/run/status.hpp"
#include "spec/http/message.hpp"
#include "spec/json/read.hpp"

#include <utility>

namespace contract_tests::run::changes {

using nlohmann::json;

namespace {

// A rejected request changes nothing; one without a response may have.
bool may_have_changed(const client::Exchange& exchange) {
  const int status = exchange.status();
  return !exchange.url.empty() && !spec::http::is_safe_method(exchange.sent.method) &&
         status / 100 != 4 && status != 501;
}

}  // namespace

void run_lasting(CaseRun& case_run) {
  const auto first = case_run.sent().size();
  case_run.run();
  const auto& settings = case_run.settings();
  for (auto at = first; at < case_run.sent().size(); ++at) {
    const auto& exchange = case_run.sent()[at].exchange;
    if (may_have_changed(exchange)) {
      const auto& name = case_run.operation().name;
      const auto& method = exchange.sent.method;
      case_run.undo_log().last(
          method == case_run.operation().method ? name : method + name.substr(name.find(' ')),
          settings.secrets.redacted(spec::http::path_of(exchange.sent.target)), exchange.status());
    }
  }
}

void give_up(CaseRun& case_run, const std::string& why, bool temporary) {
  const bool may_last = case_run.settings().consent.may_last(case_run.operation().id);
  if (may_last && !case_run.item().needs.own_record) {
    run_lasting(case_run);
  } else if (temporary) {
    case_run.inconclusive(why);
  } else {
    case_run.skip(why);
  }
}

const Sent* Undoing::ask(const spec::contract::Operation& operation,
                         const plan::RequestPlan& request) {
  const auto* sent = reserved_ ? case_run_.fetch_reserved(operation, request)
                               : case_run_.fetch(operation, request);
  const bool answered = sent != nullptr && sent->exchange.answered();
  const int status = answered ? sent->exchange.status() : 0;
  may_pass_ = !answered || is_transient(status);
  status_ = operation.name + ": " + (answered ? std::to_string(status) : "no response");
  return sent;
}

std::optional<json> Undoing::record(const Sent* sent) {
  const bool found = sent != nullptr && sent->exchange.status() == 200 && sent->exchange.whole();
  auto body = spec::json::read(found ? sent->exchange.response.body : "");
  if (body && body.value().is_object()) {
    return std::move(body.value());
  }
  status_ += found ? ", but not a JSON object" : "";
  return std::nullopt;
}

Undone Undoing::undo(const Undoable& change) {
  Undone made{.acted = ask(*change.operation, change.request)};
  const int status = made.acted == nullptr ? 0 : made.acted->exchange.status();
  made.accepted = status / 100 == 2 || (change.removes() && is_gone(status));
  if (made.accepted) {
    made.seen =
        change.read == nullptr ? made.acted : ask(*change.read, {.path = change.request.path});
  }
  return made;
}

void put_back(CaseRun& case_run, const Undoable& change) {
  Undoing undoing(case_run, true);
  const auto place = case_run.path_of(*change.operation, change.request);
  const auto leave = [&](const std::string& what) {
    case_run.leave({.place = what, .curl = case_run.curl_of(*change.operation, change.request)});
  };
  // Without the marker, it may be another record.
  const auto* found = change.marker.empty() ? nullptr : undoing.ask(*change.read, change.request);
  if (found != nullptr && found->exchange.response.body.find(change.marker) == std::string::npos) {
    case_run.pace().release(change.requests() - 1);
    leave("a record that the run has asked for was not removed, because GET does not show it");
    return;
  }
  const auto made = undoing.undo(change);
  if (change.removes()) {
    const auto* seen = made.accepted ? made.seen : undoing.ask(*change.read, change.request);
    if (seen == nullptr || !is_gone(seen->exchange.status())) {
      leave(place + " was created by the run and may still exist (" + undoing.status() + ')');
    }
  } else if (!made.accepted) {
    leave(place + " could not be restored; before the run it was " + change.was.dump());
  } else if (const auto now = undoing.record(made.seen); change.read != nullptr && !now) {
    leave(place + " was written back, but could not be read again to check it");
  } else if (change.read != nullptr) {
    case_run.leave(place, change.was, *now);
  }
}

}  // namespace contract_tests::run::changes
