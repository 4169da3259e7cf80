#pragma once

// Values as a person would write them in YAML: a line for each member, lists of short values in one
// line.

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace mock_server::api::loading {

// The members of an object, each with so many blanks before it.
std::string yaml_block(const nlohmann::json& object, std::size_t indent = 0);

// One of them.
std::string yaml_member(const std::string& key, const nlohmann::json& value, std::size_t indent);

}  // namespace mock_server::api::loading
