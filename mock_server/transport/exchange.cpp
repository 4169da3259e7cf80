#include "mock_server/transport/exchange.hpp"

#include <utility>

namespace mock_server::transport {

namespace {

constexpr std::size_t kMaxSpare = 128;

}  // namespace

ExchangePool::ExchangePool(const spec::http::RequestLimits& limits) : limits_(limits) {
  spare_.reserve(kMaxSpare);
}

std::unique_ptr<Exchange> ExchangePool::take() {
  if (spare_.empty()) {
    return std::make_unique<Exchange>(limits_);
  }
  std::unique_ptr<Exchange> exchange = std::move(spare_.back());
  spare_.pop_back();
  return exchange;
}

void ExchangePool::give_back(std::unique_ptr<Exchange> exchange) noexcept {
  if (spare_.size() >= kMaxSpare) {
    return;
  }
  if (!exchange->parser.is_fresh()) {
    exchange->parser.reset();
  }
  std::string().swap(exchange->input);
  exchange->output.clear();
  exchange->delayed.reset();
  exchange->streamed.reset();
  exchange->script = {};
  exchange->waits.reset();
  exchange->worked.reset();
  exchange->rate_mark = 0;
  exchange->continued = false;
  spare_.push_back(std::move(exchange));
}

}  // namespace mock_server::transport
