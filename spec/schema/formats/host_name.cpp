#include "spec/schema/formats/predicates.hpp"
#include "spec/text/ascii.hpp"

#include <idn2.h>

#include <algorithm>
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
           return text::is_letter_or_digit(byte) || byte == '-';
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
  std::uint8_t* out = nullptr;
  int result = 0;
  if (is_a_label(label)) {
    result = idn2_register_u8(nullptr, bytes_of(text::to_lower(label)), &out, flags);
  } else {
    result = idn2_register_u8(bytes_of(std::string(label)), nullptr, &out, flags);
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

// Labels of a name with a right-to-left one are bound by a rule, the others too. libidn2 looks at
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

}  // namespace spec::schema::formats
