#pragma once

// The behaviours of bound operations: rules first, then read, update, list, match or file. The
// request is validated and allowed by now. fixtures/README.md says what each means.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/session_records.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

// The response of `context.binding`.
ChosenResponse behave(RequestContext& context);

// The response of a read of `found`, whether it is there or not.
ChosenResponse read_now(RequestContext& context, const FoundRecord& found);

// For a preferred success response without an example: the response about the record that the
// request names or, if there is none, about the first record under the requested key. Nothing if
// the collection has no records.
std::optional<ChosenResponse> any_record(RequestContext& context);

// Steps of behave(), in files of their own.
ChosenResponse update_record(RequestContext& context, const FoundRecord& found);
ChosenResponse list_elements(RequestContext& context, const FoundRecord& found);
ChosenResponse send_file(RequestContext& context, const FoundRecord& found);
ChosenResponse create_record(RequestContext& context);
ChosenResponse replace_record(RequestContext& context, const FoundRecord& found);
ChosenResponse delete_record(RequestContext& context, const FoundRecord& found);
// The records of the binding's collection, or of the parents that the request names.
ChosenResponse list_records(RequestContext& context);

// The response with its templates filled for the request and `record`, which may be null.
ChosenResponse made_response(RequestContext& context, const api::PreparedResponse& prepared,
                             const nlohmann::json* record);

// 404 that says which records there are.
ChosenResponse no_such_record(RequestContext& context, const FoundRecord& found);

// 422 when the body has another key than the record: keys do not change. Nothing otherwise.
std::optional<ChosenResponse> reject_other_key(RequestContext& context, const FoundRecord& found);

// `record` as the request's body changes it, by the fields of the binding.
nlohmann::json changed_record(const RequestContext& context, const nlohmann::json& record);

// The contract's example of a list, or a generated one, with the filters, order, pages and totals
// of the binding; what cannot be played of them is a warning.
ChosenResponse list_of_example(RequestContext& context);

// If the binding has pages of a record's elements, keeps only the elements of the requested page in
// `body`, so that a client that reads page after page comes to an empty one.
void cut_to_page(RequestContext& context, nlohmann::json& body);

// A Content-Disposition with the file name, in which "{key}" stands for the key, without characters
// that a quoted string may not contain.
std::string disposition(const std::string& pattern, std::string_view key);

// The whole file of a record, with its entity tag and name; nothing when it cannot be made, with
// the reason in `why`.
std::shared_ptr<const api::PreparedResponse> whole_file(RequestContext& context,
                                                        const FoundRecord& found, std::string& why);

}  // namespace mock_server::service::responses
