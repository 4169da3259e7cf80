#include "spec/contract/statement.hpp"

#include <array>

namespace spec::contract {

namespace {

// In the order of Standard.
constexpr std::array<std::string_view, kStandardCount> kClauses{
    "RFC 8259 §2",       "RFC 8259 §8.1",    "RFC 9110 §8.3",   "RFC 9110 §8.4",
    "RFC 9112 §2.2",     "RFC 9112 §6",      "RFC 9110 §5.5",   "RFC 9110 §15",
    "RFC 9110 §9.3.2",   "RFC 9110 §9.2.1",  "RFC 9110 §9.3.8", "RFC 9110 §15.3.5",
    "RFC 9110 §15.5.6",  "RFC 9110 §11.6.1", "RFC 9110 §14",    "RFC 9110 §13",
    "RFC 9110 §10.2.3",  "RFC 9110 §10.1.1", "RFC 9111 §3.5",   "RFC 3986 §2.1",
    "RFC 3986 §6.2.2",   "RFC 3339 §5.6",    "WHATWG URL §5.1", "RFC 7578 §4",
    "WHATWG Fetch §3.3", "ISO 32000-1 §7.5"};

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

}  // namespace spec::contract
