#include "spec/time/instant.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace spec::time {

namespace {

constexpr int kSecondsPerMinute = 60;
constexpr int kSecondsPerHour = 3600;
constexpr std::int64_t kSecondsPerDay = 86400;

// A text that is read from the front; every step returns whether it matched.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  char front() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(char expected) {
    if (front() != expected || rest_.empty()) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `count` digits.
  std::optional<int> number(std::size_t count) {
    if (rest_.size() < count ||
        !std::all_of(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count),
                     text::is_digit)) {
      return std::nullopt;
    }
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  // All digits that follow.
  std::string_view digits() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), text::is_digit);
    const auto taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view rest_;
};

std::optional<std::chrono::year_month_day> take_date(Cursor& cursor) {
  const auto year = cursor.number(4);
  const auto month = year && cursor.take('-') ? cursor.number(2) : std::nullopt;
  const auto day = month && cursor.take('-') ? cursor.number(2) : std::nullopt;
  if (!day) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  return date.ok() ? std::optional{date} : std::nullopt;
}

struct TimeOfDay {
  int seconds = 0;  // of the local day, 60 counted as it is
  bool leap = false;
  std::string_view fraction;
  int offset_seconds = 0;

  // Seconds of the UTC day that the time falls in, the leap second at 86,400.
  std::int64_t utc_seconds() const {
    const std::int64_t shifted = (seconds - (leap ? 1 : 0) - offset_seconds) % kSecondsPerDay;
    return (shifted + kSecondsPerDay) % kSecondsPerDay + (leap ? 1 : 0);
  }
};

// "Z" or a signed hh:mm; seconds to subtract from local time.
std::optional<int> take_offset(Cursor& cursor) {
  if (cursor.take('Z') || cursor.take('z')) {
    return 0;
  }
  const int sign = cursor.front() == '-' ? -1 : 1;
  if (!cursor.take('+') && !cursor.take('-')) {
    return std::nullopt;
  }
  const auto hours = cursor.number(2);
  const auto minutes = hours && cursor.take(':') ? cursor.number(2) : std::nullopt;
  if (!minutes || *hours > 23 || *minutes > 59) {
    return std::nullopt;
  }
  return sign * (*hours * kSecondsPerHour + *minutes * kSecondsPerMinute);
}

std::optional<TimeOfDay> take_time(Cursor& cursor) {
  const auto hour = cursor.number(2);
  const auto minute = hour && cursor.take(':') ? cursor.number(2) : std::nullopt;
  const auto second = minute && cursor.take(':') ? cursor.number(2) : std::nullopt;
  if (!second || *hour > 23 || *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  TimeOfDay time;
  time.seconds = *hour * kSecondsPerHour + *minute * kSecondsPerMinute + *second;
  time.leap = *second == 60;
  if (cursor.take('.')) {
    time.fraction = cursor.digits();
    if (time.fraction.empty()) {
      return std::nullopt;
    }
  }
  const auto offset = take_offset(cursor);
  if (!offset) {
    return std::nullopt;
  }
  time.offset_seconds = *offset;
  if (time.leap && time.utc_seconds() != kSecondsPerDay) {
    return std::nullopt;
  }
  return time;
}

std::string without_trailing_zeros(std::string_view digits) {
  const auto last = digits.find_last_not_of('0');
  return std::string(digits.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

// True if a leap second can be just before `seconds`, the first second of a UTC day.
bool may_follow_leap_second(std::int64_t seconds) {
  const std::chrono::sys_days day{std::chrono::days{static_cast<int>(seconds / kSecondsPerDay)}};
  const std::chrono::year_month_day date{day};
  return date.day() == std::chrono::day{1} &&
         (date.month() == std::chrono::July || date.month() == std::chrono::January);
}

// One or more numbers with units that follow each other in `units` without a gap.
bool take_units(Cursor& cursor, std::string_view units) {
  auto expected = std::string_view::npos;
  while (text::is_digit(cursor.front())) {
    cursor.digits();
    const auto unit = units.find(cursor.front());
    if (cursor.done() || unit == std::string_view::npos ||
        (expected != std::string_view::npos && unit != expected)) {
      return false;
    }
    cursor.take(cursor.front());
    expected = unit + 1;
  }
  return expected != std::string_view::npos;
}

// `value` with leading zeros to `width` digits.
void append_number(std::string& out, int value, std::size_t width) {
  const std::string digits = std::to_string(value);
  out.append(width > digits.size() ? width - digits.size() : 0, '0').append(digits);
}

}  // namespace

std::strong_ordering operator<=>(const Instant& left, const Instant& right) {
  if (const auto order = left.seconds <=> right.seconds; std::is_neq(order)) {
    return order;
  }
  if (left.leap != right.leap) {
    return left.leap ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return left.fraction.compare(right.fraction) <=> 0;
}

std::optional<Instant> parse_date_time(std::string_view text) {
  Cursor cursor(text);
  const auto date = take_date(cursor);
  if (!date || !(cursor.take('T') || cursor.take('t'))) {
    return std::nullopt;
  }
  const auto time = take_time(cursor);
  if (!time || !cursor.done()) {
    return std::nullopt;
  }
  const auto midnight = std::chrono::sys_days{*date}.time_since_epoch().count() * kSecondsPerDay;
  Instant instant{.seconds = midnight + time->seconds - time->offset_seconds,
                  .leap = time->leap,
                  .fraction = without_trailing_zeros(time->fraction),
                  .utc = time->offset_seconds == 0};
  if (instant.leap && !may_follow_leap_second(instant.seconds)) {
    return std::nullopt;
  }
  return instant;
}

std::string format_date_time(const Instant& instant, const Spelling& spelling) {
  const std::int64_t local = instant.seconds - (instant.leap ? 1 : 0) +
                             std::int64_t{spelling.offset_minutes} * kSecondsPerMinute;
  const std::int64_t day_number = local / kSecondsPerDay - (local % kSecondsPerDay < 0 ? 1 : 0);
  const auto of_day = static_cast<int>(local - day_number * kSecondsPerDay);
  const std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(day_number)}}};

  std::string text;
  append_number(text, static_cast<int>(date.year()), 4);
  append_number(text += '-', static_cast<int>(static_cast<unsigned>(date.month())), 2);
  append_number(text += '-', static_cast<int>(static_cast<unsigned>(date.day())), 2);
  append_number(text += 'T', of_day / kSecondsPerHour, 2);
  append_number(text += ':', of_day / kSecondsPerMinute % 60, 2);
  append_number(text += ':', of_day % 60 + (instant.leap ? 1 : 0), 2);
  std::string fraction = instant.fraction;
  fraction.resize(spelling.fraction_digits.value_or(fraction.size()), '0');
  if (!fraction.empty()) {
    text += '.' + fraction;
  }
  if (spelling.offset_minutes == 0) {
    return text + 'Z';
  }
  const int offset = std::abs(spelling.offset_minutes);
  append_number(text += spelling.offset_minutes < 0 ? '-' : '+', offset / 60, 2);
  append_number(text += ':', offset % 60, 2);
  return text;
}

bool is_full_date(std::string_view text) {
  Cursor cursor(text);
  return take_date(cursor).has_value() && cursor.done();
}

bool is_full_time(std::string_view text) {
  Cursor cursor(text);
  return take_time(cursor).has_value() && cursor.done();
}

bool is_duration(std::string_view text) {
  Cursor cursor(text);
  if (!cursor.take('P') || cursor.done()) {
    return false;
  }
  if (text.ends_with('W')) {
    return take_units(cursor, "W") && cursor.done();
  }
  if (cursor.front() != 'T' && !take_units(cursor, "YMD")) {
    return false;
  }
  if (cursor.take('T') && !take_units(cursor, "HMS")) {
    return false;
  }
  return cursor.done();
}

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
  // Formatted again it differs if the weekday or a separator is wrong.
  std::string again = format_http_date(instant->seconds - (instant->leap ? 1 : 0));
  if (instant->leap) {
    again.replace(23, 2, "60");
  }
  return again == text ? std::optional(instant->seconds) : std::nullopt;
}

}  // namespace spec::time
