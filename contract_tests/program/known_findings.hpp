#pragma once

// The baseline of a run: read before the first request, compared with the outcomes, and written
// where the flags say so.

#include "contract_tests/findings/baseline.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/program/run_options.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::program {

// What --baseline names.
struct KnownFindings {
  findings::Date today;
  std::vector<findings::Entry> entries;
};

// Nothing without --baseline. Throws spec::LoadError where the file or the flags about it cannot be
// used, also one that cannot be written.
std::optional<KnownFindings> load_known(const Options& options, plan::DataFiles& files,
                                        const plan::RuleBook& book, findings::Date today);

struct Compared {
  findings::Result result;
  std::optional<std::string> text;  // to be written to the file
};

// `outcomes` as they are before habits are merged. A run that proves nothing as a whole writes
// nothing.
Compared compare_known(const Options& options, const KnownFindings& known,
                       const run::Outcomes& outcomes, const findings::Surroundings& around,
                       bool may_write);

// Replaces the file as a whole, or leaves it as it was. Throws spec::LoadError.
void write_known(const std::filesystem::path& file, const std::string& text);

}  // namespace contract_tests::program
