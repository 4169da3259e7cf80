#include "mock_server/run/allowed_calls.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>

namespace mock_server::run {

bool AllowedCalls::contains(std::string_view method, std::string_view target) const {
  const std::string call = std::string(method) + ' ' + std::string(spec::http::path_of(target));
  return std::ranges::any_of(calls_, [&call](std::string_view allowed) {
    return allowed.ends_with('*') ? call.starts_with(allowed.substr(0, allowed.size() - 1))
                                  : call == allowed;
  });
}

bool is_of_browsers(std::string_view method, std::string_view target) {
  static constexpr std::array<std::string_view, 4> kPaths{
      "/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png",
      "/.well-known/appspecific/com.chrome.devtools.json"};
  return (method == "GET" || method == "HEAD") &&
         std::ranges::find(kPaths, spec::http::path_of(target)) != kPaths.end();
}

std::string why_no_call(const std::string& text) {
  const auto blank = text.find(' ');
  const bool is_call = blank != std::string::npos && spec::http::is_token(text.substr(0, blank)) &&
                       text.substr(blank + 1).starts_with('/') &&
                       text.find_first_of(" ?#", blank + 1) == std::string::npos &&
                       text.find('*') >= text.size() - 1;
  return is_call ? ""
                 : "must be METHOD /path, with * only at its end, for example 'GET /assets/*', but "
                   "is " +
                       spec::text::in_quotes(text);
}

}  // namespace mock_server::run
