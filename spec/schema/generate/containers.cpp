// Objects: required members, then declared ones, then as many more as the minimum requires.

#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/agreement.hpp"
#include "spec/schema/generate/attempt.hpp"
#include "spec/schema/generate/constraints.hpp"
#include "spec/schema/generate/identifiers.hpp"
#include "spec/schema/generate/text_value.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace spec::schema::generate {

using text::derive;

namespace {

using Json = nlohmann::json;

// The budget that must be left for optional members of deep objects.
constexpr unsigned kEnoughForValues = 1000;
constexpr unsigned kEnoughForObjects = 4000;
constexpr std::uint64_t kMaxMembers = 10'000;

class ObjectMaker {
 public:
  ObjectMaker(const Attempt& attempt, const ObjectPlan& plan, const Location& location)
      : attempt_(attempt),
        context_(attempt.context),
        plan_(plan),
        constraints_(plan.constraints),
        here_(location),
        random_(location.seed),
        known_(members_of(context_.schemas, context_.depths, constraints_)),
        scene_(scene_here(location)) {
    here_.merged = &constraints_.merged;
    here_.scene = &scene_;
  }

  std::optional<Json> run() {
    make_first();
    const std::vector<Member>& known = known_;
    for (const Member& member : known) {
      if (member.is_required && !is_excluded(member) && !add(member)) {
        return std::nullopt;
      }
    }
    if (attempt_.number % 4 != 3) {
      add_declared(known);
    }
    if (!add_until_enough(known)) {
      return std::nullopt;
    }
    if (attempt_.number > 0) {
      std::ranges::for_each(constraints_.others, [this](SchemaId other) { violate_other(other); });
    }
    agree();
    return std::move(object_);
  }

 private:
  // What the object is: by its member's name, its schemas' names, else as what it is part of.
  const Kind* thing_here(const Location& location) const {
    const Kind* thing = usage_of(location.name).thing;
    for (const SchemaId id : constraints_.merged) {
      thing = thing == nullptr ? context_.things[id] : thing;
    }
    const bool is_role = !usage_of(location.name).role.empty();
    return thing == nullptr && is_role ? find_kind("full_name") : thing;
  }

  // Identifiers begin by what the object is called: its schemas, else its member.
  void use_id_start(const Location& location, Scene& scene) const {
    std::string start;
    for (const SchemaId id : constraints_.merged) {
      const std::string_view component = context_.component(id);
      if (start.empty() && !component.empty()) {
        start = id_start_of_component(component, attempt_.options.thing);
      }
    }
    start = start.empty() ? id_start_of_thing(location.name) : start;
    scene.id_start = start.empty() ? scene.id_start : start;
  }

  // Whose names and mails without a role are: nobody else's in the record of a person, else those
  // of the first role that has some. The role is the record's own where it is called so.
  std::string role_here(const Location& location, const SceneTraits& traits,
                        const Scene& outer) const {
    const auto is_called = [&](const std::string& role) {
      return text::singular(snake_case(location.name)) == role ||
             std::ranges::any_of(constraints_.merged, [&](SchemaId id) {
               return snake_case(context_.component(id)).starts_with(role);
             });
    };
    const Kind* const thing = traits.thing != nullptr ? traits.thing : outer.thing;
    const bool has_name = std::ranges::any_of(
        known_, [](const Member& member) { return usage_of(member.name).plain == "name"; });
    const bool is_person = traits.has_person || is_of_person(thing) ||
                           (thing == nullptr && traits.has_mail && has_name);
    for (const Member& member : known_) {
      const std::string& role = usage_of(member.name).role;
      if (!role.empty() && (!is_person || is_called(role))) {
        return role;
      }
    }
    return "";
  }

  Scene scene_here(const Location& location) const {
    SceneTraits traits{.thing = thing_here(location)};
    bool is_record = false;
    bool has_id = false;
    for (const Member& member : known_) {
      const NameUsage& usage = usage_of(member.name);
      traits.has_person |= usage.is_own;
      traits.has_mail |= usage.is_mail;
      traits.has_place |= usage.is_place;
      is_record |= usage.is_record;
      has_id |= usage.plain == "id";
    }
    traits.is_role = !usage_of(location.name).role.empty() && !location.is_element;
    const Scene outer =
        location.scene == nullptr ? whole_scene(attempt_, location) : *location.scene;
    traits.role = role_here(location, traits, outer);
    traits.is_own = outer.is_record && is_of_person(outer.thing) && !traits.has_place &&
                    !is_wrapper(location.name);
    SceneOrigin origin{.seed = location.is_element ? location.list_seed : location.seed,
                       .index = location.index,
                       .starts_record = location.is_element && !outer.is_record,
                       .is_element = location.is_element,
                       .created = creation_time(attempt_, location.seed),
                       .today = attempt_.today};
    if (origin.starts_record && attempt_.options.row) {  // one of several lists of one element
      origin.seed = outer.seed;
      origin.index += outer.index;
    }
    Scene scene = make_scene(outer, origin, traits);
    scene.is_record |= is_record;
    if (has_id) {
      use_id_start(location, scene);
    }
    scene.varies |= origin.starts_record && location.index > 0;
    return scene;
  }

  // The members that others agree with come first: the country, the currency, the name, the time
  // of creation.
  void make_first() {
    const auto rank = [](const Member& member) {
      const NameUsage& usage = usage_of(member.name);
      const std::string_view kind = usage.text == nullptr ? "" : usage.text->name;
      constexpr std::string_view kOrder[] = {"country",    "country3",  "country_name", "currency",
                                             "first_name", "last_name", "full_name",    "name",
                                             "company",    "email"};
      const auto* const found = std::ranges::find(kOrder, kind);
      return usage.time == NameTime::kCreation && found == std::end(kOrder)
                 ? std::ssize(kOrder) - 1
                 : found - std::begin(kOrder);
    };
    std::vector<const Member*> first;
    for (const Member& member : known_) {
      const auto order = rank(member);
      if (order < 10 && !is_excluded(member) && member.depth == 0) {
        first.push_back(&member);
      }
    }
    std::ranges::stable_sort(first, {}, [&rank](const Member* each) { return rank(*each); });
    for (const Member* member : first) {
      if (auto value = make_member_value(*member)) {
        observe(scene_, member->name, *value);
        made_.emplace(member->name, std::move(*value));
      }
    }
  }

  // Sums, ends of ranges, the frame of a list.
  void agree() {
    const auto change = [this](const std::string& name, Json value) {
      const Member member = make_member(context_.schemas, context_.depths, constraints_, name);
      if (!fits_all(attempt_, member.schemas, value)) {
        return false;
      }
      object_[name] = std::move(value);
      return true;
    };
    make_agree(
        object_, [this](const std::string& name) { return stated_.contains(name); }, change);
  }

  // The value of a member that only failures have, in a success: null, false or empty.
  std::optional<Json> absent_value(const Member& member) const {
    static const std::vector<Json> empty_values{nullptr, false, Json::array(), Json::object()};
    for (const Json& nothing : empty_values) {
      if (fits_all(attempt_, member.schemas, nothing)) {
        return nothing;
      }
    }
    return std::nullopt;
  }

  bool is_absent(const Member& member) const {
    return attempt_.options.is_success && attempt_.number == 0 && usage_of(member.name).is_absent;
  }

  // True if the direction leaves the member out.
  bool is_excluded(const Member& member) const {
    const Direction direction = attempt_.options.direction;
    return (direction == Direction::kRequest && member.read_only) ||
           (direction == Direction::kResponse && member.write_only);
  }

  // Adds the optional members, as far as they fit and are finite; at least one if any is.
  void add_declared(const std::vector<Member>& known) {
    const auto is_possible = [this](const Member& member) {
      return member.may_be_named && member.brings_none && member.depth != kNoLimit &&
             !is_excluded(member) && !object_.contains(member.name) &&
             !(is_absent(member) && !absent_value(member));
    };
    for (const Member& member : known) {
      if (is_possible(member) && has_room() && is_affordable(member)) {
        add(member);
      }
    }
    for (const Member& member : known) {
      if (object_.empty() && is_possible(member) && has_room() && !recurs(member)) {
        add(member);
      }
    }
    if (object_.empty() && here_.depth < kMaxRichDepth) {
      add_to_map();
    }
  }

  bool has_room() const { return object_.size() < constraints_.max_members; }

  // True at great depth for plain values, and objects whose schemas no outer object has.
  bool is_affordable(const Member& member) const {
    if (here_.depth + 1 < kMaxRichDepth) {
      return true;
    }
    const auto kept = context_.constraints_of(member.schemas);
    const Constraints& inner = *kept;
    if ((inner.types & (kArrayType | kObjectType)) == 0) {
      return attempt_.budget > kEnoughForValues;
    }
    const bool names_any = std::ranges::any_of(
        inner.objects, [](const ObjectTable* table) { return !table->properties.empty(); });
    return names_any && attempt_.budget > kEnoughForObjects && !recurs(member);
  }

  // True if a schema of the member's applies to an outer object too.
  bool recurs(const Member& member) const {
    const auto kept = context_.constraints_of(member.schemas);
    const Constraints& inner = *kept;
    for (const Location* outer = &here_; outer != nullptr; outer = outer->outer) {
      if (outer->merged != nullptr &&
          std::ranges::find_first_of(*outer->merged, inner.merged) != outer->merged->end()) {
        return true;
      }
    }
    return false;
  }

  std::optional<Json> make_member_value(const Member& member) {
    auto value = discriminating(member);
    if (!value && is_absent(member)) {
      value = absent_value(member);
    }
    if (!value && !scene_.varies) {
      value = from_example(member);
    }
    if (value) {
      stated_.insert(member.name);
      return value;
    }
    return make_value(attempt_, member.schemas,
                      {.seed = derive(here_.seed, member.name),
                       .name = member.name,
                       .depth = here_.depth + 1,
                       .outer = &here_,
                       .scene = &scene_});
  }

  bool add(const Member& member) {
    const auto made = made_.find(member.name);
    auto value = made != made_.end() ? std::optional(made->second) : make_member_value(member);
    // An optional member is left out rather than made without any of its own members.
    const bool is_deep = here_.depth + 2 >= kMaxRichDepth;
    const bool is_bare = !member.is_required && is_deep && !stated_.contains(member.name);
    if (value && is_bare && *value == Json::object()) {
      return false;
    }
    if (value) {
      object_.emplace(member.name, std::move(*value));
    }
    return value.has_value();
  }

  // The discriminator's name for the whole; constants are more precise than names.
  std::optional<Json> discriminating(const Member& member) const {
    for (const auto& [property, name] : plan_.names) {
      if (property == member.name && fits_all(attempt_, member.schemas, Json(name))) {
        return Json(name);
      }
    }
    return std::nullopt;
  }

  // The member in an example of any schema here; an example may be incomplete.
  std::optional<Json> from_example(const Member& member) const {
    if (!attempt_.options.use_examples || attempt_.number > 0) {
      return std::nullopt;
    }
    for (const SchemaId id : constraints_.merged) {
      for (const Json& example : context_.examples[id]) {
        const auto value = example.is_object() ? example.find(member.name) : example.end();
        if (value != example.end() && fits_all(attempt_, member.schemas, *value)) {
          return *value;
        }
      }
    }
    return std::nullopt;
  }

  // A name for an undeclared member: of each pattern in turn, and a plain one.
  std::optional<std::string> free_name(const std::vector<std::uint32_t>& patterns,
                                       std::uint64_t draw) {
    const std::uint64_t round = draw / (patterns.size() + 1);
    const std::size_t turn = draw % (patterns.size() + 1);
    if (turn < patterns.size()) {
      return name_of_pattern(patterns[turn], round);
    }
    if (constraints_.property_names.empty()) {
      return round == 0 ? some_word(random_) : some_word(random_) + '_' + std::to_string(round);
    }
    const auto name = make_value(attempt_, constraints_.property_names,
                                 {.seed = derive(derive(here_.seed, "names"), round),
                                  .depth = here_.depth + 1,
                                  .scene = &scene_});
    return name && name->is_string() ? std::optional(name->get<std::string>()) : std::nullopt;
  }

  // If few texts match, more are made by adding text before or behind them.
  std::optional<std::string> name_of_pattern(std::uint32_t index, std::uint64_t round) {
    const auto& pattern = context_.patterns[index];
    if (!pattern) {
      return std::nullopt;
    }
    std::string name = write_match(*pattern, round % 8, random_);
    const std::string number = std::to_string(round);
    const std::string longer = round % 2 == 1 ? name + number : "extra" + number + name;
    const bool matches =
        round > 0 && context_.program.patterns[index].search(longer) == patterns::Search::kFound;
    return matches ? longer : name;
  }

  // The patterns of names that members may have.
  std::vector<std::uint32_t> name_patterns() const {
    std::vector<std::uint32_t> found;
    for (const ObjectTable* table : constraints_.objects) {
      for (const PatternProperty& each : table->patterns) {
        if (context_.program.schemas[each.schema].types != 0) {
          found.push_back(each.pattern);
        }
      }
    }
    return found;
  }

  void add_free(const std::string& name) {
    const Member member = make_member(context_.schemas, context_.depths, constraints_, name);
    if (!object_.contains(name) && member.may_be_named && !is_excluded(member)) {
      add(member);
    }
  }

  // An object without declared names but with a schema for members: a map with some members.
  void add_to_map() {
    const bool is_map = std::ranges::any_of(constraints_.objects, [&](const ObjectTable* table) {
      return table->additional != kNoId &&
             !context_.program.schemas[table->additional].rules.empty() &&
             context_.depths[table->additional] < kMaxRichDepth - here_.depth;
    });
    const std::uint64_t wanted = std::min<std::uint64_t>(2, constraints_.max_members);
    for (std::uint64_t draw = 0; is_map && draw < 2 * wanted && object_.size() < wanted; ++draw) {
      if (const auto name = free_name({}, draw)) {
        add_free(*name);
      }
    }
  }

  bool add_until_enough(const std::vector<Member>& known) {
    const std::uint64_t wanted = constraints_.min_members;
    if (wanted > kMaxMembers) {
      attempt_.failure.is_too_large = true;
      return false;
    }
    for (const Member& member : known) {
      if (object_.size() < wanted && member.may_be_named && !is_excluded(member) &&
          !object_.contains(member.name)) {
        add(member);
      }
    }
    const auto patterns = name_patterns();
    const std::uint64_t draws = (wanted * 4 + 20) * (patterns.size() + 1);
    for (std::uint64_t draw = 0; draw < draws && object_.size() < wanted; ++draw) {
      if (const auto name = free_name(patterns, draw)) {
        add_free(*name);
      }
    }
    return object_.size() >= wanted && object_.size() <= constraints_.max_members;
  }

  // Invalidates another alternative of a oneOf that the object satisfies too, by a member that only
  // this alternative knows.
  void violate_other(SchemaId other) {
    static const std::vector<Json> odd_values{Json(0),       Json("x"),      Json(true),
                                              Json::array(), Json::object(), Json(nullptr)};
    for (const std::string_view name : named_members(context_.program, other)) {
      const Member member =
          make_member(context_.schemas, context_.depths, constraints_, std::string(name));
      for (const Json& odd : odd_values) {
        if (!fits_all(attempt_, {other}, object_)) {
          return;
        }
        const bool is_free = !object_.contains(member.name) && member.may_be_named && has_room();
        if (is_free && fits_all(attempt_, member.schemas, odd)) {
          keep_if_violating(member.name, odd, other);
        }
      }
    }
  }

  void keep_if_violating(const std::string& name, const Json& value, SchemaId other) {
    object_[name] = value;
    if (fits_all(attempt_, {other}, object_)) {
      object_.erase(name);
    }
  }

  const Attempt& attempt_;
  const Context& context_;
  const ObjectPlan& plan_;
  const Constraints& constraints_;
  Location here_;  // as its members see it
  text::Random random_;
  std::vector<Member> known_;
  Scene scene_;
  std::map<std::string, Json> made_;  // the members that others agree with
  std::set<std::string> stated_;      // values of examples
  Json object_ = Json::object();
};

}  // namespace

Scene whole_scene(const Attempt& attempt, const Location& location) {
  const GenerateOptions& options = attempt.options;
  const Row row = options.row.value_or(Row{location.seed, 0});
  Scene outer;
  if (options.direction == Direction::kResponse) {
    outer.usual_currency = options.currency.empty() ? attempt.context.currency : options.currency;
  }
  Scene scene = make_scene(outer,
                           {.seed = row.list_seed,
                            .index = row.number,
                            .starts_record = true,
                            .created = creation_time(attempt, derive(options.seed, options.key)),
                            .today = attempt.today},
                           {.thing = kind_of_thing(options.thing)});
  scene.varies = row.number > 0;
  scene.id_start = id_start_of_thing(options.thing);
  return scene;
}

std::optional<Json> make_object(const Attempt& attempt, const ObjectPlan& plan,
                                const Location& location) {
  return ObjectMaker(attempt, plan, location).run();
}

}  // namespace spec::schema::generate
