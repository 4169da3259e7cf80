#pragma once

// Run values for the tests of report formats.

#include "contract_tests/checks/finding.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::report::tests {

// A finding that is one of its kind for each `number`.
inline nlohmann::json finding_of(std::size_t number, const std::string& severity = "error") {
  return {{"rule", "schema/type"},
          {"severity", severity},
          {"class", "document"},
          {"clause", "§4.4"},
          {"pointer", "/components/schemas/Customer/properties/name/type"},
          {"stated_at", "payments.openapi.yaml:806:17"},
          {"place", "body/member_" + std::to_string(number)},
          {"message", "must be a string, but is 7"},
          {"must", "must be a string"},
          {"is", "is 7"},
          {"changed", ""},
          {"response", "200 application/json, 121 bytes"},
          {"excerpt", "{\"name\": 7}"},
          {"curl", "curl -sS -i 'http://127.0.0.1:4010/customers/cus_1'"},
          {"fingerprint", checks::stable_hash(std::to_string(number))}};
}

inline nlohmann::json case_of(const std::string& sentence, nlohmann::json findings) {
  return {{"id", "GET_customers." + sentence},
          {"operation", "get_customer"},
          {"operation_name", "GET /customers/{customer_id}"},
          {"sentence", sentence},
          {"verdict", "failed"},
          {"findings", std::move(findings)}};
}

inline nlohmann::json cause_of(const nlohmann::json& finding) {
  nlohmann::json cause{{"operations", {"GET /customers/{customer_id}"}},
                       {"value", ""},
                       {"cases", 1},
                       {"case", "GET_customers.plain"}};
  for (const auto* key : {"severity", "rule", "class", "clause", "stated_at", "pointer", "place",
                          "message", "fingerprint"}) {
    cause[key] = finding.at(key);
  }
  if (finding.contains("state")) {
    cause["state"] = finding.at("state");
  }
  return cause;
}

// A run of a service whose contract is in the folder spec of the repository, with a case and a
// cause for each finding.
inline nlohmann::json run_of_findings(const std::vector<nlohmann::json>& findings) {
  nlohmann::json run{
      {"run", 2},
      {"version", "1.2.3"},
      {"contract", "Payments 1.0"},
      {"contract_file", {{"path", "spec/payments.openapi.yaml"}, {"in_repository", true}}},
      {"base_url", "http://127.0.0.1:4010"},
      {"target", "service"},
      {"plan", {{"hash", "0123456789abcdef"}, {"cases", 10}, {"left_out", 0}}},
      {"started", "2024-01-01T00:00:00Z"},
      {"exit", findings.empty() ? 0 : 1},
      {"verdict", findings.empty() ? "passed" : "failed"},
      {"counts",
       {{"passed", 1},
        {"failed", findings.size()},
        {"inconclusive", 0},
        {"skipped", 0},
        {"requests", 9},
        {"notes", 0},
        {"warnings", 0},
        {"errors", findings.size()}}},
      {"operations_without_a_case_run", nlohmann::json::array()},
      {"operations_not_covered", nlohmann::json::array()},
      {"problems", nlohmann::json::array()},
      {"writes", {{"records", 0}, {"not_put_back", nlohmann::json::array()}}},
      {"waits", {{"waited_ms", 0}, {"max_ms", 30'000}}},
      {"coverage", {{"points", 7}, {"seen", 4}, {"operations", nlohmann::json::object()}}},
      {"reasons", nlohmann::json::array()},
      {"rules",
       {{"schema/type",
         {{"says", "a response satisfies its schema"}, {"class", "document"}, {"clause", "§2"}}}}},
      {"causes", nlohmann::json::array()},
      {"cases", nlohmann::json::array()}};
  for (const auto& finding : findings) {
    run["cases"].push_back(
        case_of("case_" + std::to_string(run["cases"].size()), nlohmann::json::array({finding})));
    run["causes"].push_back(cause_of(finding));
  }
  return run;
}

// Findings as large as they get: texts of a hostile server.
inline nlohmann::json run_of_many_findings(std::size_t count) {
  std::vector<nlohmann::json> findings;
  for (std::size_t number = 0; number < count; ++number) {
    auto finding = finding_of(number);
    finding["message"] = "must be a string, but is " + std::string(1'200, '\n') + "<`|\xc3\xa9";
    finding["curl"] = "curl '" + std::string(1'200, '"') + "'";
    findings.push_back(std::move(finding));
  }
  return run_of_findings(findings);
}

}  // namespace contract_tests::report::tests
