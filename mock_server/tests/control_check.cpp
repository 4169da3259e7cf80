#include "mock_server/tests/control_check.hpp"

#include "spec/contract/checking/validate_message.hpp"

#include <algorithm>

namespace mock_server::tests {
namespace {

using spec::contract::Match;

// The path without a session's prefix and the query.
std::string_view control_path(std::string_view target) {
  constexpr std::string_view kSession = "/_s/";
  std::string_view path = target.substr(0, target.find('?'));
  if (path.starts_with(kSession)) {
    const std::size_t end = path.find('/', kSession.size());
    path = end == std::string_view::npos ? std::string_view{} : path.substr(end);
  }
  return path.starts_with("/_mock/") ? path : std::string_view{};
}

}  // namespace

std::vector<std::string> ControlCheck::violations(std::string_view method, std::string_view target,
                                                  const spec::http::ResponseRecord& record) const {
  const Match match = contract_.route(method, control_path(target));
  if (match.kind != Match::Kind::kFound || record.ending != spec::http::Ending::kComplete) {
    return {};
  }
  std::vector<std::string> lines;
  for (const auto& violation : validate_response(contract_, *match.operation, record.response,
                                                 {.head = method == "HEAD"})) {
    lines.push_back("the control API violates its description: " + to_line(contract_, violation));
  }
  return lines;
}

std::string_view ControlCheck::operation(std::string_view method, std::string_view target) const {
  const Match match = contract_.route(method, control_path(target));
  return match.kind == Match::Kind::kFound ? std::string_view(match.operation->id)
                                           : std::string_view{};
}

std::string_view target_of(std::string_view request_bytes) {
  const std::size_t begin = std::min(request_bytes.find(' '), request_bytes.size() - 1) + 1;
  return request_bytes.substr(begin, request_bytes.find(' ', begin) - begin);
}

}  // namespace mock_server::tests
