#pragma once

// What is a secret by its form, wherever it is: mail addresses, keys of well-known makers, JSON web
// tokens, private keys, the credential after "Bearer", user and password in a URL. Pure functions
// of any bytes, in linear time, so that no text can make them give up.

#include <optional>
#include <string_view>

namespace mock_server::record {

// What every replacement of a secret begins with.
inline constexpr std::string_view kReplaced = "redacted-";

// The first one in `text` that is no replacement; nothing for none.
std::optional<std::string_view> find_secret_form(std::string_view text);

// The first "user:password" of a URL in `text` that is no replacement; nothing for none.
std::optional<std::string_view> find_url_user(std::string_view text);

// Whether the whole text is a mail address.
bool is_mail_address(std::string_view text);

}  // namespace mock_server::record
