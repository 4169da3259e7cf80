#include "contract_tests/tests/faulty_server/recorded.hpp"

#include "contract_tests/client/client.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/tests/faulty_server/transform.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::faulty_server {

using client::Exchange;
using nlohmann::json;

namespace {

bool is_success(int status) {
  return status / 100 == 2;
}

bool is_wanted(const run::Settings& settings, const run::Case& item, const Exchange& exchange,
               const std::vector<RecordedExchange>& known) {
  const auto& plain = settings.rules.of_operation(item.operation).request;
  const bool fits = is_success(exchange.status()) ? plain && item.request == *plain
                                                  : item.expect.want != run::Want::kAnything;
  return exchange.is_complete() && fits &&
         std::ranges::none_of(known, [&](const RecordedExchange& other) {
           return other.item->operation == item.operation &&
                  other.exchange.status() == exchange.status();
         });
}

}  // namespace

Exchange received(const Exchange& original, std::string_view bytes) {
  Exchange exchange;
  exchange.sent = original.sent;
  exchange.url = original.url;
  const client::ClientLimits limits;
  spec::http::ResponseParser parser(original.sent.method, limits.response);
  const auto taken = parser.feed(bytes);
  if (taken < bytes.size()) {
    parser.note_surplus(bytes.substr(taken));
  }
  parser.end_of_input();
  client::complete(exchange, parser.take(), limits.coding);
  return exchange;
}

std::vector<RecordedExchange> record(const run::Settings& settings, const run::Plan& plan,
                                     const std::string& session) {
  client::Client client(settings.url, settings.trust, settings.limits);
  std::vector<RecordedExchange> recorded;
  for (const auto& item : plan.cases) {
    const auto* operation = settings.contract.operation(item.operation);
    auto request = plan::build_request(*operation, item.request, settings.names, "");
    if (!request || (!item.request.method.empty() && item.request.method != operation->method)) {
      continue;
    }
    request->headers.set("X-Counterpart-Session", session);
    auto exchange = client.send(std::move(request.value()));
    if (is_wanted(settings, item, exchange, recorded)) {
      recorded.push_back({&item, std::move(exchange)});
    }
  }
  return recorded;
}

std::vector<RecordedExchange> apply(const MutantCase& item,
                                    const std::vector<RecordedExchange>& original) {
  std::vector<RecordedExchange> changed;
  for (const auto& [its_case, exchange] : original) {
    const auto& response = exchange.record.response;
    Wire wire;
    wire.response = without_framing(response);
    bool applied = false;
    for (const auto& behaviour : item.behaviours) {
      const bool due = behaviour.when.contains("status") || is_success(response.status);
      if (due && applies(behaviour.when, exchange.sent, 1) &&
          fits_response(behaviour.when, response)) {
        change_response(behaviour.response, exchange.sent, wire);
        applied = true;
      }
    }
    if (applied &&
        std::ranges::find(item.operations, its_case->operation) != item.operations.end()) {
      changed.push_back({its_case, received(exchange, bytes_of(wire, exchange.sent))});
    }
  }
  return changed;
}

std::vector<checks::Finding> validate(const run::Settings& settings,
                                      const std::vector<RecordedExchange>& exchanges) {
  std::vector<checks::Finding> findings;
  run::RunContext context(settings);
  run::Sender sender(settings, context.pace);
  for (const auto& [item, exchange] : exchanges) {
    run::CaseRun case_run(context, sender, *item);
    case_run.receive(item->request, item->expect, exchange);
    auto outcome = case_run.finish();
    findings.insert(findings.end(), outcome.findings.begin(), outcome.findings.end());
  }
  return findings;
}

}  // namespace contract_tests::faulty_server
