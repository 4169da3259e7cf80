#include "contract_tests/run/undo.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::run {

namespace {

std::string shown(const nlohmann::json& record, const std::string& name) {
  const auto found = record.find(name);
  return found == record.end() ? "missing" : checks::shown(*found);
}

}  // namespace

bool UndoLog::note(const std::string& key, PendingUndo undo) {
  const std::lock_guard lock(mutex_);
  noted_.insert(key);
  return pending_.emplace(key, std::move(undo)).second;
}

std::size_t UndoLog::done(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = pending_.find(key);
  if (found == pending_.end()) {
    return 0;
  }
  const auto requests = found->second.requests();
  pending_.erase(found);
  return requests;
}

bool UndoLog::is_pending(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return pending_.contains(key);
}

std::vector<PendingUndo> UndoLog::take() {
  const std::lock_guard lock(mutex_);
  std::vector<PendingUndo> all;
  for (auto& [key, undo] : std::exchange(pending_, {})) {
    all.push_back(std::move(undo));
  }
  return all;
}

void UndoLog::leave(Left left) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(left_, left.place, &Left::place);
  if (known == left_.end()) {
    left_.push_back(std::move(left));
  } else {
    known->now = std::move(left.now);
  }
}

std::vector<std::string> UndoLog::left() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  for (const auto& left : left_) {
    if (left.now.empty()) {
      lines.push_back(left.place);
    } else if (left.now != left.was) {
      lines.push_back(left.place + " is now " + left.now + " and was " + left.was);
    }
  }
  return lines;
}

std::size_t UndoLog::records() const {
  const std::lock_guard lock(mutex_);
  return noted_.size();
}

bool UndoLog::is_proven(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return proven_.contains(key);
}

void UndoLog::prove(const std::string& key) {
  const std::lock_guard lock(mutex_);
  proven_.insert(key);
}

std::vector<Left> differences(const std::string& place, const nlohmann::json& was,
                              const nlohmann::json& now) {
  auto all = was;
  all.update(now);
  std::vector<Left> left;
  for (const auto& [name, value] : all.items()) {
    const bool same =
        was.contains(name) && now.contains(name) && spec::json::equal(was.at(name), now.at(name));
    if (!same) {
      std::string member;
      spec::json::append_token(member, name);
      left.push_back({place + ' ' + member, shown(now, name), shown(was, name)});
    }
  }
  return left;
}

}  // namespace contract_tests::run
