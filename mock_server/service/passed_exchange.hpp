#pragma once

// An exchange with the real service whose response has items, which are passed on as they come. It
// is in journal and log from its first byte on; violations of items are logged one by one, and what
// the exchange was in the end is noted when the response ends, whoever ends it.

#include "mock_server/reply/reply.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/exchange_report.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/service_options.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/http/message.hpp"

#include <functional>
#include <memory>

namespace mock_server::service {

// What the report needs; the references must outlive the response.
struct PassedReport {
  std::shared_ptr<const void> generation;  // keeps what the context refers to
  const Secrets& secrets;
  state::Journal& journal;
  const ServiceOptions& options;
  // Called at the end, with what was kept of the response.
  std::function<void(const RequestContext& context, const spec::http::Response& response)> done;
};

// From now on the reply's stream reports its items. Precondition: `context.passes_items`.
void report_items(const RequestContext& context, PassedReport report, const FinishedExchange& begun,
                  reply::Reply& reply);

}  // namespace mock_server::service
