#pragma once

// Endpoints about scenarios: which there are, which the session has armed and how far they have
// come; routes.cpp leads to them.

#include "mock_server/control/request/control_request.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control::endpoints {

using request::ControlRequest;

// The session's scenario that the path names, or null; and the rejection of one that is not there.
std::shared_ptr<const fixtures::Scenario> find_scenario(const ControlRequest& request);
spec::http::Response unknown_scenario(const ControlRequest& request);

spec::http::Response list_scenarios(const ControlRequest& request);
spec::http::Response show_scenario(const ControlRequest& request,
                                   const fixtures::Scenario& scenario);
// From its first step on, whether it was armed or not. Arming and disarming with "session=*" does
// it in every session and in those made later.
spec::http::Response arm_scenario(const ControlRequest& request,
                                  const fixtures::Scenario& scenario);
// The body is a scenario file's content: validated, kept for the session, and armed. One of that
// name in the fixtures is hidden until it is deleted.
spec::http::Response put_scenario(const ControlRequest& request);
// The same for the scenario of that name whose file would hold `body`; the rejection, or nothing
// when it is kept and armed. What is likely a mistake in it is added to `warnings`.
std::optional<spec::http::Response> keep_own_scenario(const ControlRequest& request,
                                                      std::string_view scenario,
                                                      const nlohmann::json& body,
                                                      std::vector<std::string>& warnings);
// Disarms and forgets the session's own.
void drop_own_scenario(state::Session& session, std::string_view scenario);
// Not armed; the session's own is still there to be armed again.
spec::http::Response reset_scenario(const ControlRequest& request,
                                    const fixtures::Scenario& scenario);
// Every rule, or the one that `rule` in the query counts from 0, goes to its next step. 409 when
// the scenario is not armed.
spec::http::Response advance_scenario(const ControlRequest& request,
                                      const fixtures::Scenario& scenario);
// The session's own is forgotten as well.
spec::http::Response disarm_scenario(const ControlRequest& request,
                                     const fixtures::Scenario& scenario);
// None is armed any more.
spec::http::Response disarm_all(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
