#pragma once

// Responses that are expensive to make and validate: pages of a list, files. Bounded in bytes; when
// it is full it is cleared. Safe from any thread.

#include "mock_server/fixtures/binding.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace mock_server::service::request {

class ResponseCache {
 public:
  static constexpr std::size_t kDefaultBytes = 8 * 1024 * 1024;

  explicit ResponseCache(std::size_t limit_bytes = kDefaultBytes) : limit_bytes_(limit_bytes) {}

  // Null if it is not cached.
  std::shared_ptr<const fixtures::PreparedResponse> find(const std::string& key) const;
  void put(const std::string& key, std::shared_ptr<const fixtures::PreparedResponse> response);

 private:
  std::size_t limit_bytes_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const fixtures::PreparedResponse>> responses_;
  std::size_t used_bytes_ = 0;
};

}  // namespace mock_server::service::request
