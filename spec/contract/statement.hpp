#pragma once

// The contract's table of statements: everything that the document says and a message can violate,
// each with its place, its section of the source document, and its class. The table starts with the
// few statements that public standards make about every message; then those of the documents, in
// the order of their texts.

#include "spec/document/document.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract {

using StatementId = std::uint32_t;

// The source of a statement: the source document, a public standard (RFC 9110, RFC 8259, RFC 3339),
// or an assumption (`x-assumed`).
enum class StatementClass : std::uint8_t { kDocument, kStandard, kAssumption };

struct Statement {
  std::string pointer;  // JSON pointer of the keyword, parameter or status in the document
  std::string file;     // "" for a standard's
  std::size_t line = 0;
  std::size_t column = 0;
  std::string clause;  // "§4.3": the nearest `x-source` at or above the place; "RFC 9110 §15.5.6"
  StatementClass statement_class = StatementClass::kDocument;
  std::string reason;  // why it is assumed; "" unless kAssumption
};

std::string_view to_text(StatementClass statement_class);  // "document", "standard", "assumption"

// kDocument for any other text.
StatementClass statement_class_from(std::string_view text);

// The statements of standards about every message of every contract. The same ids in every table.
enum class Standard : std::uint8_t {
  kJsonText,        // RFC 8259 §2: a body under a JSON media type is one JSON text
  kJsonUtf8,        // RFC 8259 §8.1: in UTF-8, without a byte order mark
  kMediaTypeField,  // RFC 9110 §8.3: one readable Content-Type
  kHead,            // RFC 9110 §9.3.2: no content in the response
  kNoContent,       // RFC 9110 §15.3.5: none with 204, 205 and 304
  kForm,            // WHATWG URL §5.1: application/x-www-form-urlencoded
  kMultipart,       // RFC 7578 §4
  kEvents,          // HTML §9.2.5: text/event-stream
  kRecords          // RFC 7464 §2.1: JSON text sequences
};

inline constexpr std::size_t kStandardCount = static_cast<std::size_t>(Standard::kRecords) + 1;

// The id of a standard's statement, in every table.
constexpr StatementId statement_of(Standard standard) {
  return static_cast<StatementId>(standard);
}

// "RFC 8259 §2".
std::string_view clause_of(Standard standard);

// The contract's statements by their places in its documents. Filled by loading, const afterwards.
class StatementTable {
 public:
  // Standards only.
  StatementTable();

  // True if `node` has a statement of its own.
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
