#pragma once

// Members of one object that speak of the same thing are made to agree: a count with the list
// beside it, a total with its parts, a start with its end. Changes values, never names. Used by
// this folder only.

#include <nlohmann/json_fwd.hpp>

namespace spec::schema::samples {

// True when anything was changed; the caller asks the judge whether the value is still valid.
bool agree(nlohmann::json& value);

}  // namespace spec::schema::samples
