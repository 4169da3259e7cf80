#include "contract_tests/run/severities.hpp"

#include "spec/load_error.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace contract_tests::run {

using checks::Source;
using plan::RuleBook;
using Weights = std::map<std::string, Weight>;

namespace {

std::optional<Weight> find_in(const Weights& weights, const std::string& key) {
  const auto found = weights.find(key);
  return found == weights.end() ? std::nullopt : std::optional(found->second);
}

std::string family_of(const std::string& rule) {
  return rule.substr(0, rule.find('/')) + "/*";
}

std::optional<Weight> unlisted_weight(const Weights& weights, int status) {
  if (const auto exact = find_in(weights, std::to_string(status))) {
    return exact;
  }
  return find_in(weights, std::to_string(status / 100) + "xx");
}

Weight weight_from(std::string_view text) {
  const auto severity = checks::severity_from(text);
  return {.off = !severity, .severity = severity.value_or(checks::Severity::kNote)};
}

Weights weights_at(const spec::document::Node& root, std::string_view key) {
  Weights weights;
  for (const auto& member : root.find(key).members()) {
    weights.emplace(member.key, weight_from(member.value.string()));
  }
  return weights;
}

bool is_known(const RuleBook& book, const std::string& rule) {
  if (!rule.ends_with("/*")) {
    return book.contains(rule) || book.contains(rule.substr(0, rule.find('/')) + "/any");
  }
  const auto family = rule.substr(0, rule.size() - 1);
  const auto found = book.lower_bound(family);
  return found != book.end() && found->first.starts_with(family);
}

}  // namespace

std::optional<Weight> weight_of(const Severities& severities, const std::string& rule,
                                const Source& source, int status) {
  auto weight = find_in(severities.rules, rule);
  if (!weight) {
    weight = find_in(severities.rules, family_of(rule));
  }
  if (!weight && rule == "status/undeclared") {
    weight = unlisted_weight(severities.unlisted, status);
  }
  if (!weight) {
    weight = find_in(severities.clauses, source.clause);
  }
  if (!weight) {
    weight =
        find_in(severities.classes, std::string(spec::contract::to_text(source.statement_class)));
  }
  return weight;
}

Severities load_severities(plan::DataFiles& files, const std::filesystem::path& file,
                           const RuleBook& book) {
  const auto root = files.read(file, "severities");
  Severities severities{.rules = weights_at(root, "rules"),
                        .clauses = weights_at(root, "clauses"),
                        .classes = weights_at(root, "classes"),
                        .unlisted = weights_at(root, "unlisted_statuses")};
  for (const auto& [rule, weight] : severities.rules) {
    if (!is_known(book, rule)) {
      throw spec::LoadError(spec::Problem{file.string(), 0, 0, "/rules/" + rule,
                                          "unknown rule; --list prints the rule of every case"});
    }
  }
  return severities;
}

}  // namespace contract_tests::run
