#include "spec/schema/generate/boundary_values.hpp"

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/generate/constraints.hpp"
#include "spec/schema/generate/number_value.hpp"
#include "spec/schema/generate/text_value.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/random.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace spec::schema::generate {

namespace {

using Json = nlohmann::json;
using spec::json::Type;

constexpr std::size_t kMaxLengthTried = 100'000;
constexpr std::size_t kMaxLengthOfWide = 200;                // each is twelve bytes in a URL
constexpr std::string_view kBeyondUtf16Unit = "\U0001F4D8";  // two units of UTF-16, one character

// The candidates without members that the instance lacks.
std::vector<Candidate> own_candidates(const CandidateContext& context, const Json& value,
                                      const Constraints& constraints);

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
  if (constraints.max_length <= kMaxLengthOfWide) {
    std::string wide;
    for (std::uint64_t length = 0; length < constraints.max_length; ++length) {
      wide += kBeyondUtf16Unit;
    }
    add(std::move(wide), kWide);
  }
  if (!constraints.patterns.empty() && constraints.max_length < kMaxLengthTried && !text.empty()) {
    // Adds texts of characters that the pattern allows, and of the same length with one that it may
    // not allow.
    const std::uint64_t count = text::character_count(text);
    const std::string_view rest = text::first_characters(text, count - 1);
    std::string longer = text;
    for (std::uint64_t length = count; length < constraints.max_length; ++length) {
      longer += text.substr(rest.size());
    }
    add(longer, "at");
    add(longer + text.substr(rest.size()), "above");
    add(std::string(rest) + '!', "character");
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
  for (NumberAtBound& each : numbers_at_bounds(constraints)) {
    const char* at = each.is_high ? kHigh : kLow;
    out.push_back({std::move(each.value), each.is_at ? at : "bound"});
  }
  const std::string text = spec::json::number_text(value);
  if (spec::json::is_integer(value) && text.find_first_of(".eE") == std::string::npos) {
    out.push_back({spec::json::make_number(text + ".5"), "fraction"});
    if (const auto less = spec::text::parse_number<long long>(text); less && *less > 0) {
      out.push_back({spec::json::make_number(std::to_string(*less - 1) + ".5"), "fraction"});
    }
  }
  for (Json& each : numbers_between_multiples(value, constraints)) {
    out.push_back({std::move(each), "between"});
  }
}

// Adds arrays of equal elements, valid or invalid for a `contains`: of an existing element, or of
// one that is changed so that it is invalid.
void add_contained(const CandidateContext& context, const Json& value,
                   const Constraints& constraints, std::vector<Candidate>& out) {
  for (const ContainsTable* table : constraints.contains) {
    std::vector<Candidate> elements;
    for (const bool fitting : {true, false}) {
      const auto found = std::ranges::find_if(value, [&](const Json& each) {
        return fits(context.schemas, table->schema, each) == fitting;
      });
      if (found != value.end()) {
        elements.push_back({*found, fitting ? "all" : "none"});
      }
    }
    const Constraints inner = merge(context.schemas.program(), {{table->schema}, {}});
    for (Candidate& each : own_candidates(context, value.front(), inner)) {
      if (!fits(context.schemas, table->schema, each.value)) {
        elements.push_back({std::move(each.value), "none"});
      }
    }
    for (const Candidate& each : elements) {
      out.push_back({Json(value.size(), each.value), each.kind});
    }
  }
}

// An element of its own seed, which most likely equals no other.
Json another_element(const CandidateContext& context, const Json& elements,
                     const Constraints& constraints) {
  auto options = context.options;
  options.seed = text::derive(options.seed, elements.size());
  options.use_examples = false;
  const auto schemas = schemas_of_element(context.schemas.program(), constraints, elements.size());
  const auto made = schemas.empty()
                        ? std::nullopt
                        : std::optional(context.generator.generate(schemas.front(), options));
  return made && *made ? made->value() : elements.front();
}

void add_arrays(const CandidateContext& context, const Json& value, const Constraints& constraints,
                std::vector<Candidate>& out) {
  constexpr std::uint64_t kMaxElements = 1000;
  // One below the minimum, and the minimum: an empty list cannot be written everywhere.
  for (const std::uint64_t count : {constraints.min_items - 1, constraints.min_items}) {
    if (constraints.min_items > 0 && value.size() > count) {
      Json first = Json::array();
      first.insert(first.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(count));
      out.push_back({std::move(first), "min"});
    }
  }
  out.push_back({Json::array(), "empty"});
  if (!value.empty()) {
    Json twice = value;
    twice.push_back(value.front());
    out.push_back({std::move(twice), "twice"});
    if (constraints.unique) {  // the same where no further element is allowed
      Json same = value;
      same.back() = value.front();
      out.push_back({std::move(same), "twice"});
    }
    add_contained(context, value, constraints, out);
    Json fewer = value;
    fewer.erase(fewer.size() - 1);
    out.push_back({std::move(fewer), "fewer"});
    for (const std::uint64_t count : {constraints.max_items, constraints.max_items + 1}) {
      Json filled = value;
      while (count <= kMaxElements && filled.size() < count) {
        filled.push_back(constraints.unique ? another_element(context, filled, constraints)
                                            : value.front());
      }
      out.push_back({std::move(filled), "many"});
    }
  }
  Json longer = value;
  longer.push_back(Json::object({{"unexpected", true}}));
  out.push_back({std::move(longer), "unexpected"});
}

// Adds objects with too many members, named after an existing one; and with too few, without
// required ones.
void add_member_counts(const Json& value, const Constraints& constraints,
                       std::vector<Candidate>& out) {
  constexpr std::uint64_t kMaxAdded = 100;
  Json named = value;
  named["unexpected"] = true;
  for (const auto& [name, member] : named.items()) {
    Json more = value;
    std::string added = name;
    while (more.size() <= constraints.max_members && added.size() < name.size() + kMaxAdded) {
      if (more.size() == constraints.max_members) {
        out.push_back({more, "full"});
      }
      more[added] = member;
      added += 'a';
    }
    if (constraints.max_members != kNoLimit) {
      out.push_back({std::move(more), "crowd"});
    }
  }
  const auto required = required_names(constraints);
  Json fewer = value;
  for (const auto& [name, member] : value.items()) {
    if (fewer.size() >= constraints.min_members && std::ranges::count(required, name) == 0) {
      if (fewer.size() == constraints.min_members) {
        out.push_back({fewer, "min"});
      }
      fewer.erase(name);
    }
  }
  out.push_back({std::move(fewer), "few"});
}

// Adds a member whose name propertyNames may reject.
void add_names(const Json& value, const Constraints& constraints, const Constraints& names,
               std::vector<Candidate>& out) {
  std::vector<Candidate> texts;
  add_texts(value.empty() ? "unexpected" : value.items().begin().key(), names, texts);
  if (!constraints.property_names.empty()) {
    for (const Candidate& each : texts) {
      Json more = value;
      more[each.value.get<std::string>()] = value.empty() ? Json(true) : value.front();
      out.push_back({std::move(more), "name"});
    }
  }
}

// Adds a member alone, without those that it requires.
void add_alone(const CandidateContext& context, Json alone, const DependentNames& dependent,
               const Constraints& constraints, std::vector<Candidate>& out) {
  if (!alone.contains(dependent.name)) {
    const auto inner = schemas_of_member(context.schemas.program(), constraints, dependent.name);
    const auto made =
        inner.empty() ? std::nullopt
                      : std::optional(context.generator.generate(inner.front(), context.options));
    alone[dependent.name] = made && *made ? made->value() : Json("x");
  }
  for (const std::string& other : dependent.required) {
    alone.erase(other);
  }
  out.push_back({std::move(alone), "alone"});
}

void add_objects(const CandidateContext& context, const Json& value, const Constraints& constraints,
                 std::vector<Candidate>& out) {
  const Program& program = context.schemas.program();
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
      add_alone(context, value, each, constraints, out);
    }
  }
  for (const auto* dependents : constraints.dependent_schemas) {
    for (const Property& each : *dependents) {
      const auto required = required_names(merge(program, {{each.schema}, {}}));
      add_alone(context, value, {each.name, required}, constraints, out);
    }
  }
  add_member_counts(value, constraints, out);
  add_names(value, constraints, merge(program, {constraints.property_names, {}}), out);
}

// A name that the pattern with this number matches; none if none was found.
std::optional<std::string> name_of_pattern(const CandidateContext& context, std::uint32_t pattern) {
  constexpr std::size_t kTries = 8;
  const Program& program = context.schemas.program();
  const auto tree = writable_pattern(program.pattern_texts[pattern]);
  text::Random random(text::derive(context.options.seed, pattern));
  for (std::size_t extra = 0; tree && extra < kTries; ++extra) {
    std::string name = write_match(*tree, extra, random);
    if (program.patterns[pattern].search(name) == patterns::Search::kFound) {
      return name;
    }
  }
  return std::nullopt;
}

// Adds a member that patternProperties has a schema for, with values that this may reject, if the
// instance has none.
void add_patterned(const CandidateContext& context, const Json& value,
                   const Constraints& constraints, const PatternProperty& pattern,
                   std::vector<Candidate>& out) {
  const Program& program = context.schemas.program();
  const auto& members = value.get_ref<const Json::object_t&>();
  const bool has_one = std::ranges::any_of(members, [&](const auto& member) {
    return program.patterns[pattern.pattern].search(member.first) == patterns::Search::kFound;
  });
  const auto name = has_one ? std::nullopt : name_of_pattern(context, pattern.pattern);
  const auto made = name
                        ? std::optional(context.generator.generate(pattern.schema, context.options))
                        : std::nullopt;
  if (!made || !*made) {
    return;
  }
  const Constraints inner = merge(program, {schemas_of_member(program, constraints, *name), {}});
  for (Candidate& each : own_candidates(context, made->value(), inner)) {
    Json more = value;
    more[*name] = std::move(each.value);
    out.push_back({std::move(more), each.kind});
  }
}

std::vector<Candidate> own_candidates(const CandidateContext& context, const Json& value,
                                      const Constraints& constraints) {
  std::vector<Candidate> out{{Json(nullptr), "null"},  {Json(true), "boolean"},
                             {Json(1), "number"},      {Json("1"), "text"},
                             {Json::array(), "array"}, {Json::object(), "object"}};
  switch (spec::json::type_of(value)) {
    case Type::kString: add_texts(value, constraints, out); break;
    case Type::kNumber: add_numbers(value, constraints, out); break;
    case Type::kArray: add_arrays(context, value, constraints, out); break;
    case Type::kObject: add_objects(context, value, constraints, out); break;
    case Type::kNull:
    case Type::kBoolean: break;
  }
  return out;
}

}  // namespace

std::vector<Candidate> candidates(const CandidateContext& context, const Json& value,
                                  const Constraints& constraints) {
  auto out = own_candidates(context, value, constraints);
  for (const ObjectTable* table : constraints.objects) {
    for (const PatternProperty& each : table->patterns) {
      if (value.is_object()) {
        add_patterned(context, value, constraints, each, out);
      }
    }
  }
  return out;
}

}  // namespace spec::schema::generate
