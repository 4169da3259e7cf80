#include "spec/schema/formats/predicates.hpp"
#include "spec/text/ascii.hpp"

#include <cstddef>

namespace spec::schema::formats {
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

}  // namespace spec::schema::formats
