#include "mock_server/service/request/preferences.hpp"

#include "mock_server/reply/fault.hpp"
#include "spec/http/form.hpp"
#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace mock_server::service::request {
namespace {

using spec::http::FieldReader;

constexpr std::int64_t kMaxDelayMs = 60'000;
constexpr std::string_view kPreferencesHelp =
    "preferences are code=STATUS, example=NAME, dynamic=true, seed=NUMBER, delay=MILLISECONDS (0 "
    "to "
    "60000), pace=MILLISECONDS, end=open, fault=NAME"
    ", expect=invalid, upstream and mock";

constexpr std::array<std::string_view, 11> kNames{"code",   "example",  "dynamic", "seed",
                                                  "delay",  "pace",     "end",     "fault",
                                                  "expect", "upstream", "mock"};
// Those that change the delivery of the response, not its choice.
constexpr std::array<std::string_view, 4> kOfDelivery{"delay", "pace", "end", "fault"};

bool is_ours(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end();
}

constexpr std::string_view kSession = "session";
constexpr std::string_view kSessionHelp =
    "ignored; a session is chosen by the header X-Counterpart-Session, or by /_s/NAME before the "
    "path";

// True if "session" is meant, which is no preference.
bool means_session(std::string_view name) {
  return spec::text::nearest(name, std::array{kSession}).has_value();
}

// "preference dealy: unknown, so it is ignored; did you mean delay?" for a name that is probably
// one of ours; "" for one of another make.
std::string misspelt(std::string_view name) {
  if (means_session(name)) {
    return "preference " + spec::text::shortened(name) + ": " + std::string(kSessionHelp);
  }
  const auto meant = spec::text::nearest(name, kNames);
  return meant ? "preference " + spec::text::shortened(name) +
                     ": unknown, so it is ignored; did you mean " + std::string(*meant) + '?'
               : "";
}

struct GivenPreference {
  std::string value;
  bool by_header = false;
};

using Table = std::map<std::string, GivenPreference, std::less<>>;

void collect_query(std::string_view query, Table& table) {
  for (const spec::http::FormPair& pair : spec::http::split_form(query)) {
    if (is_preference(pair.name)) {
      const auto value = spec::text::percent_decode(pair.value, true);
      table.try_emplace(pair.name.substr(2), GivenPreference{value.value_or(""), false});
    }
  }
}

void report(Preferences& preferences, std::string_view name, std::string_view rule,
            std::string_view value) {
  preferences.violation = "preference " + std::string(name) + ": must be " + std::string(rule) +
                          ", but is " + spec::text::in_quotes(value) + "; " +
                          std::string(kPreferencesHelp);
}

void read_fault(Preferences& preferences, std::string_view value) {
  if (const auto fault = reply::fault_of(value)) {
    preferences.delivery.fault = *fault;
    return;
  }
  preferences.violation = "preference fault: must be one of " +
                          spec::text::join(reply::kFaultNames) + ", but is " +
                          spec::text::in_quotes(value);
  preferences.is_unknown = true;
}

void read_code(Preferences& preferences, std::string_view value) {
  constexpr int kLowest = 200;
  constexpr int kHighest = 599;
  preferences.code = spec::text::parse_number<int>(value);
  if (!preferences.code || *preferences.code < kLowest || *preferences.code > kHighest) {
    report(preferences, "code", "a final status, 200 to 599", value);
  }
}

// 0 for a value that is reported.
std::chrono::milliseconds read_time(Preferences& preferences, std::string_view name,
                                    std::string_view value) {
  const auto ms = spec::text::parse_number<std::int64_t>(value);
  if (!ms || *ms < 0 || *ms > kMaxDelayMs) {
    report(preferences, name, "a number of milliseconds, 0 to 60000", value);
    return {};
  }
  return std::chrono::milliseconds(*ms);
}

void read_end(Preferences& preferences, std::string_view value) {
  preferences.stays_open = value == "open";
  if (value != "open" && value != "close") {
    report(preferences, "end", "open or close", value);
  }
}

void read_one(Preferences& preferences, std::string_view name, const std::string& value) {
  if (name == "code") {
    read_code(preferences, value);
  } else if (name == "example") {
    preferences.example = value;
    if (value.empty()) {
      report(preferences, "example", "the name of an example", value);
    }
  } else if (name == "dynamic") {
    preferences.dynamic = value == "true";
    if (value != "true" && value != "false") {
      report(preferences, "dynamic", "true or false", value);
    }
  } else if (name == "seed") {
    preferences.seed = spec::text::parse_number<std::uint64_t>(value);
    if (!preferences.seed) {
      report(preferences, "seed", "an integer of at least 0", value);
    }
  } else if (name == "delay") {
    preferences.delivery.delay = read_time(preferences, name, value);
  } else if (name == "pace") {
    preferences.pace = read_time(preferences, name, value);
  } else if (name == "end") {
    read_end(preferences, value);
  } else if (name == "upstream" || name == "mock") {
    preferences.upstream = name == "upstream";
    if (!value.empty()) {
      report(preferences, name, "without a value", value);
    }
  } else if (name == "expect") {
    preferences.expects_invalid = value == "invalid";
    if (value != "invalid") {
      report(preferences, "expect", "invalid", value);
    }
  } else {
    read_fault(preferences, value);
  }
}

// Up to and with the next comma that is outside quotes.
void skip_to_next(FieldReader& in) {
  while (!in.at_end() && !in.take(',')) {
    in.read_until_any(",\"");
    if (in.is_at('"')) {
      in.word();
    }
  }
}

}  // namespace

std::vector<Preference> parse_preferences(std::string_view line) {
  std::vector<Preference> preferences;
  FieldReader in(line);
  while (!in.at_end()) {
    in.blanks();
    Preference preference{spec::text::to_lower(in.token()), ""};
    in.blanks();
    if (in.take('=')) {
      in.blanks();
      preference.value = in.word();
    }
    if (!preference.name.empty()) {
      preferences.push_back(std::move(preference));
    }
    skip_to_next(in);
  }
  return preferences;
}

bool may_have_preferences(const spec::http::Request& request) {
  return request.target.find('?') != std::string::npos || request.headers.has("Prefer");
}

bool expects_invalid(const spec::http::Request& request) {
  return may_have_preferences(request) && read_preferences(request).expects_invalid;
}

bool is_preference(std::string_view parameter) {
  return parameter.starts_with("__") && is_ours(parameter.substr(2));
}

std::string unknown_preference(std::string_view parameter) {
  const std::string_view name = parameter.substr(2);
  if (means_session(name)) {
    return "query/" + spec::text::shortened(parameter) + ": " + std::string(kSessionHelp);
  }
  const auto meant = spec::text::nearest(name, kNames);
  return "query/" + spec::text::shortened(parameter) + ": no preference, so it is ignored; " +
         (meant ? "did you mean __" + std::string(*meant) + '?' : std::string(kPreferencesHelp));
}

Preferences read_preferences(const spec::http::Request& request) {
  Table table;
  Preferences preferences;
  for (const std::string_view line : request.headers.all("Prefer")) {
    for (Preference& preference : parse_preferences(line)) {
      if (is_ours(preference.name)) {
        table.try_emplace(preference.name, GivenPreference{std::move(preference.value), true});
      } else if (auto warning = misspelt(preference.name); !warning.empty()) {
        preferences.warnings.push_back(std::move(warning));
      }
    }
  }
  collect_query(spec::http::query_of(request.target), table);
  for (const std::string_view name : kNames) {
    const auto given = table.find(name);
    if (given == table.end()) {
      continue;
    }
    const std::string& value = given->second.value;
    read_one(preferences, name, value);
    if (!preferences.violation.empty()) {
      return preferences;
    }
    if (given->second.by_header && name != "expect") {
      const bool delivers = std::ranges::find(kOfDelivery, name) != kOfDelivery.end();
      std::string& applied = delivers ? preferences.applied_delivery : preferences.applied_choice;
      spec::text::append_to_list(
          applied,
          std::string(name) + (value.empty() ? "" : '=' + spec::http::token_or_quoted(value)));
    }
  }
  return preferences;
}

}  // namespace mock_server::service::request
