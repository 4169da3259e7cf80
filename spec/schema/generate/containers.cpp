// Objects: required members, then declared ones, then as many more as the minimum requires.

#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/attempt.hpp"
#include "spec/schema/generate/constraints.hpp"
#include "spec/schema/generate/text_value.hpp"

#include <algorithm>
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
        random_(location.seed) {
    here_.merged = &constraints_.merged;
  }

  std::optional<Json> run() {
    const std::vector<Member> known = members_of(context_.schemas, context_.depths, constraints_);
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
    return std::move(object_);
  }

 private:
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
             !is_excluded(member);
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

  bool add(const Member& member) {
    auto value = discriminating(member);
    value = value ? std::move(value) : from_example(member);
    if (!value) {
      value = make_value(attempt_, member.schemas,
                         {derive(here_.seed, member.name), member.name, here_.depth + 1, &here_});
      // An optional member is left out rather than made without any of its own members.
      const bool is_deep = here_.depth + 2 >= kMaxRichDepth;
      if (value && !member.is_required && is_deep && *value == Json::object()) {
        return false;
      }
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
                                 {derive(derive(here_.seed, "names"), round), "", here_.depth + 1});
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
    static const std::vector<Json> kOdd{Json(0),       Json("x"),      Json(true),
                                        Json::array(), Json::object(), Json(nullptr)};
    for (const std::string_view name : named_members(context_.program, other)) {
      const Member member =
          make_member(context_.schemas, context_.depths, constraints_, std::string(name));
      for (const Json& odd : kOdd) {
        if (!fits_all(attempt_, {other}, object_)) {
          return;
        }
        const bool is_free = !object_.contains(member.name) && member.may_be_named && has_room();
        if (is_free && fits_all(attempt_, member.schemas, odd)) {
          object_[member.name] = odd;
          if (fits_all(attempt_, {other}, object_)) {
            object_.erase(member.name);
          }
        }
      }
    }
  }

  const Attempt& attempt_;
  const Context& context_;
  const ObjectPlan& plan_;
  const Constraints& constraints_;
  Location here_;  // as its members see it
  text::Random random_;
  Json object_ = Json::object();
};

}  // namespace

std::optional<Json> make_object(const Attempt& attempt, const ObjectPlan& plan,
                                const Location& location) {
  return ObjectMaker(attempt, plan, location).run();
}

// Arrays: each element satisfies prefixItems and items at its place, and also `contains` if one is
// needed.

namespace {

constexpr std::uint64_t kMaxItems = 10'000;
constexpr unsigned kFewFromDepth = 2;  // elements of inner arrays are fewer

class ArrayMaker {
 public:
  ArrayMaker(const Attempt& attempt, const Constraints& constraints, const Location& location)
      : attempt_(attempt), constraints_(constraints), location_(location) {
    std::uint64_t contained = 0;
    for (const ContainsTable* table : constraints.contains) {
      contained += table->min;
    }
    min_count_ = std::max(constraints.min_items, std::min(contained, constraints.max_items));
  }

  std::optional<Json> run() {
    const std::uint64_t count = choose_count();
    attempt_.failure.is_too_large |= count > kMaxItems;
    if (count > std::min(kMaxItems, constraints_.max_items)) {
      return std::nullopt;
    }
    Json array = Json::array();
    while (array.size() < count) {
      auto element = make_element(array);
      if (!element) {
        return array.size() >= min_count_ ? std::optional(std::move(array)) : std::nullopt;
      }
      array.push_back(std::move(*element));
    }
    return array;
  }

 private:
  std::uint64_t choose_count() const {
    if (location_.depth > kMaxRichDepth || attempt_.number % 4 == 1) {
      return min_count_;
    }
    text::Random random(location_.seed);
    const std::uint64_t wanted = 1 + random.next_below(location_.depth >= kFewFromDepth ? 2 : 3);
    return std::clamp(std::max(wanted, constraints_.prefix_count), min_count_,
                      std::max(min_count_, constraints_.max_items));
  }

  std::vector<SchemaId> schemas_at(std::uint64_t index) const {
    std::vector<SchemaId> schemas =
        schemas_of_element(attempt_.context.program, constraints_, index);
    // Elements for `contains` follow each other, behind the prefix if there is room.
    std::uint64_t first = min_count_ <= constraints_.prefix_count ? 0 : constraints_.prefix_count;
    for (const ContainsTable* table : constraints_.contains) {
      if (index >= first && index < first + table->min) {
        schemas.push_back(table->schema);
      }
      first += table->min;
    }
    return schemas.empty() ? constraints_.unevaluated_items : schemas;
  }

  // Draws again, a number of times, if the element must differ from those before.
  std::optional<Json> make_element(const Json& before) const {
    constexpr std::uint64_t kDraws = 40;
    const auto schemas = schemas_at(before.size());
    const std::uint64_t seed = derive(location_.seed, before.size());
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      auto element =
          make_value(attempt_, schemas,
                     {derive(seed, draw), location_.name, location_.depth + 1, location_.outer});
      const bool is_there =
          element && constraints_.unique && std::ranges::any_of(before, [&](const Json& each) {
            return spec::json::equal(each, *element);
          });
      if (!is_there) {
        return element;
      }
    }
    return std::nullopt;
  }

  const Attempt& attempt_;
  const Constraints& constraints_;
  const Location& location_;
  std::uint64_t min_count_ = 0;
};

}  // namespace

std::optional<Json> make_array(const Attempt& attempt, const Constraints& constraints,
                               const Location& location) {
  return ArrayMaker(attempt, constraints, location).run();
}

}  // namespace spec::schema::generate
