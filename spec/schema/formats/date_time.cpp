#include "spec/schema/formats/date_time.hpp"

#include "spec/schema/formats/characters.hpp"

#include <chrono>
#include <cstddef>

namespace spec::schema::formats {
namespace {

constexpr std::size_t kDateLength = 10;
constexpr int kMinutesOfDay = 24 * 60;

// The offset from UTC in minutes at the end of a time, from `at`; nothing is left behind it.
bool read_offset(std::string_view text, std::size_t at, int& minutes) {
  const std::string_view rest = text.substr(at);
  if (rest == "Z" || rest == "z") {
    minutes = 0;
    return true;
  }
  if (rest.size() != 6 || (rest[0] != '+' && rest[0] != '-') || rest[3] != ':') {
    return false;
  }
  const int hour = two_digits(rest, 1);
  const int minute = two_digits(rest, 4);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) {
    return false;
  }
  minutes = (rest[0] == '-' ? -1 : 1) * (hour * 60 + minute);
  return true;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) {
    ++at;
  }
  return at;
}

// Digits and one of `units`, in their order, each at most once, with no gap between those that are
// there: year-month-day, hour-minute-second.
bool read_run(std::string_view text, std::string_view units, std::size_t& at) {
  std::size_t last = std::string_view::npos;
  while (at < text.size() && text[at] != 'T') {
    const std::size_t unit_at = skip_digits(text, at);
    if (unit_at == at || unit_at == text.size()) {
      return false;
    }
    const std::size_t unit = units.find(text[unit_at]);
    if (unit == std::string_view::npos || (last != std::string_view::npos && unit != last + 1)) {
      return false;
    }
    last = unit;
    at = unit_at + 1;
  }
  return true;
}

}  // namespace

bool is_date(std::string_view text) {
  if (text.size() != kDateLength || text[4] != '-' || text[7] != '-') {
    return false;
  }
  const int century = two_digits(text, 0);
  const int year = two_digits(text, 2);
  const int month = two_digits(text, 5);
  const int day = two_digits(text, 8);
  if (century < 0 || year < 0 || month < 0 || day < 0) {
    return false;
  }
  return std::chrono::year_month_day{std::chrono::year{century * 100 + year},
                                     std::chrono::month{static_cast<unsigned>(month)},
                                     std::chrono::day{static_cast<unsigned>(day)}}
      .ok();
}

bool is_time(std::string_view text) {
  if (text.size() < 9 || text[2] != ':' || text[5] != ':') {
    return false;
  }
  const int hour = two_digits(text, 0);
  const int minute = two_digits(text, 3);
  const int second = two_digits(text, 6);
  std::size_t at = 8;
  if (text[at] == '.') {
    at = skip_digits(text, at + 1);
    if (at == 9) {
      return false;
    }
  }
  int offset = 0;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 ||
      !read_offset(text, at, offset)) {
    return false;
  }
  const int utc = (hour * 60 + minute - offset + 2 * kMinutesOfDay) % kMinutesOfDay;
  return second < 60 || utc == kMinutesOfDay - 1;
}

bool is_date_time(std::string_view text) {
  return text.size() > kDateLength && (text[kDateLength] == 'T' || text[kDateLength] == 't') &&
         is_date(text.substr(0, kDateLength)) && is_time(text.substr(kDateLength + 1));
}

bool is_duration(std::string_view text) {
  if (text.size() < 3 || text[0] != 'P') {
    return false;
  }
  if (text.back() == 'W') {
    return skip_digits(text, 1) == text.size() - 1;
  }
  std::size_t at = 1;
  if (!read_run(text, "YMD", at)) {
    return false;
  }
  if (at == text.size()) {
    return true;
  }
  ++at;
  return at < text.size() && read_run(text, "HMS", at) && at == text.size();
}

}  // namespace spec::schema::formats
