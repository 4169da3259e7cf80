#include "spec/http/response_lines.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/chunk.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <array>

namespace spec::http {

namespace {

constexpr std::string_view kVersionPrefix = "HTTP/";
constexpr std::size_t kExcerptBytes = 60;

std::string_view without_blanks_before(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}

bool read_version(std::string_view line, StatusLine& read) {
  if (!line.starts_with(kVersionPrefix) || line.size() < kVersionPrefix.size() + 3) {
    return false;
  }
  const std::string_view version = line.substr(kVersionPrefix.size(), 3);
  if (!is_byte(version[0], kDigitByte) || version[1] != '.' || !is_byte(version[2], kDigitByte)) {
    return false;
  }
  read.major_version = version[0] - '0';
  read.minor_version = version[2] - '0';
  return true;
}

// Reads a number that is nothing but digits.
bool read_decimal(std::string_view text, std::size_t& number) {
  if (text.empty() || text.size() > kMaxDecimalDigits || !is_all(text, kDigitByte)) {
    return false;
  }
  number = 0;
  for (const char digit : text) {
    number = number * 10 + hex_digit_value(digit);
  }
  return true;
}

}  // namespace

StatusLine read_status_line(std::string_view line) {
  StatusLine read;
  if (!read_version(line, read)) {
    return read;
  }
  const std::string_view after_version = line.substr(kVersionPrefix.size() + 3);
  const std::string_view from_status = without_blanks_before(after_version);
  const std::size_t digits = run_of(from_status, kDigitByte);
  if (digits != 3 || after_version.size() == from_status.size()) {
    return read;
  }
  read.is_readable = true;
  for (const char digit : from_status.substr(0, 3)) {
    read.status = read.status * 10 + (digit - '0');
  }
  const std::string_view after_status = from_status.substr(3);
  read.reason = trimmed(after_status);
  read.is_exact = after_version.size() == from_status.size() + 1 && after_version[0] == ' ' &&
                  after_status.starts_with(' ') && is_all(after_status, kValueByte);
  return read;
}

bool may_be_status_line(std::string_view begin) {
  const std::size_t shared = std::min(begin.size(), kVersionPrefix.size());
  return begin.substr(0, shared) == kVersionPrefix.substr(0, shared);
}

LengthList read_lengths(std::string_view list) {
  LengthList lengths;
  lengths.is_readable = true;
  for (std::string_view rest = list; lengths.is_readable; ++lengths.count) {
    const std::size_t comma = rest.find(',');
    std::size_t number = 0;
    lengths.is_readable = read_decimal(trimmed(rest.substr(0, comma)), number);
    if (lengths.count == 0) {
      lengths.first = number;
    }
    lengths.differ = lengths.differ || number != lengths.first;
    if (comma == rest.npos) {
      ++lengths.count;
      break;
    }
    rest.remove_prefix(comma + 1);
  }
  return lengths;
}

ChunkLine read_chunk_line(std::string_view line) {
  ChunkLine read;
  const std::size_t digits = run_of(line, kHexByte);
  if (digits == 0 || digits > kMaxHexDigits) {
    return read;
  }
  for (const char digit : line.substr(0, digits)) {
    read.size = read.size * 16 + hex_digit_value(digit);
  }
  const std::string_view rest = line.substr(digits);
  const std::string_view extension = without_blanks_before(rest);
  read.is_readable = extension.empty() || extension.front() == ';';
  read.is_size_exact = rest.size() == extension.size();
  read.extension = extension;
  ExtensionState state = ExtensionState::kBeforeSemicolon;
  for (const char byte : extension) {
    state = next_extension_state(state, byte);
  }
  read.is_extension_sound = extension.empty() || may_end_extension(state);
  return read;
}

bool is_forbidden_in_trailers(std::string_view name) {
  constexpr std::array<std::string_view, 8> kForbidden = {
      "content-length", "transfer-encoding", "host",          "content-encoding",
      "content-type",   "content-range",     "authorization", "set-cookie"};
  return std::any_of(kForbidden.begin(), kForbidden.end(), [&](std::string_view forbidden) {
    return text::equals_ignoring_case(forbidden, name);
  });
}

bool ends_in_chunked(std::string_view codings) {
  const std::size_t comma = codings.rfind(',');
  const std::string_view last = comma == codings.npos ? codings : codings.substr(comma + 1);
  return text::equals_ignoring_case(trimmed(last), "chunked");
}

bool says_keep_alive(std::string_view connection, int minor_version) {
  bool close = false;
  bool keep = false;
  for_each_element(connection, [&](std::string_view option) {
    close = close || text::equals_ignoring_case(option, "close");
    keep = keep || text::equals_ignoring_case(option, "keep-alive");
  });
  return !close && (minor_version > 0 || keep);
}

std::string excerpt(std::string_view text) {
  std::string quoted = "\"";
  for (const char byte : text.substr(0, kExcerptBytes)) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20 || code >= 0x7f) {
      quoted.append("\\x").append(text::to_hex({&byte, 1}));
    } else {
      quoted.push_back(byte);
    }
  }
  quoted.append(text.size() > kExcerptBytes ? "...\"" : "\"");
  return quoted;
}

}  // namespace spec::http
