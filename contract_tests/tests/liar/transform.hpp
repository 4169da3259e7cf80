#pragma once

// One way to lie, or an honest variation, as data: what is done to requests on their way to an
// honest server and to its answers on their way back. For tests of the suite alone.

#include "contract_tests/tests/liar/wire.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace contract_tests::liar {

// True when every condition of `when` on the request holds: method, not_method, query_has,
// query_absent, query_is, header_has, header_absent, path_has, body_has, body_is, every (the nth
// request), from, until, header_is, header_starts; query_like, header_like, body_like and path_like
// by regular expressions.
bool applies(const nlohmann::json& when, const spec::http::Request& request, std::size_t count);

// The conditions on the honest answer: `status`, a list; `answer_has`, a text of its body. `status`
// is what it was before anything was changed.
bool fits_answer(const nlohmann::json& when, int status, const std::string& body);

// Steps of `steps` that concern requests: set_query, drop_query, set_header,
// drop_request_header, set_body, drop_members, move_members, only_members, replace_in_target,
// respell_query and respell_members ({name: [pattern, replacement]}).
void change_request(const nlohmann::json& steps, spec::http::Request& request);

// Steps that concern answers: see transform.cpp's table. `request` is the one that came.
void change_answer(const nlohmann::json& steps, const spec::http::Request& request, Wire& wire);

// Every `from` in `text` becomes `to`.
void replace_text(std::string& text, const std::string& from, const std::string& to);

// One query parameter, decoded; "" when it is not given.
std::string query_value(const spec::http::Request& request, const std::string& name);

}  // namespace contract_tests::liar
