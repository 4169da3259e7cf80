#include "contract_tests/report/formats/junit.hpp"

#include "contract_tests/findings/causes.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/baseline_value.hpp"
#include "contract_tests/report/run_cases.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;
using spec::text::escape_xml;

namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + escape_xml(value) + '"';
}

// "0.001234": whole microseconds, so that no locale and no rounding comes in.
std::string seconds(std::int64_t microseconds) {
  auto digits = std::to_string(microseconds % 1'000'000);
  digits.insert(0, 6 - digits.size(), '0');
  return std::to_string(microseconds / 1'000'000) + '.' + digits;
}

struct TestSuite {
  std::string name;
  std::string cases;  // their elements
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  std::int64_t time_us = 0;
};

std::string skipped_as(const std::string& why) {
  return "      <skipped" + attribute("message", why) + "/>\n";
}

// "GET_customers.a_plain_request_succeeds": what is before the point, and behind it.
std::string names_of(const std::string& id) {
  const auto dot = std::min(id.find('.'), id.size());
  return attribute("classname", id.substr(0, dot)) +
         attribute("name", id.substr(std::min(dot + 1, id.size())));
}

std::string element(const std::string& names, std::int64_t time_us, const std::string& inside) {
  const auto opening = "    <testcase" + names + attribute("time", seconds(time_us));
  return inside.empty() ? opening + "/>\n" : opening + ">\n" + inside + "    </testcase>\n";
}

// One failed test for each cause: other cases that met it name the first one as their cause.
class Elements {
 public:
  explicit Elements(const json& run) : run_(run), known_(known_until(run)) {
    for (const auto& problem : run.at("problems")) {
      auto& suite = suite_of("the run");
      ++suite.tests;
      ++suite.errors;
      suite.cases +=
          element(attribute("classname", "run") +
                      attribute("name", "problem_" + std::to_string(suite.tests)),
                  0, "      <error" + attribute("message", problem.get<std::string>()) + "/>\n");
    }
    for (const auto& item : run.at("cases")) {
      if (has_details(item)) {
        add(item);
      }
    }
    for (const auto& reason : run.at("reasons")) {
      if (text_of(reason, "verdict") == "skipped") {
        add_skipped(reason);
      }
    }
  }

  const std::vector<TestSuite>& suites() const { return suites_; }

 private:
  TestSuite& suite_of(const std::string& name) {
    const auto known = indices_.try_emplace(name, suites_.size());
    if (known.second) {
      suites_.emplace_back().name = name;
    }
    return suites_[known.first->second];
  }

  const json* cause_of(const json& finding) const {
    const auto& causes = run_.at("causes");
    return finding.contains("cause") ? &causes.at(finding.at("cause").get<std::size_t>()) : nullptr;
  }

  void add(const json& item) {
    auto& suite = suite_of(text_of(item, "operation_name"));
    ++suite.tests;
    suite.time_us += item.at("time_us").get<std::int64_t>();
    suite.cases += element(names_of(text_of(item, "id")), item.at("time_us").get<std::int64_t>(),
                           content_of(item, suite));
  }

  std::string content_of(const json& item, TestSuite& suite) {
    CaseFindings found;
    for (const auto& finding : item.at("findings")) {
      take(item, finding, found);
    }
    std::string out;
    const auto verdict = text_of(item, "verdict");
    if (verdict == "failed" && !found.message.empty()) {
      ++suite.failures;
      out = "      <failure" + attribute("type", found.type) + attribute("message", found.message) +
            '>' + escape_xml(found.failures) + "</failure>\n";
    } else if (verdict != "passed") {
      ++suite.skipped;
      const auto root = found.root.empty() ? text_of(item, "caused_by") : found.root;
      out = skipped_as(!found.known.empty() ? found.known
                       : root.empty()       ? verdict + ": " + text_of(item, "reason")
                                            : "caused by " + root);
      found.others.insert(0, found.failures);
    }
    return found.others.empty()
               ? out
               : out + "      <system-out>" + escape_xml(found.others) + "</system-out>\n";
  }

  // The findings of a case in JUnit's form.
  struct CaseFindings {
    std::string type;      // of the first failure whose cause is new
    std::string message;   // the same in one line
    std::string failures;  // those whose causes are new, in full
    std::string others;    // what fails nothing, and whose causes are new
    std::string root;      // name of the case that met a known cause first
    std::string known;     // what the baseline says of the first known error
  };

  void take(const json& item, const json& finding, CaseFindings& found) const {
    const auto* cause = cause_of(finding);
    const bool known = text_of(finding, "state") == "known";
    const bool fails = findings::fails(run_, finding) && !known;
    if (known && found.known.empty()) {
      const auto entry = known_.find(text_of(finding, "fingerprint"));
      found.known = entry == known_.end() ? "" : entry->second;
    }
    if (cause != nullptr && text_of(*cause, "case") != text_of(item, "id")) {
      found.root = fails && found.root.empty() ? text_of(*cause, "case") : found.root;
      return;
    }
    (fails ? found.failures : found.others) +=
        findings::failure_text(text_of(item, "operation_name"), text_of(item, "sentence"), finding);
    if (fails && found.message.empty()) {
      found.type = text_of(finding, "rule");
      found.message = cause != nullptr ? findings::line_of(*cause) : text_of(finding, "message");
    }
  }

  void add_skipped(const json& reason) {
    for (const auto& [name, count] : reason.at("operations").items()) {
      auto& suite = suite_of(name);
      ++suite.tests;
      ++suite.skipped;
      const auto cases = count.get<std::size_t>();
      suite.cases += element(attribute("classname", run::slug(name)) +
                                 attribute("name", spec::text::counted(cases, "case", "cases")),
                             0, skipped_as("skipped: " + text_of(reason, "reason")));
    }
  }

  const json& run_;
  std::map<std::string, std::string> known_;  // what the baseline says, by fingerprint
  std::vector<TestSuite> suites_;
  std::map<std::string, std::size_t> indices_;
};

std::string counts_of(const TestSuite& suite) {
  return attribute("tests", std::to_string(suite.tests)) +
         attribute("failures", std::to_string(suite.failures)) +
         attribute("errors", std::to_string(suite.errors)) +
         attribute("skipped", std::to_string(suite.skipped)) +
         attribute("time", seconds(suite.time_us));
}

}  // namespace

std::string junit(const json& run) {
  const Elements elements(run);
  std::string inside;
  TestSuite all;
  for (const auto& suite : elements.suites()) {
    inside += "  <testsuite" + attribute("name", suite.name) +
              attribute("timestamp", text_of(run, "started")) + counts_of(suite) + ">\n" +
              suite.cases + "  </testsuite>\n";
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
    all.skipped += suite.skipped;
    all.time_us += suite.time_us;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", text_of(run, "contract") + " at " + text_of(run, "base_url")) +
         counts_of(all) + ">\n" + inside + "</testsuites>\n";
}

}  // namespace contract_tests::report::formats
