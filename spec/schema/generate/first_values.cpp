#include "spec/schema/generate/first_values.hpp"

#include "spec/json/number.hpp"
#include "spec/schema/generate/believable_values.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace spec::schema::generate {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kFirstEpoch = 1'000'000'000;  // 2001
constexpr std::int64_t kFirstMilliseconds = 100'000'000'000;

// `seconds` in the form of `like`: a date, a date with a time, seconds or milliseconds since 1970;
// nothing for what is no time.
std::optional<Json> time_like(const Json& like, const time::Instant& instant) {
  constexpr std::size_t kDate = 10;
  if (like.is_string()) {
    const auto& text = like.get_ref<const std::string&>();
    const std::string now = time::format_date_time(instant, {0, 6});
    const bool is_date =
        time::parse_date_time(text.substr(0, kDate) + now.substr(kDate)).has_value();
    return is_date ? std::optional(Json(text.size() == kDate ? now.substr(0, kDate) : now))
                   : std::nullopt;
  }
  const auto number = spec::json::is_number(like) ? spec::json::to_int64(like) : std::nullopt;
  if (!number || *number < kFirstEpoch) {
    return std::nullopt;
  }
  return Json(*number < kFirstMilliseconds ? instant.seconds : instant.seconds * 1000);
}

std::optional<Json> new_time(const NameUsage& usage, const Json& made, time::Instant now) {
  constexpr std::int64_t kMonth = 30 * 86'400;
  const bool is_time = made.is_string() || usage.is_epoch || usage.time != NameTime::kOther;
  if (!is_time || usage.time == NameTime::kBirth) {
    return std::nullopt;
  }
  constexpr std::int64_t kHour = 3600;
  if (usage.time == NameTime::kLater) {
    now.seconds += kMonth;
  } else if (is_named(usage.snake, Words{"ends_at", "end_time"})) {
    now.seconds += kHour;
  }
  return time_like(made, now);
}

}  // namespace

std::optional<Json> new_value(std::string_view name, const Json& made, const time::Instant& now) {
  const NameUsage& usage = usage_of(name);
  const WordTables& tables = word_tables();
  if (made.is_boolean()) {
    return Json(is_named(usage.snake, tables.usable));
  }
  if (made.is_array()) {
    return is_named(usage.snake, tables.outputs) ? std::nullopt : std::optional(Json::array());
  }
  if (spec::json::is_number(made) && is_named(usage.snake, tables.counters) &&
      !is_named(usage.snake, Words{"max*", "min*", "limit"})) {
    return Json(0);
  }
  return new_time(usage, made, now);
}

bool is_time_of_beginning(std::string_view name) {
  const NameUsage& usage = usage_of(name);
  return usage.time == NameTime::kCreation || is_named(usage.snake, word_tables().beginnings);
}

bool is_time_of_last(std::string_view name, const Json& made) {
  return is_named(usage_of(name).snake, "last_*") && time_like(made, {}).has_value();
}

}  // namespace spec::schema::generate
