#include "spec/contract/checking/violation_list.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace spec::contract::checking {

namespace {

// `text` with each byte that is not UTF-8 as a triplet (%EF).
std::string encode_other_bytes(std::string_view text) {
  std::string encoded;
  while (!text.empty()) {
    const std::size_t sound = text::valid_utf8_prefix(text);
    encoded += text.substr(0, sound);
    encoded += sound < text.size() ? text::percent_encode(text.substr(sound, 1)) : "";
    text.remove_prefix(std::min(sound + 1, text.size()));
  }
  return encoded;
}

}  // namespace

void Violations::add(MessagePlace where, StatementId statement, std::string_view rule,
                     text::ViolationMessage message) {
  violations_.push_back({.operation = operation_.name,
                         .part = where.part,
                         .instance = std::move(where.instance),
                         .statement = statement,
                         .rule = std::string(rule),
                         .message = std::move(message),
                         .undecided = false,
                         .not_understood = false});
}

void Violations::add(const MessagePlace& where, const schema::Violation& violation) {
  add({where.part, where.instance + violation.instance},
      contract_.statement_at(violation.statement), violation.keyword, violation.message);
  violations_.back().undecided = violation.undecided;
  violations_.back().not_understood = violation.not_understood;
}

void Violations::add(const Gap& gap) {
  add({gap.part, ""}, gap.statement, "not-understood", gap.message);
  violations_.back().undecided = true;
  violations_.back().not_understood = true;
}

DecodeError repeated_error(std::size_t count) {
  return {"repeated", {"must be given once", "is given " + std::to_string(count) + " times"}};
}

std::string pointer_to(std::string_view name) {
  std::string pointer;
  json::append_token(pointer, text::is_utf8(name) ? name : encode_other_bytes(name));
  return pointer;
}

std::optional<DecodeError> name_error(std::string_view name) {
  return text::is_utf8(name)
             ? std::nullopt
             : std::optional(DecodeError{
                   "encoding",
                   {"must have a name in UTF-8", "has " + in_quotes(encode_other_bytes(name))}});
}

text::ViolationMessage json_error(const json::ReadError& error) {
  return {"must be valid JSON",
          "is not (byte " + std::to_string(error.byte_offset) + ": " + error.message + ')'};
}

}  // namespace spec::contract::checking
