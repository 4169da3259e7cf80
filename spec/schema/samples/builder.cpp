#include "spec/schema/samples/builder.hpp"

#include "spec/schema/samples/numbers.hpp"

#include <algorithm>
#include <bit>

namespace spec::schema::samples {

namespace {

using Json = nlohmann::json;

constexpr unsigned kSoftDepth = 5;  // from here on only what must be there is made
constexpr unsigned kHardDepth = 64;
constexpr int kMaxChoices = 64;
constexpr std::uint64_t kNullOdds = 8;  // one in so many nullable values is null

bool is_only_null(const Program& program, SchemaId id) {
  return program.schemas[id].types == kNullType;
}

// One of `branches` by its place: at random, rarely null, and near the depth limit the shallowest.
std::size_t choose(const Attempt& attempt, const std::vector<SchemaId>& branches, const Spot& spot,
                   Random& random) {
  const auto& depths = attempt.ground.depths;
  if (spot.depth >= kSoftDepth) {
    return static_cast<std::size_t>(
        std::min_element(branches.begin(), branches.end(),
                         [&](SchemaId a, SchemaId b) { return depths[a] < depths[b]; }) -
        branches.begin());
  }
  const bool take_null = random.one_in(kNullOdds);
  const auto is_wanted = [&](SchemaId each) {
    return depths[each] != kNoLimit && (take_null || !is_only_null(attempt.ground.program, each));
  };
  const auto wanted = std::count_if(branches.begin(), branches.end(), is_wanted);
  if (wanted == 0) {
    return random.below(branches.size());
  }
  std::uint64_t left = random.below(static_cast<std::uint64_t>(wanted));
  for (std::size_t i = 0;; ++i) {
    if (is_wanted(branches[i]) && left-- == 0) {
      return i;
    }
  }
}

// A parent of which some heir may be meant, and the heir's way from the node.
struct Heritage {
  const TagTable* parent = nullptr;  // null when none is left to choose for
  std::size_t first_way = 0;
};

Heritage open_heritage(const Attempt& attempt, const ShapeNode& node, const Spot& spot) {
  if (spot.depth >= kSoftDepth || attempt.number % 2 == 1) {
    return {};
  }
  const auto& taken = node.key.taken;
  std::size_t way = 0;
  for (const std::uint32_t index : node.shape.discriminators) {
    const TagTable& table = attempt.ground.tags[index];
    const bool is_stated = attempt.options.use_examples && attempt.number == 0 &&
                           !attempt.ground.examples[table.owner].empty();
    const bool is_taken = std::find(taken.begin(), taken.end(), &table) != taken.end();
    if (!table.has_branches && !table.names.empty() && !is_stated && !is_taken &&
        name_among(table, node.shape.merged).empty()) {
      return {&table, way};
    }
    way += table.names.size();
  }
  return {};
}

// Which schema the value is, said by its member. The inmost discriminator says it best.
void add_tags(const Attempt& attempt, Settled& settled, Random& random) {
  const Shape& shape = settled.shape();
  for (auto index = shape.discriminators.rbegin(); index != shape.discriminators.rend(); ++index) {
    const TagTable& table = attempt.ground.tags[*index];
    std::string_view name = name_among(table, shape.merged);
    if (name.empty()) {
      name = table.own_name;
    }
    if (name.empty() && !table.names.empty()) {
      name = random.pick(table.names).name;
    }
    if (!name.empty()) {
      settled.tags.emplace_back(table.property, name);
    }
  }
}

const ShapeNode& take_condition(const Attempt& attempt, const ShapeNode& node, OwnNodes& own,
                                Random& random) {
  const ConditionTable* table = node.shape.conditions.front();
  const ShapeTree& shapes = attempt.ground.shapes;
  // Of several conditions without an else mostly one holds: "if the method is card", "if it is
  // bank".
  const std::size_t conditions = node.key.taken.size() + node.shape.conditions.size();
  const bool holds = random.one_in(table->alternative == kNoId ? conditions : 2);
  if (!holds && table->alternative != kNoId) {
    return shapes.next(node, 0, table, {table->alternative}, own);
  }
  return !holds || table->consequence == kNoId
             ? shapes.next(node, 1, table, {}, own)
             : shapes.next(node, 2, table, {table->condition, table->consequence}, own);
}

const ShapeNode& take_heir(const Attempt& attempt, const ShapeNode& node, const Heritage& heritage,
                           OwnNodes& own, Random& random) {
  const auto& names = heritage.parent->names;
  const auto index = static_cast<std::size_t>(random.below(names.size()));
  const SchemaId heir = names[index].schema;
  const std::size_t way = heritage.first_way + index;
  return attempt.ground.depths[heir] == kNoLimit
             ? attempt.ground.shapes.next(node, way, heritage.parent, {}, own)
             : attempt.ground.shapes.next(node, way, heritage.parent, {heir}, own);
}

// The shape after every choice was taken. A choice that leaves no type is taken again by a later
// attempt, which draws otherwise.
Settled settle(const Attempt& attempt, const std::vector<SchemaId>& schemas, const Spot& spot,
               Random& random) {
  Settled settled;
  const ShapeTree& shapes = attempt.ground.shapes;
  const ShapeNode* node = &shapes.root(schemas, settled.own);
  for (int round = 0; round < kMaxChoices; ++round) {
    if (!node->shape.choices.empty()) {
      const auto& branches = *node->shape.choices.front().branches;
      const std::size_t way = choose(attempt, branches, spot, random);
      node = &shapes.next(*node, way, &branches, {branches[way]}, settled.own);
    } else if (!node->shape.conditions.empty()) {
      node = &take_condition(attempt, *node, settled.own, random);
    } else if (const Heritage heritage = open_heritage(attempt, *node, spot); heritage.parent) {
      node = &take_heir(attempt, *node, heritage, settled.own, random);
    } else {
      break;
    }
  }
  settled.node = node;
  add_tags(attempt, settled, random);
  return settled;
}

// An example of the parent may be one of another heir.
bool is_of_another_heir(const Attempt& attempt, const Shape& shape, const Json& example) {
  return std::any_of(shape.discriminators.begin(), shape.discriminators.end(),
                     [&](std::uint32_t index) {
                       return is_of_another(attempt.ground.tags[index], shape.merged, example);
                     });
}

// What a schema's example does not say, those of the schemas merged with it may.
Json with_other_examples(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                         const Shape& shape, const Json& example) {
  Json whole = example;
  for (const SchemaId id : shape.merged) {
    const auto& others = attempt.ground.examples[id];
    const bool is_one = whole.is_object() && !others.empty() && others.front().is_object() &&
                        !is_of_another_heir(attempt, shape, others.front());
    if (is_one) {
      for (const auto& [name, value] : others.front().items()) {
        whole.emplace(name, value);
      }
    }
  }
  return whole == example || !keeps_all(attempt, schemas, whole) ? example : whole;
}

// The first example or default that keeps every schema here.
std::optional<Json> stated_example(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                   const Shape& shape, const Spot& spot, Random& random) {
  for (const SchemaId id : shape.merged) {
    const auto& examples = attempt.ground.examples[id];
    // Elements of a list show others than the first.
    const std::size_t first = spot.depth > 0 ? random.below(examples.size()) : 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const Json& example = examples[(first + i) % examples.size()];
      if (!is_of_another_heir(attempt, shape, example) && keeps_all(attempt, schemas, example)) {
        return with_other_examples(attempt, schemas, shape, example);
      }
    }
  }
  return std::nullopt;
}

// A constant that keeps every schema here.
std::optional<Json> stated_constant(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                    const Shape& shape, const Spot& spot, Random& random) {
  if (shape.constants.empty()) {
    return std::nullopt;
  }
  const auto& values = shape.constants.front()->values();
  std::size_t start = random.below(values.size());
  if (const auto usual = usual_constant(*spot.sense, attempt.persona)) {
    const auto found = std::find(values.begin(), values.end(), Json(*usual));
    start = found == values.end() ? start : static_cast<std::size_t>(found - values.begin());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Json& value = values[(start + i) % values.size()];
    if (keeps_all(attempt, schemas, value)) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<Json> stated_value(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                 const Shape& shape, const Spot& spot, Random& random) {
  std::optional<Json> value;
  if (attempt.options.use_examples && attempt.number == 0) {
    value = stated_example(attempt, schemas, shape, spot, random);
  }
  return value ? value : stated_constant(attempt, schemas, shape, spot, random);
}

// "customer_id" means the same customer wherever it stands; "id" or "name" do not.
bool names_one_entity(std::string_view name) {
  return name.size() > 3 && (name.ends_with("_id") || name.ends_with("Id") || name.ends_with("ID"));
}

std::optional<Json> given_value(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                const Spot& spot) {
  if (attempt.options.given == nullptr || spot.name.empty() || spot.depth == 0) {
    return std::nullopt;
  }
  for (const auto& [name, value] : *attempt.options.given) {
    const bool is_meant = name == spot.name && (spot.depth == 1 || names_one_entity(name));
    if (is_meant && keeps_all(attempt, schemas, value)) {
      return value;
    }
  }
  return std::nullopt;
}

// One of the types that the shape leaves, the telling ones first: an untyped schema with
// properties means an object. Every third attempt takes any type: the keywords of one type ask
// nothing of the others.
TypeSet choose_type(const Attempt& attempt, const Shape& shape, const Spot& spot, Random& random) {
  const TypeSet types = shape.types;
  const bool says_object = !shape.objects.empty() || shape.least_members > 0;
  const bool says_array = !shape.items.empty() || !shape.prefixes.empty() ||
                          !shape.contains.empty() || shape.least_items > 0;
  const bool says_number = !shape.numbers.empty();
  const bool only_null_is_shallow = spot.depth >= kSoftDepth && (types & kNullType) != 0;
  if (only_null_is_shallow) {
    return kNullType;
  }
  const bool any_type = attempt.number % 3 == 2;
  if (!any_type && (types == kEveryType || std::popcount(types) > 2)) {
    if (says_object && (types & kObjectType) != 0) {
      return kObjectType;
    }
    if (says_array && (types & kArrayType) != 0) {
      return kArrayType;
    }
    if (says_number && (types & kNumberType) != 0) {
      return kNumberType & types;
    }
  }
  std::vector<TypeSet> kinds;
  for (const TypeSet kind : {kStringType, kNumberType, kBooleanType, kObjectType, kArrayType}) {
    if ((types & kind) != 0) {
      kinds.push_back(static_cast<TypeSet>(types & kind));
    }
  }
  const bool take_null = (types & kNullType) != 0 && (kinds.empty() || random.one_in(kNullOdds));
  if (take_null) {
    return kNullType;
  }
  if (kinds.empty()) {
    return 0;
  }
  return types == kEveryType && !any_type ? kStringType : random.pick(kinds);
}

std::optional<Json> build_typed(const Attempt& attempt, const Settled& settled, TypeSet type,
                                const Spot& spot, Random& random) {
  const Shape& shape = settled.shape();
  switch (type) {
    case 0: return std::nullopt;
    case kNullType: return Json(nullptr);
    case kBooleanType: return Json(random.one_in(2));
    case kStringType: return build_text(attempt, shape, spot);
    case kArrayType: return build_array(attempt, shape, spot);
    case kObjectType: return build_object(attempt, settled, spot);
    default: {
      const bool whole = type == kIntegerType || (type == kNumberType && attempt.number % 2 == 0);
      return number_for(shape, whole, spot.sense->range, random);
    }
  }
}

}  // namespace

bool keeps_all(const Attempt& attempt, const std::vector<SchemaId>& schemas, const Json& value) {
  return std::all_of(schemas.begin(), schemas.end(), [&](SchemaId id) {
    return fits(attempt.ground.schemas, id, value, {attempt.options.direction});
  });
}

std::optional<Json> build(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                          const Spot& spot) {
  if (spot.depth > kHardDepth || attempt.budget == 0) {
    attempt.stuck.is_too_large = true;
    return std::nullopt;
  }
  --attempt.budget;
  if (auto given = given_value(attempt, schemas, spot)) {
    return given;
  }
  // The first attempt at the whole is quick; later ones make each part right before they go on.
  const unsigned tries = attempt.number == 0 ? 1 : spot.depth == 0 ? 1 : 12;
  std::optional<Json> value;
  for (unsigned i = 0; i < tries && (i == 0 || attempt.budget > 0); ++i) {
    Random random(derive(spot.seed, std::uint64_t{i}));
    const Settled settled = settle(attempt, schemas, spot, random);
    const Shape& shape = settled.shape();
    value = stated_value(attempt, schemas, shape, spot, random);
    if (!value && shape.constants.empty()) {
      const Spot here{derive(spot.seed, std::uint64_t{i}), spot.name, spot.sense, spot.depth,
                      spot.outer};
      const TypeSet type = choose_type(attempt, shape, spot, random);
      value = build_typed(attempt, settled, type, here, random);
    }
    if (value && (tries == 1 || keeps_all(attempt, schemas, *value))) {
      return value;
    }
  }
  if (!value && !schemas.empty() &&
      (attempt.stuck.schema == kNoId || spot.depth > attempt.stuck.depth)) {
    attempt.stuck.schema = schemas.back();
    attempt.stuck.name = spot.name;
    attempt.stuck.depth = spot.depth;
  }
  return value;
}

}  // namespace spec::schema::samples
