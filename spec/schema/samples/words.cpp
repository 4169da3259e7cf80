#include "spec/schema/samples/words.hpp"

#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace spec::schema::samples {

namespace {

constexpr std::array kFirstNames{"Amara", "Bram",    "Chiara", "Dilip", "Elif",  "Farid",
                                 "Greta", "Hiroshi", "Ines",   "Jonas", "Keiko", "Lucía"};
constexpr std::array kLastNames{"Okafor",    "Jansen", "Ricci",  "Menon",  "Demir",  "Haddad",
                                "Lindqvist", "Sato",   "Moreau", "Keller", "Tanaka", "Vega"};
constexpr std::array kCompanies{"Marigold Maps", "Fernway",     "Lanternfish",   "Oxbow Press",
                                "Tidal Freight", "Cobalt Kiln", "Juniper Works", "Northlight"};
constexpr std::array kCities{"Lisbon", "Utrecht", "Nairobi", "Osaka", "Turin", "Bergen"};
constexpr std::array kStreets{"Harbour Street 12", "Mill Lane 4", "Station Road 31"};
constexpr std::array kCurrencies{"USD", "EUR", "GBP", "SEK", "CAD"};
constexpr std::array kCountries{"PT", "NL", "KE", "JP", "IT", "NO"};
constexpr std::array kNouns{"harbour", "lantern", "meadow",  "signal", "copper",
                            "orchard", "ledger",  "compass", "thread", "granite"};
constexpr std::array kAdjectives{"quiet", "bright", "northern", "early", "plain", "steady"};
constexpr std::array kLanguages{"en", "nl", "pt", "ja", "it"};
constexpr std::array kStates{"active", "pending", "completed"};
constexpr std::int64_t kSecondsPerDay = 86400;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

// A name in one spelling: "created_at" for "createdAt" and "Created-At".
std::string words_of(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char letter = name[i];
    const bool is_upper = letter >= 'A' && letter <= 'Z';
    const bool starts_word = is_upper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    out += starts_word ? "_" : "";
    out += letter == '-' || letter == '.' || letter == ' ' ? '_' : letter;
  }
  return lower(out);
}

std::string ascii_slug(std::string_view text) {
  std::string out;
  for (const char c : lower(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += c;
    } else if (c == ' ' && !out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out;
}

std::string characters(Random& random, std::size_t count, std::string_view alphabet) {
  std::string out(count, ' ');
  for (char& letter : out) {
    letter = alphabet[random.below(alphabet.size())];
  }
  return out;
}

constexpr std::string_view kAlphanumeric =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kHex = "0123456789abcdef";

// What identifiers of that name start with: "cus_" for "customer_id" or "customerId", from the part
// before "id".
std::string identifier_prefix(std::string_view name) {
  std::string stem = lower(name);
  if (stem.ends_with("id")) {
    stem.resize(stem.size() - 2);
  }
  std::erase_if(stem, [](char c) { return c < 'a' || c > 'z'; });
  return (stem.empty() ? "obj" : stem.substr(0, 3)) + '_';
}

std::string uuid(Random& random) {
  std::string text = characters(random, 36, kHex);
  for (const std::size_t hyphen : {8U, 13U, 18U, 23U}) {
    text[hyphen] = '-';
  }
  text[14] = '4';
  text[19] = "89ab"[random.below(4)];
  return text;
}

std::string price(Random& random) {
  const auto cents = 100 + random.below(99'900);
  const auto fraction = cents % 100;
  return std::to_string(cents / 100) + (fraction < 10 ? ".0" : ".") + std::to_string(fraction);
}

// One of 64 bits for two letters that follow each other.
std::uint64_t pair_bit(char first, char second) {
  const auto number = static_cast<unsigned char>(first) * 7U + static_cast<unsigned char>(second);
  return std::uint64_t{1} << (number % 64);
}

std::uint64_t pairs_of(std::string_view text) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    pairs |= pair_bit(text[i - 1], text[i]);
  }
  return pairs;
}

// Many words are asked about, each of two letters or more, of which few start with a pair of
// letters that the text has at all.
bool has_any(std::string_view text, std::uint64_t pairs,
             std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return (pairs & pair_bit(word[0], word[1])) != 0 && text.find(word) != text.npos;
  });
}

std::string email(const Persona& persona) {
  return ascii_slug(persona.first_name) + '.' + ascii_slug(persona.last_name) + '@' +
         persona.domain;
}

std::string url(const Persona& persona, Random& random) {
  return "https://" + persona.domain + '/' + random.pick(kNouns);
}

// Names that end a span come after names that start one.
std::int64_t seconds_for(const Occasion& occasion, Random& random) {
  constexpr std::int64_t kManyDays = 3000;
  constexpr std::int64_t kYouth = 20 * 365 * kSecondsPerDay;
  std::int64_t seconds = occasion.persona->start_seconds;
  seconds += static_cast<std::int64_t>(random.below(kSecondsPerDay));
  if (occasion.sense->is_of_birth) {
    return seconds - kYouth - static_cast<std::int64_t>(random.below(40 * 365)) * kSecondsPerDay;
  }
  if (occasion.is_wide) {
    seconds += static_cast<std::int64_t>(random.below(kManyDays)) * kSecondsPerDay;
  }
  return seconds + (occasion.sense->is_late ? 30 * kSecondsPerDay : 0);
}

std::string date_time(const Occasion& occasion, Random& random) {
  const auto fraction = std::to_string(1'000'000 + random.below(1'000'000)).substr(1);
  return time::format_date_time(
      {.seconds = seconds_for(occasion, random), .leap = false, .fraction = fraction, .utc = true},
      {.offset_minutes = 0, .fraction_digits = 6});
}

std::string date(const Occasion& occasion, Random& random) {
  return date_time(occasion, random).substr(0, 10);
}

// "Tue, 04 Nov 2025 10:11:12 GMT". Source: RFC 9110 §5.6.7.
std::string http_date(const Occasion& occasion, Random& random) {
  constexpr std::array<std::string_view, 7> kDays{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::int64_t seconds = seconds_for(occasion, random);
  const std::string text =
      time::format_date_time({.seconds = seconds, .leap = false, .fraction = "", .utc = true},
                             {.offset_minutes = 0, .fraction_digits = 0});
  const auto month = static_cast<std::size_t>(std::stoi(text.substr(5, 2)) - 1);
  std::string out(kDays.at(static_cast<std::size_t>(seconds / kSecondsPerDay) % kDays.size()));
  out += ", " + text.substr(8, 2) + ' ';
  out += kMonths.at(month);
  return out + ' ' + text.substr(0, 4) + ' ' + text.substr(11, 8) + " GMT";
}

// A Dutch account with its two check digits. Source: ISO 13616, mod 97-10.
std::string iban(Random& random) {
  const std::string account = characters(random, 10, "0123456789");
  // "SAMP" and "NL" with "00" behind them, letters as 10 to 35.
  int rest = 0;
  for (const char digit : "28102225" + account + "232100") {
    rest = (rest * 10 + (digit - '0')) % 97;
  }
  const int check = 98 - rest;
  return std::string("NL") + (check < 10 ? "0" : "") + std::to_string(check) + "SAMP" + account;
}

std::string capitalised(std::string text) {
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string base64_of(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = (bits << 8U) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= group.size() ? kLetters[(bits >> (18 - 6 * i)) & 0x3FU] : '=';
    }
  }
  return out;
}

}  // namespace

std::string some_words(Random& random) {
  return std::string(random.pick(kAdjectives)) + ' ' + random.pick(kNouns);
}

std::string some_word(Random& random) {
  return random.pick(kNouns);
}

namespace {

// What a name says of the text behind it. The first entry with a word in the name answers.
struct Meaning {
  std::initializer_list<std::string_view> words;
  std::string (*text)(const Occasion&, Random&);
};

const Meaning kMeanings[] = {
    {{"email", "e_mail"}, [](const Occasion& o, Random&) { return email(*o.persona); }},
    {{"currency"}, [](const Occasion& o, Random&) { return o.persona->currency; }},
    {{"first_name", "firstname", "given"},
     [](const Occasion& o, Random&) { return o.persona->first_name; }},
    {{"last_name", "lastname", "surname", "family"},
     [](const Occasion& o, Random&) { return o.persona->last_name; }},
    {{"company", "business_name", "organi"},
     [](const Occasion& o, Random&) { return o.persona->company; }},
    {{"phone", "mobile"},
     [](const Occasion&, Random& r) { return "+4420794" + std::to_string(60000 + r.below(900)); }},
    {{"mime", "content_type", "media_type"},
     [](const Occasion&, Random&) { return std::string("application/pdf"); }},
    {{"uuid", "guid"}, [](const Occasion&, Random& r) { return uuid(r); }},
    {{"iban"}, [](const Occasion&, Random& r) { return iban(r); }},
    {{"file_name", "filename"},
     [](const Occasion&, Random& r) { return std::string(r.pick(kNouns)) + ".pdf"; }},
    {{"birth", "dob"}, date},
    {{"title", "headline", "subject"},
     [](const Occasion&, Random& r) { return capitalised(some_words(r)); }},
    {{"url", "website", "link", "href", "image", "avatar"},
     [](const Occasion& o, Random& r) { return url(*o.persona, r); }},
    {{"price", "amount", "cost", "balance", "units", "quantity", "total"},
     [](const Occasion&, Random& r) { return price(r); }},
    {{"timezone", "time_zone"}, [](const Occasion&, Random&) { return std::string("Etc/UTC"); }},
    {{"date", "_at", "time"}, date_time},
    {{"ip_address", "ipv4"},
     [](const Occasion&, Random& r) { return "192.0.2." + std::to_string(1 + r.below(254)); }},
    {{"city"}, [](const Occasion& o, Random&) { return o.persona->city; }},
    {{"country"}, [](const Occasion& o, Random&) { return o.persona->country; }},
    {{"street", "address"},
     [](const Occasion&, Random& r) { return std::string(r.pick(kStreets)); }},
    {{"zip", "postal"}, [](const Occasion& o, Random&) { return o.persona->postal_code; }},
    {{"language", "locale"},
     [](const Occasion&, Random& r) { return std::string(r.pick(kLanguages)); }},
    {{"colo"}, [](const Occasion&, Random& r) { return '#' + characters(r, 6, kHex); }},
    {{"version"},
     [](const Occasion&, Random& r) {
       return std::to_string(1 + r.below(5)) + '.' + std::to_string(r.below(10)) + ".0";
     }},
    {{"sku"},
     [](const Occasion&, Random& r) {
       return characters(r, 3, "ABCDEFGHJKLMNPQRSTUVWXYZ") + '-' + characters(r, 4, "0123456789");
     }},
    {{"user_name", "username", "login"},
     [](const Occasion& o, Random&) {
       return ascii_slug(o.persona->first_name) + '.' + ascii_slug(o.persona->last_name);
     }},
    {{"product", "plan", "item", "meter", "file"},
     [](const Occasion&, Random& r) { return some_words(r); }},
    {{"status", "state"}, [](const Occasion&, Random& r) { return std::string(r.pick(kStates)); }},
    {{"descri", "summary", "note", "comment", "message", "reason", "text"},
     [](const Occasion&, Random& r) {
       return std::string("The ") + r.pick(kAdjectives) + ' ' + r.pick(kNouns) + " by the " +
              r.pick(kNouns);
     }},
    {{"key", "token", "secret", "code"},
     [](const Occasion&, Random& r) { return characters(r, 16, kAlphanumeric); }},
    {{"name", "label"},
     [](const Occasion& o, Random& r) {
       return o.sense->is_thing ? some_words(r)
                                : o.persona->first_name + ' ' + o.persona->last_name;
     }},
};

bool names_identifier(std::string_view name) {
  const std::string small = lower(name);
  return small == "id" || small.ends_with("_id") || name.ends_with("Id") || name.ends_with("ID");
}

std::string base64(Random& random) {
  return characters(random, 8, kAlphanumeric);
}

struct FormatWord {
  std::string_view format;
  std::string (*text)(const Occasion&, Random&);
};

const FormatWord kFormatWords[] = {
    {"date-time", date_time},
    {"date", date},
    {"time", [](const Occasion& o, Random& r) { return date_time(o, r).substr(11); }},
    {"duration",
     [](const Occasion&, Random& r) { return 'P' + std::to_string(1 + r.below(30)) + 'D'; }},
    {"email", [](const Occasion& o, Random&) { return email(*o.persona); }},
    {"idn-email", [](const Occasion& o, Random&) { return email(*o.persona); }},
    {"hostname", [](const Occasion& o, Random&) { return o.persona->domain; }},
    {"idn-hostname", [](const Occasion& o, Random&) { return o.persona->domain; }},
    {"ipv4",
     [](const Occasion&, Random& r) { return "192.0.2." + std::to_string(1 + r.below(254)); }},
    {"ipv6",
     [](const Occasion&, Random& r) { return "2001:db8::" + characters(r, 4, "123456789"); }},
    {"uri", [](const Occasion& o, Random& r) { return url(*o.persona, r); }},
    {"uri-reference", [](const Occasion&, Random& r) { return std::string("/") + r.pick(kNouns); }},
    {"iri", [](const Occasion& o, Random& r) { return url(*o.persona, r); }},
    {"iri-reference", [](const Occasion&, Random& r) { return std::string("/") + r.pick(kNouns); }},
    {"uri-template",
     [](const Occasion&, Random& r) { return std::string("/") + r.pick(kNouns) + "/{id}"; }},
    {"uuid", [](const Occasion&, Random& r) { return uuid(r); }},
    {"json-pointer", [](const Occasion&, Random& r) { return std::string("/") + r.pick(kNouns); }},
    {"relative-json-pointer",
     [](const Occasion&, Random& r) { return std::string("1/") + r.pick(kNouns); }},
    {"regex", [](const Occasion&, Random& r) { return std::string("^") + r.pick(kNouns) + '$'; }},
    {"byte", [](const Occasion&, Random& r) { return base64(r); }},
    {"base64url", [](const Occasion&, Random& r) { return base64(r); }},
    {"char",
     [](const Occasion&, Random& r) { return characters(r, 1, "ABCDEFGHJKLMNPQRSTUVWXYZ"); }},
    {"decimal", [](const Occasion&, Random& r) { return price(r); }},
    {"http-date", http_date},
    {"iban", [](const Occasion&, Random& r) { return iban(r); }},
    {"mac", [](const Occasion&, Random& r) { return "02:00:5e:10:00:" + characters(r, 2, kHex); }},
    {"semver",
     [](const Occasion&, Random& r) {
       return std::to_string(1 + r.below(5)) + '.' + std::to_string(r.below(10)) + '.' +
              std::to_string(r.below(10));
     }},
    {"country-code", [](const Occasion& o, Random&) { return o.persona->country; }},
    {"currency", [](const Occasion& o, Random&) { return o.persona->currency; }},
    {"phone",
     [](const Occasion&, Random& r) { return "+4420794" + std::to_string(60000 + r.below(900)); }},
    {"password", [](const Occasion&, Random& r) { return characters(r, 14, kAlphanumeric); }},
};

struct NamedRange {
  std::initializer_list<std::string_view> words;
  UsualRange range;
};

const NamedRange kRanges[] = {
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

// The range of numbers of a name in words.
UsualRange usual_range(const std::string& small, std::uint64_t pairs) {
  for (const NamedRange& each : kRanges) {
    if (has_any(small, pairs, each.words)) {
      return each.range;
    }
  }
  return {1, 1000};
}

}  // namespace

Persona make_persona(std::uint64_t seed) {
  Random random(seed);
  Persona persona;
  persona.first_name = random.pick(kFirstNames);
  persona.last_name = random.pick(kLastNames);
  persona.company = random.pick(kCompanies);
  persona.domain = ascii_slug(persona.company) + ".example";
  persona.currency = random.pick(kCurrencies);
  constexpr std::int64_t kFirstOf2025 = 1'735'689'600;
  persona.start_seconds =
      kFirstOf2025 + static_cast<std::int64_t>(random.below(300)) * kSecondsPerDay;
  const auto place = static_cast<std::size_t>(random.below(kCities.size()));
  persona.city = kCities.at(place);
  persona.country = kCountries.at(place);
  persona.postal_code = std::to_string(10000 + random.below(89999));
  return persona;
}

NameSense read_name(std::string_view name) {
  const std::string words = words_of(name);
  const std::uint64_t pairs = pairs_of(words);
  const auto* const meaning =
      std::find_if(std::begin(kMeanings), std::end(kMeanings),
                   [&](const Meaning& each) { return has_any(words, pairs, each.words); });
  NameSense sense;
  sense.meaning = static_cast<std::size_t>(meaning - std::begin(kMeanings));
  sense.is_identifier = names_identifier(name);
  sense.is_late = has_any(words, pairs, {"end", "expire", "until", "updat", "due", "next", "to_"});
  sense.is_of_birth = has_any(words, pairs, {"birth", "dob"});
  sense.is_personal =
      sense.is_of_birth || has_any(words, pairs,
                                   {"mail", "phone", "mobile", "first_name", "surname", "last_name",
                                    "gender", "username", "user_name"});
  sense.prefix = sense.is_identifier ? identifier_prefix(name) : "";
  sense.range = usual_range(words, pairs);
  return sense;
}

std::string text_for(const Occasion& occasion, Random& random) {
  constexpr std::size_t kIdentifierLength = 21;
  const NameSense& sense = *occasion.sense;
  if (sense.is_identifier) {
    return sense.prefix + characters(random, kIdentifierLength, kAlphanumeric);
  }
  if (sense.meaning < std::size(kMeanings)) {
    return kMeanings[sense.meaning].text(occasion, random);
  }
  return some_words(random);
}

std::optional<std::string> usual_constant(const NameSense& sense, const Persona& persona) {
  if (sense.meaning >= std::size(kMeanings)) {
    return std::nullopt;
  }
  const std::string_view word = *kMeanings[sense.meaning].words.begin();
  return word == "currency"  ? std::optional(persona.currency)
         : word == "country" ? std::optional(persona.country)
                             : std::nullopt;
}

std::string encoded_text(std::string_view encoding, std::string_view media_type, Random& random) {
  // One transparent pixel.
  constexpr std::string_view kPicture =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
      "rkJggg==";
  const std::string words = some_words(random);
  std::string text = media_type == "image/png" ? std::string(kPicture)
                     : media_type.find("json") != media_type.npos
                         ? base64_of("{\"name\":\"" + words + "\"}")
                         : base64_of(words);
  if (encoding == "base64url") {
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    std::erase(text, '=');
  }
  return text;
}

std::optional<std::string> text_of_format(std::string_view format, const Occasion& occasion,
                                          Random& random) {
  for (const FormatWord& word : kFormatWords) {
    if (word.format == format) {
      return word.text(occasion, random);
    }
  }
  return std::nullopt;
}

}  // namespace spec::schema::samples
