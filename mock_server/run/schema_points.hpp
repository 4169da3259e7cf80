#pragma once

// What a schema offers to be exercised: its fields and the values of its enumerations, by place.
// References inside a document are followed, a recursive schema once; those to other files are not.
// Pure functions.

#include "spec/document/document.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

namespace mock_server::run {

enum class PointKind : std::uint8_t { kField, kValue };

// `text`: "/meters/*/price" for a field, "/currency = EUR" for a value.
using PointVisitor = std::function<void(PointKind kind, const std::string& text)>;

// Everything that the schema offers; `at` is put before each text.
void each_point(const spec::document::Node& schema, const std::string& at,
                const PointVisitor& visit);

// Only what `instance` has of it.
void each_point_of(const spec::document::Node& schema, const nlohmann::json& instance,
                   const std::string& at, const PointVisitor& visit);

}  // namespace mock_server::run
