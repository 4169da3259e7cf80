#include "contract_tests/run/changes/lasting.hpp"

#include "spec/http/message.hpp"

namespace contract_tests::run::changes {

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

}  // namespace contract_tests::run::changes
