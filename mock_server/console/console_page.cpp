#include "mock_server/console/console_page.hpp"

#include "mock_server/reply/entity.hpp"
#include "spec/http/header_field.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>

namespace mock_server::console {
namespace {

using spec::http::Request;
using spec::http::Response;

constexpr std::string_view kPolicyHole = "<!--policy-->";
constexpr std::string_view kRecordedHole = "<!--recorded-->";

// "'sha256-...'" of a hash in hexadecimal digits. Source: Content Security Policy 3 §2.3.1.
std::string source_of(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes += static_cast<char>(spec::text::hex_digit_value(hex[at]) * 16 +
                               spec::text::hex_digit_value(hex[at + 1]));
  }
  return "'sha256-" + spec::text::to_base64(bytes) + "'";
}

std::string policy(std::string_view connections) {
  const PageText text = page_text();
  return "default-src 'none'; script-src " + source_of(text.script_hash) + "; style-src " +
         source_of(text.style_hash) + "; connect-src " + std::string(connections) +
         "; img-src data: blob:; frame-src blob:; object-src blob:; base-uri 'none'; form-action "
         "'none'";
}

}  // namespace

Response page_response(const Request& request) {
  static const std::string tag = reply::make_entity_tag(page_text().page);
  static const std::string own_policy = policy("'self'") + "; frame-ancestors 'none'";
  Response response;
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Content-Security-Policy", own_policy},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"},
                      {"ETag", tag}};
  if (const auto known = spec::http::list_field(request.headers, "If-None-Match");
      known && reply::matches_any_tag(*known, tag, reply::TagComparison::kWeak)) {
    response.status = 304;
    response.headers.remove("Content-Type");
  } else {
    response.body = page_text().page;
  }
  return response;
}

std::string page_with(const nlohmann::json& recorded) {
  std::string page(page_text().page);
  // The recorded calls go in last, so that no hole is looked for inside them.
  spec::text::fill_hole(
      page, kPolicyHole,
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy("'none'") + "\">");
  spec::text::fill_hole(page, kRecordedHole,
                        "<script type=\"application/json\" id=\"recorded\">" +
                            spec::text::json_in_script(spec::json::write(recorded)) + "</script>");
  return page;
}

}  // namespace mock_server::console
