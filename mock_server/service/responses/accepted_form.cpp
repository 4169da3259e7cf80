#include "mock_server/service/responses/accepted_form.hpp"

#include "mock_server/generated/response_body.hpp"
#include "mock_server/service/checks/content_choice.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "spec/contract/checking/body.hpp"
#include "spec/json/read.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

ChosenResponse in_accepted_form(RequestContext& context, ChosenResponse chosen) {
  spec::http::Response& response = chosen.response;
  const auto* const declared = context.operation->response(response.status);
  const bool is_choice = declared != nullptr && declared->contents.size() > 1;
  if (!is_choice || response.status / 100 != 2 || response.body.empty()) {
    return chosen;
  }
  const auto* const sent =
      spec::contract::checking::select_content(declared->contents, response.headers);
  if (sent == nullptr || !sent->media_type.is_json()) {
    return chosen;
  }
  auto offered = checks::offered_contents(context, *declared);
  std::stable_partition(offered.begin(), offered.end(),
                        [sent](const auto& one) { return one.content == sent; });
  const auto accepted = checks::accepted_content(context, offered);
  if (accepted && accepted->content == sent) {
    return chosen;
  }
  const bool is_read = spec::http::is_safe_method(context.request.method);
  const auto value = spec::json::read(response.body);
  const auto body = accepted && value ? generated::write_response_body(
                                            context.api.contract,
                                            {*accepted->content, accepted->sent_as}, value.value())
                                      : std::nullopt;
  if (!body) {
    return is_read ? example_response(context) : std::move(chosen);
  }
  response.headers.set("Content-Type", body->media_type);
  response.body = body->bytes;
  chosen.validated = false;
  return chosen;
}

}  // namespace mock_server::service::responses
