#include "spec/schema/samples/shape.hpp"

#include <algorithm>

namespace spec::schema::samples {

namespace {

class Merger {
 public:
  Merger(const Program& program, const ShapeKey& key) : program_(program), key_(key) {}

  Shape run() {
    for (const SchemaId id : key_.schemas) {
      add(id);
    }
    while (add_dependent_schemas()) {
    }
    return std::move(shape_);
  }

 private:
  bool is_taken(const void* table) const {
    return std::find(key_.taken.begin(), key_.taken.end(), table) != key_.taken.end();
  }

  bool is_required(const std::string& name) const {
    const auto holds = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return std::any_of(shape_.objects.begin(), shape_.objects.end(),
                       [&](const ObjectTable* table) { return holds(table->required); }) ||
           std::any_of(
               shape_.dependent_names.begin(), shape_.dependent_names.end(), [&](const auto* list) {
                 return std::any_of(list->begin(), list->end(), [&](const auto& each) {
                   return each.name != name && holds(each.required) && is_required(each.name);
                 });
               });
  }

  // A required member brings its dependentSchemas with it; true when that added any.
  bool add_dependent_schemas() {
    const std::size_t before = shape_.merged.size();
    for (std::size_t i = 0; i < shape_.dependent_schemas.size(); ++i) {
      for (const DependentSchema& each : *shape_.dependent_schemas[i]) {
        if (is_required(each.name)) {
          add(each.schema);
        }
      }
    }
    return shape_.merged.size() != before;
  }

  void add(SchemaId id) {
    if (std::find(shape_.merged.begin(), shape_.merged.end(), id) != shape_.merged.end()) {
      return;
    }
    shape_.merged.push_back(id);
    const Schema& schema = program_.schemas[id];
    shape_.types &= schema.types;
    add_hints(schema);
    if (schema.alias != kNoId) {
      add(schema.alias);
    }
    if (schema.discriminator != kNoId) {
      shape_.discriminators.push_back(schema.discriminator);
    }
    if (schema.object != kNoId) {
      shape_.objects.push_back(&program_.objects[schema.object]);
    }
    for (const Rule& rule : schema.rules) {
      add(rule);
    }
  }

  void add(const Rule& rule) {
    switch (rule.keyword) {
      case Keyword::kEnum:
      case Keyword::kConst: shape_.constants.push_back(&program_.constants[rule.operand]); return;
      case Keyword::kMultipleOf:
      case Keyword::kMaximum:
      case Keyword::kExclusiveMaximum:
      case Keyword::kMinimum:
      case Keyword::kExclusiveMinimum:
        shape_.numbers.push_back({rule.keyword, &program_.bounds[rule.operand]});
        return;
      case Keyword::kPattern: shape_.patterns.push_back(rule.operand); return;
      case Keyword::kFormat: shape_.formats.push_back(program_.formats[rule.operand]); return;
      case Keyword::kUniqueItems: shape_.unique = true; return;
      default:
        add_size(rule);
        add_applicator(rule);
        return;
    }
  }

  void add_size(const Rule& rule) {
    const std::uint64_t count = rule.operand;
    const auto raise = [&](std::uint64_t& least) { least = std::max(least, count); };
    const auto lower = [&](std::uint64_t& most) { most = std::min(most, count); };
    switch (rule.keyword) {
      case Keyword::kMinLength: return raise(shape_.least_length);
      case Keyword::kMaxLength: return lower(shape_.most_length);
      case Keyword::kMinItems: return raise(shape_.least_items);
      case Keyword::kMaxItems: return lower(shape_.most_items);
      case Keyword::kMinProperties: return raise(shape_.least_members);
      case Keyword::kMaxProperties: return lower(shape_.most_members);
      default: return;
    }
  }

  void add_applicator(const Rule& rule) {
    switch (rule.keyword) {
      case Keyword::kRef: return add(rule.operand);
      case Keyword::kDynamicRef: return add(program_.dynamics[rule.operand].initial);
      case Keyword::kAllOf:
        for (const SchemaId each : program_.lists[rule.operand]) {
          add(each);
        }
        return;
      case Keyword::kAnyOf: return add_choice(program_.lists[rule.operand]);
      case Keyword::kOneOf:
        add_rivals(program_.lists[rule.operand]);
        return add_choice(program_.lists[rule.operand]);
      case Keyword::kIf: return add_condition(program_.conditions[rule.operand]);
      case Keyword::kDependentRequired:
        shape_.dependent_names.push_back(&program_.dependent_names[rule.operand]);
        return;
      case Keyword::kDependentSchemas:
        shape_.dependent_schemas.push_back(&program_.dependent_schemas[rule.operand]);
        return;
      case Keyword::kPropertyNames: shape_.member_names.push_back(rule.operand); return;
      case Keyword::kUnevaluatedProperties:
        shape_.unevaluated_members.push_back(rule.operand);
        return;
      default: return add_array(rule);
    }
  }

  void add_array(const Rule& rule) {
    switch (rule.keyword) {
      case Keyword::kPrefixItems: shape_.prefixes.push_back(&program_.lists[rule.operand]); return;
      case Keyword::kItems: shape_.items.push_back(&program_.items[rule.operand]); return;
      case Keyword::kContains: shape_.contains.push_back(&program_.contains[rule.operand]); return;
      case Keyword::kUnevaluatedItems: shape_.unevaluated_items.push_back(rule.operand); return;
      default: return;
    }
  }

  void add_choice(const std::vector<SchemaId>& branches) {
    if (!is_taken(&branches)) {
      shape_.choices.push_back({&branches});
    }
  }

  void add_rivals(const std::vector<SchemaId>& branches) {
    for (const SchemaId branch : branches) {
      const bool is_chosen =
          std::find(key_.schemas.begin(), key_.schemas.end(), branch) != key_.schemas.end();
      if (is_taken(&branches) && !is_chosen) {
        shape_.rivals.push_back(branch);
      }
    }
  }

  // What its text says beside the keywords that assert.
  void add_hints(const Schema& schema) {
    const auto text = [&schema](std::string_view keyword) {
      const document::Node value = schema.node.find(keyword);
      return value && value.is_string() ? value.string() : std::string_view();
    };
    if (!text("format").empty()) {
      shape_.loose_formats.push_back(text("format"));
    }
    if (text("contentEncoding").starts_with("base64")) {
      shape_.encoding = text("contentEncoding");
    }
    if (!text("contentMediaType").empty()) {
      shape_.media_type = text("contentMediaType");
    }
  }

  void add_condition(const ConditionTable& table) {
    if (!is_taken(&table)) {
      shape_.conditions.push_back(&table);
    }
  }

  const Program& program_;
  const ShapeKey& key_;
  Shape shape_;
};

std::uint64_t deeper(std::uint64_t depth) {
  return depth == kNoLimit ? kNoLimit : depth + 1;
}

// One round of the least depths: every schema by what the round before knew of the others.
class DepthRound {
 public:
  DepthRound(const Program& program, const std::vector<std::uint64_t>& known)
      : program_(program), known_(known) {}

  std::uint64_t depth_of(const Schema& schema) const {
    std::uint64_t in_place = schema.alias == kNoId ? 0 : known_[schema.alias];
    bool constant = false;
    std::uint64_t least_items = 0;
    for (const Rule& rule : schema.rules) {
      in_place = std::max(in_place, in_place_depth(rule));
      constant |= rule.keyword == Keyword::kConst || rule.keyword == Keyword::kEnum;
      least_items = rule.keyword == Keyword::kMinItems ? rule.operand : least_items;
    }
    if (constant) {
      return in_place;
    }
    std::uint64_t elements = 0;
    for (const Rule& rule : schema.rules) {
      elements = std::max(elements, element_depth(rule, least_items));
    }
    return std::max(in_place, own_depth(schema, least_items == 0 ? 0 : deeper(elements)));
  }

 private:
  std::uint64_t own_depth(const Schema& schema, std::uint64_t array_depth) const {
    std::uint64_t least = kNoLimit;
    if ((schema.types & ~(kArrayType | kObjectType)) != 0) {
      return 0;
    }
    if ((schema.types & kArrayType) != 0) {
      least = array_depth;
    }
    if ((schema.types & kObjectType) != 0) {
      least = std::min(least, object_depth(schema));
    }
    return least;
  }

  std::uint64_t object_depth(const Schema& schema) const {
    std::uint64_t depth = 0;
    if (schema.object != kNoId) {
      for (const NamedMember& member : program_.objects[schema.object].members) {
        if (member.required && member.schema != kNoId) {
          depth = std::max(depth, deeper(known_[member.schema]));
        }
      }
    }
    return depth;
  }

  // What the first `count` elements need at least.
  std::uint64_t element_depth(const Rule& rule, std::uint64_t count) const {
    std::uint64_t depth = 0;
    if (rule.keyword == Keyword::kItems) {
      const ItemsTable& items = program_.items[rule.operand];
      depth = items.first < count ? known_[items.schema] : 0;
    } else if (rule.keyword == Keyword::kPrefixItems) {
      const auto& prefix = program_.lists[rule.operand];
      for (std::size_t i = 0; i < prefix.size() && i < count; ++i) {
        depth = std::max(depth, known_[prefix[i]]);
      }
    }
    return depth;
  }

  std::uint64_t in_place_depth(const Rule& rule) const {
    std::uint64_t depth = 0;
    switch (rule.keyword) {
      case Keyword::kFalse: return kNoLimit;
      case Keyword::kRef: return known_[rule.operand];
      case Keyword::kDynamicRef: return known_[program_.dynamics[rule.operand].initial];
      case Keyword::kAllOf:
        for (const SchemaId each : program_.lists[rule.operand]) {
          depth = std::max(depth, known_[each]);
        }
        return depth;
      case Keyword::kAnyOf:
      case Keyword::kOneOf:
        depth = kNoLimit;
        for (const SchemaId each : program_.lists[rule.operand]) {
          depth = std::min(depth, known_[each]);
        }
        return depth;
      default: return 0;
    }
  }

  const Program& program_;
  const std::vector<std::uint64_t>& known_;
};

}  // namespace

Shape merge(const Program& program, const ShapeKey& key) {
  return Merger(program, key).run();
}

std::vector<std::uint64_t> least_depths(const Program& program) {
  constexpr int kMaxRounds = 64;  // deeper schemas than this are taken for endless
  std::vector<std::uint64_t> known(program.schemas.size(), kNoLimit);
  for (int round = 0; round < kMaxRounds; ++round) {
    std::vector<std::uint64_t> next(known.size());
    const DepthRound step(program, known);
    std::transform(program.schemas.begin(), program.schemas.end(), next.begin(),
                   [&](const Schema& schema) { return step.depth_of(schema); });
    if (next == known) {
      break;
    }
    known = std::move(next);
  }
  return known;
}

}  // namespace spec::schema::samples
