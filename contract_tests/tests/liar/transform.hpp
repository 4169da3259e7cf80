#pragma once

// One way to lie, or an honest variation, as data: what is done to requests on their way to an
// honest server and to its answers on their way back. For tests of the suite alone.

#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace contract_tests::liar {

// An answer about to be written, with what is done to its framing.
struct Wire {
  spec::http::Response response;
  std::string raw;        // written as it is, instead of the response
  long length_delta = 0;  // added to the true Content-Length
  bool chunked = false;
  bool no_last_chunk = false;
  bool bad_chunk_size = false;
  bool close = false;           // ends the body by closing, without a length
  std::string interim;          // written before the answer
  std::string surplus;          // written behind it
  bool keep_head_body = false;  // sends the body in answer to HEAD too
};

// True when every condition of `when` holds: method, query_has, query_absent, query_is,
// header_has, header_absent, path_has, body_has, every (the nth request).
bool applies(const nlohmann::json& when, const spec::http::Request& request, std::size_t count);

// Steps of `steps` that concern requests: set_query, drop_query, set_header, drop_header,
// set_body, drop_members, replace_in_target.
void change_request(const nlohmann::json& steps, spec::http::Request& request);

// Steps that concern answers: see transform.cpp's table. `request` is the one that came.
void change_answer(const nlohmann::json& steps, const spec::http::Request& request, Wire& wire);

// One query parameter, decoded; "" when it is not given.
std::string query_value(const spec::http::Request& request, const std::string& name);

}  // namespace contract_tests::liar
