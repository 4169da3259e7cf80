#include "mock_server/service/request/session_name.hpp"

#include "mock_server/state/store.hpp"

namespace mock_server::service::request {

SessionChoice choose_session(const spec::http::Request& request) {
  constexpr std::string_view kMark = "/_s/";
  SessionChoice choice;
  choice.path = spec::http::path_of(request.target);
  if (choice.path.starts_with(kMark)) {
    const std::size_t end = choice.path.find('/', kMark.size());
    choice.name = choice.path.substr(
        kMark.size(), end == std::string_view::npos ? std::string_view::npos : end - kMark.size());
    choice.prefix = choice.path.substr(0, kMark.size() + choice.name.size());
    choice.path.remove_prefix(choice.prefix.size());
    choice.readable = state::is_session_name(choice.name);
    if (choice.path.empty()) {
      choice.path = "/";
    }
    const auto given = request.headers.find("X-Counterpart-Session");
    choice.other = given && *given != choice.name ? *given : std::string_view{};
    return choice;
  }
  for (const std::string_view given : request.headers.all("X-Counterpart-Session")) {
    const bool is_other = !choice.name.empty() && given != choice.name;
    choice.readable = choice.readable && state::is_session_name(given) && !is_other;
    if (is_other) {
      choice.other = given;
    } else {
      choice.name = given;
    }
  }
  return choice;
}

}  // namespace mock_server::service::request
