#include "spec/schema/generate/generator.hpp"

#include "spec/schema/generate/attempt.hpp"
#include "spec/schema/generate/identifiers.hpp"
#include "spec/schema/generate/text_value.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace spec::schema::generate {

using text::derive;

namespace {

using Json = nlohmann::json;

constexpr unsigned kMaxAttempts = 48;
constexpr unsigned kBudget = 6000;  // values made for one instance, all attempts together

// The valid values among the examples of a schema.
std::vector<Json> valid_examples(const SchemaSet& schemas, SchemaId id) {
  const document::Node node = schemas.source(id);
  std::vector<document::Node> offered{node.find("example")};
  if (const document::Node list = node.find("examples")) {
    const auto elements = list.elements();
    offered.insert(offered.end(), elements.begin(), elements.end());
  }
  offered.push_back(node.find("default"));
  std::vector<Json> valid;
  for (const document::Node& each : offered) {
    if (each && fits(schemas, id, each.value())) {
      valid.push_back(each.value());
    }
  }
  return valid;
}

// The code in the example of a member that is called so; "" for any other.
std::string stated_currency(const Schema& schema, const std::vector<Json>& examples) {
  constexpr std::size_t kLetters = 3;
  const bool is_code = !examples.empty() && examples.front().is_string() &&
                       examples.front().get_ref<const std::string&>().size() == kLetters;
  const Kind* const kind = is_code ? usage_of(schema.node.key()).text : nullptr;
  return kind != nullptr && kind->name == "currency" ? examples.front().get<std::string>() : "";
}

Context make_context(const SchemaSet& schemas) {
  const Program& program = schemas.program();
  Context context{schemas, program, min_depths(program), read_discriminators(program), {}, {}, {},
                  {},      {}};
  std::ranges::transform(program.pattern_texts, std::back_inserter(context.patterns),
                         &writable_pattern);
  for (SchemaId id = 0; id < program.schemas.size(); ++id) {
    context.examples.push_back(valid_examples(schemas, id));
    if (context.currency.empty()) {
      context.currency = stated_currency(program.schemas[id], context.examples.back());
    }
    std::string component = component_of(program.schemas[id]);
    context.things.push_back(component.empty() ? nullptr : kind_of_thing(component));
    if (!component.empty()) {
      context.components.emplace(id, std::move(component));
    }
  }
  if (context.currency.empty()) {
    std::uint64_t seed = 0;
    for (const auto& [id, component] : context.components) {
      seed = text::text_hash(component, seed);
    }
    const auto& regions = word_tables().regions;
    context.currency = regions[static_cast<std::size_t>(seed % regions.size())].currency;
  }
  return context;
}

std::string question_of(SchemaId schema, const GenerateOptions& options) {
  Json question{schema, options.direction, options.use_examples, options.name, options.is_success};
  for (std::size_t at = 0; options.given != nullptr && at < options.given->size(); ++at) {
    question.push_back(Json::array({(*options.given)[at].first, (*options.given)[at].second}));
  }
  return question.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The schema whose keyword `violation` is of.
SchemaId schema_of(const Context& context, const Violation& violation) {
  const auto& all = context.program.schemas;
  const auto found = std::ranges::find_if(all, [&violation](const Schema& schema) {
    return std::ranges::find(schema.rules, violation.statement, &Rule::node) != schema.rules.end();
  });
  return found == all.end() ? kNoId : static_cast<SchemaId>(found - all.begin());
}

// "format and maxLength". The type comes last.
std::string keywords_of(const Schema& schema) {
  std::vector<std::string> keywords;
  for (const Rule& rule : schema.rules) {
    keywords.push_back(rule.node.key());
  }
  if (keywords.size() > 2) {
    std::erase(keywords, "type");
  }
  std::string list;
  for (const auto& keyword : keywords) {
    text::append_to_list(list, keyword, &keyword == &keywords.back() ? " and " : ", ");
  }
  return list;
}

// Describes the innermost place where no value could be made, and its keywords.
std::string reason_of(const Context& context, const Failure& failure) {
  if (failure.is_too_large) {
    return "the smallest valid instance is too large to generate";
  }
  std::string reason = "no valid instance was found";
  if (failure.schema == kNoId) {
    return reason;
  }
  const Schema& schema = context.program.schemas[failure.schema];
  reason += failure.name.empty() ? "; no value" : "; no value of \"" + failure.name + '"';
  return reason + " satisfies " + keywords_of(schema) + " at " + schema.node.pointer();
}

}  // namespace

// Failures by their arguments, without the seed and the record's key.
class Generator::Failures {
 public:
  std::optional<GenerateFailure> find(SchemaId schema, const GenerateOptions& options) {
    const std::lock_guard lock(mutex_);
    if (by_question_.empty()) {
      return std::nullopt;
    }
    const auto found = by_question_.find(question_of(schema, options));
    return found == by_question_.end() ? std::nullopt : std::optional(found->second);
  }

  void add(SchemaId schema, const GenerateOptions& options, const GenerateFailure& failure) {
    constexpr std::size_t kMax = 256;
    const std::lock_guard lock(mutex_);
    if (by_question_.size() == kMax) {
      by_question_.clear();
    }
    by_question_.emplace(question_of(schema, options), failure);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, GenerateFailure> by_question_;
};

Generator::Generator(const SchemaSet& schemas)
    : context_(std::make_unique<const Context>(make_context(schemas))),
      failures_(std::make_unique<Failures>()) {}

Generator::~Generator() = default;
Generator::Generator(Generator&&) noexcept = default;
Generator& Generator::operator=(Generator&&) noexcept = default;

Result<Json, GenerateFailure> Generator::generate(SchemaId schema,
                                                  const GenerateOptions& options) const {
  if (auto known = failures_->find(schema, options)) {
    return Unexpected{std::move(*known)};
  }
  unsigned budget = kBudget;
  auto made = search_instance(schema, options, budget);
  if (!made && budget == 0 && !patterns::SearchBudget::is_exhausted()) {
    failures_->add(schema, options, made.error());
  }
  return made;
}

Result<Json, GenerateFailure> Generator::search_instance(SchemaId schema,
                                                         const GenerateOptions& options,
                                                         unsigned& budget) const {
  constexpr std::int64_t kEndOf2025 = 1'767'225'600;
  const Context& context = *context_;
  const document::Node node = context.schemas.source(schema);
  if (context.depths[schema] == kNoLimit) {
    return Unexpected{GenerateFailure{node, "no instance is finite"}};
  }
  const std::uint64_t seed = derive(derive(options.seed, node.pointer()), options.key);
  const std::int64_t today = kEndOf2025 + options.later.count();
  std::optional<Json> closest;
  Failure failure;
  for (unsigned number = 0; number < kMaxAttempts && budget > 0; ++number) {
    const Attempt attempt{context, options, today, number, budget, failure};
    auto value = make_value(attempt, {schema}, {derive(seed, std::uint64_t{number}), options.name});
    if (value && fits(context.schemas, schema, *value, {options.direction})) {
      return std::move(*value);
    }
    if (value) {
      closest = std::move(value);
    }
  }
  std::vector<Violation> violations;
  if (closest) {
    violations = validate(context.schemas, schema, *closest, {options.direction});
    failure.schema =
        failure.schema == kNoId ? schema_of(context, violations.front()) : failure.schema;
  }
  std::string reason = reason_of(context, failure);
  if (closest) {
    reason += "; the closest violates " + violations.front().statement.pointer() + ": " +
              violations.front().message.text();
  }
  return Unexpected{GenerateFailure{node, std::move(reason)}};
}

}  // namespace spec::schema::generate
