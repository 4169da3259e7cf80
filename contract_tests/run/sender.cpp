#include "contract_tests/run/sender.hpp"

#include "contract_tests/run/status.hpp"

#include <utility>

namespace contract_tests::run {

using client::Exchange;
using plan::RequestPlan;
using spec::contract::Operation;

Sender::Sender(const Settings& settings, Pace& pace, const client::ClientLimits& limits)
    : settings_(settings), pace_(pace), client_(settings.url, settings.trust, limits) {}

std::optional<Exchange> Sender::send(const Operation& operation, const RequestPlan& request,
                                     std::optional<std::string_view> prefix) {
  auto made = plan::build_request(operation, request, settings_.names,
                                  prefix.value_or(settings_.url.prefix));
  return made && pace_.admit().empty() ? std::optional(send_now(std::move(made.value())))
                                       : std::nullopt;
}

Exchange Sender::send_now(spec::http::Request request, client::SendOptions options) {
  options.latest =
      spec::http::is_safe_method(request.method) ? pace_.latest() : pace_.latest_of_change();
  options.may_repeat = [this] { return pace_.admit().empty(); };
  return client_.send(std::move(request), options);
}

Exchange Sender::send_reserved(const Operation& operation, const RequestPlan& request) {
  constexpr int kMoreTries = 2;
  const auto made = plan::build_request(operation, request, settings_.names, settings_.url.prefix);
  Exchange exchange;
  pace_.admit_reserved();
  for (int tried = 0; made; ++tried) {
    exchange = client_.send(made.value(), {.latest = pace_.latest_of_change()});
    const auto wait = wait_asked_for(exchange).value_or(settings_.patience.first_wait);
    if (tried == kMoreTries || !is_transient(exchange.status()) || !pace_.admit_again(wait)) {
      break;
    }
  }
  return exchange;
}

}  // namespace contract_tests::run
