#include "spec/schema/generate/attempt.hpp"

#include "spec/json/number.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/identifiers.hpp"
#include "spec/schema/generate/number_value.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace spec::schema::generate {

using text::derive;
using text::Random;

namespace {

using Json = nlohmann::json;

constexpr unsigned kMaxDepth = 64;
constexpr int kMaxChoices = 64;
constexpr std::uint64_t kNullOdds = 8;  // one in so many nullable values is null

// The first of several kinds of objects in a list: descriptions name the usual one first.
bool is_usual(const Context& context, SchemaId alternative) {
  const Schema& schema = context.program.schemas[follow_references(context.program, alternative)];
  return context.depths[alternative] != kNoLimit && schema.types == kObjectType;
}

// Chooses an alternative: at random, rarely null, and at great depth the shallowest. Of a record
// and its key, the key first; of a list's first element, the first.
SchemaId choose(const Attempt& attempt, const std::vector<SchemaId>& alternatives,
                const Location& location, Random& random) {
  const auto& depths = attempt.context.depths;
  if (location.depth > kMaxRichDepth) {
    return *std::ranges::min_element(alternatives, {}, [&](SchemaId id) { return depths[id]; });
  }
  const SchemaId key = attempt.number == 0 && !location.name.empty()
                           ? key_beside_record(attempt.context.program, alternatives)
                           : kNoId;
  if (key != kNoId) {
    return key;
  }
  if (location.is_element && location.index == 0 && attempt.number == 0 &&
      is_usual(attempt.context, alternatives.front())) {
    return alternatives.front();
  }
  const bool takes_null = random.one_in(kNullOdds);
  std::vector<SchemaId> wanted;
  std::ranges::copy_if(alternatives, std::back_inserter(wanted), [&](SchemaId id) {
    const bool is_null = attempt.context.program.schemas[id].types == kNullType;
    return depths[id] != kNoLimit && (takes_null || !is_null);
  });
  return random.pick(wanted.empty() ? alternatives : wanted);
}

// Chooses mostly one of several conditions without an else: "if the method is card", "if it is
// bank".
void choose_condition(const Constraints& constraints, Selection& selection, Random& random) {
  const ConditionTable& table = *constraints.conditions.front();
  const std::size_t count = selection.chosen.size() + constraints.conditions.size();
  const bool holds = random.one_in(table.alternative == kNoId ? count : 2);
  selection.chosen.push_back(&table);
  if (holds && table.consequence != kNoId) {
    selection.schemas.insert(selection.schemas.end(), {table.condition, table.consequence});
  } else if (!holds && table.alternative != kNoId) {
    selection.schemas.push_back(table.alternative);
  }
}

// Replaces a base schema by one of its subtypes; false if there is none.
bool choose_subtype(const Attempt& attempt, const Constraints& constraints,
                    const Location& location, Selection& selection, Random& random) {
  const Context& context = attempt.context;
  for (const std::uint32_t index : constraints.discriminators) {
    const Discriminator& each = context.discriminators[index];
    const bool has_example = attempt.options.use_examples && attempt.number == 0 &&
                             !context.examples[each.owner].empty();
    const bool is_chosen = std::ranges::find(selection.chosen, &each) != selection.chosen.end();
    if (!each.has_alternatives && !each.names.empty() && !has_example && !is_chosen &&
        location.depth <= kMaxRichDepth && attempt.number % 2 == 0 &&
        name_among(each, constraints.merged).empty()) {
      const SchemaId subtype = random.pick(each.names).schema;
      selection.chosen.push_back(&each);
      if (context.depths[subtype] != kNoLimit) {
        selection.schemas.push_back(subtype);
      }
      return true;
    }
  }
  return false;
}

// Adds the members that name the schema of the value. The innermost discriminator is the most
// precise.
void add_names(const Attempt& attempt, ObjectPlan& plan, Random& random) {
  const auto& indices = plan.constraints.discriminators;
  for (auto index = indices.rbegin(); index != indices.rend(); ++index) {
    const Discriminator& each = attempt.context.discriminators[*index];
    std::string_view name = name_among(each, plan.constraints.merged);
    name = name.empty() ? each.own_name : name;
    if (name.empty() && !each.names.empty()) {
      name = random.pick(each.names).name;
    }
    if (!name.empty()) {
      plan.names.emplace_back(each.property, name);
    }
  }
}

// Merges until every choice is made. A later attempt makes another choice if this one leaves no
// type.
ObjectPlan resolve(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                   const Location& location, Random& random) {
  const Program& program = attempt.context.program;
  Selection selection{schemas, {}};
  ObjectPlan plan{*attempt.context.constraints_of(schemas), {}};
  for (int round = 0; round < kMaxChoices; ++round) {
    if (!plan.constraints.choices.empty()) {
      const auto& alternatives = *plan.constraints.choices.front();
      selection.chosen.push_back(&alternatives);
      selection.schemas.push_back(choose(attempt, alternatives, location, random));
    } else if (!plan.constraints.conditions.empty()) {
      choose_condition(plan.constraints, selection, random);
    } else if (!choose_subtype(attempt, plan.constraints, location, selection, random)) {
      break;
    }
    plan.constraints = merge(program, selection);
  }
  add_names(attempt, plan, random);
  return plan;
}

// An example of a base schema may be one of another subtype.
bool is_of_another(const Attempt& attempt, const Constraints& constraints, const Json& example) {
  return std::ranges::any_of(constraints.discriminators, [&](std::uint32_t index) {
    return names_another(attempt.context.discriminators[index], constraints.merged, example);
  });
}

// The first example or default that satisfies every schema here; of elements, any of them.
std::optional<Json> stated_example(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                   const Constraints& constraints, const Location& location,
                                   Random& random) {
  for (const SchemaId id : constraints.merged) {
    const auto& examples = attempt.context.examples[id];
    const std::size_t first =
        varies(location) || location.is_element ? random.next_below(examples.size()) : 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const Json& example = examples[(first + i) % examples.size()];
      if (!is_of_another(attempt, constraints, example) && fits_all(attempt, schemas, example)) {
        return example;
      }
    }
  }
  return std::nullopt;
}

// A constant that satisfies every schema here: in responses the country of its place first.
std::optional<Json> stated_constant(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                    const Constraints& constraints, const Location& location,
                                    Random& random) {
  const auto& values = constraints.constants.front()->values();
  std::size_t first = random.next_below(values.size());
  if (attempt.options.direction == Direction::kResponse && location.scene != nullptr) {
    const auto known = std::ranges::find_if(values, [&](const Json& value) {
      return says_as_much(*location.scene, location.name, value);
    });
    first = known != values.end() ? static_cast<std::size_t>(known - values.begin()) : first;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Json& value = values[(first + i) % values.size()];
    if (fits_all(attempt, schemas, value)) {
      return value;
    }
  }
  return std::nullopt;
}

// True for "customer_id", which means the same customer everywhere; false for "id" or "name".
bool names_one_entity(std::string_view name) {
  return name.size() > 3 && (name.ends_with("_id") || name.ends_with("Id") || name.ends_with("ID"));
}

std::optional<Json> given_value(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                                const Location& location) {
  if (attempt.options.given == nullptr || location.name.empty() || location.depth == 0) {
    return std::nullopt;
  }
  for (const auto& [name, value] : *attempt.options.given) {
    const bool is_meant = name == location.name && (location.depth == 1 || names_one_entity(name));
    if (is_meant && fits_all(attempt, schemas, value)) {
      return value;
    }
  }
  return std::nullopt;
}

// The type of keywords without `type`: properties mean an object.
TypeSet implied_type(const Constraints& constraints) {
  if (!constraints.objects.empty() || constraints.min_members > 0) {
    return kObjectType;
  }
  if (constraints.has_elements || !constraints.contains.empty() || constraints.min_items > 0) {
    return kArrayType;
  }
  return constraints.numbers.empty() ? kStringType : kNumberType;
}

// Chooses one of the types that are left; 0 if there are none. Every third attempt takes any, since
// the keywords of one type do not affect the others.
TypeSet choose_type(const Attempt& attempt, const Constraints& constraints,
                    const Location& location, Random& random) {
  const TypeSet types = constraints.types;
  const bool may_be_null = (types & kNullType) != 0;
  if (may_be_null && location.depth > kMaxRichDepth) {
    return kNullType;
  }
  const auto implied = static_cast<TypeSet>(types & implied_type(constraints));
  if (attempt.number % 3 != 2 && std::popcount(types) > 2 && implied != 0) {
    return implied;
  }
  std::vector<TypeSet> kinds;
  for (const TypeSet kind : {kStringType, kNumberType, kBooleanType, kObjectType, kArrayType}) {
    if ((types & kind) != 0) {
      kinds.push_back(static_cast<TypeSet>(types & kind));
    }
  }
  if (may_be_null && (kinds.empty() || random.one_in(kNullOdds))) {
    return kNullType;
  }
  return kinds.empty() ? TypeSet{0} : random.pick(kinds);
}

// Codes and identifiers: an example shows their form.
bool is_code(const NameUsage& usage) {
  constexpr std::string_view kCodes[] = {"id", "code", "sku", "digits", "document_number", "uuid"};
  return usage.text != nullptr && std::ranges::find(kCodes, usage.text->name) != std::end(kCodes);
}

// True for times of a format, of such a name, or whose description says so.
bool is_epoch(const Constraints& constraints, const NameUsage& usage) {
  const auto& formats = constraints.annotated_formats;
  const auto says = [&constraints](std::string_view words) {
    return text::to_lower(constraints.description).find(words) != std::string::npos;
  };
  const bool is_said = says("unix") || says("epoch") ||
                       ((says("timestamp") || says("since 1970")) && !says("timestamp granularit"));
  return is_said || usage.is_epoch || std::ranges::any_of(formats, [](std::string_view format) {
           const Kind* const kind = kind_of_format(format);
           return kind != nullptr && (kind->name == "epoch" || kind->name == "date_time");
         });
}

// Where the number usually lies: a time, a place on earth, a key, around an example.
NumberRange range_for(const Attempt& attempt, const Constraints& constraints,
                      const Location& location, Random& random) {
  const NameUsage& usage = usage_of(location.name);
  const Scene scene = location.scene == nullptr ? whole_scene(attempt, location) : *location.scene;
  const auto at = [](std::int64_t value) { return NumberRange{value, value}; };
  if (is_epoch(constraints, usage)) {
    const std::int64_t seconds = time_for({location.name, scene, location.index}, random);
    const std::string about = text::to_lower(constraints.description);
    const bool is_fine = about.find("millisecond") != about.npos ||
                         snake_case(location.name).ends_with("_ms") ||
                         std::ranges::find(constraints.annotated_formats, "unix-time-ms") !=
                             constraints.annotated_formats.end();
    return at(is_fine ? seconds * 1000 : seconds);
  }
  if (usage.text != nullptr &&
      (usage.text->name == "latitude" || usage.text->name == "longitude")) {
    const std::string text = text_of(*usage.text, {location.name, scene}, random);
    return at(std::strtol(text.c_str(), nullptr, 10));
  }
  if (usage.is_id) {
    return at(static_cast<std::int64_t>(1 + text::text_hash(location.name, scene.seed) % 900 +
                                        scene.index + location.index));
  }
  return usage_of(location.name).range.value_or(NumberRange{});
}

std::optional<Json> make_typed(const Attempt& attempt, const ObjectPlan& plan,
                               const Location& location, Random& random) {
  const TypeSet type = choose_type(attempt, plan.constraints, location, random);
  if ((type & kNumberType) != 0) {
    const bool whole = type == kIntegerType || (type == kNumberType && attempt.number % 2 == 0);
    return number_for(plan.constraints, whole,
                      range_for(attempt, plan.constraints, location, random), random);
  }
  switch (type) {
    case kNullType: return Json(nullptr);
    case kBooleanType: return Json(random.one_in(2));
    case kStringType: return make_text(attempt, plan.constraints, location);
    case kArrayType: return make_array(attempt, plan.constraints, location);
    case kObjectType: return make_object(attempt, plan, location);
  }
  return std::nullopt;
}

// Another value in the place of an example.
std::optional<Json> vary(const Attempt& attempt, const Json& example, const ObjectPlan& plan,
                         const Location& location, Random& random) {
  if (!plan.constraints.constants.empty()) {
    return std::nullopt;
  }
  if (example.is_string() && is_code(usage_of(location.name))) {
    return Json(alike(example.get_ref<const std::string&>(), random));
  }
  const bool is_plain_number = spec::json::is_number(example) && !usage_of(location.name).range &&
                               !usage_of(location.name).is_id &&
                               !is_epoch(plan.constraints, usage_of(location.name));
  if (is_plain_number) {
    constexpr double kMaxAround = 1e15;
    const double number = spec::json::to_double(example);
    const auto around = static_cast<std::int64_t>(number < kMaxAround ? number : 0);
    const NumberRange range{std::min(around / 2, around + around / 2),
                            std::max(around / 2, around + around / 2)};
    return around > 1 ? number_for(plan.constraints, spec::json::is_integer(example), range, random)
                      : std::optional(example);
  }
  return make_typed(attempt, plan, location, random);
}

std::optional<Json> try_value(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                              const Location& location) {
  Random random(location.seed);
  const ObjectPlan plan = resolve(attempt, schemas, location, random);
  std::optional<Json> value;
  if (attempt.options.use_examples && attempt.number == 0) {
    value = stated_example(attempt, schemas, plan.constraints, location, random);
  }
  if (value && varies(location) && may_replace(*value, plan.constraints, location)) {
    value = vary(attempt, *value, plan, location, random);
  }
  if (!value) {
    value = plan.constraints.constants.empty()
                ? make_typed(attempt, plan, location, random)
                : stated_constant(attempt, schemas, plan.constraints, location, random);
  }
  return value;
}

}  // namespace

std::int64_t creation_time(const Attempt& attempt, std::uint64_t seed) {
  constexpr std::uint64_t kMostSeconds = 150 * 86'400;  // before; half of them 30 days or fewer
  constexpr std::uint64_t kParts = 1000;
  constexpr std::int64_t kLeastSeconds = 2 * 3600;
  Random random(seed);
  const std::uint64_t age = random.next_below(kParts) * (1 + random.next_below(kParts));
  return attempt.today - kLeastSeconds -
         static_cast<std::int64_t>(kMostSeconds / (kParts * kParts) * age +
                                   random.next_below(kMostSeconds / kParts));
}

bool varies(const Location& location) {
  return location.scene != nullptr && location.scene->varies;
}

bool may_replace(const Json& example, const Constraints& constraints, const Location& location) {
  const NameUsage& usage = usage_of(location.name);
  if (example.is_object()) {
    return std::ranges::any_of(constraints.objects,
                               [](const auto* table) { return !table->properties.empty(); });
  }
  if (example.is_array()) {
    return usage.text != nullptr || (!example.empty() && example.front().is_object());
  }
  if (example.is_string()) {
    const bool is_known = usage.text != nullptr && usage.text->name != "type" &&
                          usage.text->name != "status" && usage.text->name != "secret" &&
                          usage.text->name != "path" && usage.text->name != "version";
    return is_known || !constraints.annotated_formats.empty() || !constraints.constants.empty() ||
           !constraints.hint.empty();
  }
  return !example.is_null();
}

bool fits_all(const Attempt& attempt, const std::vector<SchemaId>& schemas, const Json& value) {
  return std::ranges::all_of(schemas, [&](SchemaId id) {
    return fits(attempt.context.schemas, id, value, {attempt.options.direction});
  });
}

std::optional<Json> make_value(const Attempt& attempt, const std::vector<SchemaId>& schemas,
                               const Location& location) {
  if (location.depth > kMaxDepth || attempt.budget == 0) {
    attempt.failure.is_too_large = true;
    return std::nullopt;
  }
  --attempt.budget;
  if (auto given = given_value(attempt, schemas, location)) {
    return given;
  }
  // The first attempt at the whole is quick; later ones make each part valid before they go on.
  const bool is_quick = attempt.number == 0 || location.depth == 0;
  const std::uint64_t tries = is_quick ? 1 : 12;
  std::optional<Json> value;
  for (std::uint64_t i = 0; i < tries && (i == 0 || attempt.budget > 0); ++i) {
    Location here = location;
    here.seed = text::derive(location.seed, i);
    here.merged = nullptr;
    value = try_value(attempt, schemas, here);
    if (value && (is_quick || fits_all(attempt, schemas, *value))) {
      return value;
    }
  }
  Failure& failure = attempt.failure;
  if (!value && !schemas.empty() && (failure.schema == kNoId || location.depth > failure.depth)) {
    failure.schema = schemas.back();
    failure.name = location.name;
    failure.depth = location.depth;
  }
  return value;
}

namespace {

// Components that are composed of a base schema have their own name unless the mapping has one.
void add_subtypes(const Program& program, std::vector<Discriminator>& all) {
  for (SchemaId id = 0; id < program.schemas.size(); ++id) {
    const std::string name = component_of(program.schemas[id]);
    for (const SchemaId part :
         name.empty() ? std::vector<SchemaId>{} : applicable(program, id, Reach::kCertain)) {
      const std::uint32_t index = program.schemas[part].discriminator;
      if (index == kNoId || all[index].has_alternatives) {
        continue;
      }
      if (part == id) {
        all[index].own_name = name;
      } else if (follow_references(program, id) != part) {
        all[index].names.push_back({name, id});
      }
    }
  }
}

}  // namespace

std::vector<Discriminator> read_discriminators(const Program& program) {
  std::vector<Discriminator> all(program.discriminators.size());
  for (SchemaId id = 0; id < program.schemas.size(); ++id) {
    const Schema& schema = program.schemas[id];
    if (schema.discriminator == kNoId) {
      continue;
    }
    const DiscriminatorTable& table = program.discriminators[schema.discriminator];
    Discriminator& made = all[schema.discriminator];
    made.property = table.property;
    made.owner = id;
    made.has_alternatives = std::ranges::find(schema.rules, Keyword::kDiscriminator,
                                              &Rule::keyword) != schema.rules.end();
    for (const auto& [name, target] : table.mapping) {
      made.names.push_back({name, follow_references(program, target)});
    }
  }
  if (!all.empty()) {
    add_subtypes(program, all);
  }
  return all;
}

std::string_view name_among(const Discriminator& discriminator,
                            const std::vector<SchemaId>& merged) {
  for (const SchemaId id : merged) {
    const auto found = std::ranges::find(discriminator.names, id, &Property::schema);
    if (id != discriminator.owner && found != discriminator.names.end()) {
      return found->name;
    }
  }
  return "";
}

bool names_another(const Discriminator& discriminator, const std::vector<SchemaId>& merged,
                   const nlohmann::json& value) {
  const auto found = value.is_object() ? value.find(discriminator.property) : value.end();
  if (found == value.end() || !found->is_string() || name_among(discriminator, merged).empty()) {
    return false;
  }
  bool is_known = false;
  for (const Property& each : discriminator.names) {
    if (*found == each.name) {
      is_known = true;
      if (std::ranges::find(merged, each.schema) != merged.end()) {
        return false;
      }
    }
  }
  return is_known;
}

}  // namespace spec::schema::generate
