#include "spec/schema/samples/shape_tree.hpp"

#include "spec/schema/validate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace spec::schema::samples {

namespace {

constexpr std::size_t kMostKept = 4096;
constexpr std::size_t kConditionWays = 3;

// The names that are required, each with what it brings with it (dependentRequired).
class RequiredNames {
 public:
  explicit RequiredNames(const Shape& shape) : shape_(shape) {}

  std::vector<std::string> run() {
    for (const ObjectTable* table : shape_.objects) {
      for (const std::string& name : table->required) {
        require(name);
      }
    }
    return std::move(names_);
  }

 private:
  void require(const std::string& name) {
    if (!seen_.insert(name).second) {
      return;
    }
    names_.push_back(name);
    for (const auto* dependents : shape_.dependent_names) {
      for (const DependentNames& each : *dependents) {
        if (each.name == name) {
          std::for_each(each.required.begin(), each.required.end(),
                        [this](const std::string& other) { require(other); });
        }
      }
    }
  }

  const Shape& shape_;
  std::set<std::string> seen_;
  std::vector<std::string> names_;
};

bool brings_others(const Shape& shape, const std::string& name) {
  const auto has = [&](const auto* list) {
    return std::any_of(list->begin(), list->end(),
                       [&](const auto& each) { return each.name == name; });
  };
  return std::any_of(shape.dependent_names.begin(), shape.dependent_names.end(), has) ||
         std::any_of(shape.dependent_schemas.begin(), shape.dependent_schemas.end(), has);
}

}  // namespace

ShapeTree::ShapeTree(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                     const std::vector<TagTable>& tags)
    : schemas_(schemas),
      program_(schemas.program()),
      depths_(depths),
      tags_(tags),
      roots_(program_.schemas.size()) {}

const ShapeNode& ShapeTree::root(const std::vector<SchemaId>& schemas, OwnNodes& own) const {
  if (schemas.size() != 1) {
    own.push_back(make({schemas, {}}));
    return *own.back();
  }
  auto& slot = roots_[schemas.front()];
  const ShapeNode* known = slot.load(std::memory_order_acquire);
  return known != nullptr ? *known : keep(slot, make({schemas, {}}), own);
}

const ShapeNode& ShapeTree::next(const ShapeNode& node, std::size_t way, const void* taken,
                                 std::initializer_list<SchemaId> added, OwnNodes& own) const {
  auto& slot = node.ways.at(way);
  const ShapeNode* known = slot.load(std::memory_order_acquire);
  if (known != nullptr) {
    return *known;
  }
  ShapeKey key = node.key;
  key.taken.push_back(taken);
  key.schemas.insert(key.schemas.end(), added.begin(), added.end());
  auto made = make(std::move(key));
  if (node.is_kept) {
    return keep(slot, std::move(made), own);
  }
  own.push_back(std::move(made));
  return *own.back();
}

const ShapeNode& ShapeTree::keep(std::atomic<const ShapeNode*>& slot,
                                 std::unique_ptr<ShapeNode> made, OwnNodes& own) const {
  const std::lock_guard lock(mutex_);
  if (const ShapeNode* known = slot.load(std::memory_order_relaxed)) {
    return *known;  // somebody else was faster
  }
  const bool has_room = kept_.size() < kMostKept;
  made->is_kept = has_room;
  OwnNodes& into = has_room ? kept_ : own;
  into.push_back(std::move(made));
  if (has_room) {
    slot.store(into.back().get(), std::memory_order_release);
  }
  return *into.back();
}

std::unique_ptr<ShapeNode> ShapeTree::make(ShapeKey key) const {
  Shape shape = merge(program_, key);
  auto node = std::make_unique<ShapeNode>(std::move(key), std::move(shape));
  node->ways = std::vector<std::atomic<const ShapeNode*>>(count_ways(node->shape));
  const bool is_open = !node->shape.choices.empty() || !node->shape.conditions.empty();
  if (!is_open && (node->shape.types & kObjectType) != 0) {
    node->members = plan_members(node->shape);
  }
  return node;
}

std::size_t ShapeTree::count_ways(const Shape& shape) const {
  if (!shape.choices.empty()) {
    return shape.choices.front().branches->size();
  }
  if (!shape.conditions.empty()) {
    return kConditionWays;
  }
  std::size_t heirs = 0;
  for (const std::uint32_t index : shape.discriminators) {
    heirs += tags_[index].names.size();
  }
  return heirs;
}

std::vector<SchemaId> ShapeTree::schemas_of(const Shape& shape, const std::string& name) const {
  std::vector<SchemaId> schemas;
  bool evaluated = false;
  for (const ObjectTable* table : shape.objects) {
    const std::size_t before = schemas.size();
    const auto known = std::lower_bound(
        table->members.begin(), table->members.end(), name,
        [](const NamedMember& left, const std::string& right) { return left.name < right; });
    if (known != table->members.end() && known->name == name && known->schema != kNoId) {
      schemas.push_back(known->schema);
    }
    for (const PatternProperty& each : table->patterns) {
      if (program_.patterns[each.pattern].search(name) == patterns::Search::kFound) {
        schemas.push_back(each.schema);
      }
    }
    if (schemas.size() == before && table->additional != kNoId) {
      schemas.push_back(table->additional);
    }
    evaluated |= schemas.size() != before;
  }
  if (!evaluated) {
    schemas.insert(schemas.end(), shape.unevaluated_members.begin(),
                   shape.unevaluated_members.end());
  }
  return schemas;
}

bool ShapeTree::may_be_named(const Shape& shape, const std::string& name) const {
  return std::all_of(shape.member_names.begin(), shape.member_names.end(),
                     [&](SchemaId id) { return fits(schemas_, id, nlohmann::json(name)); });
}

Member ShapeTree::plan_member(const Shape& shape, const std::string& name) const {
  Member member{.name = name, .sense = read_name(name), .schemas = schemas_of(shape, name)};
  member.may_be_named = may_be_named(shape, name);
  for (const SchemaId id : member.schemas) {
    member.depth = std::max(member.depth, depths_[id]);
    member.read_only |= program_.schemas[id].read_only;
    member.write_only |= program_.schemas[id].write_only;
  }
  return member;
}

namespace {

// Where nothing else is a person's, a name is a thing's.
void tell_things(std::vector<Member>& members) {
  const bool is_person = std::any_of(members.begin(), members.end(),
                                     [](const Member& member) { return member.sense.is_personal; });
  for (Member& member : members) {
    member.sense.is_thing = !is_person && (member.name == "name" || member.name == "label");
  }
}

}  // namespace

std::vector<Member> ShapeTree::plan_members(const Shape& shape) const {
  std::vector<Member> members;
  const std::vector<std::string> required = RequiredNames(shape).run();
  for (const std::string& name : required) {
    members.push_back(plan_member(shape, name));
    members.back().required = true;
  }
  std::set<std::string_view> seen(required.begin(), required.end());
  for (const ObjectTable* table : shape.objects) {
    for (const Property& property : table->properties) {
      if (seen.insert(property.name).second) {
        members.push_back(plan_member(shape, property.name));
        members.back().welcome =
            members.back().may_be_named && !brings_others(shape, property.name);
      }
    }
  }
  tell_things(members);
  return members;
}

}  // namespace spec::schema::samples
