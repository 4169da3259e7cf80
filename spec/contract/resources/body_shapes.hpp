#pragma once

// Finds the record or the list of records in a JSON body, by its schema. Pure functions.

#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract::resources {

// The place of records in a body, with their schemas.
struct RecordPlace {
  std::vector<std::string> at;  // member names from the body; empty: the body itself
  schema::Schemas schemas;      // of the record; of a list, of its elements
};

// The summary of the schemas; of a choice of shapes, with the members of all of them.
const schema::Summary& summary_of(const Contract& contract, const schema::Schemas& schemas);

// The component to which one of the schemas refers, "#/components/schemas/Pet"; "" if none does.
std::string component_of(const Contract& contract, const schema::Schemas& schemas);

// True if the members are those of several shapes (oneOf, anyOf), of which an instance has one.
bool is_choice(const Contract& contract, const schema::Schemas& schemas);

// The lowest declared 2xx response, else a default; null if there is neither.
const Response* success_of(const Operation& operation);

// The schema of the JSON body of the operation's success response, or of its request body, also of
// a form; empty if there is no such body or schema.
schema::Schemas response_body(const Contract& contract, const Operation& operation);
schema::Schemas request_body(const Operation& operation);

// The content that describes the record to write: JSON, but no JSON Patch, or a form; null if there
// is none.
const MediaTypeObject* request_content(const Operation& operation);

// True if a body of these schemas, of which there are some, may be an object.
bool may_be_object(const Contract& contract, const schema::Schemas& body);

// True if the success response has no body at all.
bool has_no_body(const Operation& operation);

// True if the operation declares a success response, a redirect or a default.
bool has_success(const Operation& operation);

// True if a request body has none of the record's members, but one that is an object: the record
// may be in there.
bool holds_record_inside(const Contract& contract, const schema::Schemas& body,
                         const schema::Schemas& record);

// True if at least half of the members of one are members of the other.
bool is_alike(const Contract& contract, const schema::Schemas& one, const schema::Schemas& other);

// The only member of a request body that is an object like the record; "" if there are none or
// several.
std::string member_with_record(const Contract& contract, const schema::Schemas& body,
                               const schema::Schemas& record);

// The names by which an object shows members of a record that calls them otherwise: "id" for
// "assetId" and the other way round, where records are those of "assets". By the object's names.
using OtherNames = std::vector<std::pair<std::string, std::string>>;
OtherNames other_names(const Contract& contract, const schema::Schemas& shown,
                       const schema::Schemas& record, std::string_view collection);

// is_alike() of a view of the record, also by other names.
bool shows(const Contract& contract, const schema::Schemas& shown, const schema::Schemas& record,
           std::string_view collection);

// The schemas of an array's elements if they are objects; the schemas themselves else: a response
// may show one record as a list.
const schema::Schemas& of_one(const Contract& contract, const schema::Schemas& schemas);

// Finds an array of objects: the body itself, or one of its members or of theirs. `name` is the
// name of the elements in the path.
std::optional<RecordPlace> find_list(const Contract& contract, const schema::Schemas& body,
                                     std::string_view name);

// Finds an object with the member `key`: the body itself, or one of its members, or the elements of
// either; else so in a member that holds what the body is about, "data". A member that is called
// `name`, or as records are, wins over the body around it.
std::optional<RecordPlace> find_record_with(const Contract& contract, const schema::Schemas& body,
                                            const std::vector<std::string>& key,
                                            std::string_view name);

// True if the schemas have a member under `tokens`.
bool has_member(const Contract& contract, const schema::Schemas& schemas,
                const std::vector<std::string>& tokens);

// The place in a record of the key that a path calls `parameter`, below /`collection`/: a member,
// or the member of that name in its metadata. Empty if there is none.
std::vector<std::string> key_member(const Contract& contract, const schema::Schemas& record,
                                    std::string_view parameter, std::string_view collection);

}  // namespace spec::contract::resources
