#include "spec/json/patch.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::json {
namespace {

using PatchedJson = nlohmann::json;
using Tokens = std::span<const std::string>;

constexpr std::size_t kMaxSize = std::size_t{4} * 1024 * 1024;

// The size of a value: one byte for each value, and its texts.
std::size_t size_of(const PatchedJson& value) {
  std::size_t size = 1;
  if (value.is_string()) {
    size += value.get_ref<const std::string&>().size();
  }
  for (auto inner = value.begin(); value.is_structured() && inner != value.end(); ++inner) {
    size += size_of(*inner) + (value.is_object() ? inner.key().size() : 0);
  }
  return size;
}

class Patcher {
 public:
  explicit Patcher(PatchedJson target) : target_(std::move(target)), size_(size_of(target_)) {}

  // False if the operation cannot be done.
  bool apply(const PatchedJson& operation, std::size_t number) {
    place_ = '/' + std::to_string(number);
    const auto path = tokens_at(operation, "path");
    if (!path) {
      return false;
    }
    const auto name = text_at(operation, "/op");
    if (name == "remove") {
      return remove(*path, "/path");
    }
    if (name == "move" || name == "copy") {
      const auto from = tokens_at(operation, "from");
      return from && transfer(*from, *path, name == "move");
    }
    if (name != "add" && name != "replace" && name != "test") {
      return fail("/op", "must be add, remove, replace, move, copy or test");
    }
    const auto value = operation.find("value");
    if (value == operation.end()) {
      return fail("/value", "must be given, because op is " + std::string(name));
    }
    return name == "add"       ? add(*path, *value)
           : name == "replace" ? replace(*path, *value)
                               : test(*path, *value);
  }

  PatchedJson take() { return std::move(target_); }

  PatchError error() { return std::move(error_); }

 private:
  bool fail(std::string_view member, std::string message, bool is_of_target = false) {
    error_ = {is_of_target, place_ + std::string(member), std::move(message)};
    return false;
  }

  bool fail_at(std::string_view member, Tokens tokens) {
    return fail(member,
                "must be the place of a value, but there is none at " +
                    text::shortened(pointer_of({tokens.begin(), tokens.end()}), 200),
                true);
  }

  std::optional<std::vector<std::string>> tokens_at(const PatchedJson& operation,
                                                    const std::string& member) {
    const auto found = operation.is_object() ? operation.find(member) : operation.end();
    if (found == operation.end() || !found->is_string()) {
      fail('/' + member, "must be given, as a JSON pointer");
      return std::nullopt;
    }
    auto tokens = split_pointer(found->get_ref<const std::string&>());
    if (!tokens) {
      fail('/' + member, "must be a JSON pointer (RFC 6901), but is " +
                             text::in_quotes(text_at(*found, ""), 200));
    }
    return tokens;
  }

  // True if there is room for the value at that depth.
  bool takes(std::size_t levels, const PatchedJson& value) {
    size_ += size_of(value);
    return (levels + depth_of(value) <= ReadOptions{}.max_depth && size_ <= kMaxSize) ||
           fail("", "must not make a value of more than 128 levels or 4 MiB");
  }

  bool add(Tokens path, PatchedJson value) {
    if (!takes(path.size(), value)) {
      return false;
    }
    if (path.empty()) {
      target_ = std::move(value);
      return true;
    }
    PatchedJson* const parent = find(target_, path.first(path.size() - 1));
    if (parent == nullptr || !parent->is_structured()) {
      return fail_at("/path", path.first(path.size() - 1));
    }
    if (parent->is_object()) {
      (*parent)[path.back()] = std::move(value);
      return true;
    }
    const auto index = path.back() == "-" ? parent->size() : array_index(path.back());
    if (!index || *index > parent->size()) {
      return fail_at("/path", path);
    }
    parent->insert(parent->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return true;
  }

  bool remove(Tokens path, std::string_view member) {
    if (find(target_, path) == nullptr) {
      return fail_at(member, path);
    }
    if (path.empty()) {
      target_ = nullptr;
      return true;
    }
    PatchedJson& parent = *find(target_, path.first(path.size() - 1));
    if (parent.is_object()) {
      parent.erase(path.back());
    } else {
      parent.erase(*array_index(path.back()));
    }
    return true;
  }

  bool replace(Tokens path, const PatchedJson& value) {
    PatchedJson* const at = find(target_, path);
    if (at == nullptr) {
      return fail_at("/path", path);
    }
    if (!takes(path.size(), value)) {
      return false;
    }
    *at = value;
    return true;
  }

  bool transfer(Tokens from, Tokens path, bool is_move) {
    const PatchedJson* const value = find(target_, from);
    if (value == nullptr) {
      return fail_at("/from", from);
    }
    const bool is_below =
        path.size() > from.size() && std::ranges::equal(path.first(from.size()), from);
    if (is_move && is_below) {
      return fail("/path", "must not be below from (RFC 6902 §4.4)");
    }
    PatchedJson copy = *value;
    return (!is_move || remove(from, "/from")) && add(path, std::move(copy));
  }

  bool test(Tokens path, const PatchedJson& value) {
    const PatchedJson* const at = find(target_, path);
    if (at == nullptr) {
      return fail_at("/path", path);
    }
    return equal(*at, value) ||
           fail("/value",
                "must be equal to what is there, which is " + text::shortened(write(*at), 200),
                true);
  }

  PatchedJson target_;
  std::size_t size_;  // of the target, at most: removed values count, too
  std::string place_;
  PatchError error_;
};

}  // namespace

Result<nlohmann::json, PatchError> apply_patch(nlohmann::json target, const nlohmann::json& patch) {
  if (!patch.is_array()) {
    return Unexpected{PatchError{false, "", "must be a list of operations (RFC 6902 §3)"}};
  }
  Patcher patcher(std::move(target));
  for (std::size_t number = 0; number < patch.size(); ++number) {
    if (!patcher.apply(patch[number], number)) {
      return Unexpected{patcher.error()};
    }
  }
  return patcher.take();
}

}  // namespace spec::json
