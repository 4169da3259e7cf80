#include "spec/contract/checking/complaints.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/utf8.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

namespace spec::contract::checking {

namespace {

constexpr std::size_t kLongestQuote = 60;

}  // namespace

void Complaints::add(Where where, StatementId statement, std::string_view rule,
                     std::string message) {
  violations_.push_back({.operation = operation_.name,
                         .part = where.part,
                         .instance = std::move(where.instance),
                         .statement = statement,
                         .rule = std::string(rule),
                         .message = std::move(message),
                         .undecided = false});
}

void Complaints::add(const Where& where, const schema::Complaint& complaint) {
  add({where.part, where.instance + complaint.instance},
      contract_.statement_at(complaint.statement), complaint.keyword, complaint.message);
  violations_.back().undecided = complaint.undecided;
}

std::string pointer_to(std::string_view name) {
  std::string pointer;
  json::append_token(pointer, name);
  return pointer;
}

std::string in_quotes(std::string_view text) {
  std::size_t size = 0;
  std::size_t count = 0;
  while (size < text.size() && count < kLongestQuote) {
    const std::size_t sequence = json::utf8_sequence(text, size);
    size += sequence == 0 ? 1 : sequence;
    ++count;
  }
  std::string shown = json::write(std::string(text.substr(0, size)));
  if (size < text.size()) {
    shown.insert(shown.size() - 1, "...");
  }
  return shown;
}

std::string json_fault(const json::ReadError& error) {
  return "must be JSON text but breaks at byte " + std::to_string(error.byte_offset) + ": " +
         error.message;
}

std::string join_alternatives(const std::vector<std::string>& words) {
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    joined += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    joined += words[i];
  }
  return joined;
}

}  // namespace spec::contract::checking
