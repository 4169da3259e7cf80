#include "contract_tests/tests/faulty_server/mutant_case.hpp"

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/tests/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace contract_tests::faulty_server {

namespace fs = std::filesystem;
using checks::Finding;
using nlohmann::json;
using spec::document::Node;

namespace {

ExpectedFinding expected_from(const std::string& text) {
  ExpectedFinding finding;
  std::istringstream words(text);
  words >> finding.rule >> finding.statement_class >> std::ws;
  std::getline(words, finding.place);  // "media type" is one
  return finding;
}

Behaviour behaviour_from(const json& data, const json& table) {
  Behaviour behaviour;
  behaviour.when = data.value("when", table.value("when", json::object()));
  behaviour.request = data.value("request", json::array());
  behaviour.response = data.value("response", json::array());
  return behaviour;
}

std::vector<Behaviour> behaviours_from(const json& row, const json& table) {
  if (!row.contains("behaviours")) {
    return {behaviour_from(row, table)};
  }
  std::vector<Behaviour> behaviours;
  for (const auto& part : row.at("behaviours")) {
    behaviours.push_back(behaviour_from(part, json::object()));
  }
  return behaviours;
}

// `row` with what the table says for all its rows.
MutantCase case_from(const Node& node, const json& table, bool conforming) {
  const auto row = node.value();
  MutantCase item;
  item.sentence = row.at("name").get<std::string>();
  item.name = run::slug(item.sentence);
  const auto problem = node.problem("");
  item.place = fs::path(problem.file).filename().string() + ':' + std::to_string(problem.line);
  item.conforming = conforming;
  item.in_process = row.value("in_process", table.value("in_process", false));
  item.operations = row.value("operations", table.value("operations", json::array()));
  item.behaviours = behaviours_from(row, table);
  item.slowly = row.value("slowly", false);
  item.burst = row.value("burst", false);
  item.document_only = row.value("document_only", false);
  item.notes = row.value("notes", table.value("notes", false));
  const auto expect = row.value("expect", table.value("expect", std::string{}));
  if (!expect.empty()) {
    item.expected.push_back(expected_from(expect));
  }
  for (const auto& also : row.value("also", json::array())) {
    item.expected.push_back(expected_from(also));
  }
  return item;
}

// The error in a row that the schema does not find, in words; "" if there is none.
std::string wrong_with(const MutantCase& item) {
  if (item.operations.empty()) {
    return "must name operations, in the row or in its table";
  }
  if (item.conforming) {
    return item.expected.empty() ? "" : "must expect no finding, being a conforming variant";
  }
  return item.expected.empty() ? "must say which finding it expects, in the row or in its table"
                               : "";
}

void load_table(const Node& root, bool conforming, std::vector<MutantCase>& cases,
                std::vector<spec::Problem>& problems) {
  const auto table = root.value();
  const auto rows = root.find("rows");
  for (std::size_t index = 0; index < rows.size(); ++index) {
    auto item = case_from(rows.at(index), table, conforming);
    const auto same = std::ranges::find(cases, item.name, &MutantCase::name);
    if (same != cases.end()) {
      problems.push_back(
          rows.at(index).problem("must have a name of its own, but is called like " + same->place));
    }
    if (auto wrong = wrong_with(item); !wrong.empty()) {
      problems.push_back(rows.at(index).problem(std::move(wrong)));
    }
    cases.push_back(std::move(item));
  }
}

bool meets(const ExpectedFinding& expected, const Finding& finding) {
  return finding.rule == expected.rule &&
         spec::contract::to_text(finding.source.statement_class) == expected.statement_class &&
         (expected.place.empty() || finding.place == expected.place);
}

bool counts(const Finding& finding) {
  return finding.severity != checks::Severity::kNote;
}

bool is_met(const MutantCase& item, const ExpectedFinding& expected,
            const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [&](const Finding& finding) {
    return (item.notes || counts(finding)) && meets(expected, finding);
  });
}

std::string described(const Finding& finding) {
  const auto text = to_text(ExpectedFinding{
      finding.rule, std::string(spec::contract::to_text(finding.source.statement_class)),
      finding.place});
  return text + " (" + finding.case_id + ": " + finding.message.text() + ')';
}

}  // namespace

std::string to_text(const ExpectedFinding& finding) {
  return finding.rule + ' ' + finding.statement_class +
         (finding.place.empty() ? "" : ' ' + finding.place);
}

std::vector<MutantCase> load_mutant_cases() {
  const auto folder = fs::path(test_paths::source()) / "contract_tests/tests";
  plan::DataFiles files(folder / "schemas");
  std::vector<MutantCase> cases;
  std::vector<spec::Problem> problems;
  for (const auto* kind : {"mutants", "conforming"}) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder / kind)) {
      paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    for (const auto& path : paths) {
      load_table(files.read(path, "mutants"), kind == std::string_view("conforming"), cases,
                 problems);
    }
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return cases;
}

std::vector<std::string> compare(const MutantCase& item, const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const auto& expected : item.expected) {
    if (!is_met(item, expected, findings)) {
      lines.push_back("missing: " + to_text(expected));
    }
  }
  std::set<std::string> seen;
  for (const auto& finding : findings) {
    const bool known = std::ranges::any_of(
        item.expected, [&finding](const auto& expected) { return meets(expected, finding); });
    const auto text = described(finding);
    const auto what = text.substr(0, text.find(" ("));
    if (counts(finding) && !known && seen.insert(what).second) {
      lines.push_back("unexpected: " + text);
    }
  }
  return lines;
}

bool MutantCase::is_steady() const {
  return !slowly && !burst && std::ranges::all_of(behaviours, [](const Behaviour& b) {
    return faulty_server::is_steady(b);
  });
}

bool is_right(const MutantCase& item, const std::vector<Finding>& findings) {
  return item.conforming ? std::ranges::none_of(findings, counts)
                         : is_met(item, item.expected.front(), findings);
}

}  // namespace contract_tests::faulty_server
