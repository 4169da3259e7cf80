#include "contract_tests/run/secrets.hpp"

#include "contract_tests/plan/derived.hpp"
#include "spec/http/base64.hpp"

#include <algorithm>
#include <charconv>

namespace contract_tests::run {

namespace {

// Shorter beginnings of a secret give nothing away.
constexpr std::size_t kTellingPart = 16;

std::size_t key(char first, char second) {
  return static_cast<std::size_t>(static_cast<unsigned char>(first)) * 256 +
         static_cast<unsigned char>(second);
}

std::string hexadecimal(std::string_view bytes, std::string_view digits) {
  std::string text;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    text += {digits[byte >> 4U], digits[byte & 15U]};
  }
  return text;
}

// What base64 makes of `secret` wherever it stands behind `before` bytes (0 to 2, by threes):
// the characters that come of it alone. Source: RFC 4648 §4.
std::string base64_of(const std::string& secret, std::size_t before) {
  const auto bytes = before + secret.size();
  const auto first = (before * 8 + 5) / 6;
  const auto last = bytes * 8 / 6;
  return spec::http::to_base64(std::string(before, '\0') + secret).substr(first, last - first);
}

std::string url_safe(std::string text) {
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

// The size of an escape of `digits` digits to `base` from `from` on, if it stands for `letter`.
std::size_t number(std::string_view text, std::size_t from, std::size_t digits, int base,
                   char letter) {
  unsigned code = 0;
  const auto part = text.substr(std::min(from, text.size()), digits);
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), code, base);
  const bool whole = error == std::errc{} && end == part.data() + part.size();
  return whole && part.size() == digits && code == static_cast<unsigned char>(letter)
             ? from + digits
             : 0;
}

// The size of `letter` at the start of `text`, as it is or escaped; 0 when it is another.
// Sources: RFC 3986 §2.1; RFC 8259 §7; HTML §13.2.5.
std::size_t letter_size(std::string_view text, char letter) {
  if (text.empty() || text.front() == letter) {
    return text.empty() ? 0 : 1;
  }
  if (text.starts_with('%')) {
    return number(text, text.starts_with("%25") ? 3 : 1, 2, 16, letter);
  }
  if (text.starts_with("\\u")) {
    return number(text, 2, 4, 16, letter);
  }
  if (text.starts_with("\\x")) {
    return number(text, 2, 2, 16, letter);
  }
  if (text.starts_with('\\')) {
    return text.size() > 1 && text[1] == letter ? 2 : 0;
  }
  if (text.starts_with("&#")) {
    const auto close = text.substr(0, 12).find(';');
    const bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
    const std::size_t from = hex ? 3 : 2;
    const bool closed = close != std::string_view::npos && close > from;
    const auto size = closed ? number(text, from, close - from, hex ? 16 : 10, letter) : 0;
    return size == 0 ? 0 : size + 1;
  }
  return 0;
}

}  // namespace

bool is_telling(std::string_view secret) {
  constexpr std::size_t kLongWord = 20;
  constexpr std::size_t kShort = 8;
  const bool plain = std::ranges::all_of(secret, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  });
  return secret.size() >= (plain ? kLongWord : kShort);
}

std::size_t telling_part(std::size_t size) {
  return std::min(std::max(kTellingPart, size / 2), size);
}

Secrets::Secrets(std::initializer_list<std::string> words)
    : Secrets(std::vector<std::string>(words)) {}

Secrets::Secrets(std::vector<std::string> words) : words_(std::move(words)) {
  for (const auto& word : words_) {
    if (!is_telling(word)) {
      continue;
    }
    add(word, "escaped", true);
    add(plan::other_case(word), "escaped", true);
    add(std::string(word.rbegin(), word.rend()), "backwards");
    add(hexadecimal(word, "0123456789abcdef"), "in hexadecimal");
    add(hexadecimal(word, "0123456789ABCDEF"), "in hexadecimal");
    for (const std::size_t before : {0U, 1U, 2U}) {
      const auto coded = base64_of(word, before);
      add(coded, "in base64");
      if (const auto safe = url_safe(coded); safe != coded) {
        add(safe, "in base64");
      }
    }
  }
}

void Secrets::add(std::string text, std::string_view how, bool plain) {
  constexpr std::string_view kHex = "0123456789abcdef0123456789ABCDEF";
  const char first = text.front();
  const auto high = static_cast<unsigned char>(first) >> 4U;
  for (const char second : {text[1], '%', '\\', '&'}) {
    starts_.set(key(first, second));
  }
  for (const char second : {kHex[high], kHex[16 + high], '2'}) {
    starts_.set(key('%', second));
  }
  for (const char second : {'u', 'x', first}) {
    starts_.set(key('\\', second));
  }
  starts_.set(key('&', '#'));
  forms_.push_back({std::move(text), how, plain});
}

std::size_t Secrets::fit(std::string_view text, std::size_t at, const Form& form, bool part) {
  const auto start = at;
  std::size_t letters = 0;
  while (letters < form.text.size()) {
    const auto size = letter_size(text.substr(at), form.text[letters]);
    if (size == 0) {
      break;
    }
    at += size;
    ++letters;
  }
  const auto wanted = part ? telling_part(form.text.size()) : form.text.size();
  const bool own = form.plain && at - start == letters;
  return letters < wanted || own ? 0 : at - start;
}

std::optional<SecretSpot> Secrets::find_spelt(std::string_view text, std::size_t from,
                                              bool part) const {
  for (auto at = from; at + 1 < text.size(); ++at) {
    if (!starts_.test(key(text[at], text[at + 1]))) {
      continue;
    }
    for (const auto& form : forms_) {
      if (const auto size = fit(text, at, form, part); size != 0) {
        return SecretSpot{at, size, form.how};
      }
    }
  }
  return std::nullopt;
}

}  // namespace contract_tests::run
