#include "spec/contract/samples/own_headers.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/validate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

namespace spec::contract::samples {

namespace {

using Json = nlohmann::json;

using Values = std::vector<Json>;

constexpr std::string_view kTransport = "the mock frames its messages and keeps its connections";
constexpr std::string_view kBytes = "it is true of the bytes of one body alone";

// A strong entity tag, and a weak one, of the body's bytes (FNV-1a).
Values entity_tag(const HeaderContext& context) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : context.body) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  std::string tag = "\"";
  for (int i = 0; i < 16; ++i, hash >>= 4U) {
    tag += kDigits[hash & 15U];
  }
  tag += '"';
  return {tag, "W/" + tag};
}

Values content_length(const HeaderContext& context) {
  return {context.body.size(), std::to_string(context.body.size())};
}

// Source: RFC 9110 §14.4.
Values content_range(const HeaderContext& context) {
  constexpr int kPartial = 206;
  constexpr int kNotSatisfiable = 416;
  const std::string size = std::to_string(context.body.size());
  if (context.status == kNotSatisfiable) {
    return {"bytes */" + size};
  }
  return context.status == kPartial && !context.body.empty()
             ? Values{"bytes 0-" + std::to_string(context.body.size() - 1) + '/' + size}
             : Values{};
}

Values date(const HeaderContext& context) {
  return {http_date(context.seconds)};
}

Values age(const HeaderContext&) {
  return {0, "0"};
}

Values identity(const HeaderContext&) {
  return {"identity"};
}

Values no_ranges(const HeaderContext&) {
  return {"none"};
}

Values no_transport_security(const HeaderContext&) {
  return {"max-age=0"};
}

constexpr std::array kRows = std::to_array<OwnHeader>({
    {"Accept-Ranges", &no_ranges, true, false, "parts are sent of files alone"},
    {"Age", &age, true, false, "no cache has kept the response"},
    {"Alt-Svc", nullptr, true, false, "clients would go on to another server"},
    {"Connection", nullptr, true, false, kTransport},
    {"Content-Digest", nullptr, true, true, kBytes},
    {"Content-Encoding", &identity, true, true, "the mock does not encode bodies"},
    {"Content-Length", &content_length, true, true, kTransport},
    {"Content-MD5", nullptr, true, true, kBytes},
    {"Content-Range", &content_range, false, false, kBytes},
    {"Date", &date, true, false, "the mock sends the time of the response"},
    {"Digest", nullptr, true, true, kBytes},
    {"ETag", &entity_tag, false, false, kBytes},
    {"Keep-Alive", nullptr, true, true, kTransport},
    {"Proxy-Connection", nullptr, true, true, kTransport},
    {"Public-Key-Pins", nullptr, true, false, "browsers would refuse other keys of this host"},
    {"Repr-Digest", nullptr, true, true, kBytes},
    {"Strict-Transport-Security", &no_transport_security, true, false,
     "browsers would refuse this host without TLS from then on"},
    {"TE", nullptr, true, true, kTransport},
    {"Trailer", nullptr, true, true, kTransport},
    {"Transfer-Encoding", nullptr, true, true, kTransport},
    {"Upgrade", nullptr, true, true, kTransport},
});

bool is_refused_attribute(std::string_view attribute, bool needs_secure) {
  const std::size_t equals = std::min(attribute.find('='), attribute.size());
  const std::string_view name = http::trimmed(attribute.substr(0, equals));
  const std::string_view value =
      equals < attribute.size() ? http::trimmed(attribute.substr(equals + 1)) : "";
  const auto is = [name](std::string_view known) {
    return http::equals_ignoring_case(name, known);
  };
  if (is("Domain")) {
    return true;
  }
  const bool is_none = is("SameSite") && http::equals_ignoring_case(value, "None");
  return !needs_secure && (is("Secure") || is("Partitioned") || is_none);
}

bool has_refused_attribute(const Json& value) {
  if (value.is_array()) {
    return std::ranges::any_of(value, &has_refused_attribute);
  }
  return value.is_string() &&
         acceptable_cookie(value.get_ref<const std::string&>()) != value.get<std::string>();
}

// What the mock can say of some body.
Values own_values(const Contract& contract, const Parameter& header, const Answer& answer) {
  const OwnHeader& own = *find_own_header(header.name);
  const HeaderContext some{.status = answer.status, .path = {}, .body = "x", .media_type = {}};
  Values values = own.make != nullptr ? own.make(some) : Values{};
  std::erase_if(values, [&](const json& value) {
    return header.schema &&
           schema::check(contract.schemas(), *header.schema, value,
                         {schema::Direction::kResponse}) != schema::Verdict::kValid;
  });
  return values;
}

// Why `header` is not sent as its examples say, and what is sent; "" when it is.
std::string why_not_as_declared(const Contract& contract, const Parameter& header,
                                const Answer& answer) {
  const std::string name = "header " + header.name;
  if (http::equals_ignoring_case(header.name, "Set-Cookie")) {
    const bool is_cut = std::ranges::any_of(
        header.examples, [](const Example& each) { return has_refused_attribute(*each.value); });
    return is_cut ? name +
                        ": is sent without Domain, Secure, SameSite=None and Partitioned: "
                        "browsers refuse such cookies from a server on this machine"
                  : "";
  }
  const OwnHeader* const own = find_own_header(header.name);
  if (own == nullptr || (header.examples.empty() && !header.required)) {
    return "";
  }
  const bool is_sent =
      (header.required || !own->only_required) && !own_values(contract, header, answer).empty();
  return name + (is_sent ? ": is sent with a value of the mock's own: " : ": is left out: ") +
         std::string(own->why);
}

bool is_missed(const Contract& contract, const Parameter& header, const Answer& answer) {
  return header.required && find_own_header(header.name) != nullptr &&
         own_values(contract, header, answer).empty();
}

}  // namespace

const OwnHeader* find_own_header(std::string_view name) {
  const auto row = std::ranges::find_if(
      kRows, [name](const OwnHeader& each) { return http::equals_ignoring_case(each.name, name); });
  return row == kRows.end() ? nullptr : &*row;
}

bool is_of_transfer(std::string_view name) {
  const OwnHeader* const own = find_own_header(name);
  return own != nullptr && own->of_transfer;
}

std::string acceptable_cookie(std::string_view cookie) {
  const bool needs_secure = cookie.starts_with("__Secure-") || cookie.starts_with("__Host-");
  std::string kept;
  bool is_first = true;
  for (std::size_t at = 0; at <= cookie.size();) {
    const std::size_t end = std::min(cookie.find(';', at), cookie.size());
    const std::string_view part = cookie.substr(at, end - at);
    if (is_first || !is_refused_attribute(part, needs_secure)) {
      kept += (is_first ? "" : ";") + std::string(part);
    }
    is_first = false;
    at = end + 1;
  }
  return kept;
}

std::vector<Problem> headers_not_as_declared(const Contract& contract, NotAsDeclared which) {
  std::vector<Problem> told;
  std::set<std::pair<std::string, std::string>> places;  // a shared response is told of once
  for (const Operation& operation : contract.operations()) {
    for (const Answer& answer : operation.answers) {
      for (const Parameter& header : answer.headers) {
        if (which == NotAsDeclared::kMissed && !is_missed(contract, header, answer)) {
          continue;
        }
        std::string why = why_not_as_declared(contract, header, answer);
        const auto place = header.node.place();
        if (!why.empty() && places.emplace(place.file, header.node.pointer()).second) {
          told.push_back({std::string(place.file), place.line, place.column, header.node.pointer(),
                          std::move(why)});
        }
      }
    }
  }
  return told;
}

}  // namespace spec::contract::samples
