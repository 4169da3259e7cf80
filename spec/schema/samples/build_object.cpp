// Objects: what is required, then what is declared, then as many more as the least count asks for.

#include "spec/schema/applicable.hpp"
#include "spec/schema/samples/builder.hpp"
#include "spec/schema/samples/pattern_words.hpp"

#include <algorithm>
#include <utility>

namespace spec::schema::samples {

namespace {

using Json = nlohmann::json;

constexpr unsigned kSoftDepth = 4;      // from here on optional members are plain values
constexpr unsigned kDeepest = 8;        // and from here on, or below themselves, they are left out
constexpr unsigned kEnoughLeft = 4000;  // values that must be left to be made for more than that
constexpr std::uint64_t kMaxMembers = 10'000;

class ObjectBuilder {
 public:
  ObjectBuilder(const Attempt& attempt, const Settled& settled, const Spot& spot)
      : attempt_(attempt),
        settled_(settled),
        shape_(settled.shape()),
        spot_(spot),
        here_(spot),
        random_(spot.seed),
        members_(*object_.get_ptr<Json::object_t*>()) {
    here_.merged = &shape_.merged;
  }

  std::optional<Json> run() {
    const bool is_deep = spot_.depth >= kSoftDepth;
    const bool wants_all = attempt_.number % 4 != 3 && (!is_deep || may_go_deeper());
    for (const Member& member : settled_.node->members) {
      if (member.required && !is_excluded(member) && !add(member)) {
        return std::nullopt;
      }
      if (wants_all && is_wanted(member)) {
        add(member);
      }
    }
    if (wants_all && !is_deep && members_.empty()) {
      add_to_map();
    }
    if (!add_until_enough()) {
      return std::nullopt;
    }
    if (attempt_.number > 0) {
      break_rivals();
    }
    return std::move(object_);
  }

 private:
  const Program& program() const { return attempt_.ground.program; }

  // That the direction leaves out.
  bool is_excluded(const Member& member) const {
    const Direction direction = attempt_.options.direction;
    return (direction == Direction::kRequest && member.read_only) ||
           (direction == Direction::kResponse && member.write_only);
  }

  bool may_go_deeper() const { return spot_.depth < kDeepest && attempt_.budget > kEnoughLeft; }

  // Declared members that are not required: all of them, as far as they fit and come to an end.
  bool is_wanted(const Member& member) const {
    return member.welcome && member.depth != kNoLimit && members_.size() < shape_.most_members &&
           !is_excluded(member) && ends_soon(member);
  }

  // Deep down, plain values, and of arrays and objects those that no outer member is like.
  bool ends_soon(const Member& member) const {
    if (spot_.depth + 1 < kSoftDepth) {
      return true;
    }
    OwnNodes own;
    const Shape& shape = attempt_.ground.shapes.root(member.schemas, own).shape;
    if ((shape.types & (kArrayType | kObjectType)) == 0) {
      return true;
    }
    for (const Spot* outer = &here_; outer != nullptr; outer = outer->outer) {
      if (outer->merged != nullptr && shares_one(*outer->merged, shape.merged)) {
        return false;
      }
    }
    const bool is_filled =
        (shape.types & kArrayType) != 0 ? spot_.depth < kSoftDepth : names_members(shape);
    return is_filled && member.depth + spot_.depth + 1 < kDeepest && may_go_deeper();
  }

  static bool names_members(const Shape& shape) {
    return std::ranges::any_of(shape.objects,
                               [](const ObjectTable* table) { return !table->properties.empty(); });
  }

  static bool shares_one(const std::vector<SchemaId>& left, const std::vector<SchemaId>& right) {
    return std::ranges::any_of(
        left, [&right](SchemaId id) { return std::ranges::find(right, id) != right.end(); });
  }

  bool add(const Member& member) {
    auto value = tag(member);
    if (!value) {
      value = stated(member);
    }
    if (!value) {
      value = build(
          attempt_, member.schemas,
          {derive(spot_.seed, member.name), member.name, &member.sense, spot_.depth + 1, &here_});
      // A member that may be left out is, rather than shown without any of its own.
      if (value && !member.required && is_deep_and_empty(*value)) {
        return false;
      }
    }
    if (value) {
      members_.emplace(member.name, std::move(*value));
    }
    return value.has_value();
  }

  bool is_deep_and_empty(const Json& value) const {
    return spot_.depth + 2 >= kSoftDepth && value.is_object() && value.empty();
  }

  // The member of an example of any schema here: none of them need say all.
  std::optional<Json> stated(const Member& member) const {
    if (!attempt_.options.use_examples || attempt_.number > 0) {
      return std::nullopt;
    }
    for (const SchemaId id : shape_.merged) {
      for (const Json& example : attempt_.ground.examples[id]) {
        const Json* const value =
            example.is_object() && example.contains(member.name) ? &example[member.name] : nullptr;
        if (value != nullptr && keeps_all(attempt_, member.schemas, *value)) {
          return *value;
        }
      }
    }
    return std::nullopt;
  }

  // What a discriminator calls the whole; constants say more than names.
  std::optional<Json> tag(const Member& member) const {
    for (const auto& [property, text] : settled_.tags) {
      if (property == member.name && keeps_all(attempt_, member.schemas, Json(text))) {
        return Json(text);
      }
    }
    return std::nullopt;
  }

  // A name for a member that nothing declares: in turns of each pattern, and a plain one.
  std::optional<std::string> free_name(std::uint64_t draw) {
    const std::size_t ways = patterns_.size() + 1;
    const std::uint64_t round = draw / ways;
    const std::size_t way = draw % ways;
    if (way < patterns_.size()) {
      return name_of_pattern(patterns_[way], round);
    }
    if (shape_.member_names.empty()) {
      return "extra_" + std::to_string(round + 1);
    }
    static const NameSense sense = read_name("name");
    const auto name =
        build(attempt_, shape_.member_names,
              {derive(derive(spot_.seed, "names"), round), "name", &sense, spot_.depth + 1});
    return name && name->is_string() ? std::optional{name->get<std::string>()} : std::nullopt;
  }

  // Where few texts stand for all that match, more are made by what may stand before or behind.
  std::optional<std::string> name_of_pattern(std::uint32_t index, std::uint64_t round) {
    const auto& pattern = attempt_.ground.patterns[index];
    if (!pattern) {
      return std::nullopt;
    }
    std::string name = write_match(*pattern, round % 8, random_);
    const std::string number = std::to_string(round);
    const std::string longer = round % 3 == 1   ? name + number
                               : round % 3 == 2 ? "extra" + number + name
                                                : name;
    const bool matches = program().patterns[index].search(longer) == patterns::Search::kFound;
    return matches ? longer : name;
  }

  // The patterns of names that members may have.
  std::vector<std::uint32_t> find_patterns() const {
    std::vector<std::uint32_t> found;
    for (const ObjectTable* table : shape_.objects) {
      for (const PatternProperty& each : table->patterns) {
        if (program().schemas[each.schema].types != 0) {
          found.push_back(each.pattern);
        }
      }
    }
    return found;
  }

  void add_stranger(const std::string& name) {
    const Member member = attempt_.ground.shapes.plan_member(shape_, name);
    if (!members_.contains(name) && member.may_be_named && !is_excluded(member)) {
      add(member);
    }
  }

  // An object that names no members but says what they are: a map of some.
  void add_to_map() {
    const bool is_map =
        std::any_of(shape_.objects.begin(), shape_.objects.end(), [this](const ObjectTable* table) {
          return table->additional != kNoId && !program().schemas[table->additional].rules.empty();
        });
    const std::uint64_t wanted = std::min<std::uint64_t>(2, shape_.most_members);
    for (std::uint64_t draw = 0; is_map && draw < 2 * wanted && members_.size() < wanted; ++draw) {
      const auto name = shape_.member_names.empty() ? some_word(random_) : free_name(draw);
      const bool ends =
          name &&
          attempt_.ground.shapes.plan_member(shape_, *name).depth + spot_.depth < kSoftDepth;
      if (ends) {
        add_stranger(*name);
      }
    }
  }

  // The other branches of a oneOf that the object keeps too are broken by a member that only they
  // know.
  void break_rivals() {
    for (const SchemaId rival : shape_.rivals) {
      if (keeps_all(attempt_, {rival}, object_)) {
        break_rival(rival);
      }
    }
  }

  void break_rival(SchemaId rival) {
    static const std::vector<Json> kOdd{Json(0),       Json("x"),      Json(true),
                                        Json::array(), Json::object(), Json(nullptr)};
    for (const std::string_view named : named_members(program(), rival)) {
      const Member member = attempt_.ground.shapes.plan_member(shape_, std::string(named));
      for (const Json& odd : kOdd) {
        const bool is_free = !members_.contains(member.name) && member.may_be_named &&
                             members_.size() < shape_.most_members;
        if (!is_free || !keeps_all(attempt_, member.schemas, odd)) {
          continue;
        }
        members_[member.name] = odd;
        if (!keeps_all(attempt_, {rival}, object_)) {
          return;
        }
        members_.erase(member.name);
      }
    }
  }

  bool add_until_enough() {
    if (shape_.least_members > kMaxMembers) {
      attempt_.stuck.is_too_large = true;
      return false;
    }
    for (const Member& member : settled_.node->members) {
      if (members_.size() < shape_.least_members && member.may_be_named && !is_excluded(member) &&
          !members_.contains(member.name)) {
        add(member);
      }
    }
    if (members_.size() < shape_.least_members) {
      patterns_ = find_patterns();
    }
    const std::uint64_t draws = (shape_.least_members * 4 + 20) * (patterns_.size() + 1);
    for (std::uint64_t draw = 0; draw < draws && members_.size() < shape_.least_members; ++draw) {
      if (const auto name = free_name(draw)) {
        add_stranger(*name);
      }
    }
    return members_.size() >= shape_.least_members && members_.size() <= shape_.most_members;
  }

  const Attempt& attempt_;
  const Settled& settled_;
  const Shape& shape_;
  const Spot& spot_;
  Spot here_;  // as its members see it
  Random random_;
  Json object_ = Json::object();
  Json::object_t& members_;  // of object_
  std::vector<std::uint32_t> patterns_;
};

}  // namespace

std::optional<Json> build_object(const Attempt& attempt, const Settled& settled, const Spot& spot) {
  return ObjectBuilder(attempt, settled, spot).run();
}

}  // namespace spec::schema::samples
