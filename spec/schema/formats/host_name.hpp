#pragma once

// Names of hosts, in ASCII and international. Pure functions, safe from any thread.

#include <string_view>

namespace spec::schema::formats {

// Letters, digits and hyphens; A-labels must be ones. Source: RFC 1123 §2.1, RFC 5891 §4.4.
bool is_hostname(std::string_view text);
// Labels parted by one of the four dots. Source: RFC 5890 §2.3.2.3, RFC 5893 §2.
bool is_idn_hostname(std::string_view text);
// The same for text that need not be in Unicode's normal form C. Source: RFC 6531 §3.3.
bool is_idn_mail_domain(std::string_view text);

}  // namespace spec::schema::formats
