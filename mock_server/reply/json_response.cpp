#include "mock_server/reply/json_response.hpp"

#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mock_server::reply {
namespace {

nlohmann::json error_body(std::string_view code, std::string_view message) {
  return {{"code", code}, {"message", message}};
}

}  // namespace

spec::http::Response json_response(int status, const nlohmann::json& body) {
  spec::http::Response response;
  response.status = status;
  response.headers.add("Content-Type", "application/json");
  response.body = spec::json::write(body);
  return response;
}

spec::http::Response error_response(int status, std::string_view code, std::string_view message) {
  return json_response(status, error_body(code, message));
}

spec::http::Response error_response(int status, std::string_view code, std::string_view message,
                                    nlohmann::json more) {
  more.update(error_body(code, message));
  return json_response(status, more);
}

spec::http::Response unavailable(std::string_view why) {
  spec::http::Response response = error_response(503, "SERVICE_UNAVAILABLE", why);
  response.headers.set("Retry-After", "1");
  return response;
}

std::string first_of(const std::vector<std::string>& lines) {
  constexpr std::size_t kMax = 3;
  std::string words;
  for (std::size_t index = 0; index < std::min(lines.size(), kMax); ++index) {
    words += (index == 0 ? "" : "; ") + lines[index];
  }
  return lines.size() > kMax ? words + "; and " + std::to_string(lines.size() - kMax) + " more"
                             : words;
}

std::string header_text(std::string_view words) {
  constexpr std::size_t kMaxLength = 1000;
  std::string text(spec::text::utf8_start(words, kMaxLength));
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }, ' ');
  return spec::text::without_controls(text);
}

void add_warnings(spec::http::Response& response, const std::vector<std::string>& warnings) {
  if (!warnings.empty()) {
    response.headers.add("X-Counterpart-Warning", header_text(first_of(warnings)));
  }
}

}  // namespace mock_server::reply
