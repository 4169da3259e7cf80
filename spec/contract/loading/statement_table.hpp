#pragma once

// Builds the contract's table of statements out of an inspected document, and finds the statement
// that stands at a node or nearest above it.

#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/statement.hpp"
#include "spec/document/document.hpp"

#include <unordered_map>
#include <vector>

namespace spec::contract::loading {

class StatementTable {
 public:
  // Standards only.
  StatementTable();
  // Standards, then what `inspection` found, in the order of the texts.
  explicit StatementTable(const Inspection& inspection);

  const std::vector<Statement>& statements() const { return statements_; }

  // The statement at `node`; the nearest one above it if it has none of its own. The first
  // standard's if there is none at all.
  StatementId at(document::Node node) const;

 private:
  std::vector<Statement> statements_;
  std::unordered_map<document::Node, StatementId> ids_;
};

}  // namespace spec::contract::loading
