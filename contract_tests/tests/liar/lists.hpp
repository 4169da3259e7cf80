#pragma once

// Lies about lists: which items an answer holds. For tests of the suite alone.

#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

namespace contract_tests::liar {

// `how` is {reverse_every_other: true}, {drop_equal: {parameter, at}} (a bound made exclusive),
// {drop_first: n}, {drop_last: n}, {repeat_first: true}.
void change_items(const nlohmann::json& how, const spec::http::Request& request,
                  nlohmann::json& body);

}  // namespace contract_tests::liar
