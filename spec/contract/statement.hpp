#pragma once

// The contract's table of statements: everything that the document says and a message can break,
// each with its place, the clause of the source document it rests on, and how it is known.

#include <cstdint>
#include <string>

namespace spec::contract {

using StatementId = std::uint32_t;

// How a statement is known: the source document says so; a public standard does (RFC 9110, RFC
// 8259, RFC 3339); or we assume it (`x-assumed`).
enum class StatementClass : std::uint8_t { kDocument, kStandard, kAssumption };

struct Statement {
  std::string pointer;  // JSON pointer of the keyword, parameter or status in the document
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string clause;  // "§4.3"; the nearest `x-source` at or above the place; "" if there is none
  StatementClass statement_class = StatementClass::kDocument;
  std::string reason;  // why it is assumed; "" unless kAssumption
};

std::string_view to_text(StatementClass statement_class);  // "document", "standard", "assumption"

}  // namespace spec::contract
