#include "spec/contract/statement_table.hpp"

#include <utility>

namespace spec::contract {

StatementTable::StatementTable() {
  for (std::size_t i = 0; i < kStandardCount; ++i) {
    Statement statement;
    statement.clause = clause_of(static_cast<Standard>(i));
    statement.statement_class = StatementClass::kStandard;
    statements_.push_back(std::move(statement));
  }
}

void StatementTable::add(const document::Node& node, Statement statement) {
  ids_.at(node) = static_cast<StatementId>(statements_.size());
  statements_.push_back(std::move(statement));
}

StatementId StatementTable::at(document::Node node) const {
  for (; node; node = node.parent()) {
    if (const StatementId id = ids_.find(node); id != kNoStatement) {
      return id;
    }
  }
  return 0;
}

}  // namespace spec::contract
