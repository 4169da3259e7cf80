#include "mock_server/service/failed_requests.hpp"

#include "mock_server/reply/cors.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/state/store.hpp"
#include "mock_server/state/unavailable.hpp"

#include <new>
#include <string>

namespace mock_server::service {

using fixtures::ErrorKind;
using spec::http::Request;
using spec::http::Response;

Response bad_session(const fixtures::LoadedApi& api, const SessionChoice& choice) {
  const auto& entry = api.fixtures.errors()[ErrorKind::kMalformedRequest];
  const bool are_two = state::is_session_name(choice.name) && state::is_session_name(choice.other);
  return reply::error_response(
      entry.status, entry.code,
      are_two ? "header/X-Counterpart-Session: must name one session, but names \"" +
                    std::string(choice.name) + "\" and \"" + std::string(choice.other) + '"'
              : "session: must be 1 to 64 letters, digits, '.', '_' or '-', but is something else");
}

namespace {

reply::Reply internal_error(int status, std::string_view code, std::string_view what) noexcept {
  reply::Reply reply;
  try {
    reply.response = reply::error_response(status, code, what);
  } catch (...) {
    reply.response.status = status;
  }
  return reply;
}

reply::Reply away_response(const Request& request, std::string_view why) noexcept {
  reply::Reply reply;
  reply.response.status = 503;
  try {
    reply.response = reply::unavailable(why);
    reply::add_cors(request, reply.response);
  } catch (...) {  // without memory it goes without them
  }
  return reply;
}

}  // namespace

reply::Reply response_of_exception(const Request& request) noexcept {
  try {
    throw;
  } catch (const state::Unavailable& away) {
    return away_response(request, away.what());
  } catch (const std::bad_alloc&) {
    return internal_error(503, "SERVICE_UNAVAILABLE", "out of memory; try again soon");
  } catch (const std::exception& error) {
    return internal_error(500, "INTERNAL_SERVER_ERROR", error.what());
  } catch (...) {
    return internal_error(500, "INTERNAL_SERVER_ERROR", "unknown internal error");
  }
}

bool tell_not_kept(const Request& request, state::Commit outcome, reply::Reply& reply) {
  if (outcome == state::Commit::kAgain) {
    return false;
  }
  reply = internal_error(409, "CONFLICT",
                         "other requests kept changing the same state, and nothing was kept of "
                         "this; send it again");
  reply::add_cors(request, reply.response);
  return true;
}

}  // namespace mock_server::service
