#include "spec/schema/generate/believable_values.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace spec::schema::generate {

using text::Random;

namespace {

constexpr std::array kFirstNames{"Amara", "Bram",  "Chiara",  "Dilip", "Elif",
                                 "Farid", "Greta", "Hiroshi", "Ines",  "Jonas"};
constexpr std::array kLastNames{"Okafor", "Jansen",    "Ricci", "Menon",  "Demir",
                                "Haddad", "Lindqvist", "Sato",  "Moreau", "Keller"};
constexpr std::array kCompanies{"Fernway", "Lanternfish", "Northlight", "Oxbow", "Marigold"};
constexpr std::array kCities{"Lisbon", "Utrecht", "Nairobi", "Osaka", "Turin", "Bergen"};
constexpr std::array kStreets{"Harbour Street 12", "Mill Lane 4", "Station Road 31"};
constexpr std::array kCurrencies{"USD", "EUR", "GBP", "SEK", "CAD"};
constexpr std::array kCountries{"PT", "NL", "KE", "JP", "IT", "NO"};
constexpr std::array kNouns{"harbour", "lantern", "meadow",  "signal", "copper",
                            "orchard", "ledger",  "compass", "thread", "granite"};
constexpr std::array kAdjectives{"quiet", "bright", "northern", "early", "plain", "steady"};
constexpr std::array kLanguages{"en", "nl", "pt", "ja", "it"};
constexpr std::array kStates{"active", "pending", "completed"};
constexpr std::string_view kAlphanumeric =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kDigits = "0123456789";

// A name in one spelling: "created_at" for "createdAt" and "Created-At".
std::string snake_case(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool starts_word = is_upper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    out += starts_word ? "_" : "";
    out += c == '-' || c == '.' || c == ' ' ? '_' : c;
  }
  return text::to_lower(out);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [text](std::string_view word) { return text.find(word) != text.npos; });
}

std::string characters(Random& random, std::size_t count, std::string_view alphabet) {
  std::string out(count, ' ');
  for (char& c : out) {
    c = alphabet[random.next_below(alphabet.size())];
  }
  return out;
}

std::string some_words(Random& random) {
  return std::string(random.pick(kAdjectives)) + ' ' + random.pick(kNouns);
}

std::string some_date_time(const TextContext& context, Random& random) {
  constexpr std::int64_t kDay = 86'400;
  constexpr std::array<std::size_t, 4> kFractionDigits{6, 6, 3, 0};
  const std::string name = snake_case(context.name);
  std::int64_t seconds = context.start_seconds + static_cast<std::int64_t>(random.next_below(kDay));
  if (has_any(name, {"birth", "dob"})) {
    seconds -= static_cast<std::int64_t>(20 * 365 + random.next_below(40 * 365)) * kDay;
  } else if (has_any(name, {"end", "expire", "until", "updat", "due", "next", "to_"})) {
    seconds += 30 * kDay;  // the end of a span comes after its start
  }
  if (context.is_spread) {
    seconds += static_cast<std::int64_t>(random.next_below(3000)) * kDay;
  }
  const std::size_t digits = context.is_spread ? random.pick(kFractionDigits) : 6;
  return time::format_date_time({.seconds = seconds,
                                 .leap = false,
                                 .fraction = characters(random, 5, kDigits) + '1',
                                 .utc = true},
                                {.offset_minutes = 0, .fraction_digits = digits});
}

std::string some_uuid(Random& random) {
  std::string text = characters(random, 36, text::kHexDigits);
  for (const std::size_t hyphen : {8U, 13U, 18U, 23U}) {
    text[hyphen] = '-';
  }
  text[14] = '4';
  text[19] = "89ab"[random.next_below(4)];
  return text;
}

std::string some_ipv4(Random& random) {
  return "192.0.2." + std::to_string(1 + random.next_below(254));  // RFC 5737 §3
}

// "customer_id", "customerId" and "id" are, of objects whose ids start with "cus_" and "obj_".
std::optional<std::string> identifier_for(std::string_view name, Random& random) {
  std::string stem = text::to_lower(name);
  const bool is_one =
      stem == "id" || stem.ends_with("_id") || name.ends_with("Id") || name.ends_with("ID");
  if (!is_one) {
    return std::nullopt;
  }
  stem.resize(stem.size() - 2);
  std::erase_if(stem, [](char c) { return c < 'a' || c > 'z'; });
  return (stem.empty() ? "obj" : stem.substr(0, 3)) + '_' + characters(random, 21, kAlphanumeric);
}

using Make = std::string (*)(const TextContext&, Random&);

template <const auto& kPool>
std::string one_of(const TextContext& /*context*/, Random& random) {
  return random.pick(kPool);
}

std::string domain(const TextContext& /*context*/, Random& random) {
  return text::to_lower(random.pick(kCompanies)) + ".example";  // RFC 2606 §2
}

std::string email(const TextContext& context, Random& random) {
  return text::to_lower(random.pick(kFirstNames)) + '.' + text::to_lower(random.pick(kLastNames)) +
         '@' + domain(context, random);
}

std::string url(const TextContext& context, Random& random) {
  return "https://" + domain(context, random) + '/' + random.pick(kNouns);
}

std::string path(const TextContext& /*context*/, Random& random) {
  return std::string("/") + random.pick(kNouns);
}

std::string price(const TextContext& /*context*/, Random& random) {
  return std::to_string(1 + random.next_below(999)) + '.' + characters(random, 2, kDigits);
}

std::string secret(const TextContext& /*context*/, Random& random) {
  return characters(random, 16, kAlphanumeric);
}

std::string base64(const TextContext& /*context*/, Random& random) {
  return characters(random, 8, kAlphanumeric);
}

// The first row with a word in the name decides.
struct NameRow {
  std::initializer_list<std::string_view> words;
  Make make;
};

const NameRow kNames[] = {
    {{"email", "e_mail"}, email},
    {{"currency"}, one_of<kCurrencies>},
    {{"first_name", "firstname", "given"}, one_of<kFirstNames>},
    {{"last_name", "lastname", "surname", "family"}, one_of<kLastNames>},
    {{"company", "business_name", "organi"}, one_of<kCompanies>},
    {{"full_name", "customer_name", "user_name", "username"},
     [](const auto&, Random& r) {
       return std::string(r.pick(kFirstNames)) + ' ' + r.pick(kLastNames);
     }},
    {{"phone", "mobile"},
     [](const auto&, Random& r) { return "+44207946" + characters(r, 4, kDigits); }},
    {{"mime", "content_type", "media_type"},
     [](const auto&, Random&) { return std::string("application/pdf"); }},
    {{"uuid", "guid"}, [](const auto&, Random& r) { return some_uuid(r); }},
    {{"url", "website", "link", "href", "image", "avatar"}, url},
    {{"price", "amount", "cost", "balance", "units", "quantity", "total"}, price},
    {{"date", "_at", "time", "birth"}, some_date_time},
    {{"ip_address", "ipv4"}, [](const auto&, Random& r) { return some_ipv4(r); }},
    {{"city"}, one_of<kCities>},
    {{"country"}, one_of<kCountries>},
    {{"street", "address"}, one_of<kStreets>},
    {{"zip", "postal"}, [](const auto&, Random& r) { return characters(r, 5, kDigits); }},
    {{"language", "locale"}, one_of<kLanguages>},
    {{"colo"}, [](const auto&, Random& r) { return '#' + characters(r, 6, text::kHexDigits); }},
    {{"version"},
     [](const auto&, Random& r) {
       return characters(r, 1, "12345") + ".2." + characters(r, 1, kDigits);
     }},
    {{"status", "state"}, one_of<kStates>},
    {{"descri", "summary", "note", "comment", "message", "reason", "text"},
     [](const auto&, Random& r) { return "The " + some_words(r) + " by the " + r.pick(kNouns); }},
    {{"key", "token", "secret", "code"}, secret},
    {{"name", "label", "title", "headline", "subject"},
     [](const auto&, Random& r) {
       std::string text = some_words(r);
       text[0] = text::to_upper(text[0]);
       return text;
     }},
};

struct FormatRow {
  std::string_view format;
  Make make;
};

const FormatRow kFormats[] = {
    {"date-time", some_date_time},
    {"date", [](const auto& c, Random& r) { return some_date_time(c, r).substr(0, 10); }},
    {"time", [](const auto& c, Random& r) { return some_date_time(c, r).substr(11); }},
    {"duration",
     [](const auto&, Random& r) { return 'P' + std::to_string(1 + r.next_below(30)) + 'D'; }},
    {"email", email},
    {"idn-email", email},
    {"hostname", domain},
    {"idn-hostname", domain},
    {"ipv4", [](const auto&, Random& r) { return some_ipv4(r); }},
    {"ipv6", [](const auto&, Random& r) { return "2001:db8::" + characters(r, 4, "123456789"); }},
    {"uri", url},
    {"iri", url},
    {"uri-reference", path},
    {"iri-reference", path},
    {"uri-template", [](const auto& c, Random& r) { return path(c, r) + "/{id}"; }},
    {"uuid", [](const auto&, Random& r) { return some_uuid(r); }},
    {"json-pointer", path},
    {"relative-json-pointer", [](const auto& c, Random& r) { return '1' + path(c, r); }},
    {"regex", [](const auto&, Random& r) { return std::string("^") + r.pick(kNouns) + '$'; }},
    {"byte", base64},
    {"base64url", base64},
    {"char", [](const auto&, Random& r) { return characters(r, 1, "ABCDEFGHJKLMNPQRSTUVWXYZ"); }},
    {"decimal", price},
    // Numbers as texts, which JavaScript does not round.
    {"double", price},
    {"int32", [](const auto&, Random& r) { return characters(r, 2, "123456789"); }},
    {"int64", [](const auto&, Random& r) { return characters(r, 9, "123456789"); }},
    {"uint64", [](const auto&, Random& r) { return characters(r, 9, "123456789"); }},
    {"password", secret},
};

struct RangeRow {
  std::initializer_list<std::string_view> words;
  NumberRange range;
};

const RangeRow kRanges[] = {
    {{"latitude"}, {-60, 60}},
    {{"longitude"}, {-170, 170}},
    {{"year"}, {2020, 2030}},
    {{"month"}, {1, 12}},
    {{"day"}, {1, 28}},
    {{"hour"}, {0, 23}},
    {{"minute"}, {0, 59}},
    {{"rating", "stars"}, {1, 5}},
    {{"percent", "rate", "ratio"}, {0, 100}},
    {{"price", "amount", "total", "cost", "balance"}, {500, 50'000}},
    {{"port"}, {1024, 65'535}},
    {{"count", "quantity", "size", "number", "age"}, {1, 90}},
};

}  // namespace

std::string some_word(Random& random) {
  return random.pick(kNouns);
}

std::string text_for(const TextContext& context, Random& random) {
  if (auto identifier = identifier_for(context.name, random)) {
    return std::move(*identifier);
  }
  const std::string name = snake_case(context.name);
  const auto* const row = std::ranges::find_if(
      kNames, [&name](const NameRow& each) { return has_any(name, each.words); });
  return row == std::end(kNames) ? some_words(random) : row->make(context, random);
}

std::optional<std::string> text_of_format(std::string_view format, const TextContext& context,
                                          Random& random) {
  const auto* const row = std::ranges::find(kFormats, format, &FormatRow::format);
  return row == std::end(kFormats) ? std::nullopt : std::optional(row->make(context, random));
}

NumberRange usual_range(std::string_view name) {
  const std::string words = snake_case(name);
  const auto* const row = std::ranges::find_if(
      kRanges, [&words](const RangeRow& each) { return has_any(words, each.words); });
  return row == std::end(kRanges) ? NumberRange{1, 1000} : row->range;
}

}  // namespace spec::schema::generate
