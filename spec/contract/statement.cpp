#include "spec/contract/statement.hpp"

#include <array>
#include <utility>

namespace spec::contract {

namespace {

// In the order of Standard.
constexpr std::array<std::string_view, kStandardCount> kClauses{
    "RFC 8259 §2",     "RFC 8259 §8.1", "RFC 9110 §8.3", "RFC 9110 §9.3.2", "RFC 9110 §15.3.5",
    "WHATWG URL §5.1", "RFC 7578 §4",   "HTML §9.2.5",   "RFC 7464 §2.1"};

}  // namespace

std::string_view to_text(StatementClass statement_class) {
  switch (statement_class) {
    case StatementClass::kDocument: return "document";
    case StatementClass::kStandard: return "standard";
    case StatementClass::kAssumption: return "assumption";
  }
  return "";
}

StatementClass statement_class_from(std::string_view text) {
  if (text == "assumption") {
    return StatementClass::kAssumption;
  }
  return text == "standard" ? StatementClass::kStandard : StatementClass::kDocument;
}

std::string_view clause_of(Standard standard) {
  return kClauses[static_cast<std::size_t>(standard)];
}

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
