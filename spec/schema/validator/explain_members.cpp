// Messages about keywords for members and elements.

#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/explain.hpp"
#include "spec/schema/validator/words.hpp"
#include "spec/text/nearest.hpp"

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

// A member that no keyword knows, and the one that may have been meant.
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

}  // namespace spec::schema::validator
