// Keywords about objects. Source: JSON Schema 2020-12 Core §10.3.2, §11.3, Validation §6.5.

#include "spec/schema/program.hpp"
#include "spec/schema/validator/validator.hpp"

#include <algorithm>
#include <string>

namespace spec::schema::validator {

namespace {

const Json::object_t& members_of(const Json& value) {
  return *value.get_ptr<const Json::object_t*>();
}

// Looking up each known name is faster than walking if there are many more members than names.
constexpr std::size_t kWalkFactor = 4;

// True if the known name is ordered before `name`, whose prefix is given.
bool comes_before(const NamedMember& known, const std::string& name, std::uint64_t prefix) {
  return known.prefix < prefix ||
         (known.prefix == prefix && compare_long_names(known.name, name) < 0);
}

// True if two names of equal prefixes are equal.
bool is_called(const NamedMember& known, const std::string& name) {
  return known.name.size() == name.size() && compare_long_names(known.name, name) == 0;
}

}  // namespace

// required, properties, patternProperties and additionalProperties at once.
Verdict Validator::test_object(const ObjectTable& table, const Frame& frame) {
  const std::size_t size = members_of(*frame.instance).size();
  if (size < table.required_count && options_.direction == Direction::kNone) {
    return Verdict::kInvalid;
  }
  const bool every_member = !table.patterns.empty() || table.additional != kNoId;
  if (!every_member && frame.evaluated == nullptr && size > table.members.size() * kWalkFactor) {
    return find_members(table, frame);
  }
  return walk_members(table, frame);
}

Verdict Validator::find_members(const ObjectTable& table, const Frame& frame) {
  const Json::object_t& object = members_of(*frame.instance);
  Verdict verdict = Verdict::kValid;
  for (const NamedMember& member : table.members) {
    const auto found = object.find(member.name);
    if (found == object.end()) {
      if (member.required) {
        verdict = worse(verdict, absence(member.name, frame));
      }
    } else if (member.schema != kNoId) {
      verdict = worse(verdict, check(member.schema, found->second, &frame));
    }
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
  }
  return verdict;
}

// Members and known names are both sorted, so one walk over the two is enough.
Verdict Validator::walk_members(const ObjectTable& table, const Frame& frame) {
  const bool has_patterns = !table.patterns.empty();
  const bool unknown_matter = has_patterns || table.additional != kNoId;
  const NamedMember* known = table.members.data();
  const NamedMember* const end = known + table.members.size();
  Verdict verdict = Verdict::kValid;
  const auto pass_absent = [&] {
    if (known->required) {
      verdict = worse(verdict, absence(known->name, frame));
    }
    ++known;
  };
  std::size_t place = 0;
  for (const auto& member : members_of(*frame.instance)) {
    if (known == end && !unknown_matter) {
      return verdict;
    }
    const auto& [name, value] = member;
    const std::uint64_t prefix = prefix_of(name);
    while (known != end && verdict != Verdict::kInvalid && comes_before(*known, name, prefix)) {
      pass_absent();
    }
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
    SchemaId schema = kNoId;
    if (known != end && known->prefix == prefix && is_called(*known, name)) {
      schema = known++->schema;
    }
    const bool is_property = schema != kNoId;
    if (!is_property && !has_patterns) {
      schema = table.additional;
    }
    if (schema != kNoId) {
      verdict = worse(verdict, check(schema, value, &frame));
      frame.mark(place);
    }
    if (has_patterns) {
      verdict = worse(verdict, test_unlisted_member(table, member, frame, is_property, place));
    }
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
    ++place;
  }
  while (known != end && verdict != Verdict::kInvalid) {
    pass_absent();
  }
  return verdict;
}

// A member under patternProperties and, if neither those nor properties know it,
// additionalProperties.
Verdict Validator::test_unlisted_member(const ObjectTable& table,
                                        const Json::object_t::value_type& member,
                                        const Frame& frame, bool known, std::size_t place) {
  const auto& [name, value] = member;
  Verdict verdict = Verdict::kValid;
  for (const PatternProperty& pattern : table.patterns) {
    switch (search(pattern.pattern, name)) {
      case patterns::Search::kFound:
        known = true;
        verdict = worse(verdict, check(pattern.schema, value, &frame));
        break;
      case patterns::Search::kUndecided: return Verdict::kUndecided;
      case patterns::Search::kNotFound: break;
    }
  }
  if (!known && table.additional != kNoId) {
    known = true;
    verdict = worse(verdict, check(table.additional, value, &frame));
  }
  if (known && frame.evaluated != nullptr) {
    frame.evaluated->mark(place);
  }
  return verdict;
}

Verdict Validator::test_property_names(SchemaId schema, const Frame& frame) {
  Json instance = std::string();
  Verdict verdict = Verdict::kValid;
  for (const auto& [name, value] : members_of(*frame.instance)) {
    *instance.get_ptr<std::string*>() = name;
    verdict = worse(verdict, check(schema, instance, &frame));
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
  }
  return verdict;
}

Verdict Validator::test_dependent_names(const std::vector<DependentNames>& table,
                                        const Frame& frame) {
  const Json::object_t& object = members_of(*frame.instance);
  for (const DependentNames& dependent : table) {
    if (!object.contains(dependent.name)) {
      continue;
    }
    for (const std::string& name : dependent.required) {
      if (!object.contains(name)) {
        return Verdict::kInvalid;
      }
    }
  }
  return Verdict::kValid;
}

Verdict Validator::test_unevaluated_properties(SchemaId schema, const Frame& frame) {
  if (frame.evaluated->has_all()) {
    return Verdict::kValid;
  }
  Verdict verdict = Verdict::kValid;
  std::size_t place = 0;
  for (const auto& [name, value] : members_of(*frame.instance)) {
    if (!frame.evaluated->has(place++)) {
      verdict = worse(verdict, check(schema, value, &frame));
    }
    if (verdict == Verdict::kInvalid) {
      return frame.evaluated->uncertain() ? Verdict::kUndecided : verdict;
    }
  }
  frame.evaluated->mark_all();
  return verdict;
}

// Keywords about arrays. Source: JSON Schema 2020-12 Core §10.3.1, §11.2, Validation §6.4.4.

Verdict Validator::test_prefix_items(const std::vector<SchemaId>& schemas, const Frame& frame) {
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  Verdict verdict = Verdict::kValid;
  for (std::size_t i = 0; i < std::min(schemas.size(), items.size()); ++i) {
    verdict = worse(verdict, check(schemas[i], items[i], &frame));
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
    frame.mark(i);
  }
  return verdict;
}

Verdict Validator::test_items(const ItemsTable& table, const Frame& frame) {
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  const Entry& of_items = entries_[table.schema];
  Verdict verdict = Verdict::kValid;
  for (std::size_t i = table.first; i < items.size(); ++i) {
    // A fast path: long arrays are mostly of numbers or texts.
    if (of_items.step_count == 0 && allows(of_items.types, items[i], quick_type_of(items[i]))) {
      continue;
    }
    verdict = worse(verdict, check(table.schema, items[i], &frame));
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
  }
  frame.mark_all();
  return verdict;
}

Verdict Validator::test_contains(const ContainsTable& table, const Frame& frame) {
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  std::uint64_t found = 0;
  std::uint64_t open = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    switch (check(table.schema, items[i], &frame)) {
      case Verdict::kValid:
        ++found;
        frame.mark(i);
        break;
      case Verdict::kUndecided: ++open; break;
      case Verdict::kInvalid: break;
    }
    if (found > table.max) {
      return Verdict::kInvalid;
    }
  }
  if (found + open < table.min) {
    return Verdict::kInvalid;
  }
  return found < table.min || found + open > table.max ? Verdict::kUndecided : Verdict::kValid;
}

Verdict Validator::test_unevaluated_items(SchemaId schema, const Frame& frame) {
  if (frame.evaluated->has_all()) {
    return Verdict::kValid;
  }
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  Verdict verdict = Verdict::kValid;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!frame.evaluated->has(i)) {
      verdict = worse(verdict, check(schema, items[i], &frame));
    }
    if (verdict == Verdict::kInvalid) {
      return frame.evaluated->uncertain() ? Verdict::kUndecided : verdict;
    }
  }
  frame.evaluated->mark_all();
  return verdict;
}

}  // namespace spec::schema::validator
