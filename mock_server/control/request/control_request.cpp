#include "mock_server/control/request/control_request.hpp"

#include "mock_server/reply/error_response.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

namespace mock_server::control::request {

const nlohmann::json* ControlRequest::query(std::string_view name) const {
  const auto found = reading.query.find(name);
  return found == reading.query.end() ? nullptr : &*found;
}

spec::http::Response reject_body(std::string_view problem) {
  return reject(fixtures::ErrorKind::kInvalidBody, problem);
}

spec::http::Response unknown(std::string_view what, std::string_view name,
                             const std::vector<std::string>& there_are) {
  return reject(fixtures::ErrorKind::kNotFound,
                "there is no " + std::string(what) + " " + spec::text::in_quotes(name, 80) +
                    "; known: " + spec::text::names_listed(there_are));
}

spec::http::Response unknown_session(const ControlRequest& request, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& summary : request.context.store.list()) {
    if (!summary.name.empty()) {
      names.push_back(summary.name);
    }
  }
  return unknown("session", name, names);
}

spec::http::Response conflict(std::string_view problem) {
  return reply::error_response(409, "CONFLICT", problem);
}

spec::http::Response no_room() {
  return reply::error_response(507, "INSUFFICIENT_STORAGE", state::kSessionsAreFull);
}

state::Put set_cell(state::Session& session, std::string_view key,
                    const std::optional<std::string>& text) {
  return insist([&] { return session.compare_and_set(key, session.read(key).version, text); });
}

}  // namespace mock_server::control::request
