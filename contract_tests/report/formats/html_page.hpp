#pragma once

// The files of page/, built into the program.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace contract_tests::report::formats {

struct PageTexts {
  std::string_view frame;   // page.html, with holes {{style}}, {{title}}, {{summary}}, {{run}}, ...
  std::string_view style;   // page.css
  std::string_view script;  // the .js files, one after another
};

PageTexts page_texts();

// A run as one HTML page that needs nothing else: no network, no other file. It carries the run
// value and draws itself from it (page/*.js); a browser without scripts shows the summary.

// `run` is a run value (run_value.hpp).
std::string page(const nlohmann::json& run);

}  // namespace contract_tests::report::formats
