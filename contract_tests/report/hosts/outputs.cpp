#include "contract_tests/report/hosts/outputs.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/report/hosts/distinct.hpp"
#include "spec/contract/checking/coverage.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace contract_tests::report::hosts {

using nlohmann::json;

namespace {

std::string output_line(const std::string& name, const std::string& value) {
  return name + '=' + value + '\n';
}

std::size_t failing_in(const json& run) {
  const auto all = distinct_findings(run);
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&run](const auto& found) { return fails(run, *found.finding); }));
}

}  // namespace

std::string outputs(const json& run) {
  const auto counts =
      run.value("baseline", json::object()).value("counts", json{{"new", failing_in(run)}});
  auto text = output_line("verdict", text_of(run, "verdict")) +
              output_line("exit_code", run.at("exit").dump());
  for (const auto* name : {"new", "known", "fixed", "expired"}) {
    text += output_line(name, std::to_string(counts.value(name, std::size_t{0})));
  }
  const auto& coverage = run.at("coverage");
  return text + output_line("coverage", spec::contract::percent_text(coverage.at("seen"),
                                                                     coverage.at("points")));
}

}  // namespace contract_tests::report::hosts
