#include "mock_server/reply/cors.hpp"

#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::reply {
namespace {

using spec::http::Headers;
using spec::http::Request;
using spec::http::Response;

// Readable without being exposed: the CORS-safelisted response headers.
constexpr std::array<std::string_view, 7> kSafelisted{
    "Cache-Control", "Content-Language", "Content-Length", "Content-Type",
    "Expires",       "Last-Modified",    "Pragma"};

bool is_safelisted(std::string_view name) {
  return std::ranges::any_of(kSafelisted, [&](std::string_view safe) {
    return spec::text::equals_ignoring_case(safe, name);
  });
}

std::string exposed(const Headers& headers) {
  std::string names = "Date";
  for (const auto& line : headers.lines()) {
    if (!is_safelisted(line.first) && !line.first.starts_with("Access-Control-")) {
      names += ", " + line.first;
    }
  }
  return names;
}

}  // namespace

Response response_preflight(const Request& request) {
  constexpr std::string_view kMaxAge = "600";
  Response response;
  response.status = 204;
  Headers& headers = response.headers;
  allow_origin(request.headers.find("Origin"), response);
  headers.add("Access-Control-Allow-Methods",
              std::string(request.headers.find("Access-Control-Request-Method").value_or("GET")));
  if (auto asked = spec::http::list_field(request.headers, "Access-Control-Request-Headers")) {
    headers.add("Access-Control-Allow-Headers", std::move(*asked));
  }
  if (request.headers.find("Access-Control-Request-Private-Network") == "true") {
    headers.add("Access-Control-Allow-Private-Network", "true");
  }
  headers.add("Access-Control-Max-Age", std::string(kMaxAge));
  headers.add("Vary",
              "Origin, Access-Control-Request-Method, Access-Control-Request-Headers, "
              "Access-Control-Request-Private-Network");
  return response;
}

void allow_origin(std::optional<std::string_view> origin, Response& response) {
  response.headers.add("Access-Control-Allow-Origin", std::string(origin.value_or("*")));
  if (origin) {
    response.headers.add("Access-Control-Allow-Credentials", "true");
  }
}

void expose_headers(const Request& request, Response& response, std::string names) {
  if (request.headers.has("Origin")) {
    response.headers.add("Access-Control-Expose-Headers", std::move(names));
  }
}

void add_cors(const Request& request, Response& response) {
  Headers& headers = response.headers;
  // A contract's own values would be beside these, and browsers reject two.
  for (const std::string_view name :
       {"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials",
        "Access-Control-Expose-Headers"}) {
    headers.remove(name);
  }
  const auto origin = request.headers.find("Origin");
  allow_origin(origin, response);
  if (origin) {
    expose_headers(request, response, exposed(headers));
  }
}

}  // namespace mock_server::reply
