#pragma once

// The requirements of the suite beyond the schema, as data: the rule book (the meaning of each rule
// id, its source, its severity) and the rules by operation id. Loaded once, then const.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/checks/leaks.hpp"
#include "contract_tests/checks/response_rules.hpp"
#include "contract_tests/plan/list_rules.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "spec/contract/contract.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/compiler/compiler.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

// The suite's data files (rules, rule book, cases, subjects), each read from YAML or JSON and
// validated against its own schema. Code that reads such a file afterwards relies on its shape.

class DataFiles {
 public:
  // `schemas` is the folder that holds NAME.schema.yaml files.
  explicit DataFiles(std::filesystem::path schemas);

  // The root of `file`. Throws spec::LoadError with every problem and its place when the file
  // cannot be read or violates the schema `name`.
  spec::document::Node read(const std::filesystem::path& file, const std::string& name);

 private:
  std::filesystem::path schemas_;
  spec::document::Library library_;
  spec::schema::SchemaSet set_;
  spec::schema::compiler::Compiler compiler_;
};

// One entry of the rule book.
struct Rule {
  std::string says;      // "a page holds the default number of items when no size is given"
  checks::Source rests;  // clause and class, unless the violation brings its own
  std::optional<checks::Severity> severity;  // instead of what class and target give
  bool report_once = false;  // a service that does not satisfy it usually does so everywhere
  bool never_known = false;  // of leaks: no baseline can hold a violation
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

// A list that comes in pages.
struct PageRules {
  std::string clause;
  std::string items;             // JSON pointer of the list
  std::string size;              // parameter
  std::string number;            // parameter
  int first = 0;                 // number of the first page
  std::size_t default_size = 0;  // of pages without a size
  std::size_t max_size = 0;
  std::vector<std::size_t> probes;     // sizes that are tried
  std::vector<std::size_t> partition;  // sizes, at least two, by which the whole list is read

  // `base` for page `page`, counted from 0, of pages of `page_size`.
  RequestPlan page(const RequestPlan& base, std::size_t page_size, std::size_t page) const;
};

// Filters by the times of items, from and to.
struct RangeRules {
  std::string from;       // parameter
  std::string to;         // parameter
  std::string item_from;  // JSON pointer in an item
  std::string item_to;    // JSON pointer in an item
};

// A filter by a member of the items' inner lists.
struct MemberRules {
  std::string parameter;
  std::string value;  // with ${names}
  std::string list;   // JSON pointer in an item
  std::string key;    // JSON pointer in an element of the list
};

// Also for an operation that has rules on pages.
struct FilterRules {
  std::string clause;
  std::string items;  // JSON pointer of the list
  std::optional<RangeRules> range;
  std::optional<MemberRules> member;
  std::vector<std::size_t> sizes;  // of pages that are tried beside each filter
};

// A field that an update changes.
struct FieldRules {
  std::string at;                      // JSON pointer in the record
  std::vector<nlohmann::json> values;  // at least two
  bool derived = false;                // the record shows what was made of the value
  std::string restore;                 // the subject that is the value to put back; "" if none is
  bool any_case = false;               // its letters may be of either case
  std::map<std::string, std::string> texts;  // by what they are; a service may reject, not change
};

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct UpdateRules {
  std::string clause;
  nlohmann::json nothing;                    // a body that changes nothing
  std::map<std::string, FieldRules> fields;  // one at least is shown as it was sent
  std::map<std::string, std::vector<nlohmann::json>>
      owned;  // fields that only the service sets, with other values
  std::set<std::string>
      volatile_fields;  // JSON pointers of fields that may change by themselves after an edit
  std::optional<RequestPlan> other;  // over the plain request: another record

  // A value for every field that the record shows as it was sent.
  nlohmann::json shown_values() const;
};

// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct FileRules {
  std::string clause;
  std::string names;                 // the path parameter whose value the file names; "" if none
  std::optional<RequestPlan> other;  // over the plain request: another file
};

struct BurstRules {
  std::string clause;
  std::size_t requests = 0;
  int status = 0;  // of the limit
};

// Volatile fields of a list: places in its newest item.
struct VolatileRules {
  std::string items;   // JSON pointer of the list
  std::string newest;  // JSON pointer in an item: the time by which one is the newest
  std::vector<std::string> at;
};

// The rules of one operation, used by the demands and the run.
struct OperationRules {
  std::optional<RequestPlan> request;          // a plain valid request
  std::vector<RequestPlan> unknown;            // over `request`: well-formed, but unknown
  std::optional<bool> writes;                  // whether accepted requests may change something
  std::vector<checks::ResponseRule> response;  // rules for every success
  std::optional<PageRules> pages;
  std::optional<FilterRules> filters;
  std::optional<UpdateRules> update;
  std::optional<FileRules> file;
  std::optional<BurstRules> burst;
  std::optional<VolatileRules> volatile_fields;
  nlohmann::json list;  // the block as it is written; null if there is none
};

struct Rules {
  std::vector<Subject> subjects;  // in the order of the file
  std::map<std::string, OperationRules, std::less<>> operations;
  std::map<std::string, InferredList, std::less<>> lists;  // by operation (add_inferred_lists)
  std::string hash;                                        // of the whole file

  // The rules of `operation`; empty ones when the file says nothing about it.
  const OperationRules& of_operation(std::string_view operation) const;
  // Those of its list; null if it has none.
  const ListRules* list_of(std::string_view operation) const;
};

// Throws spec::LoadError with every problem and its place.
Rules load_rules(DataFiles& files, const std::filesystem::path& file);

// The request that the rules of `operation` say. Path parameters that they do not name become
// ${OPERATION.PARAMETER}, for which the run has values.
RequestPlan ruled_request(const spec::contract::Operation& operation, const OperationRules& rules);

// True when a request of the operation, once accepted, may change something: as the rules say, else
// unless its method is safe. Source: RFC 9110 §9.2.1.
bool may_write(const spec::contract::Operation& operation, const OperationRules& rules);

// The severity of a violation where a person has set it: by rule, by clause of the source or of a
// standard, by class, and for statuses that the contract does not list. One small file
// (rules/severities.yaml, or --severities); what it leaves out is as the rule book has it.

// `off` drops the finding, and skips cases of that rule.
struct Weight {
  bool off = false;
  checks::Severity severity = checks::Severity::kError;

  friend bool operator==(const Weight&, const Weight&) = default;
};

struct Severities {
  std::map<std::string, Weight> rules;     // "http/bare-lf", or a family: "paging/*"
  std::map<std::string, Weight> clauses;   // "§4.3", "RFC 9110 §15.5.6"
  std::map<std::string, Weight> classes;   // "document", "standard", "assumption"
  std::map<std::string, Weight> unlisted;  // "401", or a range: "4xx"
};

// The nearest weight for a finding: its rule's, its rule's family's, the status's where the finding
// is that the contract does not list it, its clause's, its class's. Nothing: as built in.
std::optional<Weight> weight_of(const Severities& severities, const std::string& rule,
                                const checks::Source& source, int status);

// Throws spec::LoadError for a file that cannot be read or names a rule that the book lacks.
Severities load_severities(DataFiles& files, const std::filesystem::path& file,
                           const RuleBook& book);

// Texts from data files: hostile texts that must not cause a server error, and patterns of server
// internals. Loaded once, then const.

struct HostileText {
  std::string what;  // "a byte that is never in UTF-8"
  std::string text;
  bool encoded = false;   // `text` goes out as it is
  bool in_query = false;  // as a value of parameters, too; in paths always
};

// Both throw spec::LoadError with every problem and its place.
std::vector<HostileText> load_hostile_texts(DataFiles& files, const std::filesystem::path& file);
checks::LeakMarks load_leak_marks(DataFiles& files, const std::filesystem::path& file);

}  // namespace contract_tests::plan
