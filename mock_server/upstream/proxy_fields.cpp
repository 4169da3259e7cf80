#include "mock_server/upstream/proxy_fields.hpp"

#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::upstream {

namespace {

using spec::http::Headers;
using spec::text::equals_ignoring_case;

constexpr std::string_view kMaxForwards = "Max-Forwards";
constexpr std::string_view kOwnPrefix = "X-Counterpart-";

bool is_own(std::string_view name) {
  return name.size() > kOwnPrefix.size() &&
         equals_ignoring_case(name.substr(0, kOwnPrefix.size()), kOwnPrefix);
}

// The number of servers more that the request may pass; nothing if that is not limited.
// Source: RFC 9110 §7.6.2: the field is for TRACE and OPTIONS alone.
std::optional<std::uint32_t> forwards_left(const spec::http::Request& request) {
  const auto value = request.method == "OPTIONS" || request.method == "TRACE"
                         ? request.headers.find(kMaxForwards)
                         : std::nullopt;
  return value ? spec::text::parse_number<std::uint32_t>(*value) : std::nullopt;
}

// The fields of one connection.
class ConnectionFields {
 public:
  // `headers` must outlive it.
  explicit ConnectionFields(const Headers& headers) {
    for (const std::string_view value : headers.all("Connection")) {
      spec::http::for_each_element(value, [&](std::string_view name) { names_.push_back(name); });
    }
  }

  bool has(std::string_view name) const {
    return spec::http::is_of_connection(name) ||
           std::ranges::any_of(
               names_, [&](std::string_view one) { return equals_ignoring_case(one, name); });
  }

 private:
  std::vector<std::string_view> names_{"Proxy-Authorization"};  // and those that Connection names
};

}  // namespace

Headers end_to_end(const Headers& headers) {
  const ConnectionFields of_connection(headers);
  Headers kept;
  for (const auto& [name, value] : headers.lines()) {
    if (!of_connection.has(name)) {
      kept.add(name, value);
    }
  }
  return kept;
}

spec::http::Request to_service(const spec::http::Request& request, std::string_view target,
                               std::string_view authority, std::string_view pseudonym) {
  spec::http::Request sent{request.method, std::string(target), {}, request.body};
  sent.headers.add("Host", std::string(authority));
  const ConnectionFields of_connection(request.headers);
  for (const auto& [name, value] : request.headers.lines()) {
    const bool goes = of_connection.has(name) || is_own(name) ||
                      equals_ignoring_case(name, "Host") || equals_ignoring_case(name, "Expect") ||
                      equals_ignoring_case(name, "Content-Length");
    if (!goes) {
      sent.headers.add(name, value);
    }
  }
  if (!request.body.empty() || request.headers.has("Content-Length") ||
      request.headers.has("Transfer-Encoding")) {
    sent.headers.add("Content-Length", std::to_string(request.body.size()));
  }
  if (const auto left = forwards_left(request); left && *left > 0) {
    sent.headers.set(kMaxForwards, std::to_string(*left - 1));
  }
  sent.headers.add("Via", "1.1 " + std::string(pseudonym));
  return sent;
}

bool may_go_on(const spec::http::Request& request) {
  return forwards_left(request) != 0U;
}

bool has_been_here(const spec::http::Request& request, std::string_view pseudonym) {
  const auto values = request.headers.all("Via");
  return std::ranges::any_of(values, [&](std::string_view value) {
    return value.find(pseudonym) != std::string_view::npos;
  });
}

bool is_unchanged_or_part(int status, const spec::http::Headers& request) {
  return status == 304 || ((status == 206 || status == 416) && request.has("Range"));
}

}  // namespace mock_server::upstream
