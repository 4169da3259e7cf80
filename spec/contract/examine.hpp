#pragma once

// A document looked at to its end, for those who want to know everything that is wrong with it and
// with what is judged by it. Not for using the contract: that is load_contract's.

#include "spec/contract/contract.hpp"
#include "spec/load_error.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace spec::contract {

// With problems the contract is there only as far as it could be read, to judge fixtures by and for
// nothing else. Problems are, besides what load_contract throws, those breaches of OpenAPI's rules
// that it can live with: wrong examples, missing fields. The message of each of these ends in
// kOnlyWarned.
inline constexpr const char* kOnlyWarned = "; a start only warns of this";

struct Examination {
  std::optional<Contract> contract;  // nothing when the text cannot be read or is no OpenAPI
  std::vector<Problem> problems;
  std::vector<Problem> warnings;
};

// Never throws LoadError.
Examination examine_contract(const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace spec::contract
