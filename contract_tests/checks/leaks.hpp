#pragma once

// Traces of a server's insides: stack traces, names of files with lines, words of databases and of
// sockets. What they look like are marks, read from data (rules/leaks.yaml). Pure functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/exchange.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// A mark is a text in which {d} stands for a digit, {d+} for some digits and {w+} for some
// characters but blanks, quotes, brackets, slashes, commas and "@". Where it starts or ends in a
// letter or a digit, no other may stand beside it: "ORA-{d}{d}" is not in "AURORA-01". The first
// stretch of `text` that `mark` fits.
std::optional<std::string_view> find_mark(std::string_view text, std::string_view mark);

struct LeakMarks {
  std::vector<std::string> anywhere;
  std::vector<std::string> in_errors;  // alone: in a success they may be honest
};

// Of the header of any answer, and of the body of an error.
Complaints check_leaks(const LeakMarks& marks, const client::Exchange& exchange);

// Of texts in a success that nobody documented; what is documented is the customer's own.
Complaints check_leaks(const LeakMarks& marks, const std::vector<std::string>& unknown_texts);

}  // namespace contract_tests::checks
