#pragma once

// Validates fixtures at load: every record by the schema of its collection and as the response of
// each operation that shows it, every response of a rule, every null that an update may write.
// Responses that can be prepared are stored in the bindings.

#include "mock_server/api/binding.hpp"
#include "mock_server/api/loaded_api.hpp"
#include "mock_server/api/loading/node_reader.hpp"
#include "mock_server/api/loading/validate_record.hpp"

namespace mock_server::api::loading {

// Everything that must hold of the collection's records.
void validate_records(const RecordRules& rules, Collection& collection, LoadContext& context);

// What actions and jobs set must be members of the collection's records, with values that their
// schemas allow.
void validate_settings(const FixtureStore& fixtures, const Binding& binding, LoadContext& context);

// Makes the binding's responses, and validates those of its rules and the nulls of its changes.
void prepare_and_validate(Binding& binding, LoadContext& context);

// The response of `rule` as one of `operation`, with samples for its templates.
void validation_result(const spec::contract::Operation& operation, Rule& rule,
                       LoadContext& context);

// A warning for each member of a record that is likely misspelt. Precondition: `fixtures` has its
// bindings and schemas.
void warn_of_misspelt_members(const FixtureStore& fixtures, LoadContext& context);

// A warning for each collection with records that no operation sends, nor looks for as parents.
// Precondition: `fixtures` has all its bindings.
void warn_of_unused_records(const FixtureStore& fixtures, LoadContext& context);

}  // namespace mock_server::api::loading
