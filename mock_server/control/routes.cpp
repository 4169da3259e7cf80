#include "mock_server/control/routes.hpp"

#include "mock_server/control/endpoints/endpoints.hpp"
#include "mock_server/control/index.hpp"

#include <algorithm>
#include <array>

namespace mock_server::control {
namespace {

// An endpoint that responds at once.
template <spec::http::Response (*kResponse)(const ControlRequest&)>
reply::Reply now(const ControlRequest& request) {
  return {kResponse(request), {}};
}

// One about the collection, or the scenario, that the path names.
template <spec::http::Response (*kResponse)(const ControlRequest&, const fixtures::Collection&)>
reply::Reply of_collection(const ControlRequest& request) {
  const auto* const collection = endpoints::find_collection(request);
  return {collection != nullptr ? kResponse(request, *collection)
                                : endpoints::unknown_collection(request),
          {}};
}

template <spec::http::Response (*kResponse)(const ControlRequest&, const fixtures::Scenario&)>
reply::Reply of_scenario(const ControlRequest& request) {
  const auto scenario = endpoints::find_scenario(request);
  return {
      scenario != nullptr ? kResponse(request, *scenario) : endpoints::unknown_scenario(request),
      {}};
}

constexpr std::array kRoutes = std::to_array<Route>({
    {"show_index", now<show_index>},
    {"show_coverage", endpoints::show_coverage},
    {"show_health", now<endpoints::show_health>},
    {"show_liveness", now<endpoints::show_liveness>},
    {"show_readiness", now<endpoints::show_readiness>},
    {"show_metrics", now<endpoints::show_metrics>},
    {"list_operations", now<endpoints::show_operations>},
    {"list_assumptions", now<endpoints::show_assumptions>},
    {"show_contract", now<endpoints::show_contract>},
    {"show_control_contract", now<endpoints::show_control_contract>},
    {"show_control_text", now<endpoints::show_control_text>},
    {"list_schemas", now<endpoints::list_schemas>},
    {"show_schema", now<endpoints::show_schema>},
    {"reset_session", now<endpoints::reset_session>},
    {"list_sessions", now<endpoints::list_sessions>},
    {"fork_session", now<endpoints::fork_session>},
    {"show_session", now<endpoints::show_session>},
    {"delete_session", now<endpoints::delete_session>},
    {"list_snapshots", now<endpoints::list_snapshots>},
    {"take_snapshot", now<endpoints::take_snapshot>},
    {"restore_snapshot", now<endpoints::restore_snapshot>},
    {"drop_snapshot", now<endpoints::drop_snapshot>},
    {"show_clock", now<endpoints::show_clock>},
    {"set_clock", now<endpoints::set_clock>},
    {"advance_clock", now<endpoints::advance_clock>},
    {"reset_clock", now<endpoints::reset_clock>},
    {"show_seed", now<endpoints::show_seed>},
    {"set_seed", now<endpoints::set_seed>},
    {"reset_seed", now<endpoints::reset_seed>},
    {"show_upstream", now<endpoints::show_upstream>},
    {"set_upstream", now<endpoints::set_upstream>},
    {"reset_upstream", now<endpoints::reset_upstream>},
    {"list_scenarios", now<endpoints::list_scenarios>},
    {"disarm_all", now<endpoints::disarm_all>},
    {"show_scenario", of_scenario<endpoints::show_scenario>},
    {"put_scenario", now<endpoints::put_scenario>},
    {"disarm_scenario", of_scenario<endpoints::disarm_scenario>},
    {"arm_scenario", of_scenario<endpoints::arm_scenario>},
    {"arm_scenario_by_link", of_scenario<endpoints::arm_scenario>, true},
    {"advance_scenario", of_scenario<endpoints::advance_scenario>},
    {"advance_scenario_by_link", of_scenario<endpoints::advance_scenario>, true},
    {"reset_scenario", of_scenario<endpoints::reset_scenario>},
    {"reset_scenario_by_link", of_scenario<endpoints::reset_scenario>, true},
    {"list_faults", now<endpoints::list_faults>},
    {"put_faults", now<endpoints::put_faults>},
    {"drop_faults", now<endpoints::drop_faults>},
    {"list_collections", now<endpoints::list_collections>},
    {"list_records", of_collection<endpoints::list_records>},
    {"remove_records", of_collection<endpoints::remove_records>},
    {"reset_records", of_collection<endpoints::reset_records>},
    {"reset_record", of_collection<endpoints::reset_record>},
    {"show_record", of_collection<endpoints::show_record>},
    {"put_record", of_collection<endpoints::put_record>},
    {"patch_record", of_collection<endpoints::patch_record>},
    {"remove_record", of_collection<endpoints::remove_record>},
    {"stream_events", endpoints::stream_events},
    {"list_requests", now<endpoints::list_requests>},
    {"clear_requests", now<endpoints::clear_requests>},
    {"show_request", now<endpoints::show_request>},
    {"export_requests", now<endpoints::export_requests>},
    {"verify_requests", endpoints::verify_requests},
    {"wait_for_requests", endpoints::wait_for_requests},
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
