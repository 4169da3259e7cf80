#include "mock_server/examples/header_table.hpp"

#include "mock_server/reply/entity.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/message.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>

namespace mock_server::examples {

namespace {

using nlohmann::json;
using spec::text::equals_ignoring_case;

using Values = std::vector<json>;
using Context = HeaderContext;

constexpr std::string_view kTransport = "the mock frames messages and manages connections itself";
constexpr std::string_view kBytes = "its value belongs to the bytes of one body";
constexpr std::int64_t kSecondsPerDay = 86'400;

// The nearest date with a year of four digits: a session's clock can be moved far.
std::string http_date(std::int64_t seconds) {
  constexpr std::int64_t kFirstOfYear0 = -62'167'219'200;
  constexpr std::int64_t kLastOfYear9999 = 253'402'300'799;
  return spec::time::format_http_date(std::clamp(seconds, kFirstOfYear0, kLastOfYear9999));
}

// A reference, and the same in full.
Values references(const std::string& path) {
  return {path, "https://www.example.com" + path};
}

std::string path_of(const Context& context) {
  return context.path.empty() ? "/" : std::string(context.path);
}

// The place of the created record, by the "id" in the body, or the next one. Source: RFC 9110
// §10.2.2.
Values location(const Context& context) {
  constexpr int kCreated = 201;
  const std::string some_key = std::to_string(context.seed % 1'000'000);
  if (context.status != kCreated) {
    return references("/moved/" + some_key);
  }
  const auto body = spec::json::read(context.body);
  const json id = body && body->is_object() ? body->value("id", json()) : json();
  const std::string text = id.is_string()              ? id.get<std::string>()
                           : spec::json::is_number(id) ? spec::json::number_key(id)
                                                       : "";
  const std::string path = path_of(context);
  return references(path + (path.ends_with('/') ? "" : "/") +
                    (text.empty() ? some_key : spec::text::percent_encode(text)));
}

Values content_location(const Context& context) {
  return references(path_of(context));
}

// Links to the response itself: a made-up "next" would be followed for ever.
Values link(const Context& context) {
  const std::string self = ">; rel=\"self\"";
  return {'<' + path_of(context) + self, "<https://www.example.com" + path_of(context) + self};
}

Values content_disposition(const Context& context) {
  const auto type = spec::http::parse_media_type(context.media_type);
  const std::string subtype = type ? type->subtype : "";
  const bool is_extension = !subtype.empty() && subtype.size() <= 4 &&
                            std::ranges::all_of(subtype, spec::text::is_letter_or_digit);
  return {"attachment; filename=\"sample" + (is_extension ? '.' + subtype : "") + '"'};
}

Values set_cookie(const Context& context) {
  const std::string cookie = "session=" + std::to_string(context.seed);
  return {cookie + "; Path=/; HttpOnly", cookie};
}

Values now(const Context& context) {
  return {http_date(context.seconds)};
}

Values a_day_later(const Context& context) {
  return {http_date(context.seconds + kSecondsPerDay)};
}

Values retry_after(const Context& context) {
  return {30, "30", http_date(context.seconds + kSecondsPerDay)};
}

Values entity_tag(const Context& context) {
  const std::string tag = reply::make_entity_tag(context.body);
  return {tag, "W/" + tag};
}

Values content_length(const Context& context) {
  return {context.body.size(), std::to_string(context.body.size())};
}

Values content_range(const Context& context) {
  const std::string range = reply::content_range(context.status, context.body.size());
  return range.empty() ? Values{} : Values{range};
}

constexpr auto kIfStated = Source::kContractIfStated;
constexpr auto kTable = Source::kTable;
constexpr auto kIfRequired = Source::kTableIfRequired;

constexpr std::array kRows = std::to_array<HeaderRow>({
    {"Accept-Patch", [](const Context&) { return Values{"application/merge-patch+json"}; }},
    {"Accept-Ranges", [](const Context&) { return Values{"none"}; }, kIfRequired, false,
     "only files are sent in parts"},
    {"Access-Control-Max-Age",
     [](const Context&) {
       return Values{"600", 600};
     }},
    {"Age",
     [](const Context&) {
       return Values{0, "0"};
     },
     kIfRequired, false, "the response is not from a cache"},
    {"Allow",
     [](const Context& context) {
       return Values{context.allow.empty() ? "GET, HEAD, OPTIONS" : std::string(context.allow)};
     },
     kIfStated},
    {"Alt-Svc", nullptr, kIfRequired, false, "clients would follow it to another server"},
    {"Cache-Control", [](const Context&) { return Values{"no-cache"}; }, kIfStated},
    {"Connection", nullptr, kIfRequired, false, kTransport},
    {"Content-Digest", nullptr, kIfRequired, true, kBytes},
    {"Content-Disposition", content_disposition},
    {"Content-Encoding", [](const Context&) { return Values{"identity"}; }, kIfRequired, true,
     "the mock does not encode bodies"},
    {"Content-Language", [](const Context&) { return Values{"en"}; }},
    {"Content-Length", content_length, kIfRequired, true, kTransport},
    {"Content-Location", content_location},
    {"Content-MD5", nullptr, kIfRequired, true, kBytes},
    {"Content-Range", content_range, kTable, false, kBytes},
    {"Content-Security-Policy", [](const Context&) { return Values{"default-src 'none'"}; }},
    {"Date", now, kIfRequired, false, "the mock sends the real time of the response"},
    {"Digest", nullptr, kIfRequired, true, kBytes},
    {"ETag", entity_tag, kTable, false, kBytes},
    {"Expires", a_day_later},
    {"Keep-Alive", nullptr, kIfRequired, true, kTransport},
    {"Last-Modified", now, kIfStated},
    {"Link", link},
    {"Location", location, kIfStated},
    {"Proxy-Authenticate", [](const Context&) { return Values{"Basic realm=\"sample\""}; },
     kIfStated},
    {"Proxy-Connection", nullptr, kIfRequired, true, kTransport},
    {"Public-Key-Pins", nullptr, kIfRequired, false,
     "browsers would then reject other keys of this host"},
    {"Repr-Digest", nullptr, kIfRequired, true, kBytes},
    {"Retry-After", retry_after, kIfStated},
    {"Server", nullptr, kIfStated},
    {"Set-Cookie", set_cookie, kIfStated},
    {"Strict-Transport-Security", [](const Context&) { return Values{"max-age=0"}; }, kIfRequired,
     false, "browsers would then reject this host without TLS"},
    {"Sunset", a_day_later},
    {"TE", nullptr, kIfRequired, true, kTransport},
    {"Trailer", nullptr, kIfRequired, true, kTransport},
    {"Transfer-Encoding", nullptr, kIfRequired, true, kTransport},
    {"Upgrade", nullptr, kIfRequired, true, kTransport},
    {"Vary", [](const Context&) { return Values{"Accept"}; }, kIfStated},
    {"Via", [](const Context&) { return Values{"1.1 sample"}; }, kIfStated},
    {"WWW-Authenticate", [](const Context&) { return Values{"Bearer realm=\"sample\""}; },
     kIfStated},
    {"X-Content-Type-Options", [](const Context&) { return Values{"nosniff"}; }},
    {"X-Frame-Options", [](const Context&) { return Values{"DENY"}; }},
});

bool is_rejected_attribute(std::string_view attribute, bool needs_secure) {
  const std::size_t equals = std::min(attribute.find('='), attribute.size());
  const std::string_view name = spec::http::trimmed(attribute.substr(0, equals));
  const std::string_view value =
      equals < attribute.size() ? spec::http::trimmed(attribute.substr(equals + 1)) : "";
  const bool is_none =
      equals_ignoring_case(name, "SameSite") && equals_ignoring_case(value, "None");
  const bool is_of_tls =
      is_none || equals_ignoring_case(name, "Secure") || equals_ignoring_case(name, "Partitioned");
  return equals_ignoring_case(name, "Domain") || (!needs_secure && is_of_tls);
}

}  // namespace

const HeaderRow* find_header_row(std::string_view name) {
  const auto row = std::ranges::find_if(
      kRows, [name](const HeaderRow& each) { return equals_ignoring_case(each.name, name); });
  return row == kRows.end() ? nullptr : &*row;
}

bool is_about_bytes(std::string_view name) {
  const HeaderRow* const row = find_header_row(name);
  return row != nullptr && row->of_transfer;
}

std::string acceptable_cookie(std::string_view cookie) {
  const bool needs_secure = cookie.starts_with("__Secure-") || cookie.starts_with("__Host-");
  std::string kept;
  for (std::size_t at = 0; at <= cookie.size();) {
    const std::size_t end = std::min(cookie.find(';', at), cookie.size());
    const std::string_view part = cookie.substr(at, end - at);
    if (at == 0 || !is_rejected_attribute(part, needs_secure)) {
      kept += (at == 0 ? "" : ";") + std::string(part);
    }
    at = end + 1;
  }
  return kept;
}

}  // namespace mock_server::examples
