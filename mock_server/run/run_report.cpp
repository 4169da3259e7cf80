#include "mock_server/run/run_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace mock_server::run {
namespace {

constexpr std::size_t kMostListed = 12;
constexpr std::size_t kMostBreachesShown = 20;

std::string percent(double value) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.1f%%", value);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string count_of(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

// "200 x10, 404 x1".
std::string answers_of(const OperationSummary& operation) {
  std::string text;
  for (const auto& [status, count] : operation.answers) {
    text += (text.empty() ? "" : ", ") + std::to_string(status) + " x" + std::to_string(count);
  }
  return text;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t at = 0; at < std::min(names.size(), kMostListed); ++at) {
    text += (at == 0 ? "" : ", ") + names[at];
  }
  return names.size() > kMostListed
             ? text + " and " + std::to_string(names.size() - kMostListed) + " more"
             : text;
}

bool is_called(const OperationSummary& operation) {
  return operation.requests() != 0;
}

std::string calls(const Summary& summary) {
  const auto called = std::ranges::count_if(summary.operations, is_called);
  std::string text = "called: " + count_of(summary.requests(), "request") + " to " +
                     std::to_string(called) + " of " +
                     count_of(summary.operations.size(), "operation") + '\n';
  for (const OperationSummary& operation : summary.operations) {
    if (is_called(operation)) {
      text += "  " + operation.name + ": " + answers_of(operation) + '\n';
    }
  }
  if (summary.others != 0) {
    text += "  none of the contract's: " + count_of(summary.others, "request") + '\n';
  }
  return text;
}

std::string breaches(const Summary& summary) {
  if (summary.breach_count == 0) {
    return "broke the contract: nothing\n";
  }
  std::string text = "broke the contract: " + count_of(summary.breach_count, "request") + '\n';
  const std::size_t shown = std::min(summary.breaches.size(), kMostBreachesShown);
  for (std::size_t at = 0; at < shown; ++at) {
    text += "  " + summary.breaches[at].request + '\n';
    for (const std::string& line : summary.breaches[at].lines) {
      text += "    " + line + '\n';
    }
  }
  if (summary.breach_count > shown) {
    text += "  and " + std::to_string(summary.breach_count - shown) + " more\n";
  }
  return text;
}

// Fields and values of answers that never came say nothing more than their status does.
std::vector<std::string> without_unseen_answers(const OperationSummary& operation,
                                                const std::vector<std::string>& texts) {
  std::vector<std::string> kept;
  for (const std::string& text : texts) {
    const std::string first = text.substr(0, text.find(' '));
    if (std::ranges::find(operation.unseen_statuses, first) == operation.unseen_statuses.end()) {
      kept.push_back(text);
    }
  }
  return kept;
}

std::string never_exercised(const OperationSummary& operation) {
  std::string text;
  const auto line = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) {
      text += "    " + std::string(what) + ": " + list(names) + '\n';
    }
  };
  line("statuses", operation.unseen_statuses);
  line("fields", without_unseen_answers(operation, operation.unseen_fields));
  line("values", without_unseen_answers(operation, operation.unseen_values));
  return text.empty() ? text : "  " + operation.name + '\n' + text;
}

std::string never_exercised(const Summary& summary) {
  std::string text;
  for (const OperationSummary& operation : summary.operations) {
    text += is_called(operation) ? never_exercised(operation)
                                 : "  " + operation.name + ": never called\n";
  }
  return text.empty() ? "never exercised: nothing\n" : "never exercised:\n" + text;
}

std::string coverage_line(const Summary& summary, const Outcome& outcome) {
  std::string line = "coverage: " + percent(summary.coverage()) + " (" +
                     std::to_string(summary.seen()) + " of " + std::to_string(summary.points()) +
                     " operations, statuses, fields and values)";
  if (!outcome.has_enough(summary)) {
    line += ", must be at least " + percent(outcome.min_coverage);
  }
  return line + '\n';
}

std::string xml(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      case '"': safe += "&quot;"; break;
      case '\n': safe += "&#10;"; break;
      default: safe += static_cast<unsigned char>(c) < 0x20U ? '?' : c;
    }
  }
  return safe;
}

class TestCases {
 public:
  void passed(const std::string& name) { add(name, ""); }

  void skipped(const std::string& name, const std::string& why) {
    ++skipped_;
    add(name, "<skipped message=\"" + xml(why) + "\"/>");
  }

  void failed(const std::string& name, const std::string& why, const std::string& details) {
    ++failed_;
    add(name, "<failure message=\"" + xml(why) + "\">" + xml(details) + "</failure>");
  }

  std::string document() const {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite "
           "name=\"counterpart run\" tests=\"" +
           std::to_string(count_) + "\" failures=\"" + std::to_string(failed_) +
           "\" errors=\"0\" skipped=\"" + std::to_string(skipped_) + "\">\n" + text_ +
           "  </testsuite>\n</testsuites>\n";
  }

 private:
  void add(const std::string& name, const std::string& inside) {
    ++count_;
    text_ += "    <testcase classname=\"counterpart.run\" name=\"" + xml(name) + '"' +
             (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
  }

  std::string text_;
  std::size_t count_ = 0;
  std::size_t failed_ = 0;
  std::size_t skipped_ = 0;
};

// What broke the contract in requests to one operation, in lines.
std::string breaches_of(const Summary& summary, const std::string& operation) {
  std::string details;
  for (const Breach& breach : summary.breaches) {
    if (breach.operation == operation) {
      details += breach.request + '\n';
      for (const std::string& line : breach.lines) {
        details += "  " + line + '\n';
      }
    }
  }
  return details;
}

}  // namespace

int Outcome::exit_code(const Summary& summary) const {
  const bool fits = summary.breach_count == 0 && has_enough(summary);
  return command_code != 0 || fits ? command_code : 1;
}

std::string text_report(const Summary& summary, const Outcome& outcome) {
  return calls(summary) + breaches(summary) + never_exercised(summary) +
         coverage_line(summary, outcome);
}

std::string junit_report(const Summary& summary, const Outcome& outcome) {
  TestCases cases;
  if (outcome.command_code == 0) {
    cases.passed(outcome.command);
  } else {
    cases.failed(outcome.command, "ended with " + std::to_string(outcome.command_code), "");
  }
  for (const OperationSummary& operation : summary.operations) {
    const std::string details = breaches_of(summary, operation.id);
    if (!details.empty()) {
      cases.failed(operation.name, "requests broke the contract", details);
    } else if (is_called(operation)) {
      cases.passed(operation.name);
    } else {
      cases.skipped(operation.name, "never called");
    }
  }
  if (const std::string details = breaches_of(summary, ""); !details.empty()) {
    cases.failed("paths and methods", "requests that the contract does not know", details);
  }
  const std::string line = coverage_line(summary, outcome);
  if (outcome.has_enough(summary)) {
    cases.passed("coverage");
  } else {
    cases.failed("coverage", line.substr(0, line.size() - 1), "");
  }
  return cases.document();
}

}  // namespace mock_server::run
