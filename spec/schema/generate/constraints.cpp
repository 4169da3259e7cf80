#include "spec/schema/generate/constraints.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

namespace spec::schema::generate {

namespace {

bool holds(const auto& list, const auto& value) {
  return std::ranges::find(list, value) != list.end();
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (!holds(names, name)) {
    names.push_back(name);
  }
}

class Merger {
 public:
  Merger(const Program& program, const Selection& selection)
      : program_(program), selection_(selection) {}

  Constraints run() {
    for (const SchemaId id : selection_.schemas) {
      add(id);
    }
    while (add_dependent_schemas()) {
    }
    return std::move(all_);
  }

 private:
  // A required member adds its dependentSchemas; true if that added any.
  bool add_dependent_schemas() {
    const std::size_t before = all_.merged.size();
    const std::vector<std::string> required = required_names(all_);
    for (std::size_t i = 0; i < all_.dependent_schemas.size(); ++i) {
      for (const Property& each : *all_.dependent_schemas[i]) {
        if (holds(required, each.name)) {
          add(each.schema);
        }
      }
    }
    return all_.merged.size() != before;
  }

  void add(SchemaId id) {
    if (holds(all_.merged, id)) {
      return;
    }
    all_.merged.push_back(id);
    const Schema& schema = program_.schemas[id];
    all_.types &= schema.types;
    add_annotations(id);
    if (schema.alias != kNoId) {
      add(schema.alias);
    }
    if (schema.discriminator != kNoId) {
      all_.discriminators.push_back(schema.discriminator);
    }
    if (schema.object != kNoId) {
      all_.objects.push_back(&program_.objects[schema.object]);
    }
    for (const Rule& rule : schema.rules) {
      add_rule(rule);
    }
  }

  void add_annotations(SchemaId id) {
    const auto text = [this, id](std::string_view keyword) {
      const document::Node value = keyword_value(program_, id, keyword);
      return value.is_string() ? value.string() : std::string_view();
    };
    if (!text("format").empty()) {
      all_.annotated_formats.push_back(text("format"));
    }
    all_.is_base64 |= text("contentEncoding").starts_with("base64");
    all_.description = all_.description.empty() ? text("description") : all_.description;
    for (const std::string_view name : {"x-faker", "x-fake-data"}) {
      const document::Node hint = program_.schemas[id].node.find(name);
      all_.hint = all_.hint.empty() && hint.is_string() ? hint.string() : all_.hint;
    }
  }

  void add_rule(const Rule& rule) {
    const std::uint32_t at = rule.operand;
    const auto raise = [at](std::uint64_t& min) { min = std::max<std::uint64_t>(min, at); };
    const auto lower = [at](std::uint64_t& max) { max = std::min<std::uint64_t>(max, at); };
    switch (rule.keyword) {
      case Keyword::kEnum:
      case Keyword::kConst: all_.constants.push_back(&program_.constants[at]); return;
      case Keyword::kMultipleOf:
      case Keyword::kMaximum:
      case Keyword::kExclusiveMaximum:
      case Keyword::kMinimum:
      case Keyword::kExclusiveMinimum:
        all_.numbers.push_back({rule.keyword, &program_.bounds[at]});
        return;
      case Keyword::kPattern: all_.patterns.push_back(at); return;
      case Keyword::kFormat: all_.formats.push_back(program_.formats[at]); return;
      case Keyword::kUniqueItems: all_.unique = true; return;
      case Keyword::kMinLength: return raise(all_.min_length);
      case Keyword::kMaxLength: return lower(all_.max_length);
      case Keyword::kMinItems: return raise(all_.min_items);
      case Keyword::kMaxItems: return lower(all_.max_items);
      case Keyword::kMinProperties: return raise(all_.min_members);
      case Keyword::kMaxProperties: return lower(all_.max_members);
      // One of several targets is tried; the result is validated.
      case Keyword::kDynamicRef: return add(program_.dynamics[at].initial);
      case Keyword::kAnyOf:
      case Keyword::kOneOf: return add_choice(rule);
      case Keyword::kIf: return add_condition(program_.conditions[at]);
      case Keyword::kDependentRequired:
        all_.dependent_names.push_back(&program_.dependent_names[at]);
        return;
      case Keyword::kDependentSchemas:
        all_.dependent_schemas.push_back(&program_.dependent_schemas[at]);
        return;
      case Keyword::kPropertyNames: all_.property_names.push_back(at); return;
      case Keyword::kUnevaluatedProperties: all_.unevaluated_members.push_back(at); return;
      case Keyword::kPrefixItems:
        all_.prefix_count = std::max<std::uint64_t>(all_.prefix_count, program_.lists[at].size());
        all_.has_elements = true;
        return;
      case Keyword::kItems: all_.has_elements = true; return;
      case Keyword::kContains: all_.contains.push_back(&program_.contains[at]); return;
      case Keyword::kUnevaluatedItems: all_.unevaluated_items.push_back(at); return;
      default:
        std::ranges::for_each(schemas_in_place(program_, rule, Reach::kCertain),
                              [this](SchemaId each) { add(each); });
    }
  }

  void add_condition(const ConditionTable& table) {
    if (!holds(selection_.chosen, &table)) {
      all_.conditions.push_back(&table);
    }
  }

  void add_choice(const Rule& rule) {
    const auto& alternatives = program_.lists[rule.operand];
    if (!holds(selection_.chosen, &alternatives)) {
      all_.choices.push_back(&alternatives);
    } else if (rule.keyword == Keyword::kOneOf) {
      std::ranges::copy_if(alternatives, std::back_inserter(all_.others),
                           [&](SchemaId id) { return !holds(selection_.schemas, id); });
    }
  }

  const Program& program_;
  const Selection& selection_;
  Constraints all_;
};

// Computes min_depths(): a schema's depth is computed again when one that it was read from got
// smaller.
class DepthFinder {
 public:
  explicit DepthFinder(const Program& program)
      : program_(program), known_(program.schemas.size(), kNoLimit), readers_(known_.size()) {}

  std::vector<std::uint64_t> run() {
    // Backwards, since a part mostly comes after its whole; ends with kNoId.
    for (reader_ = static_cast<SchemaId>(known_.size()); reader_-- > 0;) {
      update(reader_);
    }
    for (; !open_.empty(); open_.pop_front()) {
      update(open_.front());
    }
    return std::move(known_);
  }

 private:
  void update(SchemaId id) {
    const std::uint64_t depth = depth_of(program_.schemas[id]);
    if (depth < known_[id]) {
      known_[id] = depth;
      open_.insert(open_.end(), readers_[id].begin(), readers_[id].end());
    }
  }

  std::uint64_t known(SchemaId id) {
    if (reader_ != kNoId) {
      readers_[id].push_back(reader_);
    }
    return known_[id];
  }

  std::uint64_t depth_of(const Schema& schema) {
    std::uint64_t in_place = schema.alias == kNoId ? 0 : known(schema.alias);
    std::uint64_t min_items = 0;
    bool is_constant = false;
    for (const Rule& rule : schema.rules) {
      in_place = std::max(in_place, in_place_depth(rule));
      is_constant |= rule.keyword == Keyword::kConst || rule.keyword == Keyword::kEnum;
      min_items = rule.keyword == Keyword::kMinItems ? rule.operand : min_items;
    }
    const bool may_be_scalar = (schema.types & ~(kArrayType | kObjectType)) != 0;
    if (is_constant || may_be_scalar) {
      return in_place;
    }
    const std::uint64_t array =
        (schema.types & kArrayType) != 0 ? array_depth(schema, min_items) : kNoLimit;
    const std::uint64_t object =
        (schema.types & kObjectType) != 0 ? object_depth(schema) : kNoLimit;
    return std::max(in_place, std::min(array, object));
  }

  static std::uint64_t deeper(std::uint64_t depth) {
    return depth == kNoLimit ? kNoLimit : depth + 1;
  }

  std::uint64_t object_depth(const Schema& schema) {
    std::uint64_t depth = 0;
    if (schema.object != kNoId) {
      for (const NamedMember& member : program_.objects[schema.object].members) {
        if (member.required && member.schema != kNoId) {
          depth = std::max(depth, deeper(known(member.schema)));
        }
      }
    }
    return depth;
  }

  std::uint64_t array_depth(const Schema& schema, std::uint64_t count) {
    std::uint64_t depth = 0;
    for (const Rule& rule : schema.rules) {
      if (rule.keyword == Keyword::kItems && program_.items[rule.operand].first < count) {
        depth = std::max(depth, known(program_.items[rule.operand].schema));
      } else if (rule.keyword == Keyword::kPrefixItems) {
        auto first = program_.lists[rule.operand];
        first.resize(std::min<std::size_t>(first.size(), count));
        depth = std::max(depth, max_depth_of(first));
      }
    }
    return count == 0 ? 0 : deeper(depth);
  }

  std::uint64_t max_depth_of(const std::vector<SchemaId>& ids) {
    std::uint64_t depth = 0;
    for (const SchemaId id : ids) {
      depth = std::max(depth, known(id));
    }
    return depth;
  }

  std::uint64_t in_place_depth(const Rule& rule) {
    if (rule.keyword == Keyword::kFalse) {
      return kNoLimit;
    }
    if (!is_choice(rule.keyword)) {
      return max_depth_of(schemas_in_place(program_, rule, Reach::kCertain));
    }
    std::uint64_t depth = kNoLimit;
    for (const SchemaId each : schemas_in_place(program_, rule, Reach::kPossible)) {
      depth = std::min(depth, known(each));
    }
    return depth;
  }

  const Program& program_;
  std::vector<std::uint64_t> known_;
  std::vector<std::vector<SchemaId>> readers_;  // of each schema's depth
  std::deque<SchemaId> open_;
  SchemaId reader_ = kNoId;  // while readers are noted
};

}  // namespace

std::vector<std::string> required_names(const Constraints& constraints) {
  std::vector<std::string> names;
  for (const ObjectTable* table : constraints.objects) {
    for (const std::string& name : table->required) {
      add_name(names, name);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const auto* dependents : constraints.dependent_names) {
      for (const DependentNames& each : *dependents) {
        const auto& others = each.name == names[i] ? each.required : std::vector<std::string>{};
        std::ranges::for_each(others, [&](const std::string& other) { add_name(names, other); });
      }
    }
  }
  return names;
}

std::vector<SchemaId> schemas_of_element(const Program& program, const Constraints& constraints,
                                         std::uint64_t index) {
  std::vector<SchemaId> schemas;
  for (const SchemaId id : constraints.merged) {
    std::ranges::copy(element_schemas(program, id, index), std::back_inserter(schemas));
  }
  return schemas;
}

Constraints merge(const Program& program, const Selection& selection) {
  return Merger(program, selection).run();
}

std::shared_ptr<const Constraints> ConstraintsCache::of(const Program& program,
                                                        const std::vector<SchemaId>& schemas) {
  constexpr std::size_t kMaxKept = 20'000;
  const std::scoped_lock lock(mutex_);
  auto& kept = cache_[schemas];
  if (kept == nullptr) {
    kept = std::make_shared<const Constraints>(merge(program, {schemas, {}}));
  }
  const auto result = kept;
  if (cache_.size() > kMaxKept) {
    cache_.clear();
  }
  return result;
}

std::vector<std::uint64_t> min_depths(const Program& program) {
  return DepthFinder(program).run();
}

namespace {

bool has_name(const auto& lists, const std::string& name) {
  return std::ranges::any_of(lists, [&](const auto* list) {
    return std::ranges::any_of(*list, [&](const auto& each) { return each.name == name; });
  });
}

}  // namespace

std::vector<SchemaId> schemas_of_member(const Program& program, const Constraints& constraints,
                                        const std::string& name) {
  std::vector<SchemaId> schemas;
  for (const SchemaId id : constraints.merged) {
    std::ranges::copy(member_schemas(program, id, name), std::back_inserter(schemas));
  }
  return schemas.empty() ? constraints.unevaluated_members : schemas;
}

Member make_member(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                   const Constraints& constraints, const std::string& name) {
  const Program& program = schemas.program();
  Member member{.name = name, .schemas = schemas_of_member(program, constraints, name)};
  member.may_be_named = std::ranges::all_of(constraints.property_names, [&](SchemaId id) {
    return fits(schemas, id, nlohmann::json(name));
  });
  member.brings_none = !has_name(constraints.dependent_names, name) &&
                       !has_name(constraints.dependent_schemas, name);
  for (const SchemaId id : member.schemas) {
    member.depth = std::max(member.depth, depths[id]);
    member.read_only |= program.schemas[id].read_only;
    member.write_only |= program.schemas[id].write_only;
  }
  return member;
}

std::vector<Member> members_of(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                               const Constraints& constraints) {
  std::vector<std::string> names = required_names(constraints);
  const std::size_t required = names.size();
  for (const ObjectTable* table : constraints.objects) {
    for (const Property& property : table->properties) {
      if (std::ranges::find(names, property.name) == names.end()) {
        names.push_back(property.name);
      }
    }
  }
  std::vector<Member> members;
  for (const std::string& name : names) {
    members.push_back(make_member(schemas, depths, constraints, name));
    members.back().is_required = members.size() <= required;
  }
  return members;
}

}  // namespace spec::schema::generate
