#include "spec/json/pointer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace spec::json {
namespace {

// Unescapes `escaped` into `out`; false for a "~" that is followed by neither 0 nor 1.
bool unescape(std::string_view escaped, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    if (escaped[at] != '~') {
      out += escaped[at];
      continue;
    }
    ++at;
    if (at == escaped.size() || (escaped[at] != '0' && escaped[at] != '1')) {
      return false;
    }
    out += escaped[at] == '0' ? '~' : '/';
  }
  return true;
}

// `Value` is const, or not.
template <typename Value>
Value* child(Value& parent, std::string_view token) {
  if (parent.is_object()) {
    const auto found = parent.find(token);
    return found == parent.end() ? nullptr : &*found;
  }
  if (parent.is_array()) {
    const auto index = array_index(token);
    return index && *index < parent.size() ? &parent[*index] : nullptr;
  }
  return nullptr;
}

template <typename Value>
Value* walk(Value& value, std::span<const std::string> tokens) {
  Value* at = &value;
  for (auto token = tokens.begin(); at != nullptr && token != tokens.end(); ++token) {
    at = child(*at, *token);
  }
  return at;
}

}  // namespace

void append_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  if (token.find('~') == token.npos && token.find('/') == token.npos) {
    pointer += token;
    return;
  }
  for (const char byte : token) {
    if (byte == '~') {
      pointer += "~0";
    } else if (byte == '/') {
      pointer += "~1";
    } else {
      pointer += byte;
    }
  }
}

void append_token(std::string& pointer, std::size_t index) {
  pointer += '/';
  pointer += std::to_string(index);
}

std::optional<std::size_t> array_index(std::string_view token) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool whole = error == std::errc{} && end == token.data() + token.size();
  return whole && (token.size() == 1 || token[0] != '0') ? std::optional(index) : std::nullopt;
}

std::string pointer_of(const std::vector<std::string>& tokens) {
  std::string pointer;
  for (const std::string& token : tokens) {
    append_token(pointer, token);
  }
  return pointer;
}

std::optional<std::vector<std::string>> split_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (!pointer.empty() && pointer[0] != '/') {
    return std::nullopt;
  }
  while (!pointer.empty()) {
    const std::size_t end = pointer.find('/', 1);
    std::string token;
    if (!unescape(pointer.substr(1, end == pointer.npos ? end : end - 1), token)) {
      return std::nullopt;
    }
    tokens.push_back(std::move(token));
    pointer.remove_prefix(end == pointer.npos ? pointer.size() : end);
  }
  return tokens;
}

const nlohmann::json* find(const nlohmann::json& value, std::string_view pointer) {
  const nlohmann::json* at = pointer.empty() || pointer[0] == '/' ? &value : nullptr;
  std::string unescaped;
  while (at != nullptr && !pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    std::string_view token = pointer.substr(1, end - 1);
    if (token.find('~') != token.npos) {
      if (!unescape(token, unescaped)) {
        return nullptr;
      }
      token = unescaped;
    }
    at = child(*at, token);
    pointer.remove_prefix(end);
  }
  return at;
}

nlohmann::json* find(nlohmann::json& value, std::string_view pointer) {
  return const_cast<nlohmann::json*>(find(std::as_const(value), pointer));  // the caller's own
}

const nlohmann::json* find(const nlohmann::json& value, std::span<const std::string> tokens) {
  return walk(value, tokens);
}

nlohmann::json* find(nlohmann::json& value, std::span<const std::string> tokens) {
  return walk(value, tokens);
}

void erase_member(nlohmann::json& value, std::string_view pointer) {
  const auto tokens = split_pointer(pointer);
  if (!tokens || tokens->empty()) {
    return;
  }
  nlohmann::json* const parent = walk(value, std::span(*tokens).first(tokens->size() - 1));
  if (parent != nullptr && parent->is_object()) {
    parent->erase(tokens->back());
  }
}

std::string_view text_at(const nlohmann::json& value, std::string_view pointer) {
  const nlohmann::json* const found = find(value, pointer);
  return found != nullptr && found->is_string()
             ? std::string_view(found->get_ref<const std::string&>())
             : std::string_view();
}

}  // namespace spec::json
