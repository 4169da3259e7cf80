#include "contract_tests/report/junit.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "spec/text/xml.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::report {

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

struct Suite {
  std::string name;
  std::vector<const json*> cases;
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::int64_t time_us = 0;
};

std::vector<Suite> suites_of(const json& run) {
  std::vector<Suite> suites;
  for (const auto& item : run.at("cases")) {
    const auto name = text_of(item, "operation_name");
    auto found = suites.begin();
    while (found != suites.end() && found->name != name) {
      ++found;
    }
    if (found == suites.end()) {
      found = suites.insert(found, Suite{});
      found->name = name;
    }
    const auto verdict = text_of(item, "verdict");
    found->cases.push_back(&item);
    found->failures += verdict == "failed" ? 1 : 0;
    found->skipped += verdict == "inconclusive" || verdict == "skipped" ? 1 : 0;
    found->time_us += item.at("time_us").get<std::int64_t>();
  }
  return suites;
}

std::string outcome_of(const json& item) {
  std::string errors;
  std::string others;
  std::string first;
  for (const auto& finding : item.at("findings")) {
    const auto text =
        failure_text(text_of(item, "operation_name"), text_of(item, "sentence"), finding);
    const bool error = text_of(finding, "severity") == "error";
    (error ? errors : others) += text;
    first = error && first.empty() ? text_of(finding, "rule") : first;
  }
  std::string out;
  const auto verdict = text_of(item, "verdict");
  if (verdict == "failed") {
    out += "      <failure" + attribute("type", first) +
           attribute("message", errors.substr(0, errors.find('\n'))) + '>' + escape_xml(errors) +
           "</failure>\n";
  } else if (verdict != "passed") {
    out +=
        "      <skipped" + attribute("message", verdict + ": " + text_of(item, "reason")) + "/>\n";
    others = errors + others;
  }
  return others.empty() ? out : out + "      <system-out>" + escape_xml(others) + "</system-out>\n";
}

std::string case_of(const json& item) {
  const auto opening = "    <testcase" + attribute("classname", text_of(item, "operation")) +
                       attribute("name", text_of(item, "sentence")) +
                       attribute("time", seconds(item.at("time_us").get<std::int64_t>()));
  const auto inside = outcome_of(item);
  return inside.empty() ? opening + "/>\n" : opening + ">\n" + inside + "    </testcase>\n";
}

std::string counted(std::size_t tests, std::size_t failures, std::size_t skipped,
                    std::int64_t time_us) {
  return attribute("tests", std::to_string(tests)) +
         attribute("failures", std::to_string(failures)) + attribute("errors", "0") +
         attribute("skipped", std::to_string(skipped)) + attribute("time", seconds(time_us));
}

}  // namespace

std::string junit(const json& run) {
  std::string inside;
  Suite all;
  for (const auto& suite : suites_of(run)) {
    inside += "  <testsuite" + attribute("name", suite.name) +
              attribute("timestamp", text_of(run, "started")) +
              counted(suite.cases.size(), suite.failures, suite.skipped, suite.time_us) + ">\n";
    for (const auto* item : suite.cases) {
      inside += case_of(*item);
    }
    inside += "  </testsuite>\n";
    all.failures += suite.failures;
    all.skipped += suite.skipped;
    all.time_us += suite.time_us;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", text_of(run, "contract") + " at " + text_of(run, "base_url")) +
         counted(run.at("cases").size(), all.failures, all.skipped, all.time_us) + ">\n" + inside +
         "</testsuites>\n";
}

}  // namespace contract_tests::report
