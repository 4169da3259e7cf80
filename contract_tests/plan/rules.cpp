#include "contract_tests/plan/rules.hpp"

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;
using spec::document::Node;

namespace {

StatementClass class_from(std::string_view text) {
  if (text == "assumption") {
    return StatementClass::kAssumption;
  }
  return text == "standard" ? StatementClass::kStandard : StatementClass::kDocument;
}

std::string text_or(const Node& node, std::string_view key, std::string_view otherwise = {}) {
  const auto found = node.find(key);
  return std::string(found ? found.string() : otherwise);
}

json block(const Node& node, std::string_view key) {
  const auto found = node.find(key);
  return found ? found.value() : json();
}

OperationRules operation_rules(const Node& node) {
  OperationRules rules;
  if (const auto request = node.find("request")) {
    rules.request = request_from(request.value());
  }
  for (const auto& unknown : node.find("unknown").elements()) {
    rules.unknown.push_back(request_from(unknown.value()));
  }
  const auto writes = node.find("writes");
  if (writes) {
    rules.writes = writes.boolean();
  }
  rules.answer = block(node, "answer");
  rules.pages = block(node, "pages");
  rules.filters = block(node, "filters");
  rules.update = block(node, "update");
  rules.file = block(node, "file");
  rules.burst = block(node, "burst");
  rules.moves = block(node, "moves");
  return rules;
}

}  // namespace

const Rule* find_rule(const RuleBook& book, std::string_view rule) {
  auto found = book.find(rule);
  if (found == book.end()) {
    found = book.find(std::string(rule.substr(0, rule.find('/'))) + "/any");
  }
  return found == book.end() ? nullptr : &found->second;
}

RuleBook load_rule_book(DataFiles& files, const std::filesystem::path& file) {
  RuleBook book;
  for (const auto& member : files.read(file, "rule_book").members()) {
    Rule rule;
    rule.says = text_or(member.value, "says");
    rule.rests.clause = text_or(member.value, "clause");
    rule.rests.statement_class = class_from(text_or(member.value, "class"));
    rule.severity = checks::severity_from(text_or(member.value, "severity"));
    book.emplace(member.key, std::move(rule));
  }
  return book;
}

const OperationRules& Rules::of(std::string_view operation) const {
  static const OperationRules kNone;
  const auto found = operations.find(operation);
  return found == operations.end() ? kNone : found->second;
}

Rules load_rules(DataFiles& files, const std::filesystem::path& file) {
  const auto root = files.read(file, "rules");
  Rules rules;
  for (const auto& member : root.find("subjects").members()) {
    rules.subjects.push_back(
        {std::string(member.key), text_or(member.value, "is"), text_or(member.value, "example")});
  }
  for (const auto& member : root.find("operations").members()) {
    rules.operations.emplace(member.key, operation_rules(member.value));
  }
  return rules;
}

}  // namespace contract_tests::plan
