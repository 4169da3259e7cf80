#include "contract_tests/report/hosts/outputs.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/report/hosts/distinct.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace contract_tests::report::hosts {

using nlohmann::json;

namespace {

std::string output_line(const std::string& name, const std::string& value) {
  return name + '=' + value + '\n';
}

// "57.1"; never rounded up to 100.
std::string coverage_percent(const json& coverage) {
  const auto points = coverage.at("points").get<std::size_t>();
  const auto tenths = points == 0 ? 1000 : coverage.at("seen").get<std::size_t>() * 1000 / points;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

std::size_t errors_of(const json& run) {
  const auto all = distinct_findings(run);
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [](const auto& found) { return text_of(*found.finding, "severity") == "error"; }));
}

}  // namespace

std::string outputs(const json& run) {
  const auto counts =
      run.value("baseline", json::object()).value("counts", json{{"new", errors_of(run)}});
  auto text = output_line("verdict", text_of(run, "verdict")) +
              output_line("exit_code", run.at("exit").dump());
  for (const auto* name : {"new", "known", "fixed", "expired"}) {
    text += output_line(name, std::to_string(counts.value(name, std::size_t{0})));
  }
  return text + output_line("coverage", coverage_percent(run.at("coverage")));
}

}  // namespace contract_tests::report::hosts
