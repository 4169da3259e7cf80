#pragma once

// The lines of the contract's files that a violation is about, for people to read beside it. Reads
// the files when they are asked for, and only files of the contract; one for each explanation.

#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace mock_server::control::journal {

class ContractLines {
 public:
  explicit ContractLines(const spec::contract::Contract& contract) : contract_(contract) {}

  // {"file", "first", "line", "text"}: the line of a statement, as describe() shows it, and up to
  // three lines before and after it. Null where no file says it, or the file has no such line (any
  // more).
  nlohmann::json around(const nlohmann::json& statement);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  const spec::contract::Contract& contract_;
  std::map<std::string, std::vector<std::string>> read_;  // by the name in statements
};

}  // namespace mock_server::control::journal
