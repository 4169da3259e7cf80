#pragma once

// One entry of a HAR text as a call. Pure function.

#include "spec/har/har.hpp"
#include "spec/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace spec::har {

// Why an entry is no call; `pointer` leads from the entry to what is wrong.
struct EntryError {
  std::string pointer;
  std::string message;
};

// The call that `entry` records; its index is not set.
Result<Call, EntryError> read_entry(const nlohmann::json& entry);

}  // namespace spec::har
