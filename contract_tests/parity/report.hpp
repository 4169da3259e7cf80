#pragma once

// A comparison as text for a terminal, as Markdown to be kept beside the contract, and as JSON.
// Pure functions.

#include "contract_tests/parity/assumptions.hpp"
#include "contract_tests/parity/rows.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace contract_tests::parity {

struct Report {
  std::string contract;  // title and version
  std::string mock;      // its URL, or "started"
  std::string service;   // its URL, or the file of its calls
  std::string date;      // RFC 3339, UTC
  Compared compared;
  std::vector<Assumption> assumptions;
  std::vector<std::string> notes;  // what was not compared, and problems: one line each
  int exit = 0;
};

// Every row with its columns, each assumption in a line, then the numbers.
std::string report_text(const Report& report);

std::string report_markdown(const Report& report);

nlohmann::json report_json(const Report& report);

}  // namespace contract_tests::parity
