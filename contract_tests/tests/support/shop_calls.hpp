#pragma once

// The contract of a shop with one operation, and texts of recorded calls to it (HAR).

#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests::support {

inline constexpr const char* kShop = R"(openapi: 3.1.0
x-counterpart: 1
info: {title: Shop, version: '1'}
paths:
  /items/{id}:
    get:
      operationId: get_item
      x-source: "§1"
      security: [{key: []}]
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, maxLength: 20}}
        - {name: size, in: query, schema: {type: integer}}
        - {name: Prefer, in: header, schema: {enum: [return=minimal]}}
      responses:
        '200':
          description: one
          content:
            application/json:
              schema:
                type: object
                required: [id, price]
                properties:
                  id: {type: string}
                  price: {type: integer}
                  name: {type: string, maxLength: 10, x-assumed: {maxLength: "§1 has short names"}}
        '400': {description: unreadable}
        '401': {description: no key}
        '422': {description: wrong}
        '404': {description: none, x-assumed: "§1 does not say"}
components:
  securitySchemes:
    key: {type: http, scheme: bearer}
)";

// `request` and `response` are members of the entry's.
inline std::string entry(const std::string& request, const std::string& response) {
  return R"({"startedDateTime":"2026-03-01T10:00:00Z","time":1,"request":{)" + request +
         R"(},"response":{)" + response + "}}";
}

inline std::string get(const std::string& url, const std::string& more = "") {
  return R"("method":"GET","url":")" + url + "\"" + more;
}

inline std::string ok(const std::string& body) {
  return R"("status":200,"headers":[{"name":"Content-Type","value":"application/json"}],)"
         R"("content":{"size":)" +
         std::to_string(body.size()) + R"(,"mimeType":"application/json","text":)" +
         nlohmann::json(body).dump() + "}";
}

// A file of these entries, joined by commas.
inline std::string har(const std::string& entries) {
  return R"({"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[)" + entries +
         "]}}";
}

}  // namespace contract_tests::support
