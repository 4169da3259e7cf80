#include "spec/schema/constants.hpp"

#include "spec/json/value.hpp"
#include "spec/schema/program.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace spec::schema {
namespace {

using Json = nlohmann::json;

// A fast path for strings, which most constants are.
std::size_t hash_of(const Json& value) {
  const auto* text = value.get_ptr<const std::string*>();
  return text != nullptr ? std::hash<std::string>{}(*text) : json::hash(value);
}

bool same(const Json& left, const Json& right) {
  const auto* text = left.get_ptr<const std::string*>();
  if (text == nullptr) {
    return json::equal(left, right);
  }
  const auto* other = right.get_ptr<const std::string*>();
  return other != nullptr && *text == *other;
}

}  // namespace

ConstantSet::ConstantSet(std::vector<Json> values) : values_(std::move(values)) {
  constexpr std::size_t kFewTexts = 12;
  const bool are_texts =
      std::ranges::all_of(values_, [](const Json& value) { return value.is_string(); });
  if (are_texts && values_.size() <= kFewTexts) {
    for (const Json& value : values_) {
      texts_.push_back({prefix_of(value.get_ref<const std::string&>()), value});
    }
  }
  slots_.resize(std::bit_ceil(values_.size() * 2 + 1));
  for (std::size_t i = 0; i < values_.size(); ++i) {
    std::size_t slot = hash_of(values_[i]) & (slots_.size() - 1);
    while (slots_[slot] != 0) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

bool ConstantSet::has_text(const std::string& text) const {
  const std::uint64_t prefix = prefix_of(text);
  return std::ranges::any_of(texts_, [&](const Text& one) {
    return one.prefix == prefix && one.text.size() == text.size() &&
           (text.size() <= 8 || one.text == text);
  });
}

bool ConstantSet::contains(const Json& instance) const {
  if (!texts_.empty()) {
    const auto* text = instance.get_ptr<const std::string*>();
    return text != nullptr && has_text(*text);
  }
  if (values_.size() == 1) {
    return same(values_[0], instance);
  }
  return find(instance).has_value();
}

std::optional<std::size_t> ConstantSet::find(const Json& instance) const {
  std::size_t slot = hash_of(instance) & (slots_.size() - 1);
  while (slots_[slot] != 0) {
    if (same(values_[slots_[slot] - 1], instance)) {
      return slots_[slot] - 1;
    }
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return std::nullopt;
}

}  // namespace spec::schema
