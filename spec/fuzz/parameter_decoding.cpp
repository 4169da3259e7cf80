// Requests made of the input's bytes against parameters and forms of every style: nothing crashes,
// and what is read is UTF-8.

#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

constexpr std::string_view kContract = R"yaml(
openapi: 3.2.0
info: {title: T, version: "1"}
paths:
  /a/{s}/{l}/{m}/{o}:
    post:
      parameters:
        - {name: s, in: path, required: true, schema: {type: array, items: {type: integer}}}
        - {name: l, in: path, required: true, style: label, explode: true, schema: {type: object, additionalProperties: {type: number}}}
        - {name: m, in: path, required: true, style: matrix, explode: true, schema: {type: array, items: {type: string}}}
        - {name: o, in: path, required: true, schema: {oneOf: [{type: integer}, {type: string, format: date-time}]}}
        - {name: i, in: query, schema: {type: [integer, "null"], format: int32}}
        - {name: f, in: query, schema: {type: object, properties: {x: {type: boolean}, y: {type: array, items: {type: integer}}}}}
        - {name: c, in: query, explode: false, schema: {type: array, prefixItems: [{type: integer}], items: {type: string}}}
        - {name: p, in: query, style: pipeDelimited, schema: {type: array, items: {type: string}}}
        - {name: b, in: query, style: spaceDelimited, schema: {type: object, additionalProperties: {type: string}}}
        - {name: d, in: query, style: deepObject, schema: {type: object, properties: {k: {type: array, items: {type: integer}}, n: {type: object}}}}
        - {name: e, in: query, style: deepObject, schema: {type: array, items: {type: [object, array, string], items: {type: integer}}}}
        - {name: j, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: X-H, in: header, schema: {type: array, items: {type: integer}}}
        - {name: k, in: cookie, schema: {type: number}}
        - {name: y, in: cookie, style: cookie, schema: {type: array, items: {type: string}}}
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: {type: object, properties: {a: {type: array, items: {type: integer}}, o: {type: object}}, additionalProperties: {type: string}}
            encoding: {a: {style: pipeDelimited, explode: false}, o: {style: deepObject}}
      responses: {"200": {description: ok}}
    get:
      parameters:
        - name: w
          in: querystring
          content:
            application/x-www-form-urlencoded:
              schema: {type: object, properties: {a: {type: array, items: {type: integer}}, o: {type: object}}}
              encoding: {a: {style: pipeDelimited, explode: false}, o: {style: deepObject}}
      responses: {"200": {}}
    query:
      parameters: [{name: w, in: querystring, content: {application/json: {schema: {type: object}}}}]
      responses: {"200": {}}
)yaml";

const spec::contract::Contract& contract() {
  static const spec::contract::Contract loaded = spec::contract::load_contract_text(kContract);
  return loaded;
}

void demand_utf8(const nlohmann::json& value) {
  if (!spec::text::is_utf8(spec::json::write(value))) {
    std::abort();
  }
}

// The next line of the input.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

}  // namespace

// Input: target, X-H, Cookie, each a line; then the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  spec::http::Request request;
  request.method = "POST";
  request.target = "/a/" + std::string(take_line(rest));
  request.headers.add("X-H", std::string(take_line(rest)));
  request.headers.add("Cookie", std::string(take_line(rest)));
  request.headers.add("Content-Type", "application/x-www-form-urlencoded");
  request.body = rest;
  const auto match = contract().route("POST", spec::http::path_of(request.target));
  const auto values = match.path_values;
  for (const auto& operation : contract().operations()) {
    const auto reading = spec::contract::validate_request(contract(), operation, request, values);
    for (const nlohmann::json* part :
         {&reading.path, &reading.query, &reading.header, &reading.cookie}) {
      demand_utf8(*part);
    }
    for (const auto& violation : reading.violations) {
      if (!spec::text::is_utf8(spec::contract::to_line(contract(), violation))) {
        std::abort();
      }
    }
  }
  return 0;
}
