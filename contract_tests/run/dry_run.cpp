#include "contract_tests/run/dry_run.hpp"

#include "contract_tests/run/describe.hpp"
#include "contract_tests/run/redaction.hpp"

namespace contract_tests::run {

namespace {

// Every request that is known before the run.
std::string known_requests(const Settings& settings, const Case& item) {
  const auto& operation = *settings.contract.operation(item.operation);
  std::string lines;
  for (const auto& request : requests_of(item)) {
    lines +=
        (lines.empty() ? "" : "\n  ") + request_line(settings, operation, request, settings.names);
  }
  return item.run ? lines + "  # and further requests" : lines;
}

// What is sent around the case so that its changes are undone; "" for nothing.
std::string undoing(const Settings& settings, const Case& item) {
  switch (way_of(settings, item)) {
    case Way::kRestores: return "\n  # the record is read before, and written back and read after";
    case Way::kRemoves: return "\n  # what it creates is removed after";
    case Way::kOwnRecord:
      return "\n  # the record is created before by " + item.own->create->name +
             ", and removed after by " + item.own->remove->name;
    case Way::kLasts:
    case Way::kUnnamed: return "\n  # its effect lasts";
    case Way::kAsIs: break;
  }
  return {};
}

}  // namespace

std::string request_line(const Settings& settings, const spec::contract::Operation& operation,
                         const plan::RequestPlan& request, const plan::Names& names) {
  auto built = plan::build_request(operation, request, names, settings.url.prefix);
  if (!built) {
    return "not sent: the subject " + built.error() + " is not set";
  }
  client::Exchange exchange;
  exchange.url =
      (settings.url.tls ? "https://" : "http://") + settings.url.authority() + built.value().target;
  exchange.sent = std::move(built.value());
  return curl_line(redacted_request(settings, exchange));
}

std::string dry_text(const Settings& settings, const Case& item) {
  const auto reason = why_not(settings, item);
  std::string request = "skipped: " + reason;
  if (reason.empty()) {
    request = item.sends_nothing ? "no request: it checks the responses of all other cases"
                                 : known_requests(settings, item) + undoing(settings, item);
  }
  return item.id + "\n  " + item.operation_name + ": " + item.sentence + "\n  " + request + '\n';
}

}  // namespace contract_tests::run
