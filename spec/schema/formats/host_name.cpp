#include "spec/schema/formats/predicates.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <idn2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fribidi.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spec::schema::formats {

namespace {

using Types = std::vector<FriBidiCharType>;

// The Bidi_Class of every code point of `label`.
Types types_of(std::string_view label) {
  Types types;
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t length = std::max<std::size_t>(text::utf8_sequence(label, at), 1);
    types.push_back(fribidi_get_bidi_type(text::decode_utf8(label.substr(at, length))));
    at += length;
  }
  return types;
}

bool is_letter_of_the_right(FriBidiCharType type) {
  return type == FRIBIDI_TYPE_RTL || type == FRIBIDI_TYPE_AL;
}

// The characters of labels of both directions.
bool is_neutral(FriBidiCharType type) {
  return type == FRIBIDI_TYPE_EN || type == FRIBIDI_TYPE_ES || type == FRIBIDI_TYPE_CS ||
         type == FRIBIDI_TYPE_ET || type == FRIBIDI_TYPE_ON || type == FRIBIDI_TYPE_BN ||
         type == FRIBIDI_TYPE_NSM;
}

bool has_right_to_left(const Types& types) {
  return std::ranges::any_of(types, [](FriBidiCharType type) {
    return is_letter_of_the_right(type) || type == FRIBIDI_TYPE_AN;
  });
}

// The last character that is no combining mark.
FriBidiCharType last_of(const Types& types) {
  const auto found = std::find_if(types.rbegin(), types.rend(),
                                  [](FriBidiCharType type) { return type != FRIBIDI_TYPE_NSM; });
  return found == types.rend() ? FRIBIDI_TYPE_NSM : *found;
}

// Conditions 2 to 4.
bool is_label_of_the_right(const Types& types) {
  const FriBidiCharType last = last_of(types);
  const bool ends_well =
      is_letter_of_the_right(last) || last == FRIBIDI_TYPE_EN || last == FRIBIDI_TYPE_AN;
  const bool mixes_digits = std::ranges::count(types, FRIBIDI_TYPE_EN) > 0 &&
                            std::ranges::count(types, FRIBIDI_TYPE_AN) > 0;
  return ends_well && !mixes_digits && std::ranges::all_of(types, [](FriBidiCharType type) {
           return is_letter_of_the_right(type) || type == FRIBIDI_TYPE_AN || is_neutral(type);
         });
}

// Conditions 5 and 6.
bool is_label_of_the_left(const Types& types) {
  const FriBidiCharType last = last_of(types);
  const bool ends_well = last == FRIBIDI_TYPE_LTR || last == FRIBIDI_TYPE_EN;
  return ends_well && std::ranges::all_of(types, [](FriBidiCharType type) {
           return type == FRIBIDI_TYPE_LTR || is_neutral(type);
         });
}

}  // namespace

bool is_right_to_left(std::string_view label) {
  return has_right_to_left(types_of(label));
}

bool keeps_bidi_rule(std::string_view label) {
  const Types types = types_of(label);
  if (types.empty()) {
    return false;
  }
  const bool starts_to_the_right = is_letter_of_the_right(types.front());  // condition 1
  return has_right_to_left(types)
             ? starts_to_the_right && is_label_of_the_right(types)
             : types.front() == FRIBIDI_TYPE_LTR && is_label_of_the_left(types);
}

namespace {

constexpr std::size_t kMaxLabelBytes = 63;
constexpr std::size_t kMaxNameBytes = 253;

// The dots that part labels: full stop, ideographic, fullwidth, halfwidth. Source: RFC 3490 §3.1.
std::size_t dot_length(std::string_view text, std::size_t at) {
  for (const std::string_view dot : {".", "\xE3\x80\x82", "\xEF\xBC\x8E", "\xEF\xBD\xA1"}) {
    if (text.substr(at).starts_with(dot)) {
      return dot.size();
    }
  }
  return 0;
}

bool is_plain_label(std::string_view label) {
  return !label.empty() && label.size() <= kMaxLabelBytes && label.front() != '-' &&
         label.back() != '-' && std::ranges::all_of(label, [](char byte) {
           return text::is_letter_or_digit(byte) || byte == '-';
         });
}

bool is_a_label(std::string_view label) {
  return label.size() >= 4 && (label[0] == 'x' || label[0] == 'X') &&
         (label[1] == 'n' || label[1] == 'N') && label.substr(2, 2) == "--";
}

struct TextDeleter {
  void operator()(std::uint8_t* text) const { idn2_free(text); }
};

const std::uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const std::uint8_t*>(text.c_str());
}

// The A-label that a registry would accept for `label`, which has one of its two forms. Source: RFC
// 5891 §4.
std::optional<std::string> registered(std::string_view label, int flags) {
  if (label.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  std::uint8_t* out = nullptr;
  int result = 0;
  if (is_a_label(label)) {
    result = idn2_register_u8(nullptr, bytes_of(text::to_lower(label)), &out, flags);
  } else {
    result = idn2_register_u8(bytes_of(std::string(label)), nullptr, &out, flags);
  }
  const std::unique_ptr<std::uint8_t, TextDeleter> owner(out);
  if (result != IDN2_OK || out == nullptr) {
    return std::nullopt;
  }
  return std::string(reinterpret_cast<const char*>(out));
}

// The label in Unicode if it is an A-label that was found valid, else as it is.
std::string unicode_form(const std::string& label) {
  char* out = nullptr;
  const int result = idn2_to_unicode_8z8z(label.c_str(), &out, 0);
  const std::unique_ptr<std::uint8_t, TextDeleter> owner(reinterpret_cast<std::uint8_t*>(out));
  return result == IDN2_OK && out != nullptr ? std::string(out) : label;
}

// In a name with a right-to-left label, a rule applies to the other labels too. libidn2 looks at
// one label at a time. Source: RFC 5893 §2.
bool fit_together(const std::vector<std::string>& labels) {
  return std::ranges::none_of(labels,
                              [](const std::string& each) { return is_right_to_left(each); }) ||
         std::ranges::all_of(labels, [](const std::string& each) { return keeps_bidi_rule(each); });
}

bool is_idn_name(std::string_view text, int flags) {
  std::vector<std::string> labels;
  std::size_t total = 0;
  while (true) {
    std::size_t end = 0;
    while (end < text.size() && dot_length(text, end) == 0) {
      ++end;
    }
    const std::string_view label = text.substr(0, end);
    const auto a_label = label.empty() ? std::nullopt : registered(label, flags);
    if (!a_label || !is_plain_label(*a_label)) {
      return false;
    }
    labels.push_back(unicode_form(*a_label));
    total += a_label->size() + 1;
    if (end == text.size()) {
      return total - 1 <= kMaxNameBytes && fit_together(labels);
    }
    text.remove_prefix(end + dot_length(text, end));
  }
}

}  // namespace

bool is_hostname(std::string_view text) {
  if (text.empty() || text.size() > kMaxNameBytes) {
    return false;
  }
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view label = text.substr(0, dot);
    if (!is_plain_label(label) || (is_a_label(label) && !registered(label, 0))) {
      return false;
    }
    if (dot == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(dot + 1);
  }
}

bool is_idn_hostname(std::string_view text) {
  return is_idn_name(text, 0);
}

bool is_idn_mail_domain(std::string_view text) {
  return is_idn_name(text, IDN2_NFC_INPUT);
}

namespace {

constexpr std::size_t kMaxLocalBytes = 64;  // RFC 5321 §4.5.3.1.1

bool is_beyond_ascii(char byte) {
  return static_cast<unsigned char>(byte) >= 0x80U;
}

bool is_atom_byte(char byte, bool international) {
  return text::is_letter_or_digit(byte) ||
         std::string_view("!#$%&'*+-/=?^_`{|}~").find(byte) != std::string_view::npos ||
         (international && is_beyond_ascii(byte));
}

// Atoms with single dots between them.
bool is_dot_string(std::string_view text, bool international) {
  bool after_dot = true;
  for (const char byte : text) {
    if (byte == '.' ? after_dot : !is_atom_byte(byte, international)) {
      return false;
    }
    after_dot = byte == '.';
  }
  return !after_dot;
}

// The quoted string that `text` starts with, quotes included; 0 if it is none.
std::size_t quoted_length(std::string_view text, bool international) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '"') {
      return i + 1;
    }
    const bool printable = byte >= ' ' && byte <= '~';
    if (byte == '\\') {
      ++i;
      if (i >= text.size() || text[i] < ' ' || text[i] > '~') {
        return 0;
      }
    } else if (!printable && !(international && is_beyond_ascii(byte))) {
      return 0;
    }
  }
  return 0;
}

bool is_address_literal(std::string_view text) {
  if (text.size() < 2 || text.back() != ']') {
    return false;
  }
  const std::string_view address = text.substr(1, text.size() - 2);
  return address.starts_with("IPv6:") ? is_ipv6(address.substr(5)) : is_ipv4(address);
}

bool is_mailbox(std::string_view text, bool international) {
  const bool quoted = text.starts_with('"');
  const std::size_t at = quoted ? quoted_length(text, international) : text.find('@');
  if (at == 0 || at >= text.size() || text[at] != '@' || at > kMaxLocalBytes) {
    return false;
  }
  const std::string_view domain = text.substr(at + 1);
  if (!quoted && !is_dot_string(text.substr(0, at), international)) {
    return false;
  }
  if (domain.starts_with('[')) {
    return is_address_literal(domain);
  }
  return international ? is_idn_mail_domain(domain) : is_hostname(domain);
}

}  // namespace

bool is_email(std::string_view text) {
  return is_mailbox(text, false);
}

bool is_idn_email(std::string_view text) {
  return is_mailbox(text, true);
}

namespace {

constexpr std::size_t kGroups = 8;

bool is_octet(std::string_view text) {
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) {
    return false;
  }
  int value = 0;
  for (const char byte : text) {
    if (!text::is_digit(byte)) {
      return false;
    }
    value = value * 10 + (byte - '0');
  }
  return value <= 255;
}

bool is_group(std::string_view text) {
  return !text.empty() && text.size() <= 4 && std::ranges::all_of(text, text::is_hex_digit);
}

// The number of 16-bit groups that `text` spells between colons, the last two perhaps as an IPv4
// address if `last`; npos if it spells none.
std::size_t count_groups(std::string_view text, bool last) {
  if (text.empty()) {
    return 0;
  }
  std::size_t count = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    const bool at_end = colon == std::string_view::npos;
    if (at_end && last && is_ipv4(group)) {
      return count + 2;
    }
    if (!is_group(group)) {
      return std::string_view::npos;
    }
    ++count;
    if (at_end) {
      return count;
    }
    text.remove_prefix(colon + 1);
  }
}

}  // namespace

bool is_ipv4(std::string_view text) {
  for (int i = 0; i < 3; ++i) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos || !is_octet(text.substr(0, dot))) {
      return false;
    }
    text.remove_prefix(dot + 1);
  }
  return is_octet(text);
}

bool is_ipv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) {
    return count_groups(text, true) == kGroups;
  }
  const std::size_t before = count_groups(text.substr(0, gap), false);
  const std::size_t after = count_groups(text.substr(gap + 2), true);
  return before < kGroups && after < kGroups && before + after < kGroups;
}

}  // namespace spec::schema::formats
