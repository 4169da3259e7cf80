#include "mock_server/state/store.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::state {

bool is_session_name(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kLongest && std::ranges::all_of(name, fits);
}

Store::Store(TimeSource source, std::size_t max_sessions)
    : source_(std::move(source)),
      max_sessions_(max_sessions),
      default_(std::make_shared<Session>("", 0, source_)) {}

std::shared_ptr<Session> Store::session(std::string_view name) {
  if (name.empty()) {
    return default_;
  }
  const std::lock_guard lock(mutex_);
  auto found = sessions_.find(std::string(name));
  if (found == sessions_.end()) {
    if (sessions_.size() >= max_sessions_) {
      evict_idlest();
    }
    auto made = std::make_shared<Session>(std::string(name), next_serial_++, source_);
    found = sessions_.emplace(std::string(name), Entry{std::move(made), 0, {}}).first;
  }
  found->second.used = ++uses_;
  found->second.last_used = source_();
  return found->second.session;
}

std::shared_ptr<Session> Store::find(std::string_view name) const {
  if (name.empty()) {
    return default_;
  }
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(std::string(name));
  return found == sessions_.end() ? nullptr : found->second.session;
}

std::vector<SessionSummary> Store::list() const {
  std::vector<SessionSummary> all;
  {
    const std::lock_guard lock(mutex_);
    all.reserve(sessions_.size() + 1);
    for (const auto& [name, entry] : sessions_) {
      all.push_back(
          {name, entry.session->serial(), entry.session->cells().size(), entry.last_used});
    }
  }
  all.push_back({"", default_->serial(), default_->cells().size(), {}});
  std::ranges::sort(all, {}, &SessionSummary::name);
  return all;
}

bool Store::remove(std::string_view name) {
  if (name.empty()) {
    default_->reset();
    return true;
  }
  const std::lock_guard lock(mutex_);
  return sessions_.erase(std::string(name)) != 0;
}

std::size_t Store::size() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size() + 1;
}

void Store::evict_idlest() {
  const auto idlest =
      std::ranges::min_element(sessions_, {}, [](const auto& entry) { return entry.second.used; });
  if (idlest != sessions_.end()) {
    sessions_.erase(idlest);
  }
}

}  // namespace mock_server::state
