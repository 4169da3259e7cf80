#include "contract_tests/run/undo.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::run {

namespace {

constexpr std::size_t kMaxPath = 80;  // bytes that are shown of one

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

void UndoLog::leave(const Left& value, const display::Secrets& secrets) {
  const auto shown = [&secrets](const std::string& text) {
    return spec::text::without_controls(secrets.redacted(text));
  };
  Left left{shown(value.place), shown(value.now), shown(value.was), value.curl};
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(left_, left.place, &Left::place);
  if (known == left_.end()) {
    left_.push_back(std::move(left));
  } else {
    known->now = std::move(left.now);
  }
}

void UndoLog::last(const std::string& operation_name, const std::string& path, int status) {
  const std::lock_guard lock(mutex_);
  auto& lasting = lasting_[operation_name];
  ++lasting.requests;
  lasting.statuses.insert(status);
  lasting.paths.insert(spec::text::shortened(path, kMaxPath));
}

std::vector<LeftBehind> UndoLog::left() const {
  constexpr std::size_t kMaxPaths = 10;
  const std::lock_guard lock(mutex_);
  std::vector<LeftBehind> lines;
  for (const auto& left : left_) {
    if (left.now.empty()) {
      lines.push_back({left.place, left.curl});
    } else if (left.now != left.was) {
      lines.push_back({left.place + " is now " + left.now + " and was " + left.was, left.curl});
    }
  }
  for (const auto& [operation, lasting] : lasting_) {
    std::string statuses;
    for (const int status : lasting.statuses) {
      spec::text::append_to_list(statuses, status == 0 ? "no response" : std::to_string(status));
    }
    const bool one = lasting.requests == 1;
    lines.push_back({operation + ": " + std::to_string(lasting.requests) +
                         (one ? " request was" : " requests were") + " not rejected (" + statuses +
                         "), and what " + (one ? "it" : "they") + " changed was not undone: " +
                         spec::text::names_listed(
                             std::vector(lasting.paths.begin(), lasting.paths.end()), kMaxPaths),
                     ""});
  }
  return lines;
}

Creation& UndoLog::creation(const std::string& place) {
  const std::lock_guard lock(mutex_);
  return creations_[place];
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

void UndoLog::give_up(const std::string& operation, std::string why) {
  const std::lock_guard lock(mutex_);
  given_up_.emplace(operation, std::move(why));
}

std::string UndoLog::why_given_up(const std::string& operation) const {
  const std::lock_guard lock(mutex_);
  const auto found = given_up_.find(operation);
  return found == given_up_.end() ? "" : found->second;
}

void UndoLog::doubt(std::string what) {
  const std::lock_guard lock(mutex_);
  doubts_.insert(std::move(what));
}

std::vector<std::string> UndoLog::doubts() const {
  const std::lock_guard lock(mutex_);
  return {doubts_.begin(), doubts_.end()};
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
      left.push_back(
          {place + ' ' + spec::json::pointer_of({name}), shown(now, name), shown(was, name), ""});
    }
  }
  return left;
}

}  // namespace contract_tests::run
