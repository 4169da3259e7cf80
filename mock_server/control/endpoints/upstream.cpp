#include "mock_server/control/endpoints/endpoints.hpp"
#include "mock_server/control/request/control_request.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/state/cell_names.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

namespace mock_server::control::endpoints {
namespace {

using nlohmann::json;
using request::conflict;
using request::no_room;
using request::reject_body;
using request::set_cell;
using spec::http::Response;
using upstream::SessionSettings;

std::optional<SessionSettings> own_settings(const ControlRequest& request) {
  const state::Cell cell = request.context.session.read(state::kUpstreamCell);
  return cell ? upstream::parse_session_settings(*cell.text) : std::nullopt;
}

const upstream::Settings* program_settings(const ControlRequest& request) {
  const upstream::Upstream* const service = request.context.settings.upstream;
  return service != nullptr && service->settings ? &*service->settings : nullptr;
}

Response keep_upstream(const ControlRequest& request, const std::optional<std::string>& text) {
  const auto put = set_cell(request.context.session, state::kUpstreamCell, text);
  return put == state::Put::kDone ? show_upstream(request) : no_room();
}

}  // namespace

Response show_upstream(const ControlRequest& request) {
  const upstream::Settings* const program = program_settings(request);
  const auto own = own_settings(request);
  std::optional<upstream::Mode> mode;
  upstream::Fill fill;
  if (program != nullptr) {
    mode = own ? own->mode : program->mode;
    fill = own ? own->fill : program->fill;
  }
  return reply::json_response(
      200, {{"session", request.context.session.name()},
            {"url", program != nullptr ? json(program->url.text()) : json(nullptr)},
            {"mode", mode ? upstream::name_of(*mode) : upstream::kMockAlone},
            {"fill_on", upstream::to_text(fill)},
            {"is_own", own.has_value()}});
}

Response set_upstream(const ControlRequest& request) {
  const json& body = *request.reading.body;
  if (program_settings(request) == nullptr) {
    return conflict("there is no service behind this mock; start it with --upstream URL");
  }
  const auto mode = upstream::mode_of(body["mode"].get_ref<const std::string&>());
  if (mode == upstream::Mode::kRecord && !request.context.settings.upstream->recorder) {
    return conflict("body/mode: this mock does not record; start it with --mode record");
  }
  auto fill = upstream::parse_fill(body.value("fill_on", ""));
  if (!fill) {
    return reject_body("body/fill_on: " + fill.error());
  }
  if ((mode == upstream::Mode::kFill) == (fill.value() == upstream::Fill{})) {
    return reject_body(
        "body/fill_on: says what the mock answers in mode fill, for example \"501,timeout\"; give "
        "both or neither");
  }
  return keep_upstream(request, upstream::to_text(SessionSettings{mode, std::move(fill.value())}));
}

Response reset_upstream(const ControlRequest& request) {
  return keep_upstream(request, std::nullopt);
}

}  // namespace mock_server::control::endpoints
