#pragma once

// The number of mutants that the suite caught, by class, and of conforming variants that it left
// alone: noted by each shard of the tests in a file, summed over all shards and held to the gate.
// For tests of the suite alone.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/tests/faulty_server/mutant_case.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace contract_tests::faulty_server {

// Name of a row -> whether it was right (is_right).
using Outcomes = std::map<std::string, bool>;

// Throw std::runtime_error when a file cannot be written or read.
void write_outcomes(const Outcomes& outcomes, const std::filesystem::path& file);
// Those of every .json file of `folder`.
Outcomes read_outcomes(const std::filesystem::path& folder);

// A line for each class with its rate, a line on false alarms, and the rows that were not right or
// not tried.
std::string summary(const std::vector<MutantCase>& cases, const Outcomes& outcomes);

// The figures below the gate, one line each; empty when every row was tried, every mutant of class
// document and standard was caught, 98 of 100 of class assumption, and no conforming variant raised
// a false alarm.
std::vector<std::string> below_gate(const std::vector<MutantCase>& cases, const Outcomes& outcomes);

// Why rules have no mutant, by rule.
using Reasons = std::map<std::string, std::string>;

// rules_without_mutant.yaml. Throws spec::LoadError.
Reasons load_reasons();

// The rules of the book, one line each, that have neither a mutant nor a reason, or both; and
// reasons for what is no rule.
std::vector<std::string> rules_below_gate(const std::vector<MutantCase>& cases,
                                          const plan::RuleBook& book, const Reasons& reasons);

}  // namespace contract_tests::faulty_server
