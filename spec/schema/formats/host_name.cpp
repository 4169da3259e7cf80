#include "spec/schema/formats/host_name.hpp"

#include "spec/json/utf8.hpp"
#include "spec/schema/formats/characters.hpp"

#include <idn2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spec::schema::formats {
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
           return is_letter(byte) || is_digit(byte) || byte == '-';
         });
}

bool is_a_label(std::string_view label) {
  return label.size() >= 4 && (label[0] == 'x' || label[0] == 'X') &&
         (label[1] == 'n' || label[1] == 'N') && label.substr(2, 2) == "--";
}

struct Free {
  void operator()(std::uint8_t* text) const { idn2_free(text); }
};

const std::uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const std::uint8_t*>(text.c_str());
}

// The A-label that a registry would take `label`, in one of its two forms, as.
// Source: RFC 5891 §4.
std::optional<std::string> registered(std::string_view label, int flags) {
  if (label.find('\0') != std::string_view::npos) {
    return std::nullopt;
  }
  std::string text(label);
  std::uint8_t* out = nullptr;
  int result = 0;
  if (is_a_label(label)) {
    std::ranges::transform(text, text.begin(), [](char byte) {
      return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
    });
    result = idn2_register_u8(nullptr, bytes_of(text), &out, flags);
  } else {
    result = idn2_register_u8(bytes_of(text), nullptr, &out, flags);
  }
  const std::unique_ptr<std::uint8_t, Free> owner(out);
  if (result != IDN2_OK || out == nullptr) {
    return std::nullopt;
  }
  return std::string(reinterpret_cast<const char*>(out));
}

// The label in Unicode when it is an A-label that has been found right, else as it is.
std::string unicode_form(const std::string& label) {
  char* out = nullptr;
  const int result = idn2_to_unicode_8z8z(label.c_str(), &out, 0);
  const std::unique_ptr<std::uint8_t, Free> owner(reinterpret_cast<std::uint8_t*>(out));
  return result == IDN2_OK && out != nullptr ? std::string(out) : label;
}

// How the code points of a label are written: right to left, as European or Arabic digits.
struct Directions {
  bool right_to_left = false;
  bool european_digits = false;
  bool arabic_digits = false;
  bool begins_with_digit = false;
};

Directions directions_of(std::string_view label) {
  Directions found;
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t length = json::utf8_sequence(label, at);
    const char32_t point = json::decode_utf8(label.substr(at, length));
    // The blocks of right-to-left scripts. Source: Unicode 15, DerivedBidiClass.txt.
    const bool right_to_left =
        (point >= 0x590 && point <= 0x8FF) || (point >= 0xFB1D && point <= 0xFDFF) ||
        (point >= 0xFE70 && point <= 0xFEFC) || (point >= 0x10800 && point <= 0x10FFF) ||
        (point >= 0x1E800 && point <= 0x1EFFF);
    const bool european = (point >= '0' && point <= '9') || (point >= 0x6F0 && point <= 0x6F9);
    const bool arabic =
        (point >= 0x660 && point <= 0x669) || (point >= 0x10D30 && point <= 0x10D39);
    found.right_to_left = found.right_to_left || (right_to_left && !european);
    found.european_digits = found.european_digits || european;
    found.arabic_digits = found.arabic_digits || arabic;
    found.begins_with_digit = found.begins_with_digit || (at == 0 && (european || arabic));
    at += length;
  }
  return found;
}

// What libidn2, which looks at one label at a time, leaves of the rule for names with right-to-left
// labels: digits of one kind in each of them, no label that begins with a digit.
// Source: RFC 5893 §2, conditions 1 and 4.
bool keeps_bidi_rule(const std::vector<Directions>& labels) {
  if (std::ranges::none_of(labels, &Directions::right_to_left)) {
    return true;
  }
  return std::ranges::none_of(labels, [](const Directions& label) {
    return label.begins_with_digit ||
           (label.right_to_left && label.european_digits && label.arabic_digits);
  });
}

bool is_idn_name(std::string_view text, int flags) {
  std::vector<Directions> directions;
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
    directions.push_back(directions_of(unicode_form(*a_label)));
    total += a_label->size() + 1;
    if (end == text.size()) {
      return total - 1 <= kMaxNameBytes && keeps_bidi_rule(directions);
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

}  // namespace spec::schema::formats
