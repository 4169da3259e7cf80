#include "contract_tests/tests/faulty_server/summary.hpp"

#include "contract_tests/plan/rule_book.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/tests/paths.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace contract_tests::faulty_server {

using nlohmann::json;

namespace {

struct Count {
  std::size_t all = 0;
  std::size_t right = 0;
};

// By "document", "standard", "assumption" and "conforming".
std::map<std::string, Count> count(const std::vector<MutantCase>& cases, const Outcomes& outcomes) {
  std::map<std::string, Count> counts;
  for (const auto& item : cases) {
    auto& of_kind = counts[item.conforming ? "conforming" : item.statement_class()];
    const auto found = outcomes.find(item.name);
    of_kind.all += 1;
    of_kind.right += found != outcomes.end() && found->second ? 1 : 0;
  }
  return counts;
}

std::string percent(const Count& count) {
  std::array<char, 32> text{};
  const auto rate = count.all == 0
                        ? 0.0
                        : 100.0 * static_cast<double>(count.right) / static_cast<double>(count.all);
  std::snprintf(text.data(), text.size(), "%.1f %%", rate);
  return text.data();
}

}  // namespace

void write_outcomes(const Outcomes& outcomes, const std::filesystem::path& file) {
  std::ofstream out(file);
  out << spec::json::write_pretty(json(outcomes)) << '\n';
  if (!out.flush()) {
    throw std::runtime_error(file.string() + " cannot be written");
  }
}

Outcomes read_outcomes(const std::filesystem::path& folder) {
  Outcomes all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") {
      continue;
    }
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const auto data = spec::json::read(text.str());
    if (!data) {
      throw std::runtime_error(entry.path().string() + " cannot be read");
    }
    all.merge(data->get<Outcomes>());
  }
  return all;
}

std::string summary(const std::vector<MutantCase>& cases, const Outcomes& outcomes) {
  auto counts = count(cases, outcomes);
  std::string text;
  for (const auto* kind : {"document", "standard", "assumption"}) {
    const auto& of_kind = counts[kind];
    text += "mutants caught, class " + std::string(kind) + ": " + std::to_string(of_kind.right) +
            " of " + std::to_string(of_kind.all) + " (" + percent(of_kind) + ")\n";
  }
  const auto alarms = std::ranges::count_if(cases, [&outcomes](const MutantCase& item) {
    const auto found = outcomes.find(item.name);
    return item.conforming && found != outcomes.end() && !found->second;
  });
  text += "false alarms: " + std::to_string(alarms) + " in " +
          std::to_string(counts["conforming"].all) + " conforming variants\n";
  for (const auto& item : cases) {
    const auto found = outcomes.find(item.name);
    if (found == outcomes.end() || !found->second) {
      const auto* what = item.conforming ? "false alarm: " : "survived: ";
      text += "  " + std::string(found == outcomes.end() ? "not tried: " : what) + item.place +
              ' ' + item.sentence + '\n';
    }
  }
  return text;
}

std::vector<std::string> below_gate(const std::vector<MutantCase>& cases,
                                    const Outcomes& outcomes) {
  auto counts = count(cases, outcomes);
  std::vector<std::string> problems;
  const auto demand = [&problems](bool met, std::string must) {
    if (!met) {
      problems.push_back(std::move(must));
    }
  };
  for (const auto* kind : {"document", "standard"}) {
    demand(counts[kind].right == counts[kind].all,
           "every mutant of class " + std::string(kind) + " must be caught");
  }
  demand(counts["assumption"].right * 100 >= counts["assumption"].all * 98,
         "98 of 100 mutants of class assumption must be caught");
  demand(counts["conforming"].right == counts["conforming"].all,
         "no conforming variant may raise a false alarm");
  for (const auto& item : cases) {
    demand(outcomes.contains(item.name), "must be tried: " + item.sentence);
  }
  return problems;
}

Reasons load_reasons() {
  const auto folder = std::filesystem::path(test_paths::source()) / "contract_tests/tests";
  plan::DataFiles files(folder / "schemas");
  return files.read(folder / "rules_without_mutant.yaml", "rules_without_mutant")
      .value()
      .get<Reasons>();
}

std::vector<std::string> rules_below_gate(const std::vector<MutantCase>& cases,
                                          const plan::RuleBook& book, const Reasons& reasons) {
  std::set<std::string> named;
  for (const auto& item : cases) {
    for (const auto& expected : item.expected) {
      named.insert(expected.rule);
    }
  }
  std::vector<std::string> problems;
  for (const auto& [rule, entry] : book) {
    if (named.contains(rule) == reasons.contains(rule)) {
      problems.push_back(rule + (named.contains(rule)
                                     ? " has a mutant, and a reason why it has none"
                                     : " must be named by a mutant, or by a reason why not"));
    }
  }
  for (const auto& [rule, reason] : reasons) {
    if (!book.contains(rule)) {
      problems.push_back(rule + " has a reason, but is no rule");
    }
  }
  return problems;
}

}  // namespace contract_tests::faulty_server
