#include "spec/schema/compiler/choices.hpp"

#include "spec/schema/parts.hpp"
#include "spec/schema/prefix.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace spec::schema::compiler {
namespace {

using Json = nlohmann::json;
using Type = Json::value_t;

// Tags are few words; a long list of values is looked up sooner by running its branch.
constexpr std::size_t kMaxTexts = 64;

// The types that a value of nlohmann's `type` may be of.
TypeSet types_of(Type type) {
  switch (type) {
    case Type::null: return kNullType;
    case Type::object: return kObjectType;
    case Type::array: return kArrayType;
    case Type::string: return kStringType;
    case Type::boolean: return kBooleanType;
    case Type::number_integer:
    case Type::number_unsigned: return kIntegerType;
    case Type::number_float: return kNumberType;
    default: return kEveryType;
  }
}

void choose_by_type(const std::vector<TypeSet>& types, Choice& choice) {
  for (std::size_t type = 0; type < choice.by_type.size(); ++type) {
    Branches& branches = choice.by_type[type];
    branches = Branches::none();
    for (std::size_t i = 0; i < types.size(); ++i) {
      if ((types[i] & types_of(static_cast<Type>(type))) != 0) {
        branches.add(i);
      }
    }
  }
}

// What the branches that list a member's values list, by branch.
using Listed = std::map<std::size_t, const ConstantSet*>;

std::set<std::string> texts_of(const Listed& listed) {
  std::set<std::string> texts;
  for (const auto& [branch, constants] : listed) {
    for (const Json& value : constants->values()) {
      if (const auto* text = value.get_ptr<const std::string*>()) {
        texts.insert(*text);
      }
    }
  }
  return texts;
}

// The branches of `count` that take `text`: those that list it, and those that list nothing.
Branches takers_of(const Json& text, const Listed& listed, std::size_t count) {
  Branches takers = Branches::none();
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = listed.find(i);
    if (found == listed.end() || found->second->contains(text)) {
      takers.add(i);
    }
  }
  return takers;
}

// The choice by the member `name`.
void choose_by_tag(const std::string& name, const Listed& listed, std::size_t count,
                   Choice& choice) {
  choice.tag = name;
  for (const std::string& text : texts_of(listed)) {
    choice.texts.push_back({.prefix = prefix_of(text),
                            .text = text,
                            .branches = takers_of(Json(text), listed, count)});
  }
  choice.others = Branches::none();
  for (std::size_t i = 0; i < count; ++i) {
    if (!listed.contains(i)) {
      choice.others.add(i);
    }
  }
}

Choice choice_of(const Program& program, const std::vector<SchemaId>& branches) {
  Choice choice;
  std::vector<TypeSet> types;
  std::map<std::string, Listed> tags;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    types.push_back(possible_types(program, branches[i]));
    for (const auto& [name, constants] : tags_of(program, branches[i])) {
      if ((types[i] & kObjectType) != 0) {
        tags[*name].emplace(i, constants);
      }
    }
  }
  choose_by_type(types, choice);
  // The tag that most branches have, if it tells some of them from others.
  const auto best =
      std::ranges::max_element(tags, {}, [](const auto& tag) { return tag.second.size(); });
  if (best != tags.end() && best->second.size() > 1 && !best->first.empty() &&
      texts_of(best->second).size() <= kMaxTexts) {
    choose_by_tag(best->first, best->second, branches.size(), choice);
  }
  return choice;
}

}  // namespace

void add_choices(Program& program, std::size_t first) {
  program.choices.resize(program.lists.size());
  for (std::size_t id = first; id < program.schemas.size(); ++id) {
    for (const Rule& rule : program.schemas[id].rules) {
      if (rule.keyword == Keyword::kAnyOf || rule.keyword == Keyword::kOneOf) {
        program.choices[rule.operand] = choice_of(program, program.lists[rule.operand]);
      }
    }
  }
}

}  // namespace spec::schema::compiler
