#include "spec/contract/samples/header_values.hpp"

#include "spec/http/media_type.hpp"
#include "spec/http/message.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/samples/random.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace spec::contract::samples {

namespace {

using Json = nlohmann::json;

using Values = std::vector<Json>;
using Make = Values (*)(const HeaderContext&);

constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr int kCreated = 201;

std::string hexadecimal(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < 16; ++i, number >>= 4U) {
    text += kDigits[number & 15U];
  }
  return text;
}

// Where a created thing is called as its body says.
std::string key_of(const HeaderContext& context) {
  const auto body = spec::json::read(context.body);
  const bool has_id = body && body->is_object() && body->contains("id");
  const Json& id = has_id ? body->at("id") : Json(nullptr);
  if (id.is_string() && !id.get_ref<const std::string&>().empty()) {
    return http::percent_encode(id.get<std::string>());
  }
  return id.is_number() ? spec::json::write(id) : hexadecimal(context.seed);
}

// A reference, and the same in full.
Values references(const std::string& path) {
  return {path, "https://www.example.com" + path};
}

// Source: RFC 9110 §10.2.2: of what was created, or where to go on.
Values location(const HeaderContext& context) {
  std::string path(context.path.empty() ? "/" : context.path);
  if (context.status != kCreated) {
    return references("/moved/" + hexadecimal(context.seed));
  }
  path += path.ends_with('/') ? "" : "/";
  return references(path + key_of(context));
}

Values content_location(const HeaderContext& context) {
  return references(std::string(context.path.empty() ? "/" : context.path));
}

// Of the answer itself: a made-up "next" would be followed for ever.
Values link(const HeaderContext& context) {
  Values links;
  for (const Json& reference : content_location(context)) {
    links.push_back('<' + reference.get<std::string>() + ">; rel=\"self\"");
  }
  return links;
}

Values content_disposition(const HeaderContext& context) {
  const auto type = http::parse_media_type(context.media_type);
  const std::string subtype = type ? type->subtype : "";
  const bool is_extension =
      subtype.size() <= 4 && std::ranges::all_of(subtype, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
      });
  const std::string name =
      is_extension && !subtype.empty() ? "sample." + subtype : std::string("sample");
  return {"attachment; filename=\"" + name + '"'};
}

Values set_cookie(const HeaderContext& context) {
  const std::string value = hexadecimal(context.seed);
  return {"session=" + value + "; Path=/; HttpOnly", "session=" + value};
}

Values at_that_time(const HeaderContext& context) {
  return {http_date(context.seconds)};
}

Values a_day_later(const HeaderContext& context) {
  return {http_date(context.seconds + kSecondsPerDay)};
}

Values retry_after(const HeaderContext& context) {
  return {30, "30", http_date(context.seconds + kSecondsPerDay)};
}

struct Row {
  std::string_view name;
  Make make = nullptr;
  std::string_view text = {};  // where it is always the same
};

constexpr std::array kRows = std::to_array<Row>({
    {"Accept-Patch", nullptr, "application/merge-patch+json"},
    {"Access-Control-Max-Age", nullptr, "600"},
    {"Allow", nullptr, "GET, HEAD, OPTIONS"},
    {"Cache-Control", nullptr, "no-cache"},
    {"Content-Disposition", &content_disposition},
    {"Content-Language", nullptr, "en"},
    {"Content-Location", &content_location},
    {"Content-Security-Policy", nullptr, "default-src 'none'"},
    {"Expires", &a_day_later},
    {"Last-Modified", &at_that_time},
    {"Link", &link},
    {"Location", &location},
    {"Pragma", nullptr, "no-cache"},
    {"Proxy-Authenticate", nullptr, "Basic realm=\"sample\""},
    {"Referrer-Policy", nullptr, "no-referrer"},
    {"Retry-After", &retry_after},
    {"Set-Cookie", &set_cookie},
    {"Sunset", &a_day_later},
    {"Vary", nullptr, "Accept"},
    {"Via", nullptr, "1.1 sample"},
    {"WWW-Authenticate", nullptr, "Bearer realm=\"sample\""},
    {"X-Content-Type-Options", nullptr, "nosniff"},
    {"X-Frame-Options", nullptr, "DENY"},
});

std::string two_digits(unsigned number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

std::vector<Json> usual_values(std::string_view name, const HeaderContext& context) {
  const auto row = std::ranges::find_if(
      kRows, [name](const Row& each) { return http::equals_ignoring_case(each.name, name); });
  if (row == kRows.end()) {
    return {};
  }
  Values values = row->make != nullptr ? row->make(context) : Values{std::string(row->text)};
  // A schema may ask for a number, or for a list of what is one.
  if (row->text.find_first_not_of("0123456789") == std::string_view::npos && !row->text.empty()) {
    values.push_back(Json::parse(row->text));
  }
  values.push_back(Json::array({values.front()}));
  return values;
}

std::string http_date(std::int64_t seconds) {
  constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds instant{std::chrono::seconds{seconds}};
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{instant - day};
  return std::string(kDays.at(std::chrono::weekday{day}.c_encoding())) + ", " +
         two_digits(static_cast<unsigned>(date.day())) + ' ' +
         kMonths.at(static_cast<unsigned>(date.month()) - 1) + ' ' +
         std::to_string(static_cast<int>(date.year())) + ' ' +
         two_digits(static_cast<unsigned>(time.hours().count())) + ':' +
         two_digits(static_cast<unsigned>(time.minutes().count())) + ':' +
         two_digits(static_cast<unsigned>(time.seconds().count())) + " GMT";
}

}  // namespace spec::contract::samples
