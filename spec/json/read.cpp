#include "spec/json/read.hpp"

#include "spec/json/events.hpp"
#include "spec/json/number.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <utility>
#include <vector>

namespace spec::json {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxShownCharacters = 20;  // keeps messages below 200 bytes

// Builds the value; keeps the parents of the place that is being filled. Pointers into parents stay
// valid because a container grows only while none of its children is open.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann_json frees values without throwing.
class Builder {
 public:
  void null(std::size_t /*offset*/) { put(nullptr); }

  void boolean(bool value, std::size_t /*offset*/) { put(value); }

  void number(std::string_view text, std::size_t /*offset*/) { put(make_number(text)); }

  void string(std::string_view value, std::size_t /*offset*/) { put(value); }

  bool key(std::string_view name, std::size_t offset) {
    auto& members = *open_.back()->get_ptr<Json::object_t*>();
    // Keys often come sorted, our own always: then the hint is right and costs one comparison.
    const std::size_t before = members.size();
    member_ = &members.emplace_hint(members.end(), name, nullptr)->second;
    if (members.size() == before) {
      duplicate_ = offset;
      return false;
    }
    return true;
  }

  void begin_array(std::size_t /*offset*/) { open_.push_back(put(Json::array_t())); }

  void begin_object(std::size_t /*offset*/) { open_.push_back(put(Json::object_t())); }

  void end_array() { open_.pop_back(); }

  void end_object() { open_.pop_back(); }

  Json take() { return std::move(root_); }

  // The offset of the key that stopped the reading.
  const std::optional<std::size_t>& duplicate() const { return duplicate_; }

 private:
  template <typename T>
  Json* put(T&& value) {
    if (open_.empty()) {
      root_ = std::forward<T>(value);
      return &root_;
    }
    if (auto* elements = open_.back()->get_ptr<Json::array_t*>()) {
      return &elements->emplace_back(std::forward<T>(value));
    }
    *member_ = std::forward<T>(value);
    return member_;
  }

  Json root_;
  std::vector<Json*> open_;
  Json* member_ = nullptr;  // the place for the value of the last key
  std::optional<std::size_t> duplicate_;
};

// Finds the first occurrence of the key at `duplicate`. A second pass, so that reading keeps no
// offsets for texts without duplicates.
class FirstOccurrence : public IgnoreEvents {
 public:
  explicit FirstOccurrence(std::size_t duplicate) : duplicate_(duplicate) {}

  bool key(std::string_view name, std::size_t offset) {
    const auto [place, inserted] = open_.back().try_emplace(std::string(name), offset);
    if (offset == duplicate_) {
      first_ = place->second;
      name_ = name;
    }
    return inserted;
  }

  void begin_object(std::size_t /*offset*/) { open_.emplace_back(); }

  void end_object() { open_.pop_back(); }

  std::size_t first() const { return first_; }

  const std::string& name() const { return name_; }

 private:
  std::size_t duplicate_;
  std::size_t first_ = 0;
  std::string name_;
  std::vector<std::map<std::string, std::size_t>> open_;
};

ReadError duplicate_error(std::string_view text, const ReadOptions& options,
                          std::size_t duplicate) {
  FirstOccurrence search(duplicate);
  const auto unreachable = read_events(text, options.max_depth, search);
  static_cast<void>(unreachable);
  return {.byte_offset = duplicate,
          .message = "duplicate member " + text::in_quotes(search.name(), kMaxShownCharacters) +
                     " (first at byte " + std::to_string(search.first()) + ")"};
}

}  // namespace

Result<nlohmann::json, ReadError> read(std::string_view text, const ReadOptions& options) {
  Builder builder;
  if (auto error = read_events(text, options.max_depth, builder)) {
    return Unexpected{std::move(*error)};
  }
  if (builder.duplicate()) {
    return Unexpected{duplicate_error(text, options, *builder.duplicate())};
  }
  return builder.take();
}

}  // namespace spec::json
