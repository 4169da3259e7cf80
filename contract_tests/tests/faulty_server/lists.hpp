#pragma once

// Faults of lists: which items a response holds. For tests of the suite alone.

#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>

namespace contract_tests::faulty_server {

// The page of `items` that `request` asks for by page_size and page_number, wrongly made: {lose: n}
// (items lost between pages), {overlap: n}, {first: n} (the number of the first page), {backwards:
// true} (the last page first), {late: {parameter, at, upper}} (filtered after it is cut),
// {as_text: {parameter, at, upper}} (bounds compared as text), {most: n}, {default: n},
// {cap: {over, keep}} (a long list gives fewer), {new_item, from} (a list that grows by itself).
nlohmann::json page_of(nlohmann::json items, const nlohmann::json& how,
                       const spec::http::Request& request, std::size_t turn);

// `how` is {reverse_every_other: true}, {drop_equal: {parameter, at}} (a bound made exclusive),
// {drop_first: n}, {drop_last: n}, {repeat_first: true}, {reverse: true}, {reverse_meters: true}.
void change_items(const nlohmann::json& how, const spec::http::Request& request, std::size_t turn,
                  nlohmann::json& body);

}  // namespace contract_tests::faulty_server
