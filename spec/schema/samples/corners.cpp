#include "spec/schema/samples/corners.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/samples/numbers.hpp"
#include "spec/schema/samples/shape.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace spec::schema::samples {

namespace {

using Json = nlohmann::json;
using spec::json::Type;

constexpr std::size_t kMaxShown = 60;
constexpr std::size_t kMaxLengthTried = 100'000;

// A value to stand at a place instead of the sample's, and whether it tries a bound.
struct Candidate {
  Json value;
  const char* kind;
};

std::string shown(const Json& value) {
  std::string text = spec::json::write(value);
  if (text.size() > kMaxShown) {
    text.resize(kMaxShown - 3);
    text += "...";
  }
  return text;
}

// The schemas that speak of one place, with the branches that the value there keeps.
std::vector<SchemaId> speaking(const SchemaSet& schemas, const std::vector<SchemaId>& outer,
                               const Json& value) {
  const Program& program = schemas.program();
  ShapeKey key{outer, {}};
  Shape shape = merge(program, key);
  while (!shape.choices.empty()) {
    const auto* branches = shape.choices.front().branches;
    key.taken.push_back(branches);
    for (const SchemaId each : *branches) {
      if (fits(schemas, each, value)) {
        key.schemas.push_back(each);
        break;
      }
    }
    shape = merge(program, key);
  }
  return shape.merged;
}

// Values that could break something about a string.
void add_texts(const Json& value, const Shape& shape, std::vector<Candidate>& out) {
  const auto text = value.get<std::string>();
  const auto add = [&](std::string changed, const char* kind) {
    out.push_back({Json(std::move(changed)), kind});
  };
  for (const std::uint64_t length : {shape.least_length, shape.most_length}) {
    for (const int side : {-1, 0, 1}) {
      const std::uint64_t wanted = length + static_cast<std::uint64_t>(side);
      if (length != kNoLimit && wanted <= kMaxLengthTried && (length > 0 || side >= 0)) {
        std::string changed = text.substr(0, std::min<std::uint64_t>(wanted, text.size()));
        changed.resize(wanted, 'a');
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
    c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  add(std::move(other_case), "case");
}

void add_numbers(const Json& value, const Shape& shape, std::vector<Candidate>& out) {
  for (Json& each : numbers_at_bounds(shape)) {
    out.push_back({std::move(each), "bound"});
  }
  const std::string text = spec::json::number_text(value);
  if (spec::json::is_integer(value) && text.find_first_of(".eE") == std::string::npos) {
    out.push_back({spec::json::make_number(text + ".5"), "fraction"});
  }
}

void add_arrays(const Json& value, const Shape& shape, std::vector<Candidate>& out) {
  constexpr std::uint64_t kMostElements = 1000;
  // One below the least, and the least: an empty list cannot be written everywhere.
  for (const std::uint64_t count : {shape.least_items - 1, shape.least_items}) {
    if (shape.least_items > 0 && value.size() > count) {
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
    for (const std::uint64_t count : {shape.most_items, shape.most_items + 1}) {
      Json filled = value;
      while (count <= kMostElements && filled.size() < count) {
        filled.push_back(value.front());
      }
      out.push_back({std::move(filled), "many"});
    }
  }
  Json longer = value;
  longer.push_back(Json::object({{"unexpected", true}}));
  out.push_back({std::move(longer), "unexpected"});
}

void add_objects(const Json& value, const Shape& shape, std::vector<Candidate>& out) {
  for (const auto& [name, member] : value.items()) {
    Json without = value;
    without.erase(name);
    out.push_back({std::move(without), "without"});
  }
  Json more = value;
  more["unexpected"] = true;
  out.push_back({more, "unexpected"});
  for (const auto* dependents : shape.dependent_names) {
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

std::vector<Candidate> candidates(const Json& value, const Shape& shape) {
  std::vector<Candidate> out{{Json(nullptr), "null"},  {Json(true), "boolean"},
                             {Json(1), "number"},      {Json("1"), "text"},
                             {Json::array(), "array"}, {Json::object(), "object"}};
  switch (spec::json::type_of(value)) {
    case Type::kString: add_texts(value, shape, out); break;
    case Type::kNumber: add_numbers(value, shape, out); break;
    case Type::kArray: add_arrays(value, shape, out); break;
    case Type::kObject: add_objects(value, shape, out); break;
    default: break;
  }
  return out;
}

class CornerFinder {
 public:
  CornerFinder(const SchemaSet& schemas, SchemaId schema, Json sample, Direction direction)
      : schemas_(schemas), schema_(schema), sample_(std::move(sample)), direction_(direction) {}

  std::vector<Corner> run() {
    visit({schema_}, "");
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Corner& a, const Corner& b) { return !a.valid && b.valid; });
    return std::move(found_);
  }

 private:
  const Json& at(const std::string& place) const { return *spec::json::find(sample_, place); }

  void visit(const std::vector<SchemaId>& outer, const std::string& place) {
    const Json& value = at(place);
    const std::vector<SchemaId> here = speaking(schemas_, outer, value);
    const Shape shape = merge(schemas_.program(), {here, {}});
    for (const Candidate& candidate : candidates(value, shape)) {
      try_one(place, candidate, shape);
    }
    if (value.is_object()) {
      visit_members(shape, place);
    } else if (value.is_array() && !value.empty()) {
      visit_elements(shape, place);
    }
  }

  void visit_members(const Shape& shape, const std::string& place) {
    for (const auto& [name, member] : at(place).items()) {
      std::vector<SchemaId> inner;
      for (const ObjectTable* table : shape.objects) {
        const auto declared = std::find_if(
            table->properties.begin(), table->properties.end(),
            [&name = name](const Property& property) { return property.name == name; });
        if (declared != table->properties.end()) {
          inner.push_back(declared->schema);
        }
      }
      if (!inner.empty()) {
        std::string below = place;
        spec::json::append_token(below, name);
        visit(inner, below);
      }
    }
  }

  // The first element stands for those that follow it; the last is tried for those that a judge
  // might not look at.
  void visit_elements(const Shape& shape, const std::string& place) {
    const std::size_t count = at(place).size();
    for (const std::size_t index : std::set<std::size_t>{0, count - 1}) {
      std::vector<SchemaId> inner;
      for (const auto* prefix : shape.prefixes) {
        if (index < prefix->size()) {
          inner.push_back((*prefix)[index]);
        }
      }
      for (const ItemsTable* items : shape.items) {
        if (index >= items->first) {
          inner.push_back(items->schema);
        }
      }
      if (!inner.empty()) {
        std::string below = place;
        spec::json::append_token(below, index);
        visit(inner, below);
      }
    }
  }

  void try_one(const std::string& place, const Candidate& candidate, const Shape& shape) {
    Json changed = sample_;
    Json& spot = place.empty() ? changed : changed[Json::json_pointer(place)];
    if (spec::json::equal(spot, candidate.value)) {
      return;
    }
    const std::string change = place + ": " + shown(candidate.value) + " instead of " + shown(spot);
    spot = candidate.value;
    const auto complaints = validate(schemas_, schema_, changed, {direction_});
    if (complaints.empty()) {
      keep_bound(place, candidate, shape, std::move(changed), change);
      return;
    }
    const Complaint& first = complaints.front();
    const bool one = std::all_of(complaints.begin(), complaints.end(), [&](const Complaint& each) {
      return each.statement == first.statement && !each.undecided;
    });
    if (one && seen_.emplace(place, first.statement, candidate.kind).second) {
      found_.push_back({std::move(changed), place, first.statement, first.keyword, false, change});
    }
  }

  // A valid instance is worth keeping where it stands exactly at a bound.
  void keep_bound(const std::string& place, const Candidate& candidate, const Shape& shape,
                  Json changed, const std::string& change) {
    for (const Demand& demand : shape.numbers) {
      if (spec::json::type_of(candidate.value) == Type::kNumber &&
          demand.keyword != Keyword::kMultipleOf &&
          spec::json::compare_numbers(candidate.value, demand.bound->value) == 0) {
        add_bound(place, statement_of(shape, demand.keyword), changed, change);
      }
    }
    if (candidate.value.is_string() && std::string_view(candidate.kind) == "at") {
      const bool least = candidate.value.get_ref<const std::string&>().size() == shape.least_length;
      const auto keyword = least ? Keyword::kMinLength : Keyword::kMaxLength;
      add_bound(place, statement_of(shape, keyword), changed, change);
    }
  }

  void add_bound(const std::string& place, const document::Node& statement, const Json& changed,
                 const std::string& change) {
    if (statement && seen_.emplace(place, statement, "kept").second) {
      found_.push_back({changed, place, statement, statement.key(), true, change});
    }
  }

  document::Node statement_of(const Shape& shape, Keyword keyword) const {
    for (const SchemaId id : shape.merged) {
      for (const Rule& rule : schemas_.program().schemas[id].rules) {
        if (rule.keyword == keyword) {
          return rule.node;
        }
      }
    }
    return {};
  }

  struct Before {
    using Key = std::tuple<std::string, document::Node, std::string>;

    bool operator()(const Key& a, const Key& b) const {
      const auto flat = [](const Key& key) {
        return std::tuple(std::get<0>(key), std::get<1>(key).index(), std::get<2>(key));
      };
      return flat(a) < flat(b);
    }
  };

  const SchemaSet& schemas_;
  SchemaId schema_;
  Json sample_;
  Direction direction_;
  std::vector<Corner> found_;
  std::set<std::tuple<std::string, document::Node, std::string>, Before> seen_;
};

}  // namespace

std::vector<Corner> corners(const SchemaSet& schemas, const Sampler& sampler, SchemaId schema,
                            const SampleOptions& options) {
  auto sample = sampler.sample(schema, options);
  if (!sample) {
    return {};
  }
  return CornerFinder(schemas, schema, std::move(*sample), options.direction).run();
}

}  // namespace spec::schema::samples
