#pragma once

// Traces of a server's insides: stack traces, names of files with lines, words of databases and of
// sockets. What they look like are patterns, read from data (rules/leaks.yaml). Pure functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/exchange.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// A list of patterns as one: what any of them matches.
class LeakPatterns {
 public:
  LeakPatterns() = default;
  // Precondition: each is an ECMAScript pattern.
  explicit LeakPatterns(const std::vector<std::string>& patterns);

  // The first stretch of `text` that looks like one; bytes that are no UTF-8 match nothing.
  std::optional<std::string> find(std::string_view text) const;

 private:
  std::shared_ptr<const spec::schema::patterns::Pattern> any_;
};

struct LeakMarks {
  LeakPatterns anywhere;
  LeakPatterns in_errors;  // alone: in a success they may be honest
};

// Of the header of any response, and of the body of an error.
RuleViolations check_leaks(const LeakMarks& marks, const client::Exchange& exchange);

// Of texts in a success that nobody documented; what is documented is the customer's own.
RuleViolations check_leaks(const LeakMarks& marks, const std::vector<std::string>& unknown_texts);

}  // namespace contract_tests::checks
