#pragma once

// Builds the contract's table of statements out of an inspected document, and finds the statement
// that stands at a node or nearest above it.

#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/statement.hpp"
#include "spec/document/document.hpp"
#include "spec/document/node_table.hpp"

#include <limits>
#include <vector>

namespace spec::contract::loading {

class StatementTable {
 public:
  // Standards only.
  StatementTable();
  // Standards, then what `inspection` found, in the order of the texts. Marks count if the document
  // `has_marks` (assumptions.hpp).
  StatementTable(const Inspection& inspection, bool has_marks);

  const std::vector<Statement>& statements() const { return statements_; }

  // The statement at `node`; the nearest one above it if it has none of its own. The first
  // standard's if there is none at all.
  StatementId at(document::Node node) const;

 private:
  static constexpr auto kNoStatement = std::numeric_limits<StatementId>::max();

  std::vector<Statement> statements_;
  document::NodeTable<StatementId> ids_{kNoStatement};
};

}  // namespace spec::contract::loading
