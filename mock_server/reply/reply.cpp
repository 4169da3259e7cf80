#include "mock_server/reply/reply.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>

namespace mock_server::reply {

std::string own_address(const spec::http::Request& request, std::string_view scheme) {
  constexpr std::string_view kAllowed = "-._:[]";
  const auto host = request.headers.find("Host");
  const bool is_plain =
      host && !host->empty() && std::ranges::all_of(*host, [&](char c) {
        return spec::text::is_letter_or_digit(c) || kAllowed.find(c) != std::string_view::npos;
      });
  return is_plain ? std::string(scheme).append("://").append(*host) : "";
}

}  // namespace mock_server::reply
