#pragma once

// The requests of recorded findings in the formats of other tools. Pure functions of a run value;
// tokens stay $TOKEN, and nothing that a report has cut is written as if it were whole.

#include "contract_tests/report/saved_run.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::report::formats {

struct Export {
  std::string text;                   // the file
  std::size_t written = 0;            // requests or cases in it
  std::vector<std::string> left_out;  // one line each: what is missing in it, and why
};

// curl lines for a shell, each below a comment that says what was found.
Export export_curl(const std::vector<SelectedFinding>& findings);

// A file of requests for editors' REST clients: "###" between them, the base URL and the token as
// variables.
Export export_http(const nlohmann::json& run, const std::vector<SelectedFinding>& findings);

// HAR 1.2, an entry for each exchange. `version` is that of this program.
Export export_har(const nlohmann::json& run, const std::vector<SelectedFinding>& findings,
                  std::string_view version);

// A file for contract_tests/cases/ (cases.schema.yaml), a case for each case that failed.
Export export_cases(const nlohmann::json& run, const std::vector<SelectedFinding>& findings);

// Shared functions of the exports.

// "error schema/required body: must have ..., but lacks it (id 1983a2103d57925f)", on one line.
std::string finding_line(const nlohmann::json& finding);
// "1983a2103d57925f (GET_customers.a_plain_request_succeeds): REASON".
std::string left_out_line(const SelectedFinding& selected, const std::string& reason);
// The exchange that shows the finding; null if the report has none, and why_no_exchange says
// why.
const nlohmann::json* exchange_of(const nlohmann::json& run, const nlohmann::json& finding);
std::string why_no_exchange(const nlohmann::json& finding);
// True if a client adds this header field by itself.
bool is_own_header(std::string_view name, std::string_view value);

// The field lines "Name: value" of an exchange, split.
spec::http::Headers fields_of(const nlohmann::json& lines);

}  // namespace contract_tests::report::formats
