#include "mock_server/control/common.hpp"

#include "mock_server/fixtures/answer.hpp"

#include <algorithm>

namespace mock_server::control {
namespace {

// At most 50 names, and how many more there are.
std::string join(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 50;
  std::string text;
  for (std::size_t index = 0; index < std::min(names.size(), kMost); ++index) {
    text += (index == 0 ? "" : ", ") + names[index];
  }
  if (names.size() > kMost) {
    text += " and " + std::to_string(names.size() - kMost) + " more";
  }
  return text.empty() ? "none" : text;
}

}  // namespace

spec::http::Response refuse_body(std::string_view problem) {
  return refuse(fixtures::ErrorKind::kInvalidBody, problem);
}

spec::http::Response unknown(std::string_view what, std::string_view name,
                             const std::vector<std::string>& there_are) {
  return refuse(fixtures::ErrorKind::kNotFound, "there is no " + std::string(what) + " \"" +
                                                    std::string(name.substr(0, 80)) +
                                                    "\"; there are: " + join(there_are));
}

spec::http::Response conflict(std::string_view problem) {
  return fixtures::error_response(409, "CONFLICT", problem);
}

spec::http::Response no_room() {
  return fixtures::error_response(
      507, "INSUFFICIENT_STORAGE",
      "the sessions have no room for it (--session-bytes): reset or delete some");
}

}  // namespace mock_server::control
