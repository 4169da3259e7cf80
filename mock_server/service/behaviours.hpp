#pragma once

// What bound operations do: rules first, then read, update, list, match or file. The request is
// judged and allowed by now. fixtures/README.md says what each means.

#include "mock_server/service/call.hpp"
#include "mock_server/service/records.hpp"

#include <optional>

namespace mock_server::service {

// The answer of `call.binding`.
Outcome behave(Call& call);

// What the operation shows of the first record, for an answer of success that was asked for and has
// no example; nothing when there is no such record.
std::optional<Outcome> any_record(Call& call);

// Steps of behave(), in files of their own.
Outcome update_record(Call& call, const FoundRecord& found);
Outcome list_elements(Call& call, const FoundRecord& found);
Outcome send_file(Call& call, const FoundRecord& found);

// The whole file of a record, with its entity tag and name; nothing when it cannot be made, with
// the reason in `why`.
std::shared_ptr<const fixtures::Prepared> whole_file(Call& call, const FoundRecord& found,
                                                     std::string& why);

}  // namespace mock_server::service
