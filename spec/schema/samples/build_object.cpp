// Objects: what is required, then what is declared, then as many more as the least count asks for.

#include "spec/schema/samples/builder.hpp"
#include "spec/schema/samples/pattern_words.hpp"

#include <algorithm>
#include <set>

namespace spec::schema::samples {

namespace {

using nlohmann::json;

constexpr unsigned kSoftDepth = 4;
constexpr std::uint64_t kMaxMembers = 10'000;

class ObjectBuilder {
 public:
  ObjectBuilder(const Attempt& attempt, const Shape& shape, const Spot& spot)
      : attempt_(attempt), shape_(shape), spot_(spot), random_(spot.seed) {}

  std::optional<json> run() {
    collect_required();
    for (const std::string& name : required_) {
      if (!add(name) && !is_other_way(name)) {
        return std::nullopt;
      }
    }
    if (spot_.depth < kSoftDepth && attempt_.number % 4 != 3) {
      add_declared();
    }
    return add_until_enough() ? std::optional{std::move(object_)} : std::nullopt;
  }

 private:
  const Program& program() const { return attempt_.ground.program; }

  // A required member that the direction leaves out.
  bool is_other_way(const std::string& name) const {
    return excluded_by_direction(schemas_of(name));
  }

  bool excluded_by_direction(const std::vector<SchemaId>& schemas) const {
    const Direction direction = attempt_.options.direction;
    return std::any_of(schemas.begin(), schemas.end(), [&](SchemaId id) {
      const Schema& schema = program().schemas[id];
      return (direction == Direction::kRequest && schema.read_only) ||
             (direction == Direction::kResponse && schema.write_only);
    });
  }

  // Everything that a member called `name` must keep.
  std::vector<SchemaId> schemas_of(const std::string& name) const {
    std::vector<SchemaId> schemas;
    bool evaluated = false;
    for (const ObjectTable* table : shape_.objects) {
      evaluated |= add_schemas(*table, name, schemas);
    }
    if (!evaluated) {
      schemas.insert(schemas.end(), shape_.unevaluated_members.begin(),
                     shape_.unevaluated_members.end());
    }
    return schemas;
  }

  bool add_schemas(const ObjectTable& table, const std::string& name,
                   std::vector<SchemaId>& schemas) const {
    const std::size_t before = schemas.size();
    for (const Property& property : table.properties) {
      if (property.name == name) {
        schemas.push_back(property.schema);
      }
    }
    for (const PatternProperty& each : table.patterns) {
      if (program().patterns[each.pattern].search(name) == patterns::Search::kFound) {
        schemas.push_back(each.schema);
      }
    }
    if (schemas.size() == before && table.additional != kNoId) {
      schemas.push_back(table.additional);
    }
    return schemas.size() != before;
  }

  void collect_required() {
    for (const ObjectTable* table : shape_.objects) {
      for (const std::string& name : table->required) {
        require(name);
      }
    }
  }

  // Adds `name` and what it brings with it (dependentRequired).
  void require(const std::string& name) {
    if (std::find(required_.begin(), required_.end(), name) != required_.end()) {
      return;
    }
    required_.push_back(name);
    for (const auto* dependents : shape_.dependent_names) {
      for (const DependentNames& each : *dependents) {
        if (each.name == name) {
          for (const std::string& other : each.required) {
            require(other);
          }
        }
      }
    }
  }

  bool brings_others(const std::string& name) const {
    const auto is_it = [&](const auto& each) { return each.name == name; };
    return std::any_of(
               shape_.dependent_names.begin(), shape_.dependent_names.end(),
               [&](const auto* list) { return std::any_of(list->begin(), list->end(), is_it); }) ||
           std::any_of(
               shape_.dependent_schemas.begin(), shape_.dependent_schemas.end(),
               [&](const auto* list) { return std::any_of(list->begin(), list->end(), is_it); });
  }

  bool add(const std::string& name) {
    if (object_.contains(name)) {
      return true;
    }
    const auto schemas = schemas_of(name);
    if (excluded_by_direction(schemas)) {
      return false;
    }
    auto value = tag(name, schemas);
    if (!value) {
      value = build(attempt_, schemas, {derive(spot_.seed, name), name, spot_.depth + 1});
    }
    if (!value) {
      return false;
    }
    object_[name] = std::move(*value);
    return true;
  }

  // What a discriminator calls the whole; constants say more than names.
  std::optional<json> tag(const std::string& name, const std::vector<SchemaId>& schemas) const {
    for (const auto& [property, text] : shape_.tags) {
      if (property == name && keeps_all(attempt_, schemas, json(text))) {
        return json(text);
      }
    }
    return std::nullopt;
  }

  // Declared members that are not required: all of them, as far as they fit and come to an end.
  void add_declared() {
    for (const ObjectTable* table : shape_.objects) {
      for (const Property& property : table->properties) {
        const bool endless = attempt_.ground.depths[property.schema] == kNoLimit;
        const bool deep =
            spot_.depth + 1 >= kSoftDepth && attempt_.ground.depths[property.schema] > 0;
        if (object_.size() < shape_.most_members && !endless && !deep &&
            may_be_named(property.name) && !brings_others(property.name)) {
          add(property.name);
        }
      }
    }
  }

  bool may_be_named(const std::string& name) const {
    return keeps_all(attempt_, shape_.member_names, json(name));
  }

  // A name for a member that nothing declares.
  std::optional<std::string> free_name(std::uint64_t draw) {
    if (!shape_.member_names.empty()) {
      const auto name = build(attempt_, shape_.member_names,
                              {derive(derive(spot_.seed, "names"), draw), "name", spot_.depth + 1});
      return name && name->is_string() ? std::optional{name->get<std::string>()} : std::nullopt;
    }
    for (const ObjectTable* table : shape_.objects) {
      for (const PatternProperty& each : table->patterns) {
        if (const auto pattern = read_pattern(program().pattern_texts[each.pattern])) {
          return write_match(*pattern, draw % 8, random_);
        }
      }
    }
    return "extra_" + std::to_string(draw + 1);
  }

  bool add_until_enough() {
    if (shape_.least_members > kMaxMembers) {
      return false;
    }
    for (const ObjectTable* table : shape_.objects) {
      for (const Property& property : table->properties) {
        if (object_.size() < shape_.least_members && may_be_named(property.name)) {
          add(property.name);
        }
      }
    }
    const std::uint64_t draws = shape_.least_members * 4 + 20;
    for (std::uint64_t draw = 0; draw < draws && object_.size() < shape_.least_members; ++draw) {
      if (const auto name = free_name(draw)) {
        add(*name);
      }
    }
    return object_.size() >= shape_.least_members && object_.size() <= shape_.most_members;
  }

  const Attempt& attempt_;
  const Shape& shape_;
  const Spot& spot_;
  Random random_;
  std::vector<std::string> required_;
  json object_ = json::object();
};

}  // namespace

std::optional<json> build_object(const Attempt& attempt, const Shape& shape, const Spot& spot) {
  return ObjectBuilder(attempt, shape, spot).run();
}

}  // namespace spec::schema::samples
