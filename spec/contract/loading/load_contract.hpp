#pragma once

// Loads OpenAPI documents as contracts. load_contract is for serving and testing; examine_contract
// is for --check, which reports every problem of the document.

#include "spec/contract/contract.hpp"
#include "spec/load_error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract {

struct LoadOptions {
  bool document_only = false;  // take the parts marked x-assumed out, if the document has marks
  // Reports a part of the document that is not understood as a warning, and leaves messages that
  // depend on it undecided. Operations with a $ref that leads nowhere are left out, unless none
  // would be left. Without this it is a problem.
  bool tolerate = false;
  // Leaves out a parameter that repeats an API key of its operation. For a test, which sends the
  // key of the run and no other value.
  bool keys_are_no_parameters = false;
};

// The error of a description whose problems LoadOptions::tolerate would make warnings.
class TolerableError : public LoadError {
 public:
  using LoadError::LoadError;
};

// The start of the warning about a tolerated problem.
inline constexpr const char* kTolerated = "not understood, so what depends on it is undecided: ";

// The start of the warning about an operation that is left out.
inline constexpr const char* kLeftOut =
    "left out, because a $ref that it depends on leads nowhere: ";

// The start of the message about a path whose requests another path gets.
inline constexpr const char* kTwinPath = "this path is the same as ";

// The advice to print after the problems.
inline constexpr const char* kTolerateHint =
    "--tolerate starts anyway: operations that depend on a $ref to nothing are then left out, and "
    "what depends on another of these places is undecided, never valid";

// Throws LoadError with every problem of the document. Tolerated ones are warnings if an operation
// is left.
Contract load_contract(const std::filesystem::path& file, const LoadOptions& options = {});
// Loads from text instead of a file. `name` is the file name in problems.
Contract load_contract_text(std::string_view text, const std::string& name = "contract.yaml",
                            const LoadOptions& options = {});

// The contract of a document with problems has the parts that could be read; it is only for
// validating fixtures. Beside the problems that load_contract throws, there are those violations of
// OpenAPI's rules that do not prevent serving: wrong examples, missing fields. The message of each
// of these ends in kOnlyWarned.
inline constexpr const char* kOnlyWarned = "; only a warning without --check";

struct Examination {
  std::optional<Contract> contract;  // none if the text cannot be read or is no OpenAPI
  std::vector<Problem> problems;
  std::vector<Problem> warnings;
};

// Never throws LoadError.
Examination examine_contract(const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace spec::contract
