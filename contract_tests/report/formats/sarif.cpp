#include "contract_tests/report/formats/sarif.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/baseline_value.hpp"
#include "contract_tests/report/formats/code_hosts.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <vector>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;

namespace {

json sarif_text(const std::string& text) {
  return {{"text", spec::text::shortened(text, kMaxDescription)}};
}

std::string class_in_words(const std::string& name) {
  return name == "document"   ? "the source document states it"
         : name == "standard" ? "a standard states it"
                              : "the contract assumes it";
}

// The texts of a rule of the rule book, as the run value has it.
struct RuleWords {
  std::string says;
  std::string clause;
  std::string statement_class;
};

RuleWords words_of(const json& run, const json& finding) {
  const auto rules = run.value("rules", json::object());
  const auto id = text_of(finding, "rule");
  const auto entry = rules.value(id, json::object());
  return {.says = entry.value("says", id),
          .clause = entry.value("clause", text_of(finding, "clause")),
          .statement_class = entry.value("class", text_of(finding, "class"))};
}

std::string sentence_case(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

// The rule of the first finding that violates it, which is the worst one.
json rule_json(const json& run, const json& finding) {
  const auto words = words_of(run, finding);
  const auto id = text_of(finding, "rule");
  const auto source = words.clause + " (" + words.statement_class + ": " +
                      class_in_words(words.statement_class) + ")";
  const auto help = sentence_case(words.says) + ".\n\nSource: " + source +
                    ".\n\nEach result names the request, what was expected and what came; its "
                    "curl line sends the request again.";
  const auto severity = text_of(finding, "severity");
  return {{"id", id},
          {"name", id},
          {"shortDescription", sarif_text(sentence_case(words.says))},
          {"fullDescription", sarif_text(sentence_case(words.says) + ". Source: " + source + ".")},
          {"help", {{"text", help}, {"markdown", "**" + id + "**\n\n" + help}}},
          {"defaultConfiguration", {{"level", severity}}},
          {"properties",
           {{"tags", {"contract", id.substr(0, id.find('/')), words.statement_class}},
            {"precision", words.statement_class == "assumption" ? "medium" : "very-high"},
            {"problem.severity", severity == "note" ? "recommendation" : severity}}}};
}

json location_json(const Location& location) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", spec::text::percent_encode(location.path, "/")}}},
            {"region",
             {{"startLine", location.line},
              {"startColumn", location.column},
              {"endLine", location.line},
              {"endColumn", location.column + 1}}}}}};
}

// The title is the first sentence; then how to see it again.
std::string message_of(const DistinctFinding& found) {
  const auto& finding = *found.finding;
  auto text = sentence_of(found) + ".\n\n";
  if (found.cases > 1) {
    text += "Found in " + std::to_string(found.cases) + " cases. ";
  }
  text += "The first case: " + text_of(*found.item, "sentence") + ".\n";
  const auto response = text_of(finding, "response");
  text += response.empty() ? "" : "Response: " + response + ".\n";
  const auto curl = text_of(finding, "curl");
  return text + (curl.empty() ? "" : "Reproduce: " + curl);
}

json result_json(const json& run, const DistinctFinding& found, std::size_t rule) {
  const auto& finding = *found.finding;
  const auto fingerprint = text_of(finding, "fingerprint");
  json properties{{"case", text_of(*found.item, "id")},
                  {"cases", found.cases},
                  {"operation", text_of(*found.item, "operation_name")},
                  {"class", text_of(finding, "class")},
                  {"clause", text_of(finding, "clause")},
                  {"place", text_of(finding, "place")},
                  {"curl", spec::text::shortened(text_of(finding, "curl"), kMaxDescription)}};
  if (finding.contains("operations")) {
    properties["operations"] = finding.at("operations");
  }
  auto location = location_json(location_of(run, finding));
  if (const auto pointer = text_of(finding, "pointer"); !pointer.empty()) {
    location["logicalLocations"] = json::array({{{"fullyQualifiedName", pointer}}});
  }
  return {{"ruleId", text_of(finding, "rule")},
          {"ruleIndex", rule},
          {"level", text_of(finding, "severity")},
          {"message", sarif_text(message_of(found))},
          {"locations", json::array({std::move(location)})},
          {"partialFingerprints",
           {{"primaryLocationLineHash", fingerprint + ":1"}, {"counterpart/v1", fingerprint}}},
          {"properties", std::move(properties)}};
}

json suppression_json(const std::string& reason) {
  return {{"kind", "external"}, {"status", "accepted"}, {"justification", reason}};
}

// Results within the limits, each with its rule.
class Results {
 public:
  explicit Results(const json& run) : run_(run), entries_(entries_by_id(run)) {
    const auto all = distinct_findings(run);
    for (const auto& found : all) {
      if (results_.size() == kMaxListed || !add(found)) {
        break;
      }
    }
    left_out_ = all.size() - results_.size();
  }

  json take_results() { return std::move(results_); }

  json take_rules() { return std::move(rules_); }

  std::size_t left_out() const { return left_out_; }

 private:
  bool add(const DistinctFinding& found) {
    const auto [rule, is_new] =
        indices_.try_emplace(text_of(*found.finding, "rule"), indices_.size());
    auto result = result_json(run_, found, rule->second);
    if (baseline_knows(*found.finding)) {
      const auto entry = entries_.find(text_of(*found.finding, "fingerprint"));
      result["suppressions"] = json::array({suppression_json(
          entry == entries_.end() ? "in the baseline" : text_of(*entry->second, "reason"))});
    }
    auto made = is_new ? rule_json(run_, *found.finding) : json();
    const auto bytes =
        spec::json::write(result).size() + (is_new ? spec::json::write(made).size() : 0) + 2;
    if (bytes_ + bytes > kMaxListBytes) {
      return false;
    }
    bytes_ += bytes;
    results_.push_back(std::move(result));
    if (is_new) {
      rules_.push_back(std::move(made));
    }
    return true;
  }

  const json& run_;
  std::map<std::string, const json*> entries_;  // of the baseline, by fingerprint
  std::map<std::string, std::size_t> indices_;  // of rules, by id
  json results_ = json::array();
  json rules_ = json::array();
  std::size_t bytes_ = 0;
  std::size_t left_out_ = 0;
};

// The problems of the whole run, and the number of results left out.
json invocation_json(const json& run, std::size_t left_out) {
  auto notes = json::array();
  for (const auto& problem : run.at("problems")) {
    notes.push_back({{"level", "error"}, {"message", sarif_text(problem.get<std::string>())}});
  }
  if (const auto text = left_out_sentence(run, left_out); !text.empty()) {
    notes.push_back({{"level", "warning"}, {"message", sarif_text(text)}});
  }
  const auto verdict = text_of(run, "verdict");
  return {{"executionSuccessful", verdict == "passed" || verdict == "failed"},
          {"exitCode", run.at("exit")},
          {"startTimeUtc", text_of(run, "started")},
          {"toolExecutionNotifications", std::move(notes)}};
}

json counts_json(const json& run) {
  return {{"verdict", text_of(run, "verdict")},
          {"contract", text_of(run, "contract")},
          {"counts", run.at("counts")},
          {"plan", run.at("plan").at("hash")}};
}

}  // namespace

std::string sarif(const json& run) {
  Results results(run);
  const auto contract = location_of(run, json::object()).path;
  json driver{
      {"name", "contract_tests"}, {"organization", "Counterpart"}, {"rules", results.take_rules()}};
  if (run.contains("version")) {
    driver["semanticVersion"] = run.at("version");
  }
  json made{{"tool", {{"driver", std::move(driver)}}},
            {"columnKind", "unicodeCodePoints"},
            {"automationDetails",
             {{"id", "counterpart/" + contract + '/' + text_of(run, "target") + '/'}}},
            {"invocations", json::array({invocation_json(run, results.left_out())})},
            {"results", results.take_results()},
            {"properties", counts_json(run)}};
  return spec::json::write({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", json::array({std::move(made)})}}) +
         '\n';
}

}  // namespace contract_tests::report::formats
