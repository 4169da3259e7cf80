#pragma once

// What bound operations do: rules first, then read, update, list, match or file. The request is
// validated and allowed by now. fixtures/README.md says what each means.

#include "mock_server/service/call.hpp"
#include "mock_server/service/records.hpp"

#include <optional>

namespace mock_server::service {

// The response of `call.binding`.
Outcome behave(Call& call);

// What the operation shows of the record that the request names, for a response of success that was
// asked for and has no example; of the first one under that key where there is none, with the
// request's changes where samples stand for unknown records. Nothing when there is no record.
std::optional<Outcome> any_record(Call& call);

// Steps of behave(), in files of their own.
Outcome update_record(Call& call, const FoundRecord& found);
Outcome list_elements(Call& call, const FoundRecord& found);
Outcome send_file(Call& call, const FoundRecord& found);

// `record` as the request's body changes it, by the fields of the binding.
nlohmann::json changed_record(const Call& call, const nlohmann::json& record);

// Where the binding has pages, leaves of the elements in `answer` those of the page that the call
// asks for: whoever asks for page after page comes to an empty one.
void cut_to_page(Call& call, nlohmann::json& answer);

// The whole file of a record, with its entity tag and name; nothing when it cannot be made, with
// the reason in `why`.
std::shared_ptr<const fixtures::Prepared> whole_file(Call& call, const FoundRecord& found,
                                                     std::string& why);

}  // namespace mock_server::service
