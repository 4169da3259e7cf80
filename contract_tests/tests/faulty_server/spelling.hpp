#pragma once

// The same content in other bytes: encodings of text, spellings of JSON, forms of a PDF. Some are
// valid, some are not. For tests of the suite only.

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace contract_tests::faulty_server {

// From UTF-8 to "latin-1", "utf-16le", "utf-16be" or "utf-32le"; code points beyond a byte become
// "?" in Latin-1.
void encode(std::string& text, const std::string& to);

// JSON spelt another way: "escaped" (every letter of a string beyond ASCII as \u), "escaped-all"
// (the first letter of every string too), "slashes" (\/), "reversed" (members in the reverse
// order), "crlf" (line breaks between all tokens).
void spell(std::string& body, const std::string& how);

// gzip of that many mebibytes of zeros.
const std::string& bomb(std::size_t mebibytes);

// The PDF written again by qpdf: {linearize: true}, {object_streams: true}, {user_password: "x"}
// (encrypted; "" opens by itself), {no_pages: true}, {blank: true} (one empty page), {again: true}
// (a second end that points to the same cross references), {version: "2.0"}.
void rewrite_pdf(const nlohmann::json& how, std::string& bytes);

}  // namespace contract_tests::faulty_server
