#include "spec/schema/schema_summary.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <mutex>

namespace spec::schema {
namespace {

bool is_listed(const std::vector<SchemaId>& ids, SchemaId id) {
  return std::ranges::find(ids, id) != ids.end();
}

Schemas all_of(const Program& program, const Schemas& schemas, Reach reach) {
  Schemas all;
  for (const SchemaId schema : schemas) {
    for (const SchemaId id : applicable(program, schema, reach)) {
      if (!is_listed(all, id)) {
        all.push_back(id);
      }
    }
  }
  return all;
}

std::optional<double> number(const document::Node& node) {
  return node.is_number() ? std::optional(json::to_double(node.value())) : std::nullopt;
}

bool is_false(const Program& program, SchemaId id) {
  const std::vector<Rule>& rules = program.schemas[id].rules;
  return rules.size() == 1 && rules.front().keyword == Keyword::kFalse;
}

// `true` and `false` are no schemas of anything that one could name.
void add(Schemas& schemas, const Program& program, std::optional<SchemaId> id) {
  if (id && !program.schemas[*id].node.is_boolean()) {
    schemas.push_back(*id);
  }
}

void add_members(const Program& program, SchemaId id, const Inner& inner, Children& children) {
  for (const auto& [name, schema] : inner.properties) {
    const auto known =
        std::ranges::find(children.properties, name, &std::pair<std::string, Schemas>::first);
    if (known != children.properties.end()) {
      known->second.push_back(schema);
    } else {
      children.properties.emplace_back(std::string(name), Schemas{schema});
    }
  }
  if (const std::uint32_t object = program.schemas[id].object; object != kNoId) {
    for (const PatternProperty& one : program.objects[object].patterns) {
      children.patterns.emplace_back(&program.patterns[one.pattern], one.schema);
      add(children.others, program, one.schema);
    }
  }
  for (const auto& others : {inner.additional, inner.unevaluated_members}) {
    add(children.additional, program, others);
    add(children.others, program, others);
    children.is_closed = children.is_closed || (others && is_false(program, *others));
  }
}

// If the first elements have schemas of their own, those of the others need not apply to any
// element.
void add_elements(const Program& program, const Inner& inner, Reach reach, Children& children) {
  children.prefix.resize(std::max(children.prefix.size(), inner.prefix.size()));
  for (std::size_t at = 0; at < inner.prefix.size(); ++at) {
    add(children.prefix[at], program, inner.prefix[at]);
  }
  if (reach >= Reach::kPossible || inner.prefix.empty()) {
    add(children.elements, program, inner.elements);
  }
}

Children children_of_all(const Program& program, const Schemas& all, Reach reach) {
  Children children;
  for (const SchemaId id : all) {
    const Inner inner = inner_schemas(program, id);
    add_members(program, id, inner, children);
    add_elements(program, inner, reach, children);
  }
  return children;
}

class Summarizer {
 public:
  Summarizer(const Program& program, Reach reach) : program_(program), reach_(reach) {}

  Summary run(const Schemas& schemas) {
    const Schemas all = all_of(program_, schemas, reach_);
    static_cast<Children&>(summary_) = children_of_all(program_, all, reach_);
    if (reach_ == Reach::kPossible) {  // an element may be one of the first
      for (const Schemas& first : summary_.prefix) {
        summary_.elements.insert(summary_.elements.end(), first.begin(), first.end());
      }
    }
    std::ranges::for_each(all, [this](SchemaId id) { add_keywords(id); });
    summary_.nullable =
        std::ranges::any_of(schemas, [this](SchemaId id) { return is_nullable(id); });
    const Schemas possible = all_of(program_, schemas, Reach::kPossible);
    summary_.open_names =
        !summary_.others.empty() || std::ranges::any_of(possible, [&](SchemaId id) {
          return !is_listed(all, id) && possible_types(program_, id) != kNullType;
        });
    return std::move(summary_);
  }

 private:
  void add_keywords(SchemaId id) {
    const Schema& schema = program_.schemas[id];
    summary_.types &= schema.types;
    summary_.read_only = summary_.read_only || schema.read_only;
    summary_.write_only = summary_.write_only || schema.write_only;
    for (const Rule& rule : schema.rules) {
      if (rule.keyword == Keyword::kType) {
        summary_.type_node = rule.node;
      } else if (rule.keyword == Keyword::kEnum || rule.keyword == Keyword::kConst) {
        summary_.listed.push_back(&program_.constants[rule.operand]);
      } else if (rule.keyword == Keyword::kRequired) {
        summary_.required_node = rule.node;
      } else if (rule.keyword == Keyword::kUniqueItems) {
        summary_.unique_items = true;
      }
    }
    // Also an unknown format, or one that is not asserted.
    if (const auto format = keyword_value(program_, id, "format"); format.is_string()) {
      summary_.format = format.string();
      summary_.format_node = format;
    }
    if (const auto bound = number(keyword_value(program_, id, "minimum"))) {
      summary_.minimum = std::max(*bound, summary_.minimum.value_or(*bound));
    }
    if (const auto bound = number(keyword_value(program_, id, "maximum"))) {
      summary_.maximum = std::min(*bound, summary_.maximum.value_or(*bound));
    }
    if (schema.object != kNoId) {
      const auto& names = program_.objects[schema.object].required;
      summary_.required.insert(summary_.required.end(), names.begin(), names.end());
    }
  }

  bool is_nullable(SchemaId id) const {
    const TypeSet types = possible_types(program_, id);
    return types != kEveryType && (types & kNullType) != 0;
  }

  const Program& program_;
  Reach reach_;
  Summary summary_;
};

}  // namespace

bool Summary::is(TypeSet type) const {
  const auto asked = static_cast<TypeSet>((type & kNumberType) != 0 ? kNumberType : type);
  return types != kEveryType && (types & asked) == type;
}

bool Summary::is_scalar() const {
  const auto named = static_cast<TypeSet>(types & ~kNullType);
  return named == kStringType || named == kBooleanType || named == kIntegerType ||
         named == kNumberType;
}

const Schemas* Children::property(std::string_view name) const {
  const auto found = std::ranges::find(properties, name, &std::pair<std::string, Schemas>::first);
  return found == properties.end() ? nullptr : &found->second;
}

const Schemas& Summary::part(std::string_view token) const {
  if (const Schemas* const named = property(token)) {
    return *named;
  }
  const bool may_be_element = token == "*" || json::array_index(token);
  return may_be_element && !elements.empty() ? elements : others;
}

Children children_of(const Program& program, const Schemas& schemas, Reach reach) {
  return children_of_all(program, all_of(program, schemas, reach), reach);
}

Summary summarize(const Program& program, const Schemas& schemas, Reach reach) {
  return Summarizer(program, reach).run(schemas);
}

const Summary& Summaries::summary_of(const Schemas& schemas) const {
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = known_.find(schemas); known != known_.end()) {
      return known->second;
    }
  }
  Summary summary = summarize(program_, schemas, reach_);
  const std::lock_guard lock(mutex_);
  return known_.try_emplace(schemas, std::move(summary)).first->second;
}

}  // namespace spec::schema
