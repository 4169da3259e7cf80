#pragma once

// Collects the violations of one message.

#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/violation_message.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract::checking {

// A place in a message.
struct MessagePlace {
  Part part = Part::kBody;
  std::string instance;  // JSON pointer inside the part
};

class Violations {
 public:
  Violations(const Contract& contract, const Operation& operation)
      : contract_(contract), operation_(operation) {}

  void add(MessagePlace where, StatementId statement, std::string_view rule,
           text::ViolationMessage message);
  // A violated keyword of a value at `where`.
  void add(const MessagePlace& where, const schema::Violation& violation);

  // Adds that the message depends on a part of the contract that is not understood.
  void add(const Gap& gap);

  void add(Violation violation) { violations_.push_back(std::move(violation)); }

  const Contract& contract() const { return contract_; }

  const Operation& operation() const { return operation_; }

  std::vector<Violation> take() { return std::move(violations_); }

  std::size_t size() const { return violations_.size(); }

  Violation& last() { return violations_.back(); }

 private:
  const Contract& contract_;
  const Operation& operation_;
  std::vector<Violation> violations_;
};

// The reason why a text cannot be decoded: rule "repeated", "encoding" or "malformed".
struct DecodeError {
  std::string_view rule;
  text::ViolationMessage message;  // "must be given once, but is given 2 times"
};

// The error of a value that may be given once and is given `count` times: rule "repeated".
DecodeError repeated_error(std::size_t count);

// "/name", escaped; bytes that are not UTF-8 are triplets (%EF).
std::string pointer_to(std::string_view name);

// The error of a field's name that is not UTF-8; none if it is.
std::optional<DecodeError> name_error(std::string_view name);

using text::in_quotes;

// "must be valid JSON, but is not (byte 7: expected a member name, found '}')".
text::ViolationMessage json_error(const json::ReadError& error);

using text::join_alternatives;

}  // namespace spec::contract::checking
