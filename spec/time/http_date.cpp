#include "spec/time/http_date.hpp"

#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace spec::time {
namespace {

constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::string two_digits(std::size_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

std::string format_http_date(std::int64_t seconds) {
  const std::chrono::sys_seconds instant{std::chrono::seconds{seconds}};
  const std::chrono::weekday day{std::chrono::floor<std::chrono::days>(instant)};
  const std::string text = format_date_time({.seconds = seconds, .fraction = ""});
  const auto month = static_cast<std::size_t>((text[5] - '0') * 10 + (text[6] - '0') - 1);
  std::string date(kDays.at(day.c_encoding()));
  date.append(", ").append(text, 8, 2).append(" ").append(kMonths.at(month)).append(" ");
  return date.append(text, 0, 4).append(" ").append(text, 11, 8).append(" GMT");
}

std::optional<std::int64_t> parse_http_date(std::string_view text) {
  constexpr std::size_t kSize = 29;
  if (text.size() != kSize) {
    return std::nullopt;
  }
  const auto month = std::ranges::find(kMonths, text.substr(8, 3)) - kMonths.begin();
  std::string date(text.substr(12, 4));
  date += '-' + two_digits(static_cast<std::size_t>(month) + 1) + '-';
  date.append(text.substr(5, 2)).append("T").append(text.substr(17, 8)).append("Z");
  const auto instant = parse_date_time(date);  // rejects month 13
  if (!instant) {
    return std::nullopt;
  }
  // Written again it differs where the weekday or what is between the numbers is wrong.
  std::string again = format_http_date(instant->seconds - (instant->leap ? 1 : 0));
  if (instant->leap) {
    again.replace(23, 2, "60");
  }
  return again == text ? std::optional(instant->seconds) : std::nullopt;
}

}  // namespace spec::time
