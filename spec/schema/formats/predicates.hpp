#pragma once

// The test of each value of `format`, for the table in format.cpp. Texts are UTF-8. Used only by
// this folder's sources. Pure functions, safe from any thread.

#include <string_view>

namespace spec::schema::formats {

// Formats of one rule each.

// Source: RFC 4122 §3.
bool is_uuid(std::string_view text);
// Source: RFC 6901 §3.
bool is_json_pointer(std::string_view text);
// Source: draft-bhutton-relative-json-pointer-00 §3.
bool is_relative_json_pointer(std::string_view text);
// Source: ECMA-262 §22.2.1 with the "u" flag.
bool is_regex(std::string_view text);
// With padding. Source: RFC 4648 §4 and §5.
bool is_base64(std::string_view text);
bool is_base64url(std::string_view text);
// Exactly one code point. Source: OpenAPI format registry, `char`.
bool is_char(std::string_view text);

// Identifiers of resources, and templates of them.

// Source: RFC 3986 §3 and §4.1.
bool is_uri(std::string_view text);
bool is_uri_reference(std::string_view text);
// Source: RFC 3987 §2.2.
bool is_iri(std::string_view text);
bool is_iri_reference(std::string_view text);
// Source: RFC 6570 §2.
bool is_uri_template(std::string_view text);

// Names of hosts, in ASCII and international.

// Letters, digits and hyphens; A-labels must be ones. Source: RFC 1123 §2.1, RFC 5891 §4.4.
bool is_hostname(std::string_view text);
// Labels parted by one of the four dots. Source: RFC 5890 §2.3.2.3, RFC 5893 §2.
bool is_idn_hostname(std::string_view text);
// The same for text that need not be in Unicode's normal form C. Source: RFC 6531 §3.3.
bool is_idn_mail_domain(std::string_view text);

// Addresses of the Internet protocols, as text.

// Dotted decimal without leading zeros. Source: RFC 2673 §3.2.
bool is_ipv4(std::string_view text);
// Without zone. Source: RFC 4291 §2.2.
bool is_ipv6(std::string_view text);

// Mail addresses.

// Source: RFC 5321 §4.1.2, Mailbox.
bool is_email(std::string_view text);
// Source: RFC 6531 §3.3.
bool is_idn_email(std::string_view text);

// Bidirectional host names.

// True if a label holds a right-to-left letter or an Arabic digit: it makes the whole name a
// bidirectional one. `label` is UTF-8. Source: RFC 5893 §1.4.
bool is_right_to_left(std::string_view label);

// True if a label may be in a bidirectional name. Source: RFC 5893 §2, conditions 1 to 6.
bool keeps_bidi_rule(std::string_view label);

}  // namespace spec::schema::formats
