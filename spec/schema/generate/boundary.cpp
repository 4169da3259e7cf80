#include "spec/schema/generate/boundary.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/boundary_values.hpp"
#include "spec/schema/generate/constraints.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace spec::schema::generate {

namespace {

using Json = nlohmann::json;

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

struct RankedCase {
  BoundaryCase made;
  std::size_t before = 0;  // how many violate the same keyword at the same place before it
};

class BoundaryFinder {
 public:
  BoundaryFinder(const CandidateContext& context, SchemaId schema, Json valid)
      : context_(context),
        schemas_(context.schemas),
        schema_(schema),
        valid_(std::move(valid)),
        direction_(context.options.direction) {}

  std::vector<BoundaryCase> run() {
    visit({schema_}, "");
    // A caller that takes only some gets one for each keyword at each place before two for any.
    std::stable_sort(found_.begin(), found_.end(), [](const RankedCase& a, const RankedCase& b) {
      return std::tie(a.made.valid, a.before) < std::tie(b.made.valid, b.before);
    });
    std::vector<BoundaryCase> cases;
    cases.reserve(found_.size());
    for (RankedCase& each : found_) {
      cases.push_back(std::move(each.made));
    }
    return cases;
  }

 private:
  const Json& at(const std::string& place) const { return *spec::json::find(valid_, place); }

  void visit(const std::vector<SchemaId>& outer, const std::string& place) {
    const Json& value = at(place);
    const std::vector<SchemaId> here = schemas_at(schemas_, outer, value);
    const Constraints constraints = merge(schemas_.program(), {here, {}});
    for (const Candidate& candidate : candidates(context_, value, constraints)) {
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
      descend(schemas_of_member(schemas_.program(), constraints, name), place, name);
    }
  }

  // The first element represents all; the last is tried for servers that do not look at every
  // element.
  void visit_elements(const Constraints& constraints, const std::string& place) {
    const std::size_t count = at(place).size();
    for (const std::size_t index : std::set<std::size_t>{0, count - 1}) {
      descend(schemas_of_element(schemas_.program(), constraints, index), place, index);
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
    Json& spot = *spec::json::find(changed, place);
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
    if (std::string_view(candidate.kind) == kWide) {
      return;  // it is about the length alone
    }
    const bool one = std::all_of(violations.begin(), violations.end(), [&](const Violation& each) {
      return each.statement == first.statement && !each.undecided;
    });
    if (one && seen_.emplace(place, first.statement.index(), candidate.kind).second) {
      const std::size_t before = counts_[{place, first.statement.index()}]++;
      found_.push_back(
          {{std::move(changed), place, first.statement, first.keyword, false, change}, before});
    }
  }

  // A valid instance is kept if it is exactly at a bound, or if a service that accepts only whole
  // or positive numbers would reject it.
  void keep_bound(const std::string& place, const Candidate& candidate,
                  const Constraints& constraints, const Json& changed, const std::string& change) {
    for (const NumberConstraint& each : constraints.numbers) {
      if (spec::json::is_number(candidate.value) && is_at(candidate, each)) {
        add_bound(place, statement_of(constraints, each.keyword), changed, change);
      }
    }
    keep_count(place, candidate.value, constraints, changed, change);
    const bool is_fraction = std::string_view(candidate.kind) == "fraction";
    if (is_fraction || is_negative(candidate.value)) {
      add_bound(place, low_end_of_range(constraints), changed, change,
                is_fraction ? "fraction" : "kept");
    }
    if (std::string_view(candidate.kind) == kWide) {
      add_bound(place, statement_of(constraints, Keyword::kMaxLength), changed, change, kWide);
    } else if (candidate.value.is_string() && std::string_view(candidate.kind) == "at") {
      const bool is_min = text::character_count(candidate.value.get_ref<const std::string&>()) ==
                          constraints.min_length;
      const auto keyword = is_min ? Keyword::kMinLength : Keyword::kMaxLength;
      add_bound(place, statement_of(constraints, keyword), changed, change);
    }
  }

  // True if it is the number of the bound, or the integer next to a bound that is excluded.
  static bool is_at(const Candidate& candidate, const NumberConstraint& bound) {
    const bool is_high = bound.keyword == Keyword::kExclusiveMaximum;
    if (is_high || bound.keyword == Keyword::kExclusiveMinimum) {
      return spec::json::is_integer(candidate.value) &&
             std::string_view(candidate.kind) == (is_high ? kHigh : kLow);
    }
    return bound.keyword != Keyword::kMultipleOf &&
           std::is_eq(spec::json::compare_numbers(candidate.value, bound.bound->value));
  }

  // Keeps lists and objects with the minimum or maximum number of elements or members.
  void keep_count(const std::string& place, const Json& value, const Constraints& constraints,
                  const Json& changed, const std::string& change) {
    const auto keep = [&](std::uint64_t count, Keyword keyword) {
      if (value.size() == count) {
        add_bound(place, statement_of(constraints, keyword), changed, change);
      }
    };
    if (value.is_array()) {
      keep(constraints.min_items, Keyword::kMinItems);
      keep(constraints.max_items, Keyword::kMaxItems);
    } else if (value.is_object()) {
      keep(constraints.min_members, Keyword::kMinProperties);
      keep(constraints.max_members, Keyword::kMaxProperties);
    }
  }

  static bool is_negative(const Json& value) {
    return spec::json::is_number(value) && std::is_lt(spec::json::compare_numbers(value, Json(0)));
  }

  // The keyword of the lower bound if both bounds are declared, and no other keyword restricts the
  // numbers between them: else a service has reasons to reject some. A null node otherwise.
  document::Node low_end_of_range(const Constraints& constraints) const {
    const auto has = [&](Keyword keyword) {
      return std::ranges::count(constraints.numbers, keyword, &NumberConstraint::keyword) > 0;
    };
    const bool plain = std::ranges::all_of(constraints.annotated_formats, [](auto format) {
      return format == "float" || format == "double";
    });
    const bool has_high = has(Keyword::kMaximum) || has(Keyword::kExclusiveMaximum);
    if (!plain || !has_high || has(Keyword::kMultipleOf)) {
      return {};
    }
    return statement_of(constraints,
                        has(Keyword::kMinimum) ? Keyword::kMinimum : Keyword::kExclusiveMinimum);
  }

  void add_bound(const std::string& place, const document::Node& statement, const Json& changed,
                 const std::string& change, const char* kind = "kept") {
    if (statement && seen_.emplace(place, statement.index(), kind).second) {
      found_.push_back({{changed, place, statement, statement.key(), true, change}, 0});
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

  CandidateContext context_;
  const SchemaSet& schemas_;
  SchemaId schema_;
  Json valid_;
  Direction direction_;
  std::vector<RankedCase> found_;
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> counts_;  // by place and statement
  std::set<std::tuple<std::string, std::uint32_t, std::string>> seen_;   // place, statement, kind
};

}  // namespace

std::vector<BoundaryCase> boundary_cases(const SchemaSet& schemas, const Generator& generator,
                                         SchemaId schema, const GenerateOptions& options) {
  auto instance = generator.generate(schema, options);
  if (!instance) {
    return {};
  }
  return BoundaryFinder({schemas, generator, options}, schema, std::move(*instance)).run();
}

}  // namespace spec::schema::generate
