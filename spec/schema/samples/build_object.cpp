// Objects: what is required, then what is declared, then as many more as the least count asks for.

#include "spec/schema/samples/builder.hpp"
#include "spec/schema/samples/pattern_words.hpp"

#include <utility>

namespace spec::schema::samples {

namespace {

using nlohmann::json;

constexpr unsigned kSoftDepth = 4;
constexpr std::uint64_t kMaxMembers = 10'000;

class ObjectBuilder {
 public:
  ObjectBuilder(const Attempt& attempt, const Settled& settled, const Spot& spot)
      : attempt_(attempt),
        settled_(settled),
        shape_(settled.shape()),
        spot_(spot),
        random_(spot.seed),
        members_(*object_.get_ptr<json::object_t*>()) {}

  std::optional<json> run() {
    const bool wants_all = spot_.depth < kSoftDepth && attempt_.number % 4 != 3;
    for (const Member& member : settled_.node->members) {
      if (member.required && !is_excluded(member) && !add(member)) {
        return std::nullopt;
      }
      if (wants_all && is_wanted(member)) {
        add(member);
      }
    }
    return add_until_enough() ? std::optional{std::move(object_)} : std::nullopt;
  }

 private:
  const Program& program() const { return attempt_.ground.program; }

  // That the direction leaves out.
  bool is_excluded(const Member& member) const {
    const Direction direction = attempt_.options.direction;
    return (direction == Direction::kRequest && member.read_only) ||
           (direction == Direction::kResponse && member.write_only);
  }

  // Declared members that are not required: all of them, as far as they fit and come to an end.
  bool is_wanted(const Member& member) const {
    const bool deep = spot_.depth + 1 >= kSoftDepth && member.depth > 0;
    return member.welcome && !deep && member.depth != kNoLimit &&
           members_.size() < shape_.most_members && !is_excluded(member);
  }

  bool add(const Member& member) {
    auto value = tag(member);
    if (!value) {
      value = build(attempt_, member.schemas,
                    {derive(spot_.seed, member.name), member.name, &member.sense, spot_.depth + 1});
    }
    if (value) {
      members_.emplace(member.name, std::move(*value));
    }
    return value.has_value();
  }

  // What a discriminator calls the whole; constants say more than names.
  std::optional<json> tag(const Member& member) const {
    for (const auto& [property, text] : settled_.tags) {
      if (property == member.name && keeps_all(attempt_, member.schemas, json(text))) {
        return json(text);
      }
    }
    return std::nullopt;
  }

  // A name for a member that nothing declares.
  std::optional<std::string> free_name(std::uint64_t draw) {
    if (!shape_.member_names.empty()) {
      static const NameSense sense = read_name("name");
      const auto name =
          build(attempt_, shape_.member_names,
                {derive(derive(spot_.seed, "names"), draw), "name", &sense, spot_.depth + 1});
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

  void add_stranger(const std::string& name) {
    const Member member = attempt_.ground.shapes.plan_member(shape_, name);
    if (!members_.contains(name) && !is_excluded(member)) {
      add(member);
    }
  }

  bool add_until_enough() {
    if (shape_.least_members > kMaxMembers) {
      return false;
    }
    for (const Member& member : settled_.node->members) {
      if (members_.size() < shape_.least_members && member.may_be_named && !is_excluded(member) &&
          !members_.contains(member.name)) {
        add(member);
      }
    }
    const std::uint64_t draws = shape_.least_members * 4 + 20;
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
  Random random_;
  json object_ = json::object();
  json::object_t& members_;  // of object_
};

}  // namespace

std::optional<json> build_object(const Attempt& attempt, const Settled& settled, const Spot& spot) {
  return ObjectBuilder(attempt, settled, spot).run();
}

}  // namespace spec::schema::samples
