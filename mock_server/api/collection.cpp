#include "mock_server/api/collection.hpp"

#include "spec/json/pointer.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::api {

std::string parent_part(std::string_view parent) {
  std::string part;
  spec::json::append_token(part, parent);
  part.erase(0, 1);
  part += '/';
  return part;
}

ScopedKey split_key(std::string_view key, std::size_t parents) {
  ScopedKey split;
  for (auto end = key.find('/'); split.parents.size() < parents && end != std::string_view::npos;
       end = key.find('/')) {
    const auto tokens = spec::json::split_pointer('/' + std::string(key.substr(0, end)));
    split.parents.push_back(tokens ? tokens->front() : std::string{});
    key.remove_prefix(end + 1);
  }
  split.own = key;
  return split;
}

std::optional<std::size_t> Collection::index_of(std::string_view key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? std::nullopt : std::optional(found->second);
}

void Collection::set_default(Default one) {
  std::erase_if(defaults_, [&one](const Default& other) { return other.member == one.member; });
  defaults_.push_back(std::move(one));
}

void Collection::put(Record record) {
  if (const auto index = index_of(record.key)) {
    records_[*index] = std::move(record);
    return;
  }
  by_key_.emplace(record.key, records_.size());
  records_.push_back(std::move(record));
}

void seed_some(const Collections& collections) {
  std::size_t left = 64;  // records: half a second of the largest contracts
  for (const auto& [name, collection] : collections) {
    if (!collection.is_seeded() && left > 0) {
      left -= std::min(left, collection.size());
      collection.records();
    }
  }
}

}  // namespace mock_server::api
