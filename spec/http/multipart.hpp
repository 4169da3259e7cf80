#pragma once

// The parts of a multipart body (RFC 2046 §5.1.1, RFC 7578). Views into the body that was given:
// nothing is copied and nothing is written to disk. Pure functions, safe from any thread.

#include "spec/http/message.hpp"
#include "spec/result.hpp"
#include "spec/text/violation_message.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::http {

struct MultipartPart {
  Headers headers;
  std::string name;                     // of Content-Disposition, unquoted
  std::optional<std::string> filename;  // as sent; never to be used as a path
  std::string_view content;
};

struct MultipartError {
  std::size_t byte_offset = 0;
  text::ViolationMessage message;  // "must end with its closing boundary, but does not"
};

// Every part in order. A form-data part without a name, a part header that breaks the grammar and a
// missing closing boundary are errors; what is before the first and behind the last boundary is
// passed over, as RFC 2046 asks.
Result<std::vector<MultipartPart>, MultipartError> read_multipart(std::string_view body,
                                                                  std::string_view boundary);

}  // namespace spec::http
