#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/open_streams.hpp"
#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/stream_items.hpp"
#include "spec/http/items.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace mock_server::control {

namespace {

using nlohmann::json;
using spec::contract::MediaTypeObject;
using spec::contract::Operation;
using spec::http::Response;
using state::StreamDescription;

// One of each media type that is open, else the first that the operation declares.
std::map<std::string, StreamDescription> kinds_of(const ControlRequest& request,
                                                  const Operation& operation) {
  std::map<std::string, StreamDescription> kinds;
  for (const auto& one :
       request.context.store.streams().list(request.context.session.name(), operation.id)) {
    kinds.emplace(one.media_type, one);
  }
  for (const auto& declared : operation.responses) {
    for (const MediaTypeObject& content : declared.contents) {
      if (kinds.empty() && spec::http::item_form(content.media_type)) {
        const std::string type = content.place.key();
        kinds.emplace(
            type,
            StreamDescription{
                request.context.session.name(), operation.id, type, declared.lowest_status(), {}});
      }
    }
  }
  return kinds;
}

// The items of `value` as a response with nothing else; nothing if they cannot be that.
std::optional<Response> response_with(const Operation& operation, const StreamDescription& kind,
                                      const json& value) {
  Response response;
  response.status = kind.status;
  response.headers.set("Content-Type", kind.media_type);
  const auto* const declared = operation.response(kind.status);
  const auto* const content = declared != nullptr ? spec::contract::checking::select_content(
                                                        declared->contents, response.headers)
                                                  : nullptr;
  const auto type = spec::http::parse_media_type(kind.media_type);
  const auto form = type ? spec::http::item_form(*type) : std::nullopt;
  if (content == nullptr || !form) {
    return std::nullopt;
  }
  response.body = spec::contract::write_items(*content, *form, value);
  return response;
}

// What is wrong with the items, all that the contract says of the body.
std::vector<spec::contract::Violation> violations_of(const ControlRequest& request,
                                                     const Operation& operation,
                                                     const Response& response) {
  auto violations = spec::contract::validate_response(request.context.api.contract, operation,
                                                      response, {.goes_on = true});
  std::erase_if(violations,
                [](const auto& one) { return one.part != spec::contract::Part::kBody; });
  return violations;
}

Response count_response(const ControlRequest& request, std::size_t count) {
  return reply::json_response(200, {{"session", request.context.session.name()},
                                    {"operation", request.argument},
                                    {"streams", count}});
}

}  // namespace

Response list_streams(const ControlRequest& request) {
  json streams = json::array();
  for (const auto& one : request.context.store.streams().list(request.context.session.name())) {
    streams.push_back({{"operation", one.operation},
                       {"media_type", one.media_type},
                       {"opened", state::to_text(one.opened)}});
  }
  return reply::json_response(200,
                              {{"session", request.context.session.name()}, {"streams", streams}});
}

Response push_items(const ControlRequest& request) {
  if (auto rejection = reject_query(request, {.operation = request.argument})) {
    return std::move(*rejection);
  }
  const Operation& operation = *request.context.api.contract.operation(request.argument);
  std::size_t count = 0;
  const auto kinds = kinds_of(request, operation);
  for (const auto& [type, kind] : kinds) {
    auto response = response_with(operation, kind, *request.reading.body);
    if (response) {
      if (const auto violations = violations_of(request, operation, *response);
          !violations.empty()) {
        return reject(violations, {});
      }
      count += request.context.store.streams().push(kind, std::move(response->body));
    }
  }
  return kinds.empty() ? conflict(operation.name + " declares no stream of items")
                       : count_response(request, count);
}

Response end_streams(const ControlRequest& request) {
  if (auto rejection = reject_query(request, {.operation = request.argument})) {
    return std::move(*rejection);
  }
  return count_response(request, request.context.store.streams().end(request.context.session.name(),
                                                                     request.argument));
}

}  // namespace mock_server::control
