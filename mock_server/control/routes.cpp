#include "mock_server/control/routes.hpp"

#include "mock_server/control/endpoints.hpp"
#include "mock_server/control/journal_endpoints.hpp"

#include <algorithm>
#include <array>

namespace mock_server::control {
namespace {

// An endpoint that answers at once.
template <spec::http::Response (*kAnswer)(const Ask&)>
Answer now(const Ask& ask) {
  return {kAnswer(ask), {}};
}

constexpr std::array kRoutes = std::to_array<Route>({
    {"show_health", now<show_health>},
    {"list_operations", now<show_operations>},
    {"list_assumptions", now<show_assumptions>},
    {"show_contract", now<show_contract>},
    {"show_control_contract", now<show_control_contract>},
    {"show_control_text", now<show_control_text>},
    {"list_schemas", now<list_schemas>},
    {"show_schema", now<show_schema>},
    {"reset_session", now<reset_session>},
    {"list_sessions", now<list_sessions>},
    {"delete_session", now<delete_session>},
    {"list_requests", now<list_requests>},
    {"clear_requests", now<clear_requests>},
    {"show_request", now<show_request>},
});

}  // namespace

const Route* route_of(std::string_view operation_id) {
  const auto* const found = std::ranges::find(kRoutes, operation_id, &Route::operation_id);
  return found == kRoutes.end() ? nullptr : found;
}

std::vector<std::string_view> routed_operations() {
  std::vector<std::string_view> ids;
  for (const Route& route : kRoutes) {
    ids.push_back(route.operation_id);
  }
  return ids;
}

}  // namespace mock_server::control
