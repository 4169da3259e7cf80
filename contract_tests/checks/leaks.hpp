#pragma once

// Internals of a server in a response: stack traces, source files with lines, errors of databases
// and sockets. They are found by patterns from data (rules/leaks.yaml). Pure functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/http_exchange.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// A list of patterns as one that matches what any of them matches.
class LeakPatterns {
 public:
  LeakPatterns() = default;
  // Precondition: each is an ECMAScript pattern.
  explicit LeakPatterns(const std::vector<std::string>& patterns);

  // The first match in `text`; bytes that are no UTF-8 match nothing.
  std::optional<std::string> find(std::string_view text) const;

 private:
  std::shared_ptr<const spec::schema::patterns::Pattern> any_;
};

struct LeakMarks {
  LeakPatterns anywhere;
  LeakPatterns in_errors;  // for error responses only: in a success they may be data
  // The same, of texts about bytes of the request that are no UTF-8: a note.
  LeakPatterns of_parsers;
};

// In the header of any response, and in the body of an error.
RuleViolations check_leaks(const LeakMarks& marks, const client::Exchange& exchange);

// In undocumented texts of a success; documented texts are the customer's data.
RuleViolations check_leaks(const LeakMarks& marks, const std::vector<std::string>& unknown_texts);

}  // namespace contract_tests::checks
