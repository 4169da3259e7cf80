#pragma once

// OpenAPI's formats of numbers: ranges. That an int32 is whole is left to `type`.
// Pure functions, safe from any thread.

#include <nlohmann/json_fwd.hpp>

namespace spec::schema::formats {

// Source: OpenAPI format registry.
bool is_int8(const nlohmann::json& number);
bool is_int16(const nlohmann::json& number);
bool is_int32(const nlohmann::json& number);
bool is_int64(const nlohmann::json& number);
bool is_uint8(const nlohmann::json& number);
bool is_uint16(const nlohmann::json& number);
bool is_uint32(const nlohmann::json& number);
bool is_uint64(const nlohmann::json& number);
bool is_float(const nlohmann::json& number);
bool is_double(const nlohmann::json& number);

}  // namespace spec::schema::formats
