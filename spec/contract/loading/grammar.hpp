#pragma once

// The shape of an OpenAPI document as a table: the fields of each kind of object, their contents,
// and which of them a message can violate. One table for 3.0, 3.1 and 3.2; code that walks a
// document (inspect.hpp) needs nothing per kind. Source: OpenAPI 3.2.0 §4, 3.1.0 §4.8, 3.0.3 §4.7.

#include "spec/contract/contract.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace spec::contract::loading {

enum class ObjectKind : std::uint8_t {
  kAny,  // not looked into
  kRoot,
  kInfo,
  kContact,
  kLicense,
  kServer,
  kServerVariable,
  kPaths,
  kPathItem,
  kOperation,
  kExternalDocs,
  kParameter,
  kHeader,
  kRequestBody,
  kMediaType,
  kEncoding,
  kResponses,
  kResponse,
  kCallback,
  kExample,
  kLink,
  kTag,
  kComponents,
  kSecurityScheme,
  kOAuthFlows,
  kOAuthFlow,
  kSecurityRequirement,
  kSchema,
  kDiscriminator,
  kXml
};

// The form of a field's value: a scalar, any value, one object, an array of objects, or a map of
// names to objects. In a map every member is a name, "x-..." too.
enum class FieldForm : std::uint8_t { kText, kFlag, kNumber, kAny, kOne, kList, kMap };

struct Field {
  std::string_view name;  // "*" for every other member that is no extension
  FieldForm form = FieldForm::kAny;
  ObjectKind kind = ObjectKind::kAny;  // of the objects in it
  bool is_needed = false;              // its absence is a problem
  bool is_statement = false;           // a message can violate it
  Version since = Version::k30;
  Version needed_until = Version::k32;
};

// The fields of a kind; empty for kAny.
std::span<const Field> fields_of(ObjectKind kind);
// The field `name` of a kind, or the "*" field that includes it; null if there is neither.
const Field* find_field(ObjectKind kind, std::string_view name);
// True if the version has that field; in documents of others it is ignored.
bool has_field(ObjectKind kind, std::string_view name, Version version);
// "a Parameter Object", for messages.
std::string_view name_of(ObjectKind kind);
// True if a {"$ref": ...} may replace an object of this kind.
bool may_be_reference(ObjectKind kind, Version version);
// True if an object of this kind is a statement by itself (a parameter, a status).
bool is_statement(ObjectKind kind);

}  // namespace spec::contract::loading
