#pragma once

// Writes bodies in chunks (RFC 9112 §7.1), for both programs; the parsers read chunks.

#include "spec/http/bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace spec::http {

// `bytes` as one chunk; "" for no bytes, because a chunk without bytes ends the body.
std::string chunk(std::string_view bytes);

inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

enum class ExtensionState : std::uint8_t {
  kBeforeSemicolon,
  kBeforeName,
  kName,
  kAfterName,
  kBeforeValue,
  kTokenValue,
  kQuotedValue,
  kQuotedPair,
  kAfterValue,
  kInvalid
};

// The state after `byte`; kInvalid is final. Blanks are accepted before a further part, as the RFC
// asks of a recipient.
ExtensionState next_extension_state(ExtensionState state, char byte);

// True if the line may end in this state.
bool may_end_extension(ExtensionState state);

}  // namespace spec::http
