#include "mock_server/service/request/request_context.hpp"

#include "mock_server/state/session_store.hpp"

#include <utility>

namespace mock_server::service::request {

namespace {

// Approximate overhead of an entry beside its body and key.
constexpr std::size_t kEntryBytes = 512;

}  // namespace

std::shared_ptr<const api::PreparedResponse> ResponseCache::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = responses_.find(key);
  return found == responses_.end() ? nullptr : found->second;
}

void ResponseCache::put(const std::string& key,
                        std::shared_ptr<const api::PreparedResponse> response) {
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

SessionChoice choose_session(const spec::http::Request& request) {
  constexpr std::string_view kMark = "/_s/";
  SessionChoice choice;
  choice.path = spec::http::path_of(request.target);
  if (choice.path.starts_with(kMark)) {
    const std::size_t end = choice.path.find('/', kMark.size());
    choice.name = choice.path.substr(
        kMark.size(), end == std::string_view::npos ? std::string_view::npos : end - kMark.size());
    choice.prefix = choice.path.substr(0, kMark.size() + choice.name.size());
    choice.path.remove_prefix(choice.prefix.size());
    choice.readable = state::is_session_name(choice.name);
    if (choice.path.empty()) {
      choice.path = "/";
    }
    const auto given = request.headers.find("X-Counterpart-Session");
    choice.other = given && *given != choice.name ? *given : std::string_view{};
    return choice;
  }
  for (const std::string_view given : request.headers.all("X-Counterpart-Session")) {
    const bool is_other = !choice.name.empty() && given != choice.name;
    choice.readable = choice.readable && state::is_session_name(given) && !is_other;
    if (is_other) {
      choice.other = given;
    } else {
      choice.name = given;
    }
  }
  return choice;
}

}  // namespace mock_server::service::request
