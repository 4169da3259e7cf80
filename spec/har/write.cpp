#include "spec/har/write.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/form.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace spec::har {

namespace {

using nlohmann::json;
using text::as_utf8;

json named(std::string_view name, std::string_view value) {
  return {{"name", as_utf8(name)}, {"value", as_utf8(value)}};
}

json fields_of(const http::Headers& headers) {
  json fields = json::array();
  for (const auto& [name, value] : headers.lines()) {
    fields.push_back(named(name, value));
  }
  return fields;
}

json query_of(std::string_view target) {
  json pairs = json::array();
  for (const auto& pair : http::split_form(http::query_of(target))) {
    pairs.push_back(
        named(pair.name, text::percent_decode(pair.value, true).value_or(std::string(pair.value))));
  }
  return pairs;
}

// Of `Set-Cookie`, without the attributes.
json cookies_of(const http::Headers& headers, std::string_view name) {
  json cookies = json::array();
  for (const std::string_view line : headers.all(name)) {
    const auto pairs = name == "Cookie" ? line : line.substr(0, line.find(';'));
    for (const auto& pair : http::split_cookies(pairs)) {
      cookies.push_back(named(http::trimmed(pair.name), http::trimmed(pair.value)));
    }
  }
  return cookies;
}

}  // namespace

json write_request(const http::Request& request, std::string_view url, std::size_t body_bytes) {
  return {{"method", request.method},
          {"url", as_utf8(url)},
          {"httpVersion", "HTTP/1.1"},
          {"cookies", cookies_of(request.headers, "Cookie")},
          {"headers", fields_of(request.headers)},
          {"queryString", query_of(request.target)},
          {"headersSize", -1},
          {"bodySize", body_bytes}};
}

json write_response(const http::Response& response, std::string_view http_version, json content) {
  return {{"status", response.status},
          {"statusText", response.reason},
          {"httpVersion", http_version},
          {"cookies", cookies_of(response.headers, "Set-Cookie")},
          {"headers", fields_of(response.headers)},
          {"content", std::move(content)},
          {"redirectURL", ""},
          {"headersSize", -1},
          {"bodySize", -1}};
}

void add_body(json& part, const std::string& body, bool is_text) {
  part["text"] = is_text ? body : text::to_base64(body);
  if (!is_text) {
    part["encoding"] = "base64";
  }
}

}  // namespace spec::har
