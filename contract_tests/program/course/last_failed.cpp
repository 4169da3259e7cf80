#include "contract_tests/program/course/last_failed.hpp"

#include "contract_tests/program/flags/usage.hpp"
#include "contract_tests/program/setup/assets.hpp"
#include "contract_tests/runs/read_run.hpp"
#include "contract_tests/runs/selection.hpp"
#include "spec/load_error.hpp"
#include "spec/text/quote.hpp"

#include <iostream>
#include <vector>

namespace contract_tests::program::course {

LastFailed::LastFailed(const std::filesystem::path& run) {
  const auto saved =
      runs::read_run(run, setup::find_data_root() / "contract_tests/report/run.schema.json");
  file_ = saved.file.string();
  if (saved.value.contains("recorded")) {
    throw spec::LoadError(file_,
                          "it is a run over recorded calls, whose cases cannot be "
                          "run; name a run of contract_tests against a server");
  }
  const auto names = runs::unfinished_cases(saved.value);
  names_.insert(names.begin(), names.end());
}

std::optional<int> LastFailed::prepare(const setup::Documents& documents) {
  if (names_.empty()) {
    std::cout << "nothing to run: no case failed or was inconclusive in " << file_ << '\n';
    return 0;
  }
  std::set<std::string> gone = names_;
  for (const auto& item : documents.plan.cases) {
    gone.erase(item.id);
  }
  if (!gone.empty()) {
    constexpr std::size_t kNamed = 10;
    const std::vector<std::string> names(gone.begin(), gone.end());
    gone_ = "the plan no longer has cases that failed or were inconclusive in " + file_ + ": " +
            spec::text::names_listed(names, kNamed);
  }
  if (gone.size() == names_.size()) {
    std::cerr << "contract_tests: " << gone_ << '\n';
    return flags::kInconclusive;
  }
  return std::nullopt;
}

// A run that could not try all of them has not passed.
void LastFailed::take(const run::Settings& /*settings*/, report::Run& value) {
  if (!gone_.empty()) {
    value.headlines.push_back(gone_);
  }
}

}  // namespace contract_tests::program::course
