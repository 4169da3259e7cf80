#include "spec/http/request_framing.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"

#include <optional>

namespace spec::http {

namespace {

// The lines that framing depends on, and how often each came.
struct FramingFields {
  std::optional<std::string_view> host;
  std::optional<std::string_view> length;
  std::optional<std::string_view> coding;
  std::optional<std::string_view> expectation;
  bool close = false;
  bool keep_alive = false;
  const char* repeated = nullptr;  // why a field that came twice may not
};

void note_once(std::optional<std::string_view>& place, std::string_view value, FramingFields& found,
               const char* violation) {
  if (place) {
    found.repeated = violation;
  }
  place = value;
}

void note_connection(std::string_view value, FramingFields& found) {
  for_each_element(value, [&](std::string_view option) {
    found.close = found.close || text::equals_ignoring_case(option, "close");
    found.keep_alive = found.keep_alive || text::equals_ignoring_case(option, "keep-alive");
  });
}

// Lengths tell most names apart, so that few lines are compared at all.
void note_line(std::string_view name, std::string_view value, FramingFields& found) {
  switch (name.size()) {
    case 4:
      if (text::equals_ignoring_case(name, "host")) {
        note_once(found.host, value, found, "Host is given more than once");
      }
      break;
    case 6:
      if (text::equals_ignoring_case(name, "expect")) {
        note_once(found.expectation, value, found, "Expect is given more than once");
      }
      break;
    case 10:
      if (text::equals_ignoring_case(name, "connection")) {
        note_connection(value, found);
      }
      break;
    case 14:
      if (text::equals_ignoring_case(name, "content-length")) {
        note_once(found.length, value, found, "Content-Length is given more than once");
      }
      break;
    case 17:
      if (text::equals_ignoring_case(name, "transfer-encoding")) {
        note_once(found.coding, value, found, "Transfer-Encoding is given more than once");
      }
      break;
    default: break;
  }
}

// Only "chunked" alone is supported. A list that ends in "chunked" is a coding that could be, but
// is not, implemented; anything else leaves the length of the content unknown. Source: RFC 9112
// §6.1, §6.3.
Rejection reject_coding(std::string_view value) {
  int chunked = 0;
  bool chunked_is_last = false;
  bool well_formed = true;
  for_each_element(value, [&](std::string_view coding) {
    chunked_is_last = text::equals_ignoring_case(coding, "chunked");
    chunked += chunked_is_last ? 1 : 0;
    well_formed = well_formed && is_token(coding);
  });
  if (well_formed && chunked == 1 && chunked_is_last && value.find(',') != value.npos &&
      trimmed(value).front() != ',' && trimmed(value).back() != ',') {
    return {501, "NOT_IMPLEMENTED", "only the transfer coding chunked is supported"};
  }
  if (well_formed && chunked == 0 && is_token(value) &&
      !text::equals_ignoring_case(value, "identity")) {
    return {501, "NOT_IMPLEMENTED", "unknown transfer coding; only chunked is supported"};
  }
  return bad("Transfer-Encoding must be chunked and nothing else");
}

bool read_length(std::string_view value, const RequestLimits& limits, std::size_t& length,
                 Rejection& rejection) {
  if (value.empty() || !is_all(value, kDigitByte)) {
    rejection = bad("Content-Length must be one decimal number");
    return false;
  }
  // Leading zeros are read as octal by some: a length that two readers may differ about is
  // rejected.
  if (value.size() > 1 && value.front() == '0') {
    rejection = bad("Content-Length must have no leading zeros");
    return false;
  }
  if (value.size() > kMaxDecimalDigits) {
    rejection = bad("Content-Length is too large");
    return false;
  }
  for (const char digit : value) {
    length = length * 10 + hex_digit_value(digit);
  }
  if (length > limits.body_bytes) {
    rejection = {413, "PAYLOAD_TOO_LARGE", "the content is longer than this server accepts"};
    return false;
  }
  return true;
}

bool read_content_framing(const FramingFields& found, bool is_http_1_0, const RequestLimits& limits,
                          RequestFraming& framing, Rejection& rejection) {
  if (found.coding) {
    if (found.length) {
      rejection = bad("Content-Length and Transfer-Encoding must not come together");
      return false;
    }
    if (is_http_1_0) {
      rejection = bad("HTTP/1.0 has no Transfer-Encoding");
      return false;
    }
    if (!text::equals_ignoring_case(*found.coding, "chunked")) {
      rejection = reject_coding(*found.coding);
      return false;
    }
    framing.chunked = true;
    return true;
  }
  return !found.length || read_length(*found.length, limits, framing.length, rejection);
}

}  // namespace

bool has_sound_triplets(std::string_view text) {
  for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
    const std::string_view digits = text.substr(at + 1, 2);
    if (digits.size() < 2 || !is_all(digits, kHexByte) || digits == "00") {
      return false;
    }
  }
  return true;
}

bool is_host(std::string_view text) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos || end < 3) {
      return false;
    }
    const std::string_view address = text.substr(1, end - 1);
    port = text.substr(end + 1);
    if (address.find_first_of("[]") != address.npos || !is_all(address, kHostByte)) {
      return false;
    }
  } else {
    const std::size_t end = text.find(':');
    const std::string_view name = text.substr(0, end);
    port = end == text.npos ? std::string_view() : text.substr(end);
    if (name.empty() || !is_all(name, kHostByte) || name.find('[') != name.npos ||
        name.find(']') != name.npos || !has_sound_triplets(name)) {
      return false;
    }
  }
  return port.empty() || (port.front() == ':' && is_all(port.substr(1), kDigitByte));
}

bool is_authority(std::string_view text) {
  return is_host(text) && text.find(':') != text.npos && is_byte(text.back(), kDigitByte);
}

bool is_framing_field(std::string_view name) {
  return text::equals_ignoring_case(name, "content-length") ||
         text::equals_ignoring_case(name, "transfer-encoding") ||
         text::equals_ignoring_case(name, "host");
}

bool read_framing(const Headers& headers, bool is_http_1_0, const RequestLimits& limits,
                  RequestFraming& framing, Rejection& rejection) {
  FramingFields found;
  for (const auto& [name, value] : headers.lines()) {
    note_line(name, value, found);
  }
  if (found.repeated != nullptr) {
    rejection = bad(found.repeated);
    return false;
  }
  if (!found.host && !is_http_1_0) {
    rejection = bad("Host is missing");
    return false;
  }
  if (found.host && !is_host(*found.host)) {
    rejection = bad("Host must be a host and, optionally, a port");
    return false;
  }
  if (!read_content_framing(found, is_http_1_0, limits, framing, rejection)) {
    return false;
  }
  framing.keep_alive = !found.close && (!is_http_1_0 || found.keep_alive);
  if (found.expectation && !is_http_1_0) {
    if (!text::equals_ignoring_case(*found.expectation, "100-continue")) {
      rejection = {417, "EXPECTATION_FAILED", "only the expectation 100-continue is supported"};
      return false;
    }
    framing.expects_continue = framing.chunked || framing.length > 0;
  }
  return true;
}

}  // namespace spec::http
