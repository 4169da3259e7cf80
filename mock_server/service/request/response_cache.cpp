#include "mock_server/service/request/response_cache.hpp"

#include <utility>

namespace mock_server::service::request {
namespace {

// Approximate overhead of an entry beside its body and key.
constexpr std::size_t kEntryBytes = 512;

}  // namespace

std::shared_ptr<const fixtures::PreparedResponse> ResponseCache::find(
    const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = responses_.find(key);
  return found == responses_.end() ? nullptr : found->second;
}

void ResponseCache::put(const std::string& key,
                        std::shared_ptr<const fixtures::PreparedResponse> response) {
  const std::size_t size = response->response.body.size() + key.size() + kEntryBytes;
  if (size > limit_bytes_) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (used_bytes_ + size > limit_bytes_) {
    responses_.clear();
    used_bytes_ = 0;
  }
  if (responses_.emplace(key, std::move(response)).second) {
    used_bytes_ += size;
  }
}

}  // namespace mock_server::service::request
