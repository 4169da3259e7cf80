#pragma once

// Reads parameters and headers: where they are, how they are written, what they hold.

#include "spec/contract/loading/context.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace spec::contract::loading {

// The parameters of an operation: its own, and before them those of its path that it does not
// replace by the same (name, in). Header parameters that OpenAPI reserves are left out.
// Source: OpenAPI 3.1.0 §4.8.9.1, §4.8.10.1, §4.8.12.
std::vector<Parameter> load_parameters(LoadContext& context, const document::Node& path_list,
                                       const document::Node& operation_list);

// The headers of a map of names to Header Objects. `direction` is that of the message.
// Source: OpenAPI 3.1.0 §4.8.21.
std::vector<Parameter> load_headers(LoadContext& context, const document::Node& map,
                                    schema::Direction direction);

// "form" and so on; nothing for a word that is no style.
std::optional<Style> parse_style(std::string_view text);

}  // namespace spec::contract::loading
