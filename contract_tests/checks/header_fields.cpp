// Repeated singletons, values that break their grammar, and what a status calls for.

#include "contract_tests/checks/header_fields.hpp"

#include "spec/contract/checking/request_credentials.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/media_type.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

namespace contract_tests::checks {

using client::Exchange;
using spec::http::FieldReader;
using spec::http::Headers;
using spec::text::in_quotes;
using spec::text::is_all_digits;

namespace {

bool is_http_date(std::string_view text) {
  return spec::time::parse_http_date(text).has_value();
}

// Fields that are not lists and must not be repeated. Source: RFC 9110 §5.3.
constexpr std::array<std::string_view, 14> kSingletons{"Content-Type",
                                                       "Content-Length",
                                                       "Content-Range",
                                                       "Content-Location",
                                                       "Date",
                                                       "ETag",
                                                       "Last-Modified",
                                                       "Location",
                                                       "Retry-After",
                                                       "Server",
                                                       "Age",
                                                       "Expires",
                                                       "Access-Control-Allow-Origin",
                                                       "Access-Control-Allow-Credentials"};

void check_singletons(const Headers& headers, RuleViolations& violations) {
  for (const auto name : kSingletons) {
    const auto values = headers.all(name);
    if (values.size() > 1) {
      violations.push_back({"http/singleton", "header/" + std::string(name), "must occur once",
                            "occurs " + std::to_string(values.size()) +
                                " times: " + in_quotes(values[0]) + ", " + in_quotes(values[1])});
    }
  }
}

// Source: RFC 9110 §8.8.3.
bool is_entity_tag(std::string_view text) {
  if (text.starts_with("W/")) {
    text.remove_prefix(2);
  }
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
         text.substr(1, text.size() - 2).find_first_of("\" \t") == std::string_view::npos;
}

// "bytes 0-99/1234", "bytes 0-99/*", "bytes */1234". Source: RFC 9110 §14.4.
bool is_content_range(std::string_view text) {
  if (!text.starts_with("bytes ")) {
    return false;
  }
  text.remove_prefix(6);
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    return false;
  }
  const auto range = text.substr(0, slash);
  const auto size = text.substr(slash + 1);
  const auto dash = range.find('-');
  const bool numbers = dash != std::string_view::npos && is_all_digits(range.substr(0, dash)) &&
                       is_all_digits(range.substr(dash + 1));
  return (numbers && (size == "*" || is_all_digits(size))) || (range == "*" && is_all_digits(size));
}

struct Grammar {
  std::string_view field;
  std::string_view rule;
  std::string_view must;
  bool (*fits)(std::string_view);
};

bool is_date_or_seconds(std::string_view text) {
  return is_all_digits(text) || is_http_date(text);
}

bool is_media_type(std::string_view text) {
  const auto type = spec::http::parse_media_type(text);
  return type && type->type != "*" && type->subtype != "*";
}

// One origin as browsers send it, "*" or "null"; browsers reject a list.
// Source: Fetch §3.2.
bool is_one_origin(std::string_view text) {
  return !text.empty() && text.find_first_of(", \t") == std::string_view::npos;
}

// "true" allows credentials; "false" is common for none. Source: Fetch §3.2.
bool is_true_or_false(std::string_view text) {
  return text == "true" || text == "false";
}

constexpr std::array<Grammar, 10> kGrammars{{
    {"Date", "http/date", "an HTTP date", &is_http_date},
    {"Last-Modified", "http/date", "an HTTP date", &is_http_date},
    {"Retry-After", "http/retry-after", "seconds or an HTTP date", &is_date_or_seconds},
    {"ETag", "http/etag", "an entity tag in quotes", &is_entity_tag},
    {"Content-Range", "http/content-range", "bytes FIRST-LAST/SIZE", &is_content_range},
    {"Content-Type", "http/content-type", "a media type", &is_media_type},
    {"Age", "http/age", "seconds", &is_all_digits},
    {"Access-Control-Max-Age", "http/cors", "seconds", &is_all_digits},
    {"Access-Control-Allow-Origin", "http/cors", "one origin", &is_one_origin},
    {"Access-Control-Allow-Credentials", "http/cors", "true", &is_true_or_false},
}};

void check_grammars(const Headers& headers, RuleViolations& violations) {
  for (const auto& grammar : kGrammars) {
    for (const auto value : headers.all(grammar.field)) {
      if (!grammar.fits(value)) {
        violations.push_back({std::string(grammar.rule), "header/" + std::string(grammar.field),
                              "must be " + std::string(grammar.must), "is " + in_quotes(value)});
      }
    }
  }
}

// Header fields that a status requires. Source: RFC 9110 §15.
void check_status_fields(const Exchange& exchange, RuleViolations& violations) {
  const auto& headers = exchange.response.headers;
  const auto& sent = exchange.sent.headers;
  const auto needs = [&](int status, const char* field, const char* rule) {
    if (exchange.status() == status && !headers.has(field)) {
      violations.push_back({rule, "header/" + std::string(field),
                            "must be present with " + std::to_string(status), "is missing"});
    }
  };
  needs(401, "WWW-Authenticate", "http/www-authenticate");
  needs(405, "Allow", "http/allow");
  needs(206, "Content-Range", "http/content-range");
  if (exchange.status() == 206 && !sent.has("Range")) {
    violations.push_back({"http/content-range", "status",
                          "must not be 206 because the request has no Range", "is 206"});
  }
  if (exchange.status() == 304 && !sent.has("If-None-Match") && !sent.has("If-Modified-Since")) {
    violations.push_back({"http/not-modified", "status",
                          "must not be 304 because the request has no condition", "is 304"});
  }
}

void check_challenges(const Exchange& exchange, RuleViolations& violations) {
  const auto& headers = exchange.response.headers;
  const auto field = spec::http::list_field(headers, "WWW-Authenticate").value_or("");
  if (headers.has("WWW-Authenticate") && !challenge_schemes(field)) {
    violations.push_back({"http/www-authenticate", "header/WWW-Authenticate",
                          "must be a list of challenges", "is " + in_quotes(field)});
  }
}

bool is_fresh(const std::string& seconds) {
  return seconds.find_first_not_of('0') != std::string::npos;
}

// True when a cache that serves many may give the response to a request with a token to others
// without asking: it may store it, and finds it fresh. Source: RFC 9111 §3.5, §4.2, §5.2.2.
bool may_be_shared(const Headers& headers) {
  const auto said = cache_directives(spec::http::list_field(headers, "Cache-Control").value_or(""));
  const auto held_back = [&said](const char* directive) {
    const auto found = said.find(directive);
    return found != said.end() && found->second.empty();
  };
  if (held_back("private") || held_back("no-cache") || said.contains("no-store")) {
    return false;
  }
  const auto lifetime = said.contains("s-maxage") ? said.find("s-maxage") : said.find("max-age");
  const bool stale = lifetime != said.end() && !is_fresh(lifetime->second);
  const bool stored = said.contains("public") || said.contains("s-maxage") ||
                      (said.contains("must-revalidate") && lifetime != said.end());
  return stored && !stale;
}

void check_sharing(const Exchange& exchange, RuleViolations& violations) {
  const auto& headers = exchange.response.headers;
  if (exchange.status() / 100 == 2 && exchange.sent.headers.has("Authorization") &&
      may_be_shared(headers)) {
    violations.push_back(
        {"http/shared-cache", "header/Cache-Control",
         "must keep a response that needs a token out of shared caches (private or no-store)",
         "is " + in_quotes(spec::http::list_field(headers, "Cache-Control").value_or(""))});
  }
  const auto origin = headers.find("Access-Control-Allow-Origin");
  const auto credentials = headers.find("Access-Control-Allow-Credentials");
  if (origin == "*" && credentials == "true") {
    violations.push_back({"http/cors-pair", "header/Access-Control-Allow-Origin",
                          "must not be * together with Access-Control-Allow-Credentials: true",
                          "is *"});
  }
}

// A service may have a header of that name itself: only what a request put there counts ("1").
void check_injection(const Exchange& exchange, RuleViolations& violations) {
  if (exchange.response.headers.find("X-Evil").value_or("").starts_with('1') &&
      exchange.sent.target.find("X-Evil") != std::string::npos) {
    violations.push_back({"http/injection", "header/X-Evil",
                          "must not contain a header from the path of the request", "contains it"});
  }
}

// True if bytes of gzip may be the content itself: a .tar.gz is of a type for archives or bytes, or
// has a type of its own. Text, JSON, XML, pictures and PDF never start like that.
bool may_be_archive(const Exchange& exchange) {
  static constexpr std::array<std::string_view, 6> kNever{
      "application/pdf",        "application/xml", "application/yaml",
      "application/javascript", "application/zip", "application/x-www-form-urlencoded"};
  const auto field = exchange.response.headers.find("Content-Type");
  const auto type = field ? spec::http::parse_media_type(*field) : std::nullopt;
  return !type || !(type->is_json() || type->type == "text" || type->type == "image" ||
                    type->subtype.ends_with("+xml") ||
                    std::ranges::find(kNever, type->essence()) != kNever.end());
}

// Source: RFC 9110 §8.4, §12.5.3.
void check_coding(const Exchange& exchange, RuleViolations& violations) {
  const auto coding = exchange.response.headers.find("Content-Encoding");
  const std::string_view body = exchange.response.body;
  if (coding && !exchange.sent.headers.has("Accept-Encoding")) {
    violations.push_back({"http/coding-not-offered", "header/Content-Encoding",
                          "must be absent because the request has no Accept-Encoding",
                          "is " + in_quotes(*coding)});
  }
  if (body.starts_with("\x1f\x8b") && !exchange.coding_error && !may_be_archive(exchange)) {
    violations.push_back(coding ? RuleViolation{"http/coding-twice", "body", "must be encoded once",
                                                "is still gzip after decoding"}
                                : RuleViolation{"http/coding-unlabelled", "body",
                                                "must not be encoded without Content-Encoding",
                                                "is gzip"});
  }
}

}  // namespace

RuleViolations check_fields(const Exchange& exchange) {
  constexpr std::size_t kManyFields = 256;
  constexpr std::size_t kLongHead = 64U * 1024;
  RuleViolations violations;
  if (!exchange.has_response()) {
    return violations;
  }
  const auto count = exchange.record.head.lines.size();
  std::size_t bytes = 0;
  for (const auto& line : exchange.record.head.lines) {
    bytes += line.raw.size() + 2;
  }
  if (count > kManyFields || bytes > kLongHead) {
    violations.push_back(
        {"http/too-many-fields", "header", "must have header fields of a reasonable size",
         "has " + std::to_string(count) + " lines of " + std::to_string(bytes) + " bytes"});
    return violations;
  }
  check_singletons(exchange.response.headers, violations);
  check_grammars(exchange.response.headers, violations);
  check_status_fields(exchange, violations);
  check_challenges(exchange, violations);
  check_sharing(exchange, violations);
  check_injection(exchange, violations);
  check_coding(exchange, violations);
  return violations;
}

namespace {

// True when a token68 was read, one that ends its list element. A bearer token is one (RFC 6750
// §2.1, RFC 9110 §11.2).
bool take_token68(FieldReader& reader) {
  FieldReader after = reader;
  const bool read = spec::contract::is_bearer_token(after.read_until_any(" \t,"));
  after.blanks();
  const bool whole = read && (after.at_end() || after.is_at(','));
  reader = whole ? after : reader;
  return whole;
}

// True when `name BWS "=" BWS value` was read.
bool take_parameter(FieldReader& reader) {
  FieldReader after = reader;
  const bool named = !after.token().empty();
  after.blanks();
  bool whole = named && after.take('=');
  if (whole) {
    after.blanks();
    whole = after.quoted() || !after.token().empty();
  }
  reader = whole ? after : reader;
  return whole;
}

// One element of the list: a challenge's start, or a further parameter of the challenge before.
bool read_element(FieldReader& reader, std::vector<std::string>& schemes) {
  if (!schemes.empty() && take_parameter(reader)) {
    return true;
  }
  const auto scheme = reader.token();
  if (scheme.empty()) {
    return false;
  }
  schemes.push_back(spec::text::to_lower(scheme));
  if (reader.blanks() && !take_token68(reader)) {
    take_parameter(reader);
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> challenge_schemes(std::string_view field) {
  FieldReader reader(field);
  std::vector<std::string> schemes;
  while (true) {
    reader.blanks();
    if (reader.take(',')) {
      continue;  // an empty element
    }
    if (reader.at_end()) {
      break;
    }
    if (!read_element(reader, schemes)) {
      return std::nullopt;
    }
    reader.blanks();
    if (!reader.at_end() && !reader.take(',')) {
      return std::nullopt;
    }
  }
  return schemes.empty() ? std::nullopt : std::optional(schemes);
}

std::map<std::string, std::string> cache_directives(std::string_view field) {
  FieldReader reader(field);
  std::map<std::string, std::string> directives;
  while (!reader.at_end()) {
    reader.blanks();
    const auto name = spec::text::to_lower(reader.token());
    std::string argument;
    if (!name.empty() && reader.take('=')) {
      const auto text = reader.quoted();
      argument = text ? *text : std::string(reader.token());
    }
    if (!name.empty()) {
      directives.emplace(name, std::move(argument));
    }
    reader.blanks();
    if (!reader.take(',') && !reader.at_end()) {
      break;  // no list any more
    }
  }
  return directives;
}

}  // namespace contract_tests::checks
