#pragma once

// Mail addresses. Pure functions, safe from any thread.

#include <string_view>

namespace spec::schema::formats {

// Source: RFC 5321 §4.1.2, Mailbox.
bool is_email(std::string_view text);
// Source: RFC 6531 §3.3.
bool is_idn_email(std::string_view text);

}  // namespace spec::schema::formats
