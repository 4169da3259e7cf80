#pragma once

// Postman collections (schema 2.1) as calls: the examples that are saved with their requests. Pure
// function. Source: https://schema.getpostman.com/json/collection/v2.1.0/collection.json.

#include "spec/har/har.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace mock_server::record {

// True for a JSON value that says it is a Postman collection.
bool is_postman(const nlohmann::json& value);

// Variables of the collection are filled in. A request without saved examples, or with a variable
// in its path that the collection does not define, is a problem.
spec::har::Recording read_postman(const nlohmann::json& collection, const std::string& name);

}  // namespace mock_server::record
