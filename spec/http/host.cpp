#include "spec/http/host.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/number.hpp"

namespace spec::http {

bool is_loopback_host(std::string_view host) {
  constexpr std::string_view kName = "localhost";
  if (host == "::1" || host == "[::1]") {
    return true;
  }
  // "127.example" is an ordinary name.
  if (host.starts_with("127.")) {
    return host.find_first_not_of("0123456789.") == std::string_view::npos;
  }
  if (host.size() < kName.size() ||
      !text::equals_ignoring_case(host.substr(host.size() - kName.size()), kName)) {
    return false;
  }
  return host.size() == kName.size() || host[host.size() - kName.size() - 1] == '.';
}

std::optional<int> parse_port(std::string_view text) {
  constexpr int kMax = 65'535;
  const auto port = text::parse_number<int>(text);
  return port && *port >= 1 && *port <= kMax ? port : std::nullopt;
}

}  // namespace spec::http
