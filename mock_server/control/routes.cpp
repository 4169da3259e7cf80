#include "mock_server/control/routes.hpp"

#include "mock_server/control/endpoints.hpp"
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
template <spec::http::Response (*kResponse)(const ControlRequest&, const api::Collection&)>
reply::Reply of_collection(const ControlRequest& request) {
  const auto* const collection = find_collection(request);
  return {collection != nullptr ? kResponse(request, *collection) : unknown_collection(request),
          {}};
}

template <spec::http::Response (*kResponse)(const ControlRequest&, const api::Scenario&)>
reply::Reply of_scenario(const ControlRequest& request) {
  const auto scenario = find_scenario(request);
  return {scenario != nullptr ? kResponse(request, *scenario) : unknown_scenario(request), {}};
}

constexpr std::array kRoutes = std::to_array<Route>({
    {"show_index", now<show_index>},
    {"show_coverage", show_coverage},
    {"show_health", now<show_health>},
    {"show_liveness", now<show_liveness>},
    {"show_readiness", now<show_readiness>},
    {"show_metrics", now<show_metrics>},
    {"list_operations", now<show_operations>},
    {"list_assumptions", now<show_assumptions>},
    {"show_contract", now<show_contract>},
    {"show_control_contract", now<show_control_contract>},
    {"show_control_text", now<show_control_text>},
    {"list_schemas", now<list_schemas>},
    {"show_schema", now<show_schema>},
    {"reset_session", now<reset_session>},
    {"list_sessions", now<list_sessions>},
    {"fork_session", now<fork_session>},
    {"show_session", now<show_session>},
    {"delete_session", now<delete_session>},
    {"list_snapshots", now<list_snapshots>},
    {"take_snapshot", now<take_snapshot>},
    {"restore_snapshot", now<restore_snapshot>},
    {"drop_snapshot", now<drop_snapshot>},
    {"show_clock", now<show_clock>},
    {"set_clock", now<set_clock>},
    {"advance_clock", now<advance_clock>},
    {"reset_clock", now<reset_clock>},
    {"show_seed", now<show_seed>},
    {"set_seed", now<set_seed>},
    {"reset_seed", now<reset_seed>},
    {"show_upstream", now<show_upstream>},
    {"set_upstream", now<set_upstream>},
    {"reset_upstream", now<reset_upstream>},
    {"list_scenarios", now<list_scenarios>},
    {"disarm_all", now<disarm_all>},
    {"show_scenario", of_scenario<show_scenario>},
    {"put_scenario", now<put_scenario>},
    {"disarm_scenario", of_scenario<disarm_scenario>},
    {"arm_scenario", of_scenario<arm_scenario>},
    {"arm_scenario_by_link", of_scenario<arm_scenario>, true},
    {"advance_scenario", of_scenario<advance_scenario>},
    {"advance_scenario_by_link", of_scenario<advance_scenario>, true},
    {"reset_scenario", of_scenario<reset_scenario>},
    {"reset_scenario_by_link", of_scenario<reset_scenario>, true},
    {"list_faults", now<list_faults>},
    {"put_faults", now<put_faults>},
    {"drop_faults", now<drop_faults>},
    {"list_collections", now<list_collections>},
    {"list_records", of_collection<list_records>},
    {"remove_records", of_collection<remove_records>},
    {"reset_records", of_collection<reset_records>},
    {"reset_record", of_collection<reset_record>},
    {"show_record", of_collection<show_record>},
    {"save_fixtures", now<save_fixtures>},
    {"put_record", of_collection<put_record>},
    {"patch_record", of_collection<patch_record>},
    {"remove_record", of_collection<remove_record>},
    {"stream_events", stream_events},
    {"list_streams", now<list_streams>},
    {"push_items", now<push_items>},
    {"end_streams", now<end_streams>},
    {"list_requests", now<list_requests>},
    {"clear_requests", now<clear_requests>},
    {"show_request", now<show_request>},
    {"export_requests", now<export_requests>},
    {"verify_requests", verify_requests},
    {"wait_for_requests", wait_for_requests},
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
