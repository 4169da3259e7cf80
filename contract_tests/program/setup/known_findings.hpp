#pragma once

// The baseline of a run: read before the first request, compared with the outcomes, and written
// where the flags say so.

#include "contract_tests/baseline/states.hpp"
#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/plan/rules.hpp"
#include "contract_tests/program/flags/options.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::program::setup {

// What --baseline names.
struct KnownFindings {
  baseline::Date today;
  std::vector<baseline::Entry> entries;
};

// Nothing without --baseline. Throws spec::LoadError where the file or the flags about it cannot be
// used, also one that cannot be written.
std::optional<KnownFindings> load_known(const flags::Options& options, plan::DataFiles& files,
                                        const plan::RuleBook& book, baseline::Date today);

struct Compared {
  baseline::Result result;
  std::optional<std::string> text;  // to be written to the file
};

// `outcomes` as they are before habits are merged. A run that proves nothing as a whole writes
// nothing.
Compared compare_known(const flags::Options& options, const KnownFindings& known,
                       const run::Outcomes& outcomes, const baseline::Surroundings& around,
                       bool may_write);

// Replaces the file as a whole, or leaves it as it was. Throws spec::LoadError.
void write_known(const std::filesystem::path& file, const std::string& text);

}  // namespace contract_tests::program::setup
