#include "contract_tests/run/sender.hpp"

#include "contract_tests/run/status.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace contract_tests::run {

using client::Exchange;
using plan::RequestPlan;
using spec::contract::Operation;

namespace {

// Lets requests wait until each has its connection, however long that took. Not for long: a server
// may accept one connection at a time.
class StartBarrier {
 public:
  explicit StartBarrier(std::size_t missing) : missing_(missing) {}

  void arrive_and_wait() {
    constexpr std::chrono::milliseconds kPatience(500);
    std::unique_lock lock(mutex_);
    --missing_;
    arrived_.notify_all();
    arrived_.wait_for(lock, kPatience, [this] { return missing_ == 0; });
  }

 private:
  std::size_t missing_;
  std::mutex mutex_;
  std::condition_variable arrived_;
};

}  // namespace

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
  const std::string path(spec::http::path_of(request.target));
  options.watch = pace_.watch_of(path);
  Exchange exchange = client_.send(std::move(request), options);
  if (exchange.ending == client::Ending::kLeftOpen) {
    pace_.note_watched(path, std::chrono::duration_cast<std::chrono::milliseconds>(
                                 exchange.timing.total - exchange.timing.first_byte));
  }
  return exchange;
}

Exchange Sender::send_reserved(const Operation& operation, const RequestPlan& request) {
  constexpr int kMoreTries = 2;
  const auto made = plan::build_request(operation, request, settings_.names, settings_.url.prefix);
  Exchange exchange;
  pace_.admit_reserved();
  for (int tried = 0; made; ++tried) {
    exchange = client_.send(made.value(), {.latest = pace_.latest_of_change()});
    const auto wait = wait_asked_for(exchange).value_or(settings_.retries.first_wait);
    if (tried == kMoreTries || !is_transient(exchange.status()) || !pace_.admit_again(wait)) {
      break;
    }
  }
  return exchange;
}

std::vector<Exchange> send_at_once(const Settings& settings, Pace& pace,
                                   std::vector<spec::http::Request> requests) {
  std::vector<Exchange> exchanges(requests.size());
  StartBarrier start(requests.size());
  std::vector<std::jthread> threads;
  for (std::size_t at = 0; at < requests.size(); ++at) {
    threads.emplace_back([&, at] {
      exchanges[at] =
          Sender(settings, pace).send_now(std::move(requests[at]), {.before_request = [&start] {
                                            start.arrive_and_wait();
                                          }});
    });
  }
  threads.clear();  // each has ended then
  return exchanges;
}

}  // namespace contract_tests::run
