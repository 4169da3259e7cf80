#pragma once

// Strict JSON text (RFC 8259) to values. Rejects what nlohmann_json accepts: duplicate keys,
// trailing bytes, NUL, invalid UTF-8, unbounded depth. For instances (bodies, fixtures' values);
// contract documents are read by spec/document, which uses the same tokenizer (events.hpp).
// Pure functions, safe from any thread.
//
// Decisions that RFC 8259 leaves open: numbers of any size and precision are taken exactly, but an
// exponent of more than 18 digits is rejected (§6); so are an escaped surrogate that is half of a
// pair (§8.2), since the text could be neither kept nor sent on, a byte order mark and any encoding
// but UTF-8 (§8.1), the second member of a name (§4), and nesting beyond max_depth (§9).

#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace spec::json {

// The reason why a text is not JSON. `byte_offset` counts from 0 to the first byte that cannot be
// there; `message` is valid UTF-8 of at most 200 bytes.
struct ReadError {
  std::size_t byte_offset = 0;
  std::string message;
  bool is_lone_surrogate = false;  // an escape that is half of a pair (RFC 8259 §8.2)
};

struct ReadOptions {
  // Nested arrays and objects beyond this are an error, never a crash.
  std::size_t max_depth = 128;
};

// The value that `text` spells. Numbers keep their exact value (number.hpp). A byte order mark is
// rejected (RFC 8259 §8.1). Source: RFC 8259.
Result<nlohmann::json, ReadError> read(std::string_view text, const ReadOptions& options = {});

}  // namespace spec::json
