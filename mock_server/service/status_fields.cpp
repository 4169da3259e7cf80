#include "mock_server/service/status_fields.hpp"

#include "mock_server/reply/entity.hpp"
#include "mock_server/service/checks/credentials.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace mock_server::service {
namespace {

using spec::http::Response;

void add_once(Response& response, std::string_view name, std::string value) {
  if (!response.headers.has(name)) {
    response.headers.add(std::string(name), std::move(value));
  }
}

// The methods of the path, without the request's own, which this response says is not allowed.
std::string other_methods(const RequestContext& context) {
  std::string allow;
  for (const auto& operation : context.api.contract.operations()) {
    if (operation.path == context.operation->path &&
        operation.method != context.operation->method) {
      allow += operation.method + ", ";
    }
  }
  return allow.find("OPTIONS") == std::string::npos ? allow + "OPTIONS"
                                                    : allow.substr(0, allow.size() - 2);
}

}  // namespace

void add_status_fields(const RequestContext& context, Response& response) {
  switch (response.status) {
    case 206:
    case 416:
      if (auto range = reply::content_range(response.status, response.body.size());
          !range.empty()) {
        add_once(response, "Content-Range", std::move(range));
      }
      break;
    case 301:
    case 302:
    case 303:
    case 307:
    case 308: add_once(response, "Location", "/moved"); break;
    case 401: add_once(response, "WWW-Authenticate", checks::challenges(*context.operation)); break;
    case 405: add_once(response, "Allow", other_methods(context)); break;
    case 407: add_once(response, "Proxy-Authenticate", "Basic realm=\"counterpart\""); break;
    case 429:
    case 503: add_once(response, "Retry-After", "1"); break;
    default: break;
  }
}

}  // namespace mock_server::service
