#pragma once

// How a run differs from one of every case: which cases it has, and what it says at its end. The
// commands over recorded runs have their own.

#include "contract_tests/program/setup/session.hpp"
#include "contract_tests/report/run_value.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/settings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace contract_tests::program::course {

class Course {
 public:
  Course() = default;
  Course(const Course&) = delete;
  Course& operator=(const Course&) = delete;
  virtual ~Course() = default;

  // Whether a case belongs to the run.
  virtual bool has(const run::Case& /*item*/) const { return true; }

  // Whether failures are printed in full.
  virtual bool prints_failures() const { return true; }

  // When contract and plan are known: an exit code, with which the program ends at once.
  virtual std::optional<int> prepare(const setup::Documents& /*documents*/) { return std::nullopt; }

  // The run did not start, for these reasons: what is said of it on standard output.
  virtual void say_why_not(const std::vector<std::string>& /*reasons*/) {}

  // The outcomes as they came, and what is known of the run, which may be added to.
  virtual void take(const run::Settings& /*settings*/, report::Run& /*value*/) {}

  // Prints the end of the run, which is `run` as a value; gives the exit code.
  virtual int finish(const nlohmann::json& run) const;
};

}  // namespace contract_tests::program::course
