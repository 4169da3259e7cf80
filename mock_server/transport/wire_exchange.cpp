#include "mock_server/transport/wire_exchange.hpp"

#include <utility>

namespace mock_server::transport {

namespace {

constexpr std::size_t kBlockBytes = 16 * 1024;
constexpr std::size_t kKeptBytes = 64 * 1024;

}  // namespace

void Output::append(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  // A block is only ever closed by one that was taken over or by its own size.
  if (blocks_.empty() ||
      (!blocks_.back().empty() && blocks_.back().size() + bytes.size() > kBlockBytes)) {
    blocks_.emplace_back();
  }
  blocks_.back().append(bytes);
  size_ += bytes.size();
}

void Output::append(std::string&& bytes) {
  if (bytes.size() < kBlockBytes) {
    append(std::string_view(bytes));
    return;
  }
  size_ += bytes.size();
  blocks_.push_back(std::move(bytes));
}

std::size_t Output::gather(std::span<iovec> vectors) {
  std::size_t count = 0;
  std::size_t skip = offset_;
  for (std::size_t at = first_; at < blocks_.size() && count < vectors.size(); ++at) {
    if (blocks_[at].size() > skip) {
      vectors[count++] = {blocks_[at].data() + skip, blocks_[at].size() - skip};
    }
    skip = 0;
  }
  return count;
}

void Output::consume(std::size_t count) {
  size_ -= count;
  if (size_ == 0) {
    clear();
    return;
  }
  while (count > 0) {
    const std::size_t rest = blocks_[first_].size() - offset_;
    if (count < rest) {
      offset_ += count;
      return;
    }
    count -= rest;
    offset_ = 0;
    std::string().swap(blocks_[first_++]);
  }
}

void Output::release() {
  std::vector<std::string>().swap(blocks_);
}

void Output::clear() {
  size_ = 0;
  first_ = 0;
  offset_ = 0;
  if (blocks_.empty()) {
    return;
  }
  blocks_.resize(1);
  blocks_.front().clear();
  if (blocks_.front().capacity() > kKeptBytes) {
    blocks_.front().shrink_to_fit();
  }
}

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
