#pragma once

// --last-failed RUN: a run of the cases that failed or were inconclusive in a recorded one.

#include "contract_tests/program/course/course.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace contract_tests::program::course {

class LastFailed : public Course {
 public:
  // Reads the run. Throws spec::LoadError.
  explicit LastFailed(const std::filesystem::path& run);

  bool has(const run::Case& item) const override { return names_.contains(item.id); }

  std::optional<int> prepare(const setup::Documents& documents) override;
  void take(const run::Settings& settings, report::Run& value) override;

 private:
  std::string file_;
  std::set<std::string> names_;
  std::string gone_;  // cases that the plan no longer has, in one line
};

}  // namespace contract_tests::program::course
