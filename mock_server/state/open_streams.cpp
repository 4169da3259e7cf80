#include "mock_server/state/open_streams.hpp"

#include <utility>

namespace mock_server::state {

template <typename Visit>
std::size_t OpenStreams::visit(std::string_view session, std::string_view operation,
                               Visit visit_one) {
  std::size_t count = 0;
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) {
    const bool is_meant = entry.description.session == session &&
                          (operation.empty() || entry.description.operation == operation);
    count += is_meant && !entry.is_ended && visit_one(entry) ? 1 : 0;
  }
  return count;
}

std::vector<StreamDescription> OpenStreams::list(std::string_view session,
                                                 std::string_view operation) {
  std::vector<StreamDescription> all;
  visit(session, operation, [&all](const Entry& entry) {
    all.push_back(entry.description);
    return true;
  });
  return all;
}

std::size_t OpenStreams::push(const StreamDescription& into, std::string bytes) {
  const auto shared = std::make_shared<const std::string>(std::move(bytes));
  return visit(into.session, into.operation, [&](Entry& entry) {
    const bool has_room =
        entry.description.media_type == into.media_type && entry.waiting_bytes < kMaxWaitingBytes;
    if (has_room) {
      entry.pushed.push_back(shared);
      entry.waiting_bytes += shared->size();
    }
    return has_room;
  });
}

std::size_t OpenStreams::end(std::string_view session, std::string_view operation) {
  return visit(session, operation, [](Entry& entry) { return entry.is_ended = true; });
}

OpenStream::OpenStream(OpenStreams& streams, StreamDescription description) : streams_(streams) {
  const std::lock_guard lock(streams_.mutex_);
  entry_ = streams_.entries_.insert(streams_.entries_.end(), {std::move(description)});
}

OpenStream::~OpenStream() {
  const std::lock_guard lock(streams_.mutex_);
  streams_.entries_.erase(entry_);
}

OpenStream::State OpenStream::take(std::string& bytes, std::size_t max_bytes) {
  const std::lock_guard lock(streams_.mutex_);
  while (!entry_->pushed.empty() && bytes.size() < max_bytes) {
    bytes += *entry_->pushed.front();
    entry_->waiting_bytes -= entry_->pushed.front()->size();
    entry_->pushed.pop_front();
  }
  if (!entry_->pushed.empty()) {
    return State::kHasMore;
  }
  return entry_->is_ended ? State::kEnded : State::kEmpty;
}

}  // namespace mock_server::state
