#pragma once

// Which required members the sender of a message need not send. A pure function of const data.

#include "spec/schema/validator/validate.hpp"

#include <string_view>

namespace spec::schema {

// Whether some schema that may apply to the object, `schema` or one that it applies in place, says
// that its member `name` is for the other side: readOnly in a request, writeOnly in a response.
Verdict declares_absent(const SchemaSet& schemas, SchemaId schema, std::string_view name,
                        Direction direction);

}  // namespace spec::schema
