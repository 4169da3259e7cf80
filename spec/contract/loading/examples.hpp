#pragma once

// Reads the examples of parameters, headers, media types and schemas, and checks each.

#include "spec/contract/loading/context.hpp"

#include <optional>
#include <vector>

namespace spec::contract::loading {

struct ExampleRules {
  document::Node schema;  // its own examples count where `holder` has none; may be empty
  std::optional<schema::SchemaId> compiled;
  schema::Direction direction = schema::Direction::kNone;
  bool is_json = true;       // an external value is JSON or YAML; else its bytes are the value
  bool may_be_text = false;  // a text is the value as it is written, which is not validated
};

// The examples at `holder`: `example`, or else those of `examples` in document order, or else the
// schema's own, the valid ones. Invalid ones at `holder` violate OpenAPI and are kept; those of a
// request whose name is also that of an example of a 4xx response do not. External ones that cannot
// be read violate it and are left out. Source: OpenAPI 3.1.0 §4.8.12, §4.8.14, §4.8.19.
std::vector<Example> load_examples(LoadContext& context, const document::Node& holder,
                                   const ExampleRules& rules);

// Notes the names of the examples of the operation's 4xx responses.
void note_rejected_examples(LoadContext& context, const document::Node& operation);

// Checks the examples of messages that no operation loads: those of webhooks and callbacks, and of
// components that nothing uses. Invalid ones are violations of OpenAPI. After the operations.
void check_other_examples(LoadContext& context, const Inspection& inspection);

// Notes examples and defaults inside the schema at `node` that violate it.
void check_schema_examples(LoadContext& context, const document::Node& node,
                           schema::SchemaId schema);

}  // namespace spec::contract::loading
