#include "spec/schema/generate/believable_values.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace spec::schema::generate {

using text::Random;

namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::string_view kAlphanumeric =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kCapitals = "ABCDEFGHJKLMNPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kDigitsFrom1 = "123456789";

std::string characters(Random& random, std::size_t count, std::string_view alphabet) {
  std::string out(count, ' ');
  for (char& c : out) {
    c = alphabet[random.next_below(alphabet.size())];
  }
  return out;
}

const Words& pool(std::string_view kind) {
  return word_tables().pools.find(kind)->second;
}

// Another word for each element of a list, as long as there are some; then numbers, which only
// names have for each record.
std::string word_of(const Words& words, const TextContext& context, Random& random,
                    bool is_name = true) {
  if (context.is_spread) {
    return random.pick(words);
  }
  const std::uint64_t number = context.scene.index + context.index;
  const std::uint64_t first = text::text_hash(context.name, context.scene.seed) % words.size();
  const std::string& word = words[(first + number) % words.size()];
  const std::uint64_t round = (is_name ? number : context.index) / words.size();
  return round == 0 ? word : word + ' ' + std::to_string(round + 1);
}

std::string some_words(const TextContext& /*context*/, Random& random) {
  return random.pick(pool("adjectives")) + ' ' + random.pick(pool("nouns"));
}

std::string slug_of(std::string_view text) {
  std::string slug;
  for (const char c : text) {
    if (text::is_letter_or_digit(c)) {
      slug += c;
    } else if (c != '\'' && !slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  slug.resize(slug.find_last_not_of('-') + 1);
  return text::to_lower(slug);
}

// Letters of a person's name for addresses: "oneill" for "O'Neill".
std::string letters(std::string_view name) {
  std::string out = text::to_lower(name);
  std::erase_if(out, [](char c) { return c >= 0 && !text::is_letter_or_digit(c); });
  return out;
}

std::pair<std::string, std::string> person(const TextContext& context, Random& random) {
  if (context.is_spread) {
    return {random.pick(context.scene.region->first_names),
            random.pick(context.scene.region->last_names)};
  }
  constexpr std::uint64_t kMaxRoles = 40;
  const std::string& role = usage_of(context.name).role;
  const bool is_another = !role.empty() && role != context.scene.role;
  const std::uint64_t index =
      context.index + (is_another ? 1 + text::text_hash(role, 0) % kMaxRoles : 0);
  if (index > 0) {
    return person_of(context.scene, index);
  }
  return {context.scene.first_name, context.scene.last_name};
}

std::string full_name(const TextContext& context, Random& random) {
  const auto [first, last] = person(context, random);
  return first + ' ' + last;
}

std::string company(const TextContext& context, Random& random) {
  return context.is_spread || context.index > 0 ? word_of(pool("company"), context, random)
                                                : context.scene.company;
}

std::string domain(const TextContext& context, Random& random) {
  return slug_of(company(context, random)) + ".example";  // RFC 2606 §2
}

std::string email(const TextContext& context, Random& random) {
  if (is_of_company(context.scene) && usage_of(context.name).role.empty() && !context.is_spread) {
    return "hello@" + domain(context, random);
  }
  const auto [first, last] = person(context, random);
  const std::string number = context.is_spread ? characters(random, 2, kDigitsFrom1) : "";
  return letters(first) + '.' + letters(last) + number + '@' + domain(context, random);
}

std::string username(const TextContext& context, Random& random) {
  const auto [first, last] = person(context, random);
  const std::string number = context.is_spread ? characters(random, 3, kDigits) : "";
  return letters(first) + '.' + letters(last) + number;
}

std::string name(const TextContext& context, Random& random) {
  const Scene& scene = context.scene;
  const bool is_person = names_person(scene, context.name);
  if (!is_person && (scene.has_person || is_of_person(scene.thing))) {  // "title" of an employee
    return word_of(pool("job_title"), context, random);
  }
  if (!scene.name.empty() && context.index == 0 && !context.is_spread) {
    return scene.name;
  }
  if (is_person) {
    return full_name(context, random);
  }
  if (scene.thing != nullptr) {
    return text_of(*scene.thing, context, random);
  }
  std::string text = some_words(context, random);
  text[0] = text::to_upper(text[0]);
  return text;
}

std::string slug(const TextContext& context, Random& random) {
  const bool is_short = context.max_length < 24;
  const bool follows_name = (context.scene.thing != nullptr || !context.scene.name.empty()) &&
                            !context.is_spread && !is_short && context.index == 0;
  return slug_of(follows_name ? name({"name", context.scene}, random)
                              : some_words(context, random));
}

std::string url(const TextContext& context, Random& random) {
  return "https://" + domain(context, random) + '/' + random.pick(pool("nouns"));
}

std::string path(const TextContext& /*context*/, Random& random) {
  return '/' + random.pick(pool("nouns"));
}

std::string price(const TextContext& /*context*/, Random& random) {
  return std::to_string(1 + random.next_below(999)) + '.' + characters(random, 2, kDigits);
}

const Place& place(const TextContext& context) {
  const auto& places = context.scene.region->places;
  const auto own = static_cast<std::size_t>(context.scene.place - places.data());
  return places[(own + context.index) % places.size()];
}

std::string street(const TextContext& context, Random& random) {
  return random.pick(context.scene.region->streets) + ' ' +
         std::to_string(1 + random.next_below(98));
}

std::string country(const TextContext& context, Random& /*random*/) {
  const Region& region = *context.scene.region;
  return context.max_length == 3 ? region.code3 : region.code;
}

std::string region(const TextContext& context, Random& /*random*/) {
  return context.max_length <= 3 ? place(context).region_code : place(context).region;
}

std::string status(const TextContext& context, Random& random) {
  const bool is_region = context.scene.has_place && snake_case(context.name).ends_with("state");
  return is_region ? region(context, random) : word_of(pool("status"), context, random);
}

std::string date_time(const TextContext& context, Random& random) {
  constexpr std::array<std::size_t, 4> kFractionDigits{6, 6, 3, 0};
  const std::size_t digits = context.is_spread ? random.pick(kFractionDigits) : 6;
  return time::format_date_time({.seconds = time_for(context, random),
                                 .leap = false,
                                 .fraction = characters(random, 5, kDigits) + '1',
                                 .utc = true},
                                {.offset_minutes = 0, .fraction_digits = digits});
}

std::string uuid(const TextContext& /*context*/, Random& random) {
  return text::random_uuid(random);
}

std::string secret(const TextContext& /*context*/, Random& random) {
  return characters(random, 16, kAlphanumeric);
}

std::string base64(const TextContext& /*context*/, Random& random) {
  return characters(random, 8, kAlphanumeric);
}

std::string digits(const TextContext& context, Random& random) {
  const std::string& snake = usage_of(context.name).snake;
  const auto is = [&snake](std::string_view word) { return snake.find(word) != snake.npos; };
  const std::size_t few = is("cvv") || is("cvc") ? 3 : 4;
  const bool is_short = few == 3 || is("last") || is_named(snake, Words{"pin", "otp"});
  return characters(random, is_short ? few : 9, kDigitsFrom1);
}

// "customer_id" is of an object whose ids start with "cus_", as does "id" of a customer.
std::string identifier(const TextContext& context, Random& random) {
  std::string stem = text::to_lower(context.name);
  stem.resize(stem.ends_with('s') ? stem.size() - 1 : stem.size());
  stem.resize(stem.ends_with("id") ? stem.size() - 2 : stem.size());
  std::erase_if(stem, [](char c) { return c < 'a' || c > 'z'; });
  const std::string named = stem.empty() ? context.scene.id_start : stem.substr(0, 3) + '_';
  return (context.id_start.empty() ? named : std::string(context.id_start)) +
         characters(random, 21, kAlphanumeric);
}

// One line: "Mill Lane 4, Leeds, LS1 4AP, United Kingdom".
std::string address(const TextContext& context, Random& random) {
  const Place& here = place(context);
  const std::string line = street(context, random);
  return context.scene.has_place ? line
                                 : line + ", " + here.city + ", " + here.postal_code + ", " +
                                       context.scene.region->country;
}

constexpr std::string_view kHexCapitals = "0123456789ABCDEF";

const Kind kMade[] = {
    {"address", address},
    {"address_rest", [](const auto&, Random& r) { return "Floor " + characters(r, 1, "12345"); }},
    {"base64url", base64},
    {"byte", base64},
    {"char", [](const auto&, Random& r) { return characters(r, 1, kCapitals); }},
    {"city", [](const auto& c, Random&) { return place(c).city; }},
    {"clock_time", [](const auto& c, Random& r) { return date_time(c, r).substr(11, 5); }},
    {"code",
     [](const auto&, Random& r) {
       return characters(r, 3, kCapitals) + '-' + characters(r, 4, kDigits);
     }},
    {"company", company},
    {"country", country},
    {"country3", [](const auto& c, Random&) { return c.scene.region->code3; }},
    {"country_name", [](const auto& c, Random&) { return c.scene.region->country; }},
    {"currency", [](const auto& c, Random&) { return c.scene.currency; }},
    {"currency_name", [](const auto& c, Random&) { return c.scene.currency; }},
    {"date", [](const auto& c, Random& r) { return date_time(c, r).substr(0, 10); }},
    {"date-time", date_time},
    {"date_time", date_time},
    {"decimal", price},
    {"digits", digits},
    {"document_number",
     [](const auto& c, Random& r) {
       const std::string number = std::to_string(1000 + c.scene.index + r.next_below(4000) * 2);
       return characters(r, 2, kCapitals) + '-' + number;
     }},
    {"double", price},  // Numbers as texts, which JavaScript does not round.
    {"duration",
     [](const auto&, Random& r) { return 'P' + std::to_string(1 + r.next_below(30)) + 'D'; }},
    {"email", email},
    {"epoch", [](const auto& c, Random& r) { return std::to_string(time_for(c, r)); }},
    {"file_name",
     [](const auto& c, Random& r) {
       return word_of(pool("file_stem"), c, r) + '-' + characters(r, 2, kDigitsFrom1) + ".pdf";
     }},
    {"first_name", [](const auto& c, Random& r) { return person(c, r).first; }},
    {"full_name", full_name},
    {"hex_colour", [](const auto&, Random& r) { return '#' + characters(r, 6, text::kHexDigits); }},
    {"host_domain", domain},
    {"id", identifier},
    {"image_url",
     [](const auto& c, Random& r) {
       return "https://" + domain(c, r) + "/images/" + r.pick(pool("nouns")) + ".png";
     }},
    {"int32", [](const auto&, Random& r) { return characters(r, 2, kDigitsFrom1); }},
    {"int64", [](const auto&, Random& r) { return characters(r, 9, kDigitsFrom1); }},
    {"ipv4",  // RFC 5737 §3
     [](const auto&, Random& r) { return "192.0.2." + std::to_string(1 + r.next_below(254)); }},
    {"ipv6", [](const auto&, Random& r) { return "2001:db8::" + characters(r, 4, kDigitsFrom1); }},
    {"language", [](const auto& c, Random&) { return c.scene.region->language; }},
    {"language_name", [](const auto& c, Random&) { return c.scene.region->language; }},
    {"last_name", [](const auto& c, Random& r) { return person(c, r).second; }},
    {"latitude", [](const auto& c, Random&) { return place(c).latitude; }},
    {"locale",
     [](const auto& c, Random&) { return c.scene.region->language + '-' + c.scene.region->code; }},
    {"longitude", [](const auto& c, Random&) { return place(c).longitude; }},
    {"mac_address",
     [](const auto&, Random& r) {
       std::string text = "02";
       for (int i = 0; i < 5; ++i) {
         text += ':' + characters(r, 2, kHexCapitals);
       }
       return text;
     }},
    {"name", name},
    {"password", secret},
    {"path", path},
    {"phone",
     [](const auto& c, Random& r) {
       return c.scene.region->phone + characters(r, c.scene.region->phone_digits, kDigits);
     }},
    {"postal_code", [](const auto& c, Random&) { return place(c).postal_code; }},
    {"price", price},
    {"regex", [](const auto&, Random& r) { return '^' + r.pick(pool("nouns")) + '$'; }},
    {"region", region},
    {"region_code", [](const auto& c, Random&) { return place(c).region_code; }},
    {"relative-json-pointer", [](const auto& c, Random& r) { return '1' + path(c, r); }},
    {"secret", secret},
    {"sku",
     [](const auto&, Random& r) {
       return characters(r, 3, kCapitals) + '-' + characters(r, 5, kDigits);
     }},
    {"slug", slug},
    {"status", status},
    {"street", street},
    {"time", [](const auto& c, Random& r) { return date_time(c, r).substr(11); }},
    {"time_zone", [](const auto& c, Random&) { return place(c).time_zone; }},
    {"uint64", [](const auto&, Random& r) { return characters(r, 9, kDigitsFrom1); }},
    {"uri-template", [](const auto& c, Random& r) { return path(c, r) + "/{id}"; }},
    {"url", url},
    {"username", username},
    {"uuid", uuid},
    {"version",
     [](const auto&, Random& r) {
       return characters(r, 1, "12345") + ".2." + characters(r, 1, kDigits);
     }},
    {"word", [](const auto&, Random& r) { return some_word(r); }},
    {"words", some_words},
};

std::map<std::string_view, Kind> all_kinds() {
  std::map<std::string_view, Kind> kinds;
  for (const Kind& each : kMade) {
    kinds.emplace(each.name, each);
  }
  for (const auto& [name, words] : word_tables().pools) {
    kinds.emplace(name, Kind{name, nullptr, &words});
  }
  return kinds;
}

// True for kinds of names of records; others are categories, which many records share.
bool names_things(std::string_view kind) {
  static const std::set<std::string_view> kinds = [] {
    std::set<std::string_view> all{"company"};
    for (const auto& [thing, name] : word_tables().things) {
      all.insert(name);
    }
    return all;
  }();
  return kinds.contains(kind);
}

std::string char_like(std::string_view set, Random& random) {
  return characters(random, 1, set);
}

}  // namespace

const Kind* find_kind(std::string_view name) {
  static const std::map<std::string_view, Kind> kinds = all_kinds();
  const auto found = kinds.find(name);
  return found == kinds.end() ? nullptr : &found->second;
}

const Kind* kind_of_format(std::string_view format) {
  const auto& formats = word_tables().formats;
  const auto found = formats.find(format);
  const Kind* const kind = find_kind(found == formats.end() ? format : found->second);
  return kind != nullptr && kind->make != nullptr ? kind : nullptr;
}

const Kind* kind_of_hint(std::string_view method) {
  const auto& hints = word_tables().hints;
  const auto found = hints.find(method);
  return found == hints.end() ? nullptr : find_kind(found->second);
}

std::string some_word(Random& random) {
  return random.pick(pool("nouns"));
}

std::string text_of(const Kind& kind, const TextContext& context, Random& random) {
  return kind.make != nullptr ? kind.make(context, random)
                              : word_of(*kind.words, context, random, names_things(kind.name));
}

std::string text_for(const TextContext& context, Random& random) {
  const Kind* const kind = usage_of(context.name).text;
  if (kind != nullptr) {
    return text_of(*kind, context, random);
  }
  return context.is_spread ? slug_of(some_words(context, random))
                           : word_of(pool("nouns"), context, random);
}

std::int64_t time_for(const TextContext& context, Random& random) {
  const auto within = [&random](std::int64_t span) {
    return static_cast<std::int64_t>(random.next_below(static_cast<std::uint64_t>(span)));
  };
  const std::int64_t created = context.scene.created;
  const std::int64_t spread = context.is_spread ? within(3000) * kDay : 0;
  switch (usage_of(context.name).time) {
    case NameTime::kBirth: return created - 20 * 365 * kDay - within(40 * 365) * kDay;
    case NameTime::kCreation: return created + spread;
    case NameTime::kSoon: {
      const std::int64_t passed = context.scene.today - created - 3600;
      return created + 3600 + within(std::clamp(passed, std::int64_t{1}, 20 * kDay)) + spread;
    }
    case NameTime::kLater: return created + 30 * kDay + within(kDay) + spread;
    case NameTime::kOther: return created + within(kDay) + spread;
  }
  return created;
}

std::string alike(std::string_view example, Random& random) {
  constexpr std::string_view kHexLetters = "abcdef";
  const bool is_hex = std::ranges::none_of(
      example, [](char c) { return text::is_letter(c) && !text::is_hex_digit(c); });
  std::string out;
  for (std::size_t at = 0; at < example.size();) {
    std::size_t end = at;
    while (end < example.size() && text::is_letter_or_digit(example[end])) {
      ++end;
    }
    const std::string_view token = example.substr(at, end - at);
    const bool changes = std::ranges::any_of(token, &text::is_digit);
    for (const char c : token) {
      if (!changes || (!text::is_digit(c) && token.size() < 5)) {
        out += c;
      } else if (text::is_digit(c)) {
        out += char_like(kDigitsFrom1, random);
      } else {
        const std::string letter =
            char_like(is_hex ? kHexLetters : "abcdefghjkmnpqrstuvwxyz", random);
        out += c >= 'a' ? letter : std::string(1, text::to_upper(letter[0]));
      }
    }
    out += end < example.size() ? std::string(1, example[end]) : "";
    at = end + 1;
  }
  return out;
}

}  // namespace spec::schema::generate
