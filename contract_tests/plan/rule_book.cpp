#include "contract_tests/plan/rule_book.hpp"

#include "spec/http/message.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace contract_tests::plan {

using checks::Source;
using nlohmann::json;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::StatementClass;
using spec::document::Node;

namespace {

std::string text_or(const Node& node, std::string_view key, std::string_view otherwise = {}) {
  const auto found = node.find(key);
  return std::string(found ? found.string() : otherwise);
}

// Reads the rules of operations, which are valid by the schema, and reports other errors in them.
class Reader {
 public:
  explicit Reader(std::vector<spec::Problem>& problems) : problems_(problems) {}

  OperationRules operation(const Node& node) {
    OperationRules rules;
    rules.request = request(node, "request");
    for (const auto& unknown : node.find("unknown").elements()) {
      rules.unknown.push_back(request_from(unknown.value()));
    }
    if (const auto writes = node.find("writes")) {
      rules.writes = writes.boolean();
    }
    for (const auto& element : node.find("response").elements()) {
      rules.response.push_back(response_rule(element));
    }
    take(node, "pages", rules.pages, &pages);
    take(node, "filters", rules.filters, &filters);
    take(node, "update", rules.update, &update);
    take(node, "file", rules.file, &file);
    take(node, "burst", rules.burst, &burst);
    take(node, "volatile", rules.volatile_fields, &volatile_rules);
    if (const auto list = node.find("list")) {
      rules.list = list.value();
    }
    if (rules.filters && !rules.pages) {
      reject(node.find("filters"), "`filters` needs `pages` too, to read the list");
    }
    if (rules.update) {
      check_update(node.find("update"), *rules.update);
    }
    return rules;
  }

 private:
  template <typename Block>
  static void take(const Node& node, std::string_view key, std::optional<Block>& into,
                   Block (*read)(const Node&)) {
    if (const auto found = node.find(key)) {
      into = read(found);
    }
  }

  static std::optional<RequestPlan> request(const Node& node, std::string_view key) {
    const auto found = node.find(key);
    return found ? std::optional(request_from(found.value())) : std::nullopt;
  }

  template <typename Value>
  static Value value(const Node& node, std::string_view key) {
    const auto found = node.find(key);
    return found ? found.value().get<Value>() : Value{};
  }

  static std::string text(const Node& node, std::string_view key) { return text_or(node, key); }

  checks::ResponseRule response_rule(const Node& node) {
    checks::ResponseRule rule{.rule = text(node, "rule"),
                              .at = text(node, "at"),
                              .clause = text(node, "clause"),
                              .path = text(node, "path"),
                              .from = text(node, "from"),
                              .to = text(node, "to"),
                              .key = text(node, "key"),
                              .result = text(node, "result"),
                              .minuend = text(node, "minuend"),
                              .subtrahend = text(node, "subtrahend")};
    for (const auto key : checks::needed_by(rule.rule)) {
      if (!node.find(key)) {
        reject(node, rule.rule + " needs `" + std::string(key) + "`");
      }
    }
    return rule;
  }

  static PageRules pages(const Node& node) {
    const auto size = node.find("size");
    const auto number = node.find("number");
    return {.clause = text(node, "clause"),
            .items = text(node, "items"),
            .size = text(size, "parameter"),
            .number = text(number, "parameter"),
            .first = value<int>(number, "first"),
            .default_size = value<std::size_t>(size, "default"),
            .max_size = value<std::size_t>(size, "maximum"),
            .probes = value<std::vector<std::size_t>>(size, "probes"),
            .partition = value<std::vector<std::size_t>>(node, "partition")};
  }

  static FilterRules filters(const Node& node) {
    FilterRules rules{.clause = text(node, "clause"),
                      .items = text(node, "items"),
                      .range = {},
                      .member = {},
                      .sizes = value<std::vector<std::size_t>>(node, "sizes")};
    if (const auto range = node.find("range")) {
      rules.range = RangeRules{text(range, "from"), text(range, "to"), text(range, "item_from"),
                               text(range, "item_to")};
    }
    if (const auto member = node.find("member")) {
      rules.member = MemberRules{text(member, "parameter"), text(member, "value"),
                                 text(member, "list"), text(member, "key")};
    }
    return rules;
  }

  static FieldRules field(const Node& node) {
    return {.at = text(node, "at"),
            .values = value<std::vector<json>>(node, "values"),
            .derived = text(node, "echo") == "derived",
            .restore = text(node, "restore"),
            .any_case = text(node, "letters") == "either",
            .texts = value<std::map<std::string, std::string>>(node, "texts")};
  }

  static UpdateRules update(const Node& node) {
    UpdateRules rules{.clause = text(node, "clause"),
                      .nothing = node.find("nothing").value(),
                      .fields = {},
                      .owned = value<std::map<std::string, std::vector<json>>>(node, "owned"),
                      .volatile_fields = value<std::set<std::string>>(node, "volatile"),
                      .other = request(node, "other")};
    for (const auto& member : node.find("fields").members()) {
      rules.fields.emplace(member.key, field(member.value));
    }
    return rules;
  }

  void check_update(const Node& node, const UpdateRules& rules) {
    if (rules.shown_values().empty()) {
      reject(node.find("fields"), "at least one field must be shown as it was sent (echo: same)");
    }
    for (const auto& [name, values] : rules.owned) {
      if (values.size() < 2 && rules.volatile_fields.contains(spec::json::pointer_of({name}))) {
        reject(node.find("owned").find(name),
               name + " is volatile, so it needs two values: one alone may appear by itself");
      }
    }
  }

  static FileRules file(const Node& node) {
    return {text(node, "clause"), text(node, "names"), request(node, "other")};
  }

  static BurstRules burst(const Node& node) {
    return {text(node, "clause"), value<std::size_t>(node, "requests"), value<int>(node, "status")};
  }

  static VolatileRules volatile_rules(const Node& node) {
    return {text(node, "items"), text(node, "newest"), value<std::vector<std::string>>(node, "at")};
  }

  void reject(const Node& node, std::string message) {
    problems_.push_back(node.problem(std::move(message)));
  }

  std::vector<spec::Problem>& problems_;
};

}  // namespace

RequestPlan PageRules::page(const RequestPlan& base, std::size_t page_size,
                            std::size_t page) const {
  return with_query(with_query(base, size, std::to_string(page_size)), number,
                    std::to_string(first + static_cast<int>(page)));
}

json UpdateRules::shown_values() const {
  auto body = json::object();
  for (const auto& [name, field] : fields) {
    if (!field.derived) {
      body[name] = field.values.front();
    }
  }
  return body;
}

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
    rule.rests.statement_class =
        spec::contract::statement_class_from(text_or(member.value, "class"));
    rule.severity = checks::severity_from(text_or(member.value, "severity"));
    const auto report_once = member.value.find("report_once");
    rule.report_once = report_once && report_once.boolean();
    const auto never_known = member.value.find("never_known");
    rule.never_known = never_known && never_known.boolean();
    book.emplace(member.key, std::move(rule));
  }
  return book;
}

const OperationRules& Rules::of_operation(std::string_view operation) const {
  static const OperationRules none;
  const auto found = operations.find(operation);
  return found == operations.end() ? none : found->second;
}

const ListRules* Rules::list_of(std::string_view operation) const {
  const auto found = lists.find(operation);
  return found == lists.end() ? nullptr : &found->second.rules;
}

Rules load_rules(DataFiles& files, const std::filesystem::path& file) {
  const auto root = files.read(file, "rules");
  Rules rules;
  for (const auto& member : root.find("subjects").members()) {
    rules.subjects.push_back(
        {std::string(member.key), text_or(member.value, "is"), text_or(member.value, "example")});
  }
  std::vector<spec::Problem> problems;
  for (const auto& member : root.find("operations").members()) {
    rules.operations.emplace(member.key, Reader(problems).operation(member.value));
  }
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  rules.hash = checks::stable_hash(spec::json::write(root.value()));
  return rules;
}

RequestPlan ruled_request(const Operation& operation, const OperationRules& rules) {
  RequestPlan plain;
  for (const auto& parameter : operation.parameters) {
    const bool named = parameter.location == Location::kPath ||
                       (parameter.location == Location::kQuery && parameter.required);
    if (named) {
      const auto name = "${" + operation.id + '.' + parameter.name + '}';
      if (parameter.location == Location::kPath) {
        plain.path[parameter.name] = name;
      } else {
        plain.query.emplace_back(parameter.name, name);
      }
    }
  }
  return rules.request ? overlay(std::move(plain), *rules.request) : plain;
}

bool may_write(const Operation& operation, const OperationRules& rules) {
  return rules.writes.value_or(!spec::http::is_safe_method(operation.method));
}

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

Severities load_severities(DataFiles& files, const std::filesystem::path& file,
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

namespace {

HostileText hostile_text(const nlohmann::json& entry) {
  HostileText made;
  made.what = entry.at("what").get<std::string>();
  made.encoded = entry.contains("encoded");
  made.in_query = entry.value("query", false);
  const auto once = entry.at(made.encoded ? "encoded" : "text").get<std::string>();
  for (int left = entry.value("times", 1); left > 0; --left) {
    made.text += once;
  }
  return made;
}

}  // namespace

std::vector<HostileText> load_hostile_texts(DataFiles& files, const std::filesystem::path& file) {
  std::vector<HostileText> texts;
  for (const auto& entry : files.read(file, "hostile_texts").find("texts").elements()) {
    texts.push_back(hostile_text(entry.value()));
  }
  return texts;
}

checks::LeakMarks load_leak_marks(DataFiles& files, const std::filesystem::path& file) {
  const auto data = files.read(file, "leaks").value();
  const auto patterns_of = [&data](const char* list) {
    std::vector<std::string> patterns;
    for (const auto& mark : data.at(list)) {
      patterns.push_back(mark.at("pattern").get<std::string>());
    }
    return checks::LeakPatterns(patterns);
  };
  return {patterns_of("anywhere"), patterns_of("in_errors"), patterns_of("of_parsers")};
}

DataFiles::DataFiles(std::filesystem::path schemas)
    : schemas_(std::move(schemas)), compiler_(library_, {}, set_) {}

spec::document::Node DataFiles::read(const std::filesystem::path& file, const std::string& name) {
  const auto schema = compiler_.compile(library_.open(schemas_ / (name + ".schema.yaml")));
  const auto root = library_.open(file);
  auto problems = spec::schema::form_problems(set_, schema, root);
  if (!problems.empty()) {
    throw spec::LoadError(std::move(problems));
  }
  return root;
}

}  // namespace contract_tests::plan
