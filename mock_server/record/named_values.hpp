#pragma once

// Values with a name in text that is neither JSON nor a form as a whole: "name=value" in URLs and
// in prose, "name": "value", elements and attributes of XML and HTML, also <input name="name"
// value="value">. Pure functions of any bytes, in linear time.

#include <functional>
#include <optional>
#include <string_view>

namespace mock_server::record {

using IsName = std::function<bool(std::string_view)>;

// The first value in `text` whose name satisfies `is_name`, without quotes and still encoded;
// nothing for none. Empty values and replacements are passed over. A value that does not end
// reaches to the end of the text. The prefix of an XML name is left out.
std::optional<std::string_view> find_named_value(std::string_view text, const IsName& is_name);

}  // namespace mock_server::record
