#include "mock_server/api/loaded_api.hpp"

#include <cstddef>
#include <utility>

namespace mock_server::api {

namespace {

constexpr std::size_t kMaxKept = 256;

std::string key_of(const std::string& name, const std::string& text) {
  return name + '\n' + text;
}

}  // namespace

std::shared_ptr<const ScenarioCache::ParsedScenario> ScenarioCache::find(
    const std::string& name, const std::string& text) const {
  const std::string key = key_of(name, text);
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(key);
  return found == kept_.end() ? nullptr : found->second;
}

void ScenarioCache::keep(const std::string& name, const std::string& text,
                         std::shared_ptr<const ParsedScenario> read) {
  std::string key = key_of(name, text);
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kMaxKept) {
    kept_.clear();
  }
  kept_.emplace(std::move(key), std::move(read));
}

}  // namespace mock_server::api
