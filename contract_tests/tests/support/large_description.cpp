#include "contract_tests/tests/support/large_description.hpp"

#include <array>
#include <string_view>

namespace contract_tests {
namespace {

constexpr std::string_view kComponents = R"yaml(components:
  responses:
    Problem: {description: wrong, content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}}
  schemas:
    Problem: {type: object, required: [type, title, status], properties: {type: {type: string, format: uri-reference}, title: {type: string}, status: {type: integer, minimum: 100, maximum: 599}}}
    Money: {type: object, required: [amount, currency], properties: {amount: {type: string, pattern: '^[0-9]+\.[0-9]{2}$'}, currency: {type: string, pattern: '^[A-Z]{3}$'}}, additionalProperties: false}
    Card: {type: object, required: [kind, last4], properties: {kind: {const: card}, last4: {type: string, pattern: '^[0-9]{4}$'}}}
    Bank: {type: object, required: [kind, iban], properties: {kind: {const: bank}, iban: {type: [string, "null"], minLength: 15}}}
    Node: {type: object, required: [name, children], properties: {name: {type: string}, children: {type: array, items: {$ref: "#/components/schemas/Node"}}}}
)yaml";

// A property of each kind; resource N has five of them, from the N-th on.
constexpr std::array<std::string_view, 10> kProperties{
    R"(method: {oneOf: [{$ref: "#/components/schemas/Card"}, {$ref: "#/components/schemas/Bank"}]})",
    R"(note: {type: [string, "null"], maxLength: 80})",
    R"(price: {$ref: "#/components/schemas/Money", description: with siblings, required: [currency]})",
    R"(labels: {type: object, minProperties: 1, propertyNames: {pattern: "^[a-z]{2,8}$"}, additionalProperties: {type: [integer, "null"]}})",
    R"(tree: {$ref: "#/components/schemas/Node"})",
    R"(created_at: {type: string, format: date-time})",
    R"(parent: {anyOf: [{$ref: "#/components/schemas/Node"}, {type: "null"}]})",
    R"(cells: {type: array, minItems: 1, maxItems: 3, items: {type: array, minItems: 1, items: {type: [number, "null"], multipleOf: 0.5}}})",
    R"(flags: {type: array, uniqueItems: true, minItems: 2, items: {enum: [a, b, c]}})",
    R"(window: {type: object, required: [from, to], properties: {from: {type: string, format: date}, to: {type: string, format: date}}, dependentRequired: {from: [to]}, unevaluatedProperties: false})"};

std::string name_of(std::string_view property) {
  return std::string(property.substr(0, property.find(':')));
}

std::string schema_of(int resource) {
  std::string names = "id";
  std::string properties = "id: {type: string, minLength: 1}";
  for (int i = 0; i < 5; ++i) {
    const std::string_view property =
        kProperties[static_cast<std::size_t>(resource + i * 2) % kProperties.size()];
    names += ", " + name_of(property);
    properties += ", " + std::string(property);
  }
  return "{type: object, required: [" + names + "], properties: {" + properties + "}}";
}

// The file of a resource.
std::string file_content(int resource) {
  constexpr std::array<std::string_view, 3> kContents{
      "application/pdf: {schema: {type: array, items: {type: integer, minimum: 0}}}",
      "text/csv: {schema: {type: string}}",
      "application/octet-stream: {schema: {type: string, format: binary}}"};
  return std::string(kContents[static_cast<std::size_t>(resource) % kContents.size()]);
}

}  // namespace

std::string large_description(int resources) {
  std::string text = "openapi: 3.1.0\ninfo: {title: Large, version: \"1\"}\npaths:\n";
  std::string schemas;
  for (int i = 0; i < resources; ++i) {
    const std::string number = std::to_string(i);
    const std::string schema = "{$ref: \"#/components/schemas/Resource" + number + "\"}";
    const std::string json = "application/json: {schema: " + schema + "}";
    const std::string rest = "default: {$ref: \"#/components/responses/Problem\"}}}\n";
    text += "  /resources" + number + "/{resource_id}:\n";
    text +=
        "    parameters: [{name: resource_id, in: path, required: true, schema: {type: string}}]\n";
    text += "    get: {responses: {\"200\": {description: ok, content: {" + json + "}}, " + rest;
    text += "    put: {requestBody: {required: true, content: {" + json +
            "}}, responses: {\"200\": {description: ok, content: {" + json + "}}, " + rest;
    text += "  /resources" + number +
            "/file:\n    get: {responses: {\"200\": {description: ok, "
            "content: {" +
            file_content(i) + "}}, " + rest;
    schemas += "    Resource" + number + ": " + schema_of(i) + '\n';
  }
  return text + std::string(kComponents) + schemas;
}

}  // namespace contract_tests
