#pragma once

// The behaviour of a faulty or unusual server, as data: conditions on a request and on the original
// response, and steps that change either. README.md beside this folder explains every word. For
// tests of the suite alone.

#include "contract_tests/tests/faulty_server/wire.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <regex>
#include <string>

namespace contract_tests::faulty_server {

// One kind of request and what is done to it and to the response.
struct Behaviour {
  nlohmann::json when = nlohmann::json::object();     // conditions, all of which must hold
  nlohmann::json request = nlohmann::json::array();   // steps, in order
  nlohmann::json response = nlohmann::json::array();  // steps, in order
};

// True when every condition on the request holds; `count` is its number on this server, from 1.
bool applies(const nlohmann::json& when, const spec::http::Request& request, std::size_t count);

// True when the conditions on the original response hold.
bool fits_response(const nlohmann::json& when, const spec::http::Response& original);

// False if it matters what other requests there were, or when: it may be about any request.
bool is_steady(const Behaviour& behaviour);

// Applies the steps that change a request.
void change_request(const nlohmann::json& steps, spec::http::Request& request);

// Applies the steps that change a response; those that need more than this request and its response
// are the server's own. `request` is the one that came.
void change_response(const nlohmann::json& steps, const spec::http::Request& request, Wire& wire);

// The original response as the steps find it: without the framing that `wire` decides anew.
spec::http::Response without_framing(spec::http::Response original);

// A pattern of the tables, compiled once for each thread: a row applies its own to thousands of
// messages.
const std::regex& regex_of(const nlohmann::json& pattern);

// Every `from` in `text` becomes `to`.
void replace_text(std::string& text, const std::string& from, const std::string& to);

// One query parameter, decoded; "" when it is not given.
std::string query_value(const spec::http::Request& request, const std::string& name);

}  // namespace contract_tests::faulty_server
