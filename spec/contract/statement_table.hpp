#pragma once

// The contract's statements by their places in its documents. Filled by loading, const afterwards.

#include "spec/contract/statement.hpp"
#include "spec/document/document.hpp"

#include <limits>
#include <vector>

namespace spec::contract {

class StatementTable {
 public:
  // Standards only.
  StatementTable();

  // Whether `node` has a statement of its own.
  bool has(const document::Node& node) const { return ids_.find(node) != kNoStatement; }

  // Precondition: it has none yet.
  void add(const document::Node& node, Statement statement);

  const std::vector<Statement>& statements() const { return statements_; }

  // The statement at `node`; the nearest one above it if it has none of its own. The first
  // standard's if there is none at all.
  StatementId at(document::Node node) const;

 private:
  static constexpr auto kNoStatement = std::numeric_limits<StatementId>::max();

  std::vector<Statement> statements_;
  document::NodeTable<StatementId> ids_{kNoStatement};
};

}  // namespace spec::contract
