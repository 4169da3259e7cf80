#pragma once

// The contract's JSON bodies as JSON Schema 2020-12 files that are self-contained, for editors,
// generators and validators that know no OpenAPI: everything that a schema refers to is bundled
// under `$defs`. spec/tools/write_schemas writes them, the mock serves them. A pure function of the
// contract.

#include "spec/contract/contract.hpp"

#include <string>
#include <vector>

namespace spec::contract {

struct SchemaFile {
  std::string name;  // "patch_brand_handler.response.200.schema.json"
  std::string text;  // JSON, two blanks a level, members in the order of the contract
};

// One file for each request and response body under a JSON media type, and one for each
// `itemSchema` ("stream.response.200.jsonl.item.schema.json"), in document order. What only
// OpenAPI knows is translated (`nullable`, `example`, boolean exclusive bounds) or left out
// (`discriminator`, what it asserts included, `xml`, and every `x-...`, since strict validators
// reject unknown keywords); a required property that is readOnly is not required in a request, nor
// a writeOnly one in a response. A schema that refers by anchor or `$dynamicRef` has no file.
std::vector<SchemaFile> schema_files(const Contract& contract);

}  // namespace spec::contract
