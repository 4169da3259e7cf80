#include "mock_server/invoice/text.hpp"

#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fribidi.h>
#include <optional>
#include <system_error>
#include <utility>

namespace mock_server::invoice {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kBox = 0x25A1;
constexpr char32_t kLastOfPlane = 0xFFFF;
constexpr char32_t kNoBreakMark = 0xFEFF;  // what is left where two letters became one

// Windows-1252 from 0x80 to 0x9F; 0 where it has nothing.
constexpr std::array<char32_t, 32> kWindowsHigh = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::optional<char> windows_1252(char32_t character) {
  if ((character >= 0x20 && character < 0x7F) || (character >= 0xA0 && character <= 0xFF)) {
    return static_cast<char>(static_cast<unsigned char>(character));
  }
  const auto* const found = std::ranges::find(kWindowsHigh, character);
  if (found == kWindowsHigh.end() || character == 0) {
    return std::nullopt;
  }
  return static_cast<char>(0x80 + (found - kWindowsHigh.begin()));
}

char32_t printable(char32_t character) {
  const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0) ||
                       character == 0x2028 || character == 0x2029;
  if (control) {
    return U' ';
  }
  return character > kLastOfPlane ? kBox : character;
}

// Fills one line after the other.
class LineBreaker {
 public:
  LineBreaker(float width, const CharacterWidth& width_of) : width_(width), width_of_(width_of) {}

  void add_word(std::u32string_view word) {
    const float wide = width_of(word);
    const float gap = line_.empty() ? 0 : width_of_(U' ');
    if (used_ + gap + wide <= width_) {
      if (!line_.empty()) {
        line_ += U' ';
      }
      line_ += word;
      used_ += gap + wide;
      return;
    }
    end_line();
    add_characters(word);
  }

  std::vector<std::u32string> take() {
    end_line();
    if (lines_.empty()) {
      lines_.emplace_back();
    }
    return std::move(lines_);
  }

 private:
  float width_of(std::u32string_view word) const {
    float sum = 0;
    for (const char32_t character : word) {
      sum += width_of_(character);
    }
    return sum;
  }

  void add_characters(std::u32string_view word) {
    for (const char32_t character : word) {
      const float wide = width_of_(character);
      if (used_ + wide > width_) {
        end_line();
      }
      line_ += character;
      used_ += wide;
    }
  }

  void end_line() {
    if (!line_.empty()) {
      lines_.push_back(std::exchange(line_, {}));
    }
    used_ = 0;
  }

  float width_;
  const CharacterWidth& width_of_;
  std::vector<std::u32string> lines_;
  std::u32string line_;
  float used_ = 0;
};

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = spec::text::utf8_sequence(text, at);
    result +=
        length == 0 ? kReplacement : printable(spec::text::decode_utf8(text.substr(at, length)));
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::vector<std::u32string> wrap(std::u32string_view text, float width,
                                 const CharacterWidth& width_of) {
  LineBreaker breaker(width, width_of);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(U' ', at), text.size());
    if (end > at) {
      breaker.add_word(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return breaker.take();
}

std::u32string visual(const std::u32string& line) {
  const auto left_to_right = [](char32_t character) { return character < 0x0590; };
  if (std::ranges::all_of(line, left_to_right)) {
    return line;
  }
  const std::vector<FriBidiChar> logical(line.begin(), line.end());
  std::vector<FriBidiChar> drawn(line.size() + 1);
  FriBidiParType direction = FRIBIDI_PAR_ON;
  if (fribidi_log2vis(logical.data(), static_cast<FriBidiStrIndex>(logical.size()), &direction,
                      drawn.data(), nullptr, nullptr, nullptr) == 0) {
    return line;
  }
  drawn.resize(line.size());
  std::u32string result(drawn.begin(), drawn.end());
  std::erase(result, kNoBreakMark);
  return result;
}

std::string date_words(std::string_view timestamp) {
  static constexpr std::array<const char*, 12> kMonths = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  const auto number = [&](std::size_t at, std::size_t digits) {
    unsigned value = 0;
    const char* const begin = timestamp.data() + at;
    const auto [end, error] = std::from_chars(begin, begin + digits, value);
    return error == std::errc() && end == begin + digits ? value : 0U;
  };
  if (timestamp.size() < 10) {
    return std::string(timestamp);
  }
  const unsigned year = number(0, 4);
  const unsigned month = number(5, 2);
  const unsigned day = number(8, 2);
  if (year == 0 || month == 0 || month > 12 || day == 0) {
    return std::string(timestamp);
  }
  return std::to_string(day) + ' ' + kMonths.at(month - 1) + ' ' + std::to_string(year);
}

bool is_latin(std::u32string_view text) {
  return std::ranges::all_of(
      text, [](char32_t character) { return windows_1252(character).has_value(); });
}

std::string to_windows_1252(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t character : text) {
    bytes += windows_1252(character).value_or('?');
  }
  return bytes;
}

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  for (const char32_t character : text) {
    spec::text::append_utf8(bytes, character);
  }
  return bytes;
}

}  // namespace mock_server::invoice
