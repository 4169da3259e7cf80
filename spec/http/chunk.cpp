#include "spec/http/chunk.hpp"

#include <array>
#include <charconv>

namespace spec::http {

std::string chunk(std::string_view bytes) {
  if (bytes.empty()) {
    return {};
  }
  constexpr std::string_view kLineEnd = "\r\n";
  std::array<char, 16> size{};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  std::string text;
  text.reserve(size.size() + bytes.size() + 2 * kLineEnd.size());
  text.assign(size.data(), end);
  return text.append(kLineEnd).append(bytes).append(kLineEnd);
}

namespace {

ExtensionState after_part(char byte, ExtensionState while_blank) {
  if (byte == ';') {
    return ExtensionState::kBeforeName;
  }
  return is_blank(byte) ? while_blank : ExtensionState::kInvalid;
}

ExtensionState at_name(ExtensionState state, char byte) {
  if (is_byte(byte, kTokenByte)) {
    return state == ExtensionState::kAfterName ? ExtensionState::kInvalid : ExtensionState::kName;
  }
  if (state == ExtensionState::kBeforeName) {
    return is_blank(byte) ? state : ExtensionState::kInvalid;
  }
  return byte == '=' ? ExtensionState::kBeforeValue : after_part(byte, ExtensionState::kAfterName);
}

ExtensionState at_value(ExtensionState state, char byte) {
  if (is_byte(byte, kTokenByte)) {
    return ExtensionState::kTokenValue;
  }
  if (state == ExtensionState::kTokenValue) {
    return after_part(byte, ExtensionState::kAfterValue);
  }
  if (byte == '"') {
    return ExtensionState::kQuotedValue;
  }
  return is_blank(byte) ? state : ExtensionState::kInvalid;
}

}  // namespace

ExtensionState next_extension_state(ExtensionState state, char byte) {
  switch (state) {
    case ExtensionState::kBeforeSemicolon:
    case ExtensionState::kAfterValue: return after_part(byte, state);
    case ExtensionState::kBeforeName:
    case ExtensionState::kName:
    case ExtensionState::kAfterName: return at_name(state, byte);
    case ExtensionState::kBeforeValue:
    case ExtensionState::kTokenValue: return at_value(state, byte);
    case ExtensionState::kQuotedValue:
      if (byte == '"') {
        return ExtensionState::kAfterValue;
      }
      if (byte == '\\') {
        return ExtensionState::kQuotedPair;
      }
      return is_byte(byte, kValueByte) ? state : ExtensionState::kInvalid;
    case ExtensionState::kQuotedPair:
      return is_byte(byte, kValueByte) ? ExtensionState::kQuotedValue : ExtensionState::kInvalid;
    case ExtensionState::kInvalid: break;
  }
  return ExtensionState::kInvalid;
}

bool may_end_extension(ExtensionState state) {
  return state == ExtensionState::kName || state == ExtensionState::kTokenValue ||
         state == ExtensionState::kAfterValue;
}

}  // namespace spec::http
