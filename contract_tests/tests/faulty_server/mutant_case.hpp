#pragma once

// The rows of contract_tests/tests/mutants/ and conforming/: servers with one fault each, which the
// suite must catch by exactly the findings that the row names, and unusual but correct servers, on
// which it must find nothing. For tests of the suite alone.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/tests/faulty_server/transform.hpp"

#include <compare>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::faulty_server {

// An expected finding: its rule, the class of its source, and its place if the row names one.
struct ExpectedFinding {
  std::string rule;
  std::string statement_class;  // "document", "standard" or "assumption"
  std::string place;            // "" for any

  friend auto operator<=>(const ExpectedFinding&, const ExpectedFinding&) = default;
};

// "schema/type document body/name": as tables write it.
std::string to_text(const ExpectedFinding& finding);

// One row of a table.
struct MutantCase {
  std::string sentence;  // what is wrong with the server, or unusual about it; unique
  std::string name;      // slug of the sentence
  std::string place;     // "json_text.yaml:12:5"
  bool conforming = false;
  bool in_process = false;              // tried on recorded responses instead of over sockets
  std::vector<std::string> operations;  // ids, whose cases are carried out
  std::vector<Behaviour> behaviours;
  std::vector<ExpectedFinding>
      expected;                // the one that the row is about first; empty if conforming
  bool slowly = false;         // the suite waits before the cases with `later`
  bool burst = false;          // the suite may send bursts
  bool document_only = false;  // assumptions of the contract do not count
  bool notes = false;          // notes are what it expects

  // True if its fault is in every run: not at times, and not in a crowd.
  bool is_steady() const;

  // Class of the finding that a mutant is about.
  const std::string& statement_class() const { return expected.front().statement_class; }
};

// Every row of both folders, in the order of files and rows. Throws spec::LoadError with every
// problem: what breaks schemas/mutants.schema.yaml, and a name that two rows have.
std::vector<MutantCase> load_mutant_cases();

// The differences from the expected findings, one line each: missing ones ("missing: ..."), and
// errors and warnings that nothing names ("unexpected: ..."). Empty when they are exactly as
// expected. Notes do not count.
std::vector<std::string> compare(const MutantCase& item,
                                 const std::vector<checks::Finding>& findings);

// True when a mutant was found by the finding that it is about, or nothing was found on a
// conforming variant.
bool is_right(const MutantCase& item, const std::vector<checks::Finding>& findings);

}  // namespace contract_tests::faulty_server
