#pragma once

// What the suite demands beyond the schema, as data: the rule book (what each rule id means, what
// it rests on, how severe a breach is) and the rules by operation id. Loaded once, then const.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/plan/request_plan.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

// One entry of the rule book.
struct Rule {
  std::string says;      // "a page holds the default number of items when no size is given"
  checks::Source rests;  // clause and class, unless the complaint brings its own
  std::optional<checks::Severity> severity;  // instead of what class and target give
};

using RuleBook = std::map<std::string, Rule, std::less<>>;

// The rule's own entry, else that of its family ("schema/any"); null when there is neither.
const Rule* find_rule(const RuleBook& book, std::string_view rule);

RuleBook load_rule_book(DataFiles& files, const std::filesystem::path& file);

struct Subject {
  std::string name;     // "licence.valid"
  std::string is;       // what it must be, in words
  std::string example;  // what --print-subjects writes
};

// The rules of one operation. The blocks keep the form that rules.schema.yaml gives them: null when
// the operation has none.
struct OperationRules {
  std::optional<RequestPlan> request;  // a plain valid request
  std::vector<RequestPlan> unknown;    // over `request`: well-formed, but nobody's
  std::optional<bool> writes;          // whether accepted requests may change something
  nlohmann::json answer;               // demands on every success
  nlohmann::json pages;
  nlohmann::json filters;
  nlohmann::json update;
  nlohmann::json file;
  nlohmann::json burst;
  nlohmann::json moves;  // what differs from reading to reading
};

struct Rules {
  std::vector<Subject> subjects;  // in the order of the file
  std::map<std::string, OperationRules, std::less<>> operations;

  // The rules of `operation`; empty ones when the file says nothing about it.
  const OperationRules& of(std::string_view operation) const;
};

Rules load_rules(DataFiles& files, const std::filesystem::path& file);

}  // namespace contract_tests::plan
