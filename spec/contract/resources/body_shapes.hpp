#pragma once

// Where a JSON body has a record or a list of records, as its schema says. Pure functions.

#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract::resources {

// Schemas of records at a place of a body.
struct Found {
  std::vector<std::string> at;  // member names from the body; empty: the body itself
  schema::Schemas schemas;      // of the record; of a list, of its elements
};

// What the schemas say together; of a choice of shapes, the members of all of them.
const schema::Summary& summary_of(const Contract& contract, const schema::Schemas& schemas);

// Whether the members are those of several shapes (oneOf, anyOf), of which an instance has one.
bool is_choice(const Contract& contract, const schema::Schemas& schemas);

// The lowest 2xx response that is declared, else a default; null for neither.
const Response* success_of(const Operation& operation);

// The schema of the JSON body of the operation's success response, or of its request body, also of
// a form; none where there is no such body, or nothing is said of it.
schema::Schemas response_body(const Contract& contract, const Operation& operation);
schema::Schemas request_body(const Operation& operation);

// The body that says what a record is to be: JSON, but no JSON Patch, or a form; null for none.
const MediaTypeObject* request_content(const Operation& operation);

// Whether the success response has no body at all.
bool has_no_body(const Operation& operation);

// Whether the operation declares a success response, a redirect or a default.
bool has_success(const Operation& operation);

// Whether a request body has none of the record's members, but one that is an object: the record
// may be in there.
bool holds_record_inside(const Contract& contract, const schema::Schemas& body,
                         const schema::Schemas& record);

// Whether at least a half of the members of one are those of the other.
bool is_alike(const Contract& contract, const schema::Schemas& one, const schema::Schemas& other);

// The only member of a request body that is an object like the record; "" for none or several.
std::string member_with_record(const Contract& contract, const schema::Schemas& body,
                               const schema::Schemas& record);

// An array of objects: the body itself, or one of its members or of theirs. `name` is what the
// elements are called in the path.
std::optional<Found> find_list(const Contract& contract, const schema::Schemas& body,
                               std::string_view name);

// An object with the member `key`, or one inside of a member: the body itself, or one of its
// members.
std::optional<Found> find_record_with(const Contract& contract, const schema::Schemas& body,
                                      const std::vector<std::string>& key);

// Whether the schemas have a member under `tokens`.
bool has_member(const Contract& contract, const schema::Schemas& schemas,
                const std::vector<std::string>& tokens);

// Where a record holds the key which a path calls `parameter`, below /`collection`/: a member, or
// the member of that name in its metadata. Empty for none.
std::vector<std::string> key_member(const Contract& contract, const schema::Schemas& record,
                                    std::string_view parameter, std::string_view collection);

}  // namespace spec::contract::resources
