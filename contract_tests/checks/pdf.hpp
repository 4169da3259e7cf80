#pragma once

// Bytes that must be a PDF: header, end, cross references, every object and stream readable, not
// another kind of file, not changed by a text filter. Structure by qpdf, text by poppler.
// Pure functions, safe from any thread.

#include "contract_tests/checks/finding.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace contract_tests::checks {

// Source: ISO 32000-1 §7.5.
RuleViolations check_pdf(std::string_view bytes);

// The text of every page in UTF-8, without blanks and line breaks, so that a word split by
// the layout is still found; empty if the bytes cannot be opened.
std::optional<std::string> pdf_text(std::string_view bytes);

// `text` without blanks and line breaks.
std::string without_blanks(std::string_view text);

}  // namespace contract_tests::checks
