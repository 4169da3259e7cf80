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

// The entries of --baseline.
struct KnownFindings {
  findings::Date today;
  std::vector<findings::BaselineEntry> entries;
};

// Nothing without --baseline. Throws spec::LoadError if the file or the flags about it cannot be
// used, also one that cannot be written.
std::optional<KnownFindings> load_known(const Options& options, plan::DataFiles& files,
                                        const plan::RuleBook& book, findings::Date today);

struct BaselineComparison {
  findings::BaselineResult result;
  std::optional<std::string> text;  // to be written to the file
};

// `outcomes` as they are before repeated findings are merged. A run that proves nothing as a whole
// writes nothing.
BaselineComparison compare_known(const Options& options, const KnownFindings& known,
                                 const run::Outcomes& outcomes, const findings::RunInput& around,
                                 bool may_write);

// Replaces the file as a whole, or leaves it as it was. Throws spec::LoadError.
void write_known(const std::filesystem::path& file, const std::string& text);

}  // namespace contract_tests::program
