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

bool UndoLog::note(Undoable change) {
  const auto key = *noted.insert(change.key).first;
  return pending.emplace(key, std::move(change)).second;
}

void UndoLog::leave(const Left& value, const display::Secrets& secrets) {
  const auto shown = [&secrets](const std::string& text) {
    return spec::text::without_controls(secrets.redacted(text));
  };
  Left left{shown(value.place), shown(value.now), shown(value.was), value.curl};
  const auto known = std::ranges::find(values, left.place, &Left::place);
  if (known == values.end()) {
    values.push_back(std::move(left));
  } else {
    known->now = std::move(left.now);
  }
}

void UndoLog::leave(const std::string& place, const nlohmann::json& was, const nlohmann::json& now,
                    const std::string& curl, const display::Secrets& secrets) {
  auto all = was;
  all.update(now);
  for (const auto& [name, value] : all.items()) {
    const bool same =
        was.contains(name) && now.contains(name) && spec::json::equal(was.at(name), now.at(name));
    if (!same) {
      leave(
          {place + ' ' + spec::json::pointer_of({name}), shown(now, name), shown(was, name), curl},
          secrets);
    }
  }
}

void UndoLog::last(const std::string& operation_name, const std::string& path, int status) {
  const std::lock_guard lock(lasting_mutex);
  auto& requests = lasting[operation_name];
  ++requests.requests;
  requests.statuses.insert(status);
  requests.paths.insert(spec::text::shortened(path, kMaxPath));
}

std::vector<LeftBehind> UndoLog::left() const {
  constexpr std::size_t kMaxPaths = 10;
  std::vector<LeftBehind> lines;
  for (const auto& left : values) {
    if (left.now.empty()) {
      lines.push_back({left.place, left.curl});
    } else if (left.now != left.was) {
      lines.push_back({left.place + " is now " + left.now + " and was " + left.was, left.curl});
    }
  }
  for (const auto& [operation, those] : lasting) {
    std::string statuses;
    for (const int status : those.statuses) {
      spec::text::append_to_list(statuses, status == 0 ? "no response" : std::to_string(status));
    }
    const bool one = those.requests == 1;
    lines.push_back({operation + ": " + std::to_string(those.requests) +
                         (one ? " request was" : " requests were") + " not rejected (" + statuses +
                         "), and what " + (one ? "it" : "they") + " changed was not undone: " +
                         spec::text::names_listed(
                             std::vector(those.paths.begin(), those.paths.end()), kMaxPaths),
                     ""});
  }
  return lines;
}

void UndoLog::give_up(const spec::contract::Operation& operation, const std::string& path,
                      const std::string& member) {
  given_up.emplace(operation.id, operation.name + " did not restore " + path + ", of which " +
                                     member + " was changed, so it is not used any more");
}

}  // namespace contract_tests::run
