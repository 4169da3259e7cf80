#include "spec/schema/generate/boundary.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/merge.hpp"
#include "spec/schema/generate/number.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <tuple>

namespace spec::schema::generate {

namespace {

using Json = nlohmann::json;
using spec::json::Type;

constexpr std::size_t kMaxLengthTried = 100'000;

// A value to be at a place instead of the instance's, and whether it tries a bound.
struct Candidate {
  Json value;
  const char* kind;
};

std::string shown(const Json& value) {
  return text::shortened(spec::json::write(value));
}

// The schemas that apply at one place, with the alternatives that the value there satisfies.
std::vector<SchemaId> schemas_at(const SchemaSet& schemas, const std::vector<SchemaId>& outer,
                                 const Json& value) {
  Selection selection{outer, {}};
  Constraints constraints = merge(schemas.program(), selection);
  while (!constraints.choices.empty()) {
    const auto& alternatives = *constraints.choices.front();
    selection.chosen.push_back(&alternatives);
    const auto found = std::ranges::find_if(
        alternatives, [&](SchemaId each) { return fits(schemas, each, value); });
    if (found != alternatives.end()) {
      selection.schemas.push_back(*found);
    }
    constraints = merge(schemas.program(), selection);
  }
  return constraints.merged;
}

// Values that a keyword about strings may reject.
void add_texts(const Json& value, const Constraints& constraints, std::vector<Candidate>& out) {
  const auto text = value.get<std::string>();
  const auto add = [&](std::string changed, const char* kind) {
    out.push_back({Json(std::move(changed)), kind});
  };
  for (const std::uint64_t length : {constraints.min_length, constraints.max_length}) {
    for (const int side : {-1, 0, 1}) {
      const std::uint64_t wanted = length + static_cast<std::uint64_t>(side);
      if (length != kNoLimit && wanted <= kMaxLengthTried && (length > 0 || side >= 0)) {
        std::string changed(text::first_characters(text, wanted));
        changed.append(wanted - text::character_count(changed), 'a');
        add(std::move(changed), side < 0 ? "below" : side == 0 ? "at" : "above");
      }
    }
  }
  add("", "empty");
  add(text + "!", "tail");
  add(' ' + text, "blank");
  add("#", "word");
  std::string other_case = text;
  for (char& c : other_case) {
    c = text::is_letter(c) ? static_cast<char>(c ^ 0x20) : c;
  }
  add(std::move(other_case), "case");
}

void add_numbers(const Json& value, const Constraints& constraints, std::vector<Candidate>& out) {
  for (Json& each : numbers_at_bounds(constraints)) {
    out.push_back({std::move(each), "bound"});
  }
  const std::string text = spec::json::number_text(value);
  if (spec::json::is_integer(value) && text.find_first_of(".eE") == std::string::npos) {
    out.push_back({spec::json::make_number(text + ".5"), "fraction"});
  }
}

void add_arrays(const Json& value, const Constraints& constraints, std::vector<Candidate>& out) {
  constexpr std::uint64_t kMaxElements = 1000;
  // One below the least, and the least: an empty list cannot be written everywhere.
  for (const std::uint64_t count : {constraints.min_items - 1, constraints.min_items}) {
    if (constraints.min_items > 0 && value.size() > count) {
      Json first = Json::array();
      first.insert(first.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(count));
      out.push_back({std::move(first), "least"});
    }
  }
  out.push_back({Json::array(), "empty"});
  if (!value.empty()) {
    Json twice = value;
    twice.push_back(value.front());
    out.push_back({std::move(twice), "twice"});
    Json fewer = value;
    fewer.erase(fewer.size() - 1);
    out.push_back({std::move(fewer), "fewer"});
    for (const std::uint64_t count : {constraints.max_items, constraints.max_items + 1}) {
      Json filled = value;
      while (count <= kMaxElements && filled.size() < count) {
        filled.push_back(value.front());
      }
      out.push_back({std::move(filled), "many"});
    }
  }
  Json longer = value;
  longer.push_back(Json::object({{"unexpected", true}}));
  out.push_back({std::move(longer), "unexpected"});
}

void add_objects(const Json& value, const Constraints& constraints, std::vector<Candidate>& out) {
  for (const auto& [name, member] : value.items()) {
    Json without = value;
    without.erase(name);
    out.push_back({std::move(without), "without"});
  }
  Json more = value;
  more["unexpected"] = true;
  out.push_back({more, "unexpected"});
  for (const auto* dependents : constraints.dependent_names) {
    for (const DependentNames& each : *dependents) {
      Json alone = value;
      alone[each.name] = alone.contains(each.name) ? alone[each.name] : Json("x");
      for (const std::string& other : each.required) {
        alone.erase(other);
      }
      out.push_back({std::move(alone), "alone"});
    }
  }
}

std::vector<Candidate> candidates(const Json& value, const Constraints& constraints) {
  std::vector<Candidate> out{{Json(nullptr), "null"},  {Json(true), "boolean"},
                             {Json(1), "number"},      {Json("1"), "text"},
                             {Json::array(), "array"}, {Json::object(), "object"}};
  switch (spec::json::type_of(value)) {
    case Type::kString: add_texts(value, constraints, out); break;
    case Type::kNumber: add_numbers(value, constraints, out); break;
    case Type::kArray: add_arrays(value, constraints, out); break;
    case Type::kObject: add_objects(value, constraints, out); break;
    default: break;
  }
  return out;
}

class BoundaryFinder {
 public:
  BoundaryFinder(const SchemaSet& schemas, SchemaId schema, Json valid, Direction direction)
      : schemas_(schemas), schema_(schema), valid_(std::move(valid)), direction_(direction) {}

  std::vector<BoundaryCase> run() {
    visit({schema_}, "");
    std::stable_sort(
        found_.begin(), found_.end(),
        [](const BoundaryCase& a, const BoundaryCase& b) { return !a.valid && b.valid; });
    return std::move(found_);
  }

 private:
  const Json& at(const std::string& place) const { return *spec::json::find(valid_, place); }

  void visit(const std::vector<SchemaId>& outer, const std::string& place) {
    const Json& value = at(place);
    const std::vector<SchemaId> here = schemas_at(schemas_, outer, value);
    const Constraints constraints = merge(schemas_.program(), {here, {}});
    for (const Candidate& candidate : candidates(value, constraints)) {
      try_one(place, candidate, constraints);
    }
    if (value.is_object()) {
      visit_members(constraints, place);
    } else if (value.is_array() && !value.empty()) {
      visit_elements(constraints, place);
    }
  }

  void visit_members(const Constraints& constraints, const std::string& place) {
    for (const auto& [name, member] : at(place).items()) {
      std::vector<SchemaId> inner;
      for (const ObjectTable* table : constraints.objects) {
        const auto declared = std::ranges::find(table->properties, name, &Property::name);
        if (declared != table->properties.end()) {
          inner.push_back(declared->schema);
        }
      }
      descend(inner, place, name);
    }
  }

  // The first element stands for those that follow it; the last is tried for those that a server
  // might not look at.
  void visit_elements(const Constraints& constraints, const std::string& place) {
    const std::size_t count = at(place).size();
    for (const std::size_t index : std::set<std::size_t>{0, count - 1}) {
      descend(element_schemas(constraints, index), place, index);
    }
  }

  void descend(const std::vector<SchemaId>& inner, std::string place, const auto& token) {
    if (!inner.empty()) {
      spec::json::append_token(place, token);
      visit(inner, place);
    }
  }

  void try_one(const std::string& place, const Candidate& candidate,
               const Constraints& constraints) {
    Json changed = valid_;
    Json& spot = place.empty() ? changed : changed[Json::json_pointer(place)];
    if (spec::json::equal(spot, candidate.value)) {
      return;
    }
    const std::string change = place + ": " + shown(candidate.value) + " instead of " + shown(spot);
    spot = candidate.value;
    const auto violations = validate(schemas_, schema_, changed, {direction_});
    if (violations.empty()) {
      keep_bound(place, candidate, constraints, changed, change);
      return;
    }
    const Violation& first = violations.front();
    const bool one = std::all_of(violations.begin(), violations.end(), [&](const Violation& each) {
      return each.statement == first.statement && !each.undecided;
    });
    if (one && seen_.emplace(place, first.statement.index(), candidate.kind).second) {
      found_.push_back({std::move(changed), place, first.statement, first.keyword, false, change});
    }
  }

  // A valid instance is worth keeping where it is exactly at a bound.
  void keep_bound(const std::string& place, const Candidate& candidate,
                  const Constraints& constraints, const Json& changed, const std::string& change) {
    for (const NumberConstraint& each : constraints.numbers) {
      if (spec::json::is_number(candidate.value) && each.keyword != Keyword::kMultipleOf &&
          std::is_eq(spec::json::compare_numbers(candidate.value, each.bound->value))) {
        add_bound(place, statement_of(constraints, each.keyword), changed, change);
      }
    }
    if (candidate.value.is_string() && std::string_view(candidate.kind) == "at") {
      const bool least = text::character_count(candidate.value.get_ref<const std::string&>()) ==
                         constraints.min_length;
      const auto keyword = least ? Keyword::kMinLength : Keyword::kMaxLength;
      add_bound(place, statement_of(constraints, keyword), changed, change);
    }
  }

  void add_bound(const std::string& place, const document::Node& statement, const Json& changed,
                 const std::string& change) {
    if (statement && seen_.emplace(place, statement.index(), "kept").second) {
      found_.push_back({changed, place, statement, statement.key(), true, change});
    }
  }

  document::Node statement_of(const Constraints& constraints, Keyword keyword) const {
    for (const SchemaId id : constraints.merged) {
      for (const Rule& rule : schemas_.program().schemas[id].rules) {
        if (rule.keyword == keyword) {
          return rule.node;
        }
      }
    }
    return {};
  }

  const SchemaSet& schemas_;
  SchemaId schema_;
  Json valid_;
  Direction direction_;
  std::vector<BoundaryCase> found_;
  std::set<std::tuple<std::string, std::uint32_t, std::string>> seen_;  // place, statement, kind
};

}  // namespace

std::vector<BoundaryCase> boundary_cases(const SchemaSet& schemas, const Generator& generator,
                                         SchemaId schema, const GenerateOptions& options) {
  auto instance = generator.generate(schema, options);
  if (!instance) {
    return {};
  }
  return BoundaryFinder(schemas, schema, std::move(*instance), options.direction).run();
}

}  // namespace spec::schema::generate
