#pragma once

// Secrets by their form, wherever they are: mail addresses, keys of well-known makers, JSON web
// tokens, private keys, the credential after "Bearer", user and password in a URL. Pure functions
// of any bytes, in linear time, so that no text can make them give up.

#include <functional>
#include <optional>
#include <string_view>

namespace mock_server::record {

// The beginning of every replacement of a secret.
inline constexpr std::string_view kReplaced = "redacted-";

// The first one in `text` that is no replacement; nothing for none.
std::optional<std::string_view> find_secret_form(std::string_view text);

// The first "user:password" of a URL in `text` that is no replacement; nothing for none.
std::optional<std::string_view> find_url_user(std::string_view text);

// True if the whole text is a mail address.
bool is_mail_address(std::string_view text);

// Values with a name in text that is neither JSON nor a form as a whole: "name=value" in URLs and
// in prose, "name": "value", elements and attributes of XML and HTML, also <input name="name"
// value="value">. Pure functions of any bytes, in linear time.

using IsName = std::function<bool(std::string_view)>;

// The first value in `text` whose name satisfies `is_name`, without quotes and still encoded;
// nothing for none. Empty values and replacements are passed over. A value that does not end
// reaches to the end of the text. The prefix of an XML name is left out.
std::optional<std::string_view> find_named_value(std::string_view text, const IsName& is_name);

}  // namespace mock_server::record
