#include "spec/schema/formats/predicates.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace spec::schema::formats {

namespace {

enum class Alphabet : std::uint8_t { kUri, kIri };

constexpr std::string_view kSubDelimiters = "!$&'()*+,;=";

bool is_private_use(char32_t point) {
  return (point >= 0xE000 && point <= 0xF8FF) || (point >= 0xF0000 && point <= 0xFFFFD) ||
         (point >= 0x100000 && point <= 0x10FFFD);
}

// Source: RFC 3987 §2.2, ucschar.
bool is_ucs_character(char32_t point) {
  if (point < 0x10000) {
    return (point >= 0xA0 && point <= 0xD7FF) || (point >= 0xF900 && point <= 0xFDCF) ||
           (point >= 0xFDF0 && point <= 0xFFEF);
  }
  return point <= 0xEFFFD && (point & 0xFFFFU) <= 0xFFFD &&
         point >= (point >= 0xE0000 ? 0xE1000 : 0);
}

// Unreserved characters, escapes, sub-delimiters and `more`.
bool consists_of(std::string_view text, std::string_view more, Alphabet alphabet,
                 bool allow_private = false) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char byte = text[at];
    if (text::is_unreserved(byte) || kSubDelimiters.find(byte) != std::string_view::npos ||
        more.find(byte) != std::string_view::npos) {
      ++at;
    } else if (text::is_triplet(text, at)) {
      at += 3;
    } else {
      const std::size_t length = text::utf8_sequence(text, at);
      if (alphabet == Alphabet::kUri || length < 2) {
        return false;
      }
      const char32_t point = text::decode_utf8(text.substr(at, length));
      if (!is_ucs_character(point) && !(allow_private && is_private_use(point))) {
        return false;
      }
      at += length;
    }
  }
  return true;
}

// Source: RFC 3986 §3.2.2, IPvFuture.
bool is_future_address(std::string_view text) {
  if (text.empty() || (text[0] != 'v' && text[0] != 'V')) {
    return false;
  }
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot < 2 || dot + 1 == text.size()) {
    return false;
  }
  const std::string_view address = text.substr(dot + 1);
  return std::ranges::all_of(text.substr(1, dot - 1), text::is_hex_digit) &&
         address.find('%') == std::string_view::npos && consists_of(address, ":", Alphabet::kUri);
}

bool is_authority(std::string_view text, Alphabet alphabet) {
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    if (!consists_of(text.substr(0, at), ":", alphabet)) {
      return false;
    }
    text.remove_prefix(at + 1);
  }
  std::size_t host_end = text.find(':');
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) {
      return false;
    }
    const std::string_view address = text.substr(1, close - 1);
    if (!is_ipv6(address) && !is_future_address(address)) {
      return false;
    }
    host_end = close + 1;
  } else if (!consists_of(text.substr(0, host_end), "", alphabet)) {
    return false;
  }
  if (host_end >= text.size()) {
    return true;
  }
  return text[host_end] == ':' && std::ranges::all_of(text.substr(host_end + 1), text::is_digit);
}

// The length of the scheme that `text` starts with; 0 if none.
std::size_t scheme_length(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && text::is_scheme(text.substr(0, colon)) ? colon : 0;
}

// The part behind the scheme, or a whole relative reference.
bool is_hierarchy(std::string_view text, Alphabet alphabet, bool relative) {
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    if (!consists_of(text.substr(hash + 1), ":@/?", alphabet)) {
      return false;
    }
    text = text.substr(0, hash);
  }
  if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
    if (!consists_of(text.substr(mark + 1), ":@/?", alphabet, true)) {
      return false;
    }
    text = text.substr(0, mark);
  }
  if (text.starts_with("//")) {
    const std::size_t slash = text.find('/', 2);
    if (!is_authority(text.substr(2, slash == std::string_view::npos ? slash : slash - 2),
                      alphabet)) {
      return false;
    }
    text = slash == std::string_view::npos ? "" : text.substr(slash);
  } else if (relative && text.substr(0, text.find('/')).find(':') != std::string_view::npos) {
    return false;
  }
  return consists_of(text, ":@/", alphabet);
}

bool is_absolute(std::string_view text, Alphabet alphabet) {
  const std::size_t scheme = scheme_length(text);
  return scheme != 0 && is_hierarchy(text.substr(scheme + 1), alphabet, false);
}

bool is_reference(std::string_view text, Alphabet alphabet) {
  return is_absolute(text, alphabet) || is_hierarchy(text, alphabet, true);
}

}  // namespace

bool is_uri(std::string_view text) {
  return is_absolute(text, Alphabet::kUri);
}

bool is_uri_reference(std::string_view text) {
  return is_reference(text, Alphabet::kUri);
}

bool is_iri(std::string_view text) {
  return is_absolute(text, Alphabet::kIri);
}

bool is_iri_reference(std::string_view text) {
  return is_reference(text, Alphabet::kIri);
}

namespace {

// Source: RFC 6570 §2.3, varname.
bool is_variable_name(std::string_view name) {
  bool after_dot = true;
  std::size_t at = 0;
  while (at < name.size()) {
    const char byte = name[at];
    if (text::is_letter_or_digit(byte) || byte == '_') {
      ++at;
      after_dot = false;
    } else if (text::is_triplet(name, at)) {
      at += 3;
      after_dot = false;
    } else if (byte == '.' && !after_dot) {
      ++at;
      after_dot = true;
    } else {
      return false;
    }
  }
  return !after_dot;
}

// Source: RFC 6570 §2.4.1: 1 to 9999, no leading zero.
bool is_prefix_length(std::string_view text) {
  return !text.empty() && text.size() <= 4 && text[0] != '0' &&
         std::ranges::all_of(text, text::is_digit);
}

bool is_variable(std::string_view text) {
  if (text.ends_with('*')) {
    return is_variable_name(text.substr(0, text.size() - 1));
  }
  const std::size_t colon = text.find(':');
  return is_variable_name(text.substr(0, colon)) &&
         (colon == std::string_view::npos || is_prefix_length(text.substr(colon + 1)));
}

// The text between braces.
bool is_expression(std::string_view text) {
  if (!text.empty() && std::string_view("+#./;?&=,!@|").find(text[0]) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  while (true) {
    const std::size_t comma = text.find(',');
    if (!is_variable(text.substr(0, comma))) {
      return false;
    }
    if (comma == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(comma + 1);
  }
}

// Source: RFC 6570 §2.1; the apostrophe is allowed by erratum 6937.
bool is_literal(char byte) {
  return static_cast<unsigned char>(byte) > 0x20 && byte != 0x7F &&
         std::string_view("\"<>\\^`{|}%").find(byte) == std::string_view::npos;
}

}  // namespace

bool is_uri_template(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '{') {
      const std::size_t close = text.find('}', at);
      if (close == std::string_view::npos || !is_expression(text.substr(at + 1, close - at - 1))) {
        return false;
      }
      at = close + 1;
    } else if (text::is_triplet(text, at)) {
      at += 3;
    } else if (is_literal(text[at])) {
      ++at;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace spec::schema::formats
