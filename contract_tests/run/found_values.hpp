#pragma once

// Values for what a plan made up, of records that exist: those that lists show, and, with consent,
// those that the run creates, parents first.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/case_run.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run {

enum class Search : std::uint8_t {
  kLists,  // what lists show, for every operation: a person decides what is done with it
  kRun     // what this run may use
};

struct FoundValues {
  std::map<std::string, std::string> values;  // by "OPERATION.PARAMETER"
  std::set<std::string> created;              // names of those that are of records of the run's own
  std::vector<std::string> lacking;           // names of operations with a value that was not found
};

// For the operations of the cases with these indices that may run. A list is an operation with GET
// whose response holds objects, and whose required parameters, if any, are the parents in its path,
// which are found in the same way. Of its first object, the member fits that is the identifier, or,
// in the query, that has the parameter's name and type. A request that only reads takes what lists
// show, one that writes takes records of the run's own; so does one about a record below another.
FoundValues find_values(CaseRun& case_run, const Plan& plan,
                        const std::vector<std::size_t>& selected, Search search);

}  // namespace contract_tests::run
