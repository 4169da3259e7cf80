#include "spec/contract/violation.hpp"

#include "spec/contract/contract.hpp"

#include <string>
#include <string_view>

namespace spec::contract {

namespace {

// "paths/brands.yaml#" for a statement of another file than the contract's first; "" for one of
// that.
std::string file_within(const Contract& contract, const Statement& statement) {
  return statement.file == contract.root().place().file ? "" : statement.file + '#';
}

}  // namespace

std::string_view to_text(Part part) {
  switch (part) {
    case Part::kPath: return "path";
    case Part::kQuery: return "query";
    case Part::kHeader: return "header";
    case Part::kCookie: return "cookie";
    case Part::kBody: return "body";
    case Part::kStatus: return "status";
    case Part::kMediaType: return "media type";
    case Part::kFraming: return "framing";
    case Part::kSecurity: return "security";
  }
  return "";
}

std::string to_line(const Contract& contract, const Violation& violation) {
  const Statement& statement = contract.statement(violation.statement);
  std::string line = violation.operation;
  line += line.empty() ? "" : " ";
  line += to_text(violation.part);
  line += violation.instance + ": " + violation.message.text();
  if (!statement.pointer.empty()) {
    line += " [" + file_within(contract, statement) + statement.pointer + ']';
  }
  if (!statement.clause.empty()) {
    line += " (" + statement.clause + ')';
  }
  return line;
}

}  // namespace spec::contract
