#include "contract_tests/findings/baseline.hpp"

#include "contract_tests/plan/rule_book.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/time/instant.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace contract_tests::findings {

using checks::Finding;
using checks::Severity;
using run::Outcome;
using run::Verdict;
using spec::Problem;
using spec::document::Node;

namespace {

constexpr std::string_view kVersion = "1";

constexpr std::string_view kHead =
    "# Findings that are known to contract_tests --baseline. One that is not here fails the run; "
    "one that\n"
    "# is here does not, through the day of \"expires\". Written by --baseline-write and "
    "--baseline-prune,\n"
    "# which keep what you change, but no comments.\n";

std::string text_at(const Node& entry, std::string_view key) {
  const auto node = entry.find(key);
  return node ? std::string(node.string()) : std::string();
}

// The date at `key`; the epoch, and a problem, where it is none.
Date date_at(const Node& entry, std::string_view key, std::vector<Problem>& problems) {
  const auto node = entry.find(key);
  const auto date = date_from(node.string());
  if (!date) {
    problems.push_back(node.problem(std::string(key) + " must be a date as 2026-12-01 is, but is " +
                                    spec::text::in_quotes(node.string())));
  }
  return date.value_or(Date{});
}

BaselineEntry entry_at(const Node& node, std::vector<Problem>& problems) {
  BaselineEntry entry{.id = text_at(node, "id"),
                      .operation = text_at(node, "operation"),
                      .rule = text_at(node, "rule"),
                      .statement_class = text_at(node, "class"),
                      .clause = text_at(node, "clause"),
                      .pointer = text_at(node, "pointer"),
                      .stated_at = text_at(node, "stated_at"),
                      .place = text_at(node, "place"),
                      .says = text_at(node, "says"),
                      .reason = text_at(node, "reason"),
                      .owner = text_at(node, "owner"),
                      .ticket = text_at(node, "ticket"),
                      .added = date_at(node, "added", problems),
                      .expires = date_at(node, "expires", problems),
                      .seed = std::nullopt,
                      .cases = {}};
  if (const auto seed = node.find("seed")) {
    entry.seed = spec::text::parse_number<std::uint64_t>(seed.number_text());
    if (!entry.seed) {
      problems.push_back(seed.problem("must be written in digits alone"));
    }
  }
  for (const auto& name : node.find("cases").elements()) {
    entry.cases.emplace_back(name.string());
  }
  return entry;
}

// The problem of an entry that the schema allows, if it has one.
void check(const BaselineEntry& entry, const Node& node, const EntryConditions& terms,
           std::vector<Problem>& problems) {
  const auto* rule = find_rule(terms.book, entry.rule);
  if (rule != nullptr && rule->never_known) {
    problems.push_back(node.problem(entry.rule +
                                    " is a leak, which no baseline can hold; remove this entry "
                                    "and fix the service"));
  }
  const auto ahead = (entry.expires - terms.today).count();
  if (ahead > static_cast<long>(terms.max_days)) {
    problems.push_back(node.find("expires").problem(
        "expires must be at most " + std::to_string(terms.max_days) + " days ahead, but is " +
        std::to_string(ahead) + "; choose an earlier day, or a greater --baseline-days"));
  }
}

[[noreturn]] void reject_version(const Node& version) {
  throw spec::LoadError(
      version.problem("version must be " + std::string(kVersion) + ", but is " +
                      std::string(version.number_text()) +
                      "; use the contract_tests that wrote this file, or write a new one with "
                      "--baseline-write"));
}

// A YAML text in double quotes: JSON's, but for characters that YAML escapes (YAML 1.2.2 §5.1).
std::string in_yaml(std::string_view text) {
  std::string json;
  spec::text::append_json_string(json, text);
  std::string out;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const auto byte = static_cast<unsigned char>(json[at]);
    const auto next = at + 1 < json.size() ? static_cast<unsigned char>(json[at + 1]) : 0U;
    const bool c1 = byte == 0xC2 && next < 0xA0;  // U+0080 to U+009F
    if (byte == 0x7F || c1) {
      const auto code = c1 ? next : byte;
      out += "\\x" + spec::text::to_hex(std::string(1, static_cast<char>(code)));
      at += c1 ? 1 : 0;
    } else if (byte == 0xEF &&
               (json.substr(at, 3) == "\xEF\xBF\xBE" || json.substr(at, 3) == "\xEF\xBF\xBF" ||
                json.substr(at, 3) == "\xEF\xBB\xBF")) {
      out += "\xEF\xBF\xBD";
      at += 2;
    } else {
      out += json[at];
    }
  }
  return out;
}

void add_line(std::string& text, std::string_view key, std::string_view value) {
  if (!value.empty()) {
    text += "    " + std::string(key) + ": " + in_yaml(value) + '\n';
  }
}

void add_entry(std::string& text, const BaselineEntry& entry) {
  text += "  - id: " + in_yaml(entry.id) + '\n';
  add_line(text, "operation", entry.operation);
  add_line(text, "rule", entry.rule);
  text += "    class: " + entry.statement_class + '\n';
  text += "    clause: " + in_yaml(entry.clause) + '\n';
  add_line(text, "pointer", entry.pointer);
  add_line(text, "stated_at", entry.stated_at);
  text += "    place: " + in_yaml(entry.place) + '\n';
  text += "    says: " + in_yaml(entry.says) + '\n';
  add_line(text, "reason", entry.reason);
  add_line(text, "owner", entry.owner);
  add_line(text, "ticket", entry.ticket);
  text += "    added: " + to_text(entry.added) + '\n';
  text += "    expires: " + to_text(entry.expires) + '\n';
  if (entry.seed) {
    text += "    seed: " + std::to_string(*entry.seed) + '\n';
  }
  text += entry.cases.empty() ? "    cases: []\n" : "    cases:\n";
  for (const auto& name : entry.cases) {
    text += "      - " + in_yaml(name) + '\n';
  }
}

}  // namespace

std::optional<Date> date_from(std::string_view text) {
  const auto instant = spec::time::is_full_date(text)
                           ? spec::time::parse_date_time(std::string(text) + "T00:00:00Z")
                           : std::nullopt;
  return instant ? std::optional(std::chrono::floor<std::chrono::days>(
                       std::chrono::sys_seconds(std::chrono::seconds(instant->seconds))))
                 : std::nullopt;
}

std::string to_text(Date date) {
  const auto seconds = std::chrono::sys_seconds(date).time_since_epoch().count();
  return spec::time::format_date_time({.seconds = seconds, .fraction = ""}).substr(0, 10);
}

std::vector<BaselineEntry> load(plan::DataFiles& files, const std::filesystem::path& file,
                                const EntryConditions& terms) {
  const auto root = files.read(file, "baseline");
  if (root.find("version").number_text() != kVersion) {
    reject_version(root.find("version"));
  }
  std::vector<BaselineEntry> entries;
  std::vector<Problem> problems;
  std::map<std::string, std::size_t> lines;
  for (const auto& node : root.find("findings").elements()) {
    const auto before = problems.size();
    auto entry = entry_at(node, problems);
    if (problems.size() == before) {
      check(entry, node, terms, problems);
    }
    const auto [first, is_new] = lines.try_emplace(entry.id, node.find("id").place().line);
    if (!is_new) {
      problems.push_back(
          node.find("id").problem("the id " + entry.id + " occurs twice (first at line " +
                                  std::to_string(first->second) + "); remove one of the entries"));
    }
    entries.push_back(std::move(entry));
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return entries;
}

std::string text_of(std::vector<BaselineEntry> entries) {
  std::ranges::sort(entries, {}, [](const BaselineEntry& entry) {
    return std::tie(entry.operation, entry.rule, entry.place, entry.id);
  });
  auto text = std::string(kHead) + "version: " + std::string(kVersion) + '\n';
  text += entries.empty() ? "findings: []\n" : "findings:\n";
  for (const auto& entry : entries) {
    add_entry(text, entry);
  }
  return text;
}

namespace {

constexpr std::size_t kMaxCases = 20;  // that an entry names
constexpr std::size_t kMaxSays = 200;  // characters

bool names(const BaselineEntry& entry, const std::string& case_id) {
  return std::ranges::find(entry.cases, case_id) != entry.cases.end();
}

using ById = std::map<std::string, const BaselineEntry*>;
using ByCase = std::map<std::string, const Outcome*>;  // by id of the case

ByCase fingerprints_by_case(const Outcomes& outcomes, const run::Plan& plan) {
  ByCase found;
  for (const auto& [index, outcome] : outcomes) {
    found[plan.cases.at(index).id] = &outcome;
  }
  return found;
}

// True if the outcome of a case, which does not show `entry`, proves that it is gone. This includes
// a case that fails by the other findings that it had before.
bool proves_fixed(const BaselineEntry& entry, const std::string& case_id, const Outcome& outcome,
                  const ById& entries) {
  return outcome.verdict == Verdict::kPassed ||
         (outcome.verdict == Verdict::kKnown &&
          std::ranges::all_of(outcome.findings,
                              [&](const Finding& finding) {
                                const auto other = entries.find(finding.fingerprint);
                                return finding.severity != Severity::kError ||
                                       (other != entries.end() && names(*other->second, case_id));
                              }) &&
          names(entry, case_id));
}

bool is_assumption(const BaselineEntry& entry) {
  return entry.statement_class == to_text(spec::contract::StatementClass::kAssumption);
}

checks::Source source_of(const BaselineEntry& entry) {
  return {.clause = entry.clause,
          .statement_class = spec::contract::statement_class_from(entry.statement_class),
          .pointer = entry.pointer,
          .place = {}};
}

// True if this run would report the entry if it were still there.
bool is_looked_for(const BaselineEntry& entry, const RunInput& around) {
  if (around.settings.document_only && is_assumption(entry)) {
    return false;
  }
  const auto weight = weight_of(around.settings.severities, entry.rule, source_of(entry), 0);
  const bool other_requests = entry.seed && *entry.seed != around.plan.seed;
  return !(weight && weight->off) && !other_requests;
}

bool is_stale(const BaselineEntry& entry, const RunInput& around) {
  if (around.settings.document_only && is_assumption(entry)) {
    return false;
  }
  const auto operations = around.contract.operations();
  const bool has_operation =
      std::ranges::find(operations, entry.operation, &spec::contract::Operation::name) !=
      operations.end();
  const auto& statements = around.contract.statements();
  const bool has_statement =
      entry.pointer.empty() ||
      std::ranges::find(statements, entry.pointer, &spec::contract::Statement::pointer) !=
          statements.end();
  return !has_operation || !has_statement || find_rule(around.settings.book, entry.rule) == nullptr;
}

BaselineEntry entry_of(const Finding& finding, Date today) {
  return {.id = finding.fingerprint,
          .operation = finding.operation,
          .rule = finding.rule,
          .statement_class = std::string(to_text(finding.source.statement_class)),
          .clause = finding.source.clause,
          .pointer = finding.source.pointer,
          .stated_at = finding.source.place,
          .place = checks::kind_place_of(finding),
          .says = spec::text::shortened(finding.message.text(), kMaxSays),
          .reason = {},
          .owner = {},
          .ticket = {},
          .added = today,
          .expires = today,
          .seed = std::nullopt,
          .cases = {}};
}

}  // namespace

run::BaselineStates baseline_states(const std::vector<BaselineEntry>& entries, Date today) {
  run::BaselineStates states;
  for (const auto& entry : entries) {
    states[entry.id] =
        entry.expires < today ? checks::FindingState::kExpired : checks::FindingState::kKnown;
  }
  return states;
}

std::string_view to_text(EntryState state) {
  static constexpr std::array<std::string_view, kEntryStates> kTexts{"known", "fixed", "not_seen",
                                                                     "expired", "stale"};
  return kTexts.at(static_cast<std::size_t>(state));
}

std::vector<EntryResult> entry_results(const std::vector<BaselineEntry>& entries,
                                       const Outcomes& outcomes, const RunInput& around) {
  ById by_id;
  for (const auto& entry : entries) {
    by_id[entry.id] = &entry;
  }
  std::set<std::string> found;
  for (const auto& [index, outcome] : outcomes) {
    for (const auto& finding : outcome.findings) {
      found.insert(finding.fingerprint);
    }
  }
  const auto cases = fingerprints_by_case(outcomes, around.plan);
  std::vector<EntryResult> all;
  for (const auto& entry : entries) {
    EntryResult made{.entry = entry, .days_left = (entry.expires - around.today).count()};
    if (found.contains(entry.id)) {
      made.state = made.days_left < 0 ? EntryState::kExpired : EntryState::kKnown;
    } else if (is_stale(entry, around)) {
      made.state = EntryState::kStale;
    } else if (is_looked_for(entry, around)) {
      made.proved = static_cast<std::size_t>(
          std::ranges::count_if(entry.cases, [&](const std::string& case_id) {
            const auto ran = cases.find(case_id);
            return ran != cases.end() && proves_fixed(entry, case_id, *ran->second, by_id);
          }));
      const bool all_prove = !entry.cases.empty() && made.proved == entry.cases.size();
      made.state = all_prove ? EntryState::kFixed : EntryState::kNotSeen;
    }
    all.push_back(std::move(made));
  }
  return all;
}

UnknownFindings unknown_findings_in(const Outcomes& outcomes, const RunInput& around) {
  std::map<std::string, BaselineEntry> made;
  for (const auto& [index, outcome] : outcomes) {
    const auto& item = around.plan.cases.at(index);
    if (outcome.verdict != Verdict::kFailed) {
      continue;  // a flaky one stays inconclusive, whatever is known
    }
    for (const auto& finding : outcome.findings) {
      if (finding.state != checks::FindingState::kNew) {
        continue;
      }
      auto& entry =
          made.try_emplace(finding.fingerprint, entry_of(finding, around.today)).first->second;
      if (entry.cases.size() < kMaxCases) {
        entry.cases.push_back(item.id);
        entry.seed = item.generated ? std::optional(around.plan.seed) : entry.seed;
      }
    }
  }
  UnknownFindings unknown;
  for (auto& [id, entry] : made) {
    const auto* rule = find_rule(around.settings.book, entry.rule);
    (rule != nullptr && rule->never_known ? unknown.leaks : unknown.entries)
        .push_back(std::move(entry));
  }
  return unknown;
}

BaselineEntry without_masked(BaselineEntry entry, const Outcomes& outcomes, const run::Plan& plan) {
  const auto cases = fingerprints_by_case(outcomes, plan);
  std::erase_if(entry.cases, [&](const std::string& case_id) {
    const auto ran = cases.find(case_id);
    return ran != cases.end() && ran->second->verdict == Verdict::kFailed &&
           find(*ran->second, entry.id) == nullptr;
  });
  return entry;
}

std::size_t BaselineResult::count(EntryState state) const {
  return static_cast<std::size_t>(std::ranges::count(entries, state, &EntryResult::state));
}

bool BaselineResult::fails() const {
  return strict && std::ranges::any_of(entries, [this](const EntryResult& standing) {
           return standing.state == EntryState::kFixed &&
                  std::ranges::find(pruned, standing.entry.id) == pruned.end();
         });
}

}  // namespace contract_tests::findings
