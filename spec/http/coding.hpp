#pragma once

// Removes content codings from a body (RFC 9110 §8.4): gzip, deflate, br, identity, in any order,
// with limits against bodies that decompress to far more than was sent. The suite's client and the
// mock's transport call it. Pure function, safe from any thread.

#include "spec/result.hpp"
#include "spec/text/violation_message.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spec::http {

struct CodingLimits {
  std::size_t max_bytes = 64 * 1024 * 1024;  // of the result and of each step towards it
  std::size_t max_ratio = 0;                 // of the result to the sent bytes; 0: no bound
  // Results up to this size are accepted whatever their ratio: repetitive data compress a thousand
  // times.
  std::size_t ratio_from = 16 * 1024 * 1024;
  std::size_t max_codings = 4;
};

enum class CodingErrorKind : std::uint8_t {
  kUnknown,  // a coding that is not implemented here
  kInvalid,  // cut short, wrong checksum, bytes behind the end
  kTooLarge  // beyond a limit
};

struct CodingError {
  CodingErrorKind kind = CodingErrorKind::kInvalid;
  text::ViolationMessage message;  // "must be gzip, but ends early"
};

// The content of `body` when `codings` is the value of Content-Encoding ("gzip", "gzip, br"; "" and
// "identity" change nothing). A gzip stream may have several members (RFC 1952 §2.2); `deflate` is
// zlib's format, and the bare one that some senders mean by it.
// Source: RFC 9110 §8.4.1.
Result<std::string, CodingError> decode_content(std::string_view codings, std::string_view body,
                                                const CodingLimits& limits = {});

}  // namespace spec::http
