#pragma once

// Helpers of all readers of fixture files.

#include "mock_server/api/error_table.hpp"
#include "mock_server/api/loading/file_forms.hpp"
#include "spec/contract/contract.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace mock_server::api::loading {

struct LoadContext {
  const spec::contract::Contract& contract;
  const ErrorTable& errors;
  bool document_only = false;  // then what the contract does not have is "not given", not a problem
  Problems& problems;
  Problems& warnings;  // likely mistakes; see add_warning

  void report(const spec::document::Node& at, std::string message) {
    problems.push_back(at.problem(std::move(message)));
  }
};

// "must be the id of an operation of the contract, but is ...", and those that it has.
std::string unknown_operation(const spec::contract::Contract& contract, std::string_view id);

// Adds the warning, unless it was added before.
void add_warning(LoadContext& context, spec::Problem warning);

}  // namespace mock_server::api::loading
