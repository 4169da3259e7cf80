#include "mock_server/control/endpoints/endpoints.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/reply/fault.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace mock_server::control::endpoints {
namespace {

using nlohmann::json;
using spec::http::Response;

constexpr std::string_view kScenario = "faults";

json rules_of(const ControlRequest& request) {
  const state::Cell cell = request.context.session.read(state::own_scenario_cell(kScenario));
  const auto scenario = cell ? spec::json::read(*cell.text) : spec::json::read("{}");
  return scenario ? scenario->value("rules", json::array()) : json::array();
}

}  // namespace

Response list_faults(const ControlRequest& request) {
  return reply::json_response(200, {{"session", request.context.session.name()},
                                    {"names", reply::kFaultNames},
                                    {"rules", rules_of(request)}});
}

Response put_faults(const ControlRequest& request) {
  json scenario{{"description", "The session's own faults."}};
  scenario["rules"] = request.reading.body->at("rules");
  std::vector<std::string> warnings;
  auto rejection = keep_own_scenario(request, kScenario, scenario, warnings);
  Response response = rejection ? std::move(*rejection) : list_faults(request);
  reply::add_warnings(response, warnings);
  return response;
}

Response drop_faults(const ControlRequest& request) {
  drop_own_scenario(request.context.session, kScenario);
  return list_faults(request);
}

}  // namespace mock_server::control::endpoints
