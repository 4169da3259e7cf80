#include "mock_server/control/endpoints/endpoints.hpp"
#include "mock_server/control/journal/event_stream.hpp"
#include "mock_server/control/request/control_request.hpp"
#include "mock_server/control/request/error_response.hpp"
#include "mock_server/reply/error_response.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>

namespace mock_server::control::endpoints {
namespace {

using journal::EventFilter;
using journal::EventStream;
using journal::query_of_parameters;
using nlohmann::json;

constexpr int kMaxReaders = 1'000;

spec::Result<EventFilter, spec::http::Response> filter_of(const ControlRequest& request) {
  const json& query = request.reading.query;
  EventFilter filter;
  filter.query = query_of_parameters(query);
  if (query.value("session", "") != "*") {
    auto asked = asked_of(request, query, filter.query);
    if (!asked) {
      return spec::Unexpected{std::move(asked.error())};
    }
    filter.session = asked->session;
  } else if (auto rejection = reject_query(request, filter.query)) {
    return spec::Unexpected{std::move(*rejection)};
  }
  // A browser that connects again repeats the query and adds the header.
  const json& header = request.reading.header;
  if (const auto last = header.find("Last-Event-ID"); last != header.end()) {
    filter.after = last->get<std::uint64_t>();
  } else if (query.contains("after")) {
    filter.after = filter.query.after;
  }
  return filter;
}

}  // namespace

reply::Reply stream_events(const ControlRequest& request) {
  auto filter = filter_of(request);
  if (!filter) {
    return {std::move(filter.error()), {}};
  }
  if (request.context.store.changes().watchers() >= kMaxReaders) {
    return {reply::error_response(503, "SERVICE_UNAVAILABLE",
                                  "1,000 streams of events are open; close some"),
            {}};
  }
  reply::Reply reply;
  reply.response.headers = {{"Content-Type", "text/event-stream"},
                            {"Cache-Control", "no-store"},
                            {"X-Accel-Buffering", "no"}};
  const auto stream = std::make_shared<EventStream>(request.context.journal, request.context.store,
                                                    std::move(*filter));
  reply.stream = [stream](std::string& bytes) { return stream->ask(bytes); };
  return reply;
}

}  // namespace mock_server::control::endpoints
