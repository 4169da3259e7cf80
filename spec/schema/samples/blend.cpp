#include "spec/schema/samples/blend.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace spec::schema::samples {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The two digits at `at` as a number of those allowed, [low, low + count); others are left alone.
void put_right(std::string& text, std::size_t at, int low, int count) {
  if (at + 2 > text.size() || !is_digit(text[at]) || !is_digit(text[at + 1])) {
    return;
  }
  const int value = (text[at] - '0') * 10 + (text[at + 1] - '0');
  if (value < low || value >= low + count) {
    const int right = low + value % count;
    text[at] = static_cast<char>('0' + right / 10);
    text[at + 1] = static_cast<char>('0' + right % 10);
  }
}

// "hh:mm:ss" at `at`, and an offset at the end of the text.
void put_clock_right(std::string& text, std::size_t at) {
  constexpr int kHours = 24;
  constexpr int kMinutes = 60;
  put_right(text, at, 0, kHours);
  put_right(text, at + 3, 0, kMinutes);
  put_right(text, at + 6, 0, kMinutes);
  if (text.size() > at + 6 && (text.end()[-6] == '+' || text.end()[-6] == '-')) {
    put_right(text, text.size() - 5, 0, kHours);
    put_right(text, text.size() - 2, 0, kMinutes);
  }
}

// A date, a time or both that a pattern made up: "2024-83-99" becomes "2024-12-16".
std::string with_dates_right(std::string text) {
  constexpr std::size_t kClockOfDateTime = 11;
  constexpr int kMonths = 12;
  constexpr int kDaysOfEveryMonth = 28;
  if (text.size() >= 10 && text[4] == '-' && text[7] == '-') {
    put_right(text, 5, 1, kMonths);
    put_right(text, 8, 1, kDaysOfEveryMonth);
    put_clock_right(text, kClockOfDateTime);
  } else if (text.size() >= 8 && text[2] == ':' && text[5] == ':') {
    put_clock_right(text, 0);
  }
  return text;
}

// As many letters as a text of `size` lacks to be of `least`.
std::string filling(std::size_t least, std::size_t size) {
  constexpr std::size_t kMostFilled = 100'000;
  return least > size && least < kMostFilled ? std::string(least - size, 'a') : std::string();
}

void add_moments(const std::string& text, std::vector<std::string>& all) {
  constexpr std::array<std::size_t, 8> kFractions{0, 3, 6, 2, 1, 9, 7, 4};
  constexpr std::array<std::string_view, 5> kOffsets{"Z", "+00:00", "+02:00", "-05:00", "-00:00"};
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) {
    return;
  }
  const std::string digits = text.substr(dot + 1, text.size() - dot - 2) + "000000000";
  for (const std::string_view offset : kOffsets) {
    for (const std::size_t count : kFractions) {
      std::string spelling = text.substr(0, dot);
      if (count > 0) {
        spelling += '.' + digits.substr(0, count);
      }
      all.push_back(spelling.append(offset));
    }
  }
}

// Labels before the domain until it is of `least` bytes.
std::string longer_domain(std::string domain, std::size_t least) {
  constexpr std::size_t kLabel = 20;
  const std::string letters = filling(least, domain.size());
  std::size_t missing = letters.size();
  for (; missing > 1; missing -= std::min(missing, kLabel)) {
    domain.insert(0, std::string(std::min(missing, kLabel) - 1, 'a') + '.');
  }
  return missing == 1 ? 'a' + domain : domain;
}

void add_addresses(const std::string& text, std::size_t least, std::vector<std::string>& all) {
  constexpr std::size_t kUsualLocal = 30;
  const std::size_t at = text.find('@');
  const std::string local = text.substr(0, at);
  const std::string domain = text.substr(std::min(at, text.size() - 1) + 1);
  const std::string first = local.substr(0, local.find('.'));
  all.insert(all.end(), {first + '@' + domain, local.substr(0, 1) + '@' + domain,
                         first + "@ab.example", "a@ab.example", "a@ab.co", "a@b.c"});
  const std::string padded = local + filling(std::min(least, kUsualLocal), local.size());
  const std::size_t rest = least - std::min(least, padded.size() + 1);
  all.push_back(padded + '@' + longer_domain(domain, rest));
}

}  // namespace

std::vector<std::string> spellings(std::string_view format, const std::string& text,
                                   std::size_t least) {
  std::vector<std::string> all{text};
  if (format == "date-time" || format == "time") {
    add_moments(text, all);
  } else if (format == "email" || format == "idn-email") {
    add_addresses(text, least, all);
  } else if (format == "hostname" || format == "idn-hostname") {
    all.insert(all.end(), {"ab.example", "ab.co", "ab", "a"});
    all.push_back(longer_domain(text, least));
  } else if (format == "uri" || format == "iri") {
    all.insert(all.end(), {"https://ab.example", "https://ab.co", "urn:ab:c", "a:b"});
    all.push_back(text + filling(least, text.size()));
  } else if (format == "uuid") {
    std::string capitals = text;
    std::transform(capitals.begin(), capitals.end(), capitals.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    all.push_back(std::move(capitals));
  } else {
    all.push_back(text + filling(least, text.size()));
  }
  return all;
}

std::vector<std::string> blends(const std::string& of_format, const std::string& of_pattern) {
  std::vector<std::string> all{with_dates_right(of_pattern)};
  if (of_pattern.empty()) {
    return all;
  }
  const auto from = [&of_format](std::size_t place) {
    return of_format.substr(std::min(place, of_format.size()));
  };
  const std::size_t size = std::min(of_pattern.size(), of_format.size());
  all.push_back(with_dates_right(of_pattern + from(size)));
  all.push_back(with_dates_right(of_format.substr(0, of_format.size() - size) + of_pattern));
  // Instead of as many parts as it ends: "10." for "192." of "192.0.2.1".
  std::size_t parts = 0;
  const char end = of_pattern.back();
  for (auto left = std::count(of_pattern.begin(), of_pattern.end(), end);
       left > 0 && parts != std::string::npos; --left) {
    parts = of_format.find(end, parts);
    parts += parts == std::string::npos ? 0 : 1;
  }
  all.push_back(with_dates_right(of_pattern + from(parts)));
  const std::size_t at = of_format.find(of_pattern.front());
  if (at != std::string::npos) {
    const std::string start = of_format.substr(0, at) + of_pattern;
    all.push_back(with_dates_right(start));
    all.push_back(with_dates_right(start + from(start.size())));
  }
  return all;
}

}  // namespace spec::schema::samples
