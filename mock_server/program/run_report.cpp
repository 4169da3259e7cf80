#include "mock_server/program/run_report.hpp"

#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace mock_server::program {
namespace {

using spec::contract::kPointKinds;
using spec::contract::OperationCoverage;
using spec::contract::Point;
using spec::contract::PointKind;

constexpr std::size_t kMaxListed = 12;
constexpr std::size_t kMaxViolationsShown = 20;

std::string count_of(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

// "200 x10, 404 x1".
std::string responses_of(const Statuses& statuses) {
  std::string text;
  for (const auto& [status, count] : statuses) {
    spec::text::append_to_list(text, std::to_string(status) + " x" + std::to_string(count));
  }
  return text;
}

std::string calls(const Summary& summary) {
  std::string text = "called: " + count_of(summary.requests(), "request") + " to " +
                     std::to_string(summary.called.size()) + " of " +
                     count_of(summary.coverage.operations.size(), "operation") + '\n';
  for (const OperationCoverage& operation : summary.coverage.operations) {
    if (const auto called = summary.called.find(operation.id); called != summary.called.end()) {
      text += "  " + operation.name + ": " + responses_of(called->second) + '\n';
    }
  }
  if (summary.others != 0) {
    text += "  unknown operations: " + count_of(summary.others, "request") + '\n';
  }
  if (summary.ignored != 0) {
    text += "  ignored: " + count_of(summary.ignored, "request") + " of browsers or --allow\n";
  }
  if (summary.on_purpose != 0) {
    text += "  wrong on purpose: " + count_of(summary.on_purpose, "request") +
            " with Prefer: expect=invalid\n";
  }
  return text;
}

// The calls with --upstream, by the server that responded; a line for each reason of no response.
std::string response_counts(const Summary& summary) {
  const ResponseCounts& counts = summary.responses;
  if (counts.calls() == 0) {
    return "";
  }
  std::string text = "responses from the service: " + std::to_string(counts.by_service) + " of " +
                     count_of(counts.calls(), "call");
  if (counts.by_mock != 0) {
    text += "; from the mock: " + std::to_string(counts.by_mock);
  }
  if (counts.missing != 0) {
    text += "; no response: " + std::to_string(counts.missing);
  }
  text += '\n';
  for (const auto& [why, count] : counts.reasons) {
    text += "  no response x" + std::to_string(count) + ": " + why + '\n';
  }
  return text;
}

// For an operation that no response covers.
std::string why_not_covered(const Summary& summary, const OperationCoverage& operation) {
  return summary.called.contains(operation.id) ? "called, but the service did not respond"
                                               : "never called";
}

std::string violations(const Summary& summary) {
  if (summary.violation_count == 0) {
    return "no violations of the contract\n";
  }
  std::string text =
      "violated the contract: " + count_of(summary.violation_count, "request") + '\n';
  const std::size_t shown = std::min(summary.violations.size(), kMaxViolationsShown);
  for (std::size_t at = 0; at < shown; ++at) {
    text += "  " + spec::text::without_controls(summary.violations[at].request) + '\n';
    for (const std::string& line : summary.violations[at].lines) {
      text += "    " + spec::text::without_controls(line) + '\n';
    }
  }
  if (summary.violation_count > shown) {
    text += "  and " + std::to_string(summary.violation_count - shown) + " more\n";
  }
  return text;
}

std::string line(std::string what, const std::vector<std::string>& names) {
  std::ranges::replace(what, '_', ' ');
  return names.empty() ? ""
                       : "    " + what + ": " + spec::text::names_listed(names, kMaxListed) + '\n';
}

std::string not_covered(const OperationCoverage& operation) {
  std::string text;
  const auto gaps = operation.gaps();
  for (const PointKind kind : kPointKinds) {
    std::vector<std::string> names;
    for (const Point* const point : gaps) {
      if (point->kind == kind) {
        names.push_back(point->text);
      }
    }
    text += line(std::string(plural(kind)), names);
  }
  std::vector<std::string> values;
  for (const Point& point : operation.points) {
    if (point.seen && point.values_seen.size() < point.values) {
      values.push_back(std::to_string(point.values - point.values_seen.size()) + " of " +
                       std::to_string(point.values) + " of " + point.text);
    }
  }
  text += line("values", values);
  return text.empty() ? text : "  " + operation.name + '\n' + text;
}

std::string not_covered(const Summary& summary) {
  std::string text;
  for (const OperationCoverage& operation : summary.coverage.operations) {
    text += operation.was_called()
                ? not_covered(operation)
                : "  " + operation.name + ": " + why_not_covered(summary, operation) + '\n';
  }
  return text.empty() ? "not covered: nothing\n" : "not covered:\n" + text;
}

std::string coverage_line(const Summary& summary, const RunResult& result) {
  const std::size_t seen = summary.coverage.seen();
  const std::size_t points = summary.coverage.points();
  std::string line = "coverage: " + spec::contract::percent_text(seen, points) + "% (" +
                     std::to_string(seen) + " of " + count_of(points, "point") + ')';
  if (!result.has_enough(summary)) {
    line += ", must be at least " + nlohmann::json(result.min_coverage).dump() + '%';
  }
  return line + '\n';
}

class TestCases {
 public:
  void passed(const std::string& name) { add(name, ""); }

  void skipped(const std::string& name, const std::string& why) {
    ++skipped_;
    add(name, "<skipped message=\"" + spec::text::escape_xml(why) + "\"/>");
  }

  void failed(const std::string& name, const std::string& why, const std::string& details) {
    ++failed_;
    add(name, "<failure message=\"" + spec::text::escape_xml(why) + "\">" +
                  spec::text::escape_xml(details) + "</failure>");
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
    text_ += "    <testcase classname=\"counterpart.run\" name=\"" + spec::text::escape_xml(name) +
             '"' + (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
  }

  std::string text_;
  std::size_t count_ = 0;
  std::size_t failed_ = 0;
  std::size_t skipped_ = 0;
};

// The violations in requests to one operation, in lines.
std::string violations_of(const Summary& summary, const std::string& operation) {
  std::string details;
  for (const CallViolations& violation : summary.violations) {
    if (violation.operation == operation) {
      details += violation.request + '\n';
      for (const std::string& line : violation.lines) {
        details += "  " + line + '\n';
      }
    }
  }
  return details;
}

}  // namespace

int RunResult::exit_code(const Summary& summary) const {
  const bool fits =
      summary.violation_count == 0 && summary.responses.missing == 0 && has_enough(summary);
  return command_code != 0 || fits ? command_code : 1;
}

std::string text_report(const Summary& summary, const RunResult& result) {
  return calls(summary) + response_counts(summary) + violations(summary) + not_covered(summary) +
         coverage_line(summary, result);
}

std::string junit_report(const Summary& summary, const RunResult& result) {
  TestCases cases;
  if (result.command_code == 0) {
    cases.passed(result.command);
  } else {
    cases.failed(result.command, "ended with " + std::to_string(result.command_code), "");
  }
  for (const OperationCoverage& operation : summary.coverage.operations) {
    const std::string details = violations_of(summary, operation.id);
    if (!details.empty()) {
      cases.failed(operation.name, "requests violated the contract", details);
    } else if (operation.was_called()) {
      cases.passed(operation.name);
    } else {
      cases.skipped(operation.name, why_not_covered(summary, operation));
    }
  }
  if (const std::string details = violations_of(summary, ""); !details.empty()) {
    cases.failed("paths and methods", "requests that match no operation", details);
  }
  if (summary.responses.missing != 0) {
    cases.failed("responses of the service", "some calls got no response",
                 response_counts(summary));
  }
  const std::string line = coverage_line(summary, result);
  if (result.has_enough(summary)) {
    cases.passed("coverage");
  } else {
    cases.failed("coverage", line.substr(0, line.size() - 1), "");
  }
  return cases.document();
}

}  // namespace mock_server::program
