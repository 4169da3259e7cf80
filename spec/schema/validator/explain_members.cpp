// Messages about keywords for members and elements.

#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/explain.hpp"
#include "spec/schema/validator/instance_schemas.hpp"
#include "spec/schema/validator/words.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <string_view>

namespace spec::schema::validator {

namespace {

const Json::object_t& object_of(const Json& value) {
  return *value.get_ptr<const Json::object_t*>();
}

bool has_property(const ObjectTable& table, const std::string& name) {
  return std::ranges::find(table.properties, name, &Property::name) != table.properties.end();
}

text::ViolationMessage lacks(const std::string& name, const std::string& more = {}) {
  return {"must have the property " + in_quotes(name) + more, "lacks it", name};
}

}  // namespace

void Explainer::explain_required(const Rule& rule, const Frame& frame, const Path* path) {
  for (const std::string& name : program().objects[rule.operand].required) {
    const Verdict verdict =
        frame.instance->contains(name) ? Verdict::kValid : validator_.absence(name, frame);
    if (verdict != Verdict::kValid) {
      report(rule, path, lacks(name), verdict == Verdict::kUndecided);
    }
  }
}

void Explainer::explain_properties(const Rule& rule, const Frame& frame, const Path* path) {
  const Json::object_t& object = object_of(*frame.instance);
  for (const Property& property : program().objects[rule.operand].properties) {
    const auto found = object.find(property.name);
    if (found == object.end()) {
      continue;
    }
    const Path member{.parent = path, .name = &found->first};
    explain(property.schema, found->second, &member, &frame);
    if (frame.evaluated != nullptr) {  // else the distance is not needed
      frame.mark(static_cast<std::size_t>(std::distance(object.begin(), found)));
    }
  }
}

void Explainer::explain_pattern_properties(const Rule& rule, const Frame& frame, const Path* path) {
  const Json::object_t& object = object_of(*frame.instance);
  for (const PatternProperty& pattern : program().objects[rule.operand].patterns) {
    std::size_t place = 0;
    for (const auto& [name, value] : object) {
      const Path member{.parent = path, .name = &name};
      const auto search = validator_.search(pattern.pattern, name);
      if (search == patterns::Search::kUndecided) {
        report(rule, &member, "undecided: a limit was reached while matching this name", true);
      } else if (search == patterns::Search::kFound) {
        explain(pattern.schema, value, &member, &frame);
        frame.mark(place);
      }
      ++place;
    }
  }
}

void Explainer::explain_additional(const Rule& rule, const Frame& frame, const Path* path) {
  const ObjectTable& table = program().objects[rule.operand];
  for (const auto& [name, value] : object_of(*frame.instance)) {
    const bool is_known =
        has_property(table, name) ||
        std::ranges::any_of(table.patterns, [&, &text = name](const PatternProperty& pattern) {
          return validator_.search(pattern.pattern, text) != patterns::Search::kNotFound;
        });
    if (is_known) {
      continue;
    }
    const Path member{.parent = path, .name = &name};
    if (is_false(table.additional)) {
      explain_unknown(rule, frame, member);
    } else {
      explain(table.additional, value, &member, &frame);
    }
  }
  frame.mark_all();
}

// Reports a member that no keyword knows, and the one that was probably meant.
void Explainer::explain_unknown(const Rule& rule, const Frame& frame, const Path& member) {
  std::vector<std::string_view> names;
  for (const SchemaId id : applicable(program(), frame.schema, Reach::kPossible)) {
    for (const NamedSchema& property : inner_schemas(program(), id).properties) {
      if (!frame.instance->contains(property.name)) {
        names.push_back(property.name);
      }
    }
  }
  const auto near = text::nearest(*member.name, names);
  report(
      rule, &member,
      {"must be a known property", in_quotes(*member.name) + " is not" +
                                       (near ? "; did you mean " + in_quotes(*near) + '?' : "")});
}

void Explainer::explain_property_names(const Rule& rule, const Frame& frame, const Path* path) {
  for (const auto& [name, value] : object_of(*frame.instance)) {
    const Json text = name;
    Explainer inner(validator_, 1, nesting_);
    inner.explain(rule.operand, text, nullptr, &frame);
    const Path member{.parent = path, .name = &name};
    for (const Violation& violation : inner.take()) {
      auto message = violation.message;
      message.must.insert(0, "the property name " + in_quotes(name) + ' ');
      report(rule, &member, std::move(message), violation.undecided);
    }
  }
}

void Explainer::explain_dependent_names(const Rule& rule, const Frame& frame, const Path* path) {
  for (const DependentNames& dependent : program().dependent_names[rule.operand]) {
    if (!frame.instance->contains(dependent.name)) {
      continue;
    }
    for (const std::string& name : dependent.required) {
      if (!frame.instance->contains(name)) {
        report(rule, path, lacks(name, " beside " + in_quotes(dependent.name)));
      }
    }
  }
}

void Explainer::explain_unevaluated(const Rule& rule, const Frame& frame, const Path* path) {
  if (frame.evaluated->has_all()) {
    return;
  }
  if (frame.evaluated->uncertain()) {
    explain_invalid(rule, frame, path);
  } else if (rule.keyword == Keyword::kUnevaluatedItems) {
    explain_unevaluated_items(rule, frame, path);
  } else {
    std::size_t place = 0;
    for (const auto& [name, value] : object_of(*frame.instance)) {
      const Path member{.parent = path, .name = &name};
      if (frame.evaluated->has(place++)) {
        continue;
      }
      if (is_false(rule.operand)) {
        explain_unknown(rule, frame, member);
      } else {
        explain(rule.operand, value, &member, &frame);
      }
    }
  }
  frame.evaluated->mark_all();
}

void Explainer::explain_unevaluated_items(const Rule& rule, const Frame& frame, const Path* path) {
  for (std::size_t i = 0; i < frame.instance->size(); ++i) {
    const Path element{.parent = path, .index = i};
    if (frame.evaluated->has(i)) {
      continue;
    }
    if (is_false(rule.operand)) {
      report(rule, &element,
             {"must not be there (no such element is declared)",
              "is " + short_text((*frame.instance)[i])});
    } else {
      explain(rule.operand, (*frame.instance)[i], &element, &frame);
    }
  }
}

void Explainer::explain_prefix_items(const Rule& rule, const Frame& frame, const Path* path) {
  const std::vector<SchemaId>& schemas = program().lists[rule.operand];
  for (std::size_t i = 0; i < std::min(schemas.size(), frame.instance->size()); ++i) {
    const Path element{.parent = path, .index = i};
    explain(schemas[i], (*frame.instance)[i], &element, &frame);
    frame.mark(i);
  }
}

void Explainer::explain_items(const Rule& rule, const Frame& frame, const Path* path) {
  const ItemsTable& table = program().items[rule.operand];
  const std::size_t size = frame.instance->size();
  if (is_false(table.schema) && size > table.first) {
    report(rule, path,
           {"must have at most " + counted(table.first, "element", "elements"),
            "has " + std::to_string(size)});
  } else {
    for (std::size_t i = table.first; i < size; ++i) {
      const Path element{.parent = path, .index = i};
      explain(table.schema, (*frame.instance)[i], &element, &frame);
    }
  }
  frame.mark_all();
}

// Messages about oneOf and anyOf: the violations of the likely alternative, else the first of each
// alternative.

namespace {

// Alternatives inside alternatives inside alternatives are not listed: their number doubles with
// each level.
constexpr int kMaxListedNesting = 2;

// "Dog" for a reference to "#/components/schemas/Dog", else the number of the alternative.
std::string alternative_name(const Program& program, SchemaId alternative, std::size_t index) {
  const document::Node node = program.schemas[alternative].node;
  const document::Node reference = node.find("$ref");
  return reference.is_string() ? component_name(reference.string())
                               : "number " + std::to_string(index + 1);
}

// The discriminator beside the alternatives, if the instance can have it; else null.
const DiscriminatorTable* table_of(const Program& program, const Frame& frame) {
  const std::uint32_t index = program.schemas[frame.schema].discriminator;
  return index == kNoId || !frame.instance->is_object() ? nullptr : &program.discriminators[index];
}

}  // namespace

void Explainer::explain_alternatives(const Rule& rule, const Frame& frame, const Path* path) {
  const std::vector<SchemaId>& alternatives = program().lists[rule.operand];
  const DiscriminatorTable* table = table_of(program(), frame);
  if (table != nullptr &&
      Validator::test_discriminator(*table, *frame.instance) == Verdict::kInvalid) {
    // The one violation is that of the discriminator.
    frame.mark_all();
    return;
  }
  const auto several =
      rule.keyword == Keyword::kOneOf ? too_many(alternatives, frame) : text::ViolationMessage();
  if (!several.must.empty()) {
    report(rule, path, several);
    return;
  }
  const SchemaId meant = likely_alternative(program(), alternatives, frame);
  if (meant != kNoId) {
    explain(meant, *frame.instance, path, &frame, frame.evaluated);
    return;
  }
  frame.mark_all();
  if (table != nullptr && table->otherwise != kNoId) {
    const std::size_t before = violations_.size();
    explain(table->otherwise, *frame.instance, path, &frame, frame.evaluated);
    if (violations_.size() > before) {
      return;
    }
  }
  if (table != nullptr && explain_tag(*table, *frame.instance, path)) {
    return;
  }
  report(rule, path,
         {std::string(rule.keyword == Keyword::kOneOf ? "must match exactly one of "
                                                      : "must match at least one of ") +
              counted(alternatives.size(), "schema", "schemas"),
          "matches none" + alternative_reasons(alternatives, frame)});
}

// The names of the alternatives that match, when they are more than one.
text::ViolationMessage Explainer::too_many(const std::vector<SchemaId>& alternatives,
                                           const Frame& frame) {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (validator_.check(alternatives[i], *frame.instance, &frame) == Verdict::kValid) {
      names += (count++ == 0 ? "" : ", ") + alternative_name(program(), alternatives[i], i);
    }
  }
  if (count < 2) {
    return {};
  }
  return {"must match exactly one of " + counted(alternatives.size(), "schema", "schemas"),
          "matches " + std::to_string(count) + ": " + names};
}

void Explainer::report_tag(const DiscriminatorTable& table, const Json& object, const Path* path) {
  const Path member{.parent = path, .name = &table.property};
  report_at(table.node, "discriminator", &member,
            {"must be " + choice(table.listed), "is " + short_text(object[table.property])});
}

// Reports that the discriminating property is missing or has a value that the alternatives do not
// list.
bool Explainer::explain_tag(const DiscriminatorTable& table, const Json& object, const Path* path) {
  const auto found = object.find(table.property);
  if (found == object.end()) {
    report_at(table.node, "discriminator", path,
              {"must have the property " + in_quotes(table.property) + ", " + choice(table.listed),
               "lacks it", table.property});
    return true;
  }
  const bool is_listed = std::ranges::any_of(
      table.listed, [&found](const Json& value) { return json::equal(value, *found); });
  if (!is_listed) {
    report_tag(table, object, path);
  }
  return !is_listed;
}

// ": (1) must be a string, but is 5; (2) ...", the first violation of each alternative.
std::string Explainer::alternative_reasons(const std::vector<SchemaId>& alternatives,
                                           const Frame& frame) {
  std::string reasons;
  if (nesting_ >= kMaxListedNesting) {
    return reasons;
  }
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    Explainer inner(validator_, 1, nesting_ + 1);
    inner.explain(alternatives[i], *frame.instance, nullptr, &frame);
    for (const Violation& violation : inner.take()) {
      reasons += (reasons.empty() ? ": " : "; ") + ('(' + std::to_string(i + 1) + ") ") +
                 (violation.instance.empty() ? "" : violation.instance + ' ') +
                 violation.message.text();
    }
  }
  return reasons;
}

}  // namespace spec::schema::validator
