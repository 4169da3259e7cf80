#include "contract_tests/run/dry_run.hpp"

#include "contract_tests/run/describe.hpp"
#include "contract_tests/run/redaction.hpp"

namespace contract_tests::run {

namespace {

std::string first_request(const Settings& settings, const Case& item) {
  const auto& operation = *settings.contract.operation(item.operation);
  auto built = plan::build_request(operation, item.request, settings.names, settings.url.prefix);
  if (!built) {
    return "not sent: the subject " + built.error() + " is not set";
  }
  client::Exchange exchange;
  exchange.url =
      (settings.url.tls ? "https://" : "http://") + settings.url.authority() + built.value().target;
  exchange.sent = std::move(built.value());
  auto line = curl_line(redacted_request(settings, exchange));
  return item.run ? line + "  # and further requests" : line;
}

}  // namespace

std::string dry_text(const Settings& settings, const Case& item) {
  const auto reason = why_not(settings, item);
  std::string request = "skipped: " + reason;
  if (reason.empty()) {
    request = item.sends_nothing ? "no request: it checks the responses of all other cases"
                                 : first_request(settings, item);
  }
  return item.id + "\n  " + item.operation_name + ": " + item.sentence + "\n  " + request + '\n';
}

}  // namespace contract_tests::run
