#pragma once

// The grammar of chunk extensions (RFC 9112 §7.1.1) as a machine that takes one byte at a time.
// Both parsers use it.

#include "spec/http/bytes.hpp"

#include <cstdint>

namespace spec::http {

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
  kBroken
};

// The state after `byte`; kBroken is final. Blanks are accepted before a further part, as the RFC
// asks of a recipient.
ExtensionState next_extension_state(ExtensionState state, char byte);

// True where the line may end.
bool may_end_extension(ExtensionState state);

}  // namespace spec::http
