#include "spec/schema/misspelt.hpp"

#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/program.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/nearest.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace spec::schema {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFound = 50;
constexpr std::size_t kMaxGathered = 10'000;  // at load; what is beyond is found when it is met
constexpr std::size_t kMaxValues = 200'000;   // looked at
constexpr std::size_t kMaxUnknown = 1'000;    // names that are compared with those that are known

using Applied = std::vector<AppliedSchema>;

struct KnownPattern {
  const patterns::Pattern* pattern = nullptr;
  AppliedSchema schema;
};

// The members and elements that schemas which apply together name.
struct Known {
  std::map<std::string_view, Applied> names;
  std::vector<KnownPattern> patterns;
  Applied others;               // of members without a name
  std::vector<Applied> prefix;  // of the first elements
  Applied elements;             // of all others
  bool is_closed = false;       // unknown members are rejected
};

bool is_false(const Program& program, SchemaId id) {
  const Schema& schema = program.schemas[id];
  return schema.rules.size() == 1 && schema.rules.front().keyword == Keyword::kFalse;
}

void add_others(const SchemaSet& schemas, std::optional<SchemaId> others, Known& known) {
  if (others) {
    known.is_closed = known.is_closed || is_false(schemas.program(), *others);
    known.others.push_back({&schemas, *others});
  }
}

void add_schema(const SchemaSet& schemas, SchemaId id, Known& known) {
  const Program& program = schemas.program();
  const Inner inner = inner_schemas(program, id);
  for (const NamedSchema& property : inner.properties) {
    known.names[property.name].push_back({&schemas, property.schema});
  }
  if (program.schemas[id].object != kNoId) {
    const ObjectTable& table = program.objects[program.schemas[id].object];
    for (const std::string& name : table.required) {
      known.names.try_emplace(name);
    }
    for (const PatternProperty& pattern : table.patterns) {
      known.patterns.push_back({&program.patterns[pattern.pattern], {&schemas, pattern.schema}});
    }
  }
  add_others(schemas, inner.additional, known);
  add_others(schemas, inner.unevaluated_members, known);
  known.prefix.resize(std::max(known.prefix.size(), inner.prefix.size()));
  for (std::size_t at = 0; at < inner.prefix.size(); ++at) {
    known.prefix[at].push_back({&schemas, inner.prefix[at]});
  }
  if (inner.elements) {
    known.elements.push_back({&schemas, *inner.elements});
  }
}

// Of `schemas` and of all that they apply in place.
Known known_of(const Applied& schemas) {
  Known known;
  std::set<AppliedSchema> seen;
  for (const AppliedSchema& outer : schemas) {
    for (const SchemaId id : applicable(outer.schemas->program(), outer.id, Reach::kEvery)) {
      if (seen.insert({outer.schemas, id}).second) {
        add_schema(*outer.schemas, id, known);
      }
    }
  }
  return known;
}

// Those of the member `name`; nothing for one that is not known.
std::optional<Applied> schemas_of(const Known& known, std::string_view name) {
  std::optional<Applied> schemas;
  if (const auto found = known.names.find(name); found != known.names.end()) {
    schemas = found->second;
  }
  for (const KnownPattern& one : known.patterns) {
    if (one.pattern->search(name) != patterns::Search::kNotFound) {
      schemas = schemas.value_or(Applied{});
      schemas->push_back(one.schema);
    }
  }
  return schemas;
}

// All that members and elements of an instance of these schemas can have, but for members that
// several patterns name.
std::vector<Applied> next_of(const Known& known) {
  std::vector<Applied> next(known.prefix);
  next.push_back(known.elements);
  next.push_back(known.others);
  for (const auto& entry : known.names) {
    next.push_back(*schemas_of(known, entry.first));
  }
  for (const KnownPattern& one : known.patterns) {
    next.push_back({one.schema});
  }
  return next;
}

std::string without_digits(std::string_view name) {
  std::string rest(name);
  std::erase_if(rest, text::is_digit);
  return rest;
}

using KnownBySchemas = std::map<Applied, Known>;  // never moves what it holds

class Search {
 public:
  explicit Search(const KnownBySchemas* gathered = nullptr) : gathered_(gathered) {}

  void look(Applied schemas, const Json& value, const std::string& pointer) {
    if (schemas.empty()) {
      return;
    }
    const Known& known = known_by(std::move(schemas));
    if (value.is_object()) {
      look_at_members(known, value, pointer);
    } else {
      look_at_elements(known, value, pointer);
    }
  }

  // The schemas that `schemas` apply to the member `name`.
  Applied step(Applied schemas, const std::string& name) {
    const Known& known = known_by(std::move(schemas));
    return schemas_of(known, name).value_or(known.others);
  }

  std::vector<Misspelling> take() { return std::move(found_); }

 private:
  const Known& known_by(Applied schemas) {
    std::ranges::sort(schemas);
    if (gathered_ != nullptr) {
      if (const auto found = gathered_->find(schemas); found != gathered_->end()) {
        return found->second;
      }
    }
    const auto [entry, is_new] = known_.try_emplace(std::move(schemas));
    if (is_new) {
      entry->second = known_of(entry->first);
    }
    return entry->second;
  }

  void look_at_members(const Known& known, const Json& object, const std::string& pointer) {
    for (const auto& [name, value] : object.items()) {
      if (++looked_at_ > kMaxValues) {
        return;
      }
      if (!known.names.contains(name) && !schemas_of(known, name)) {
        note(known, object, name, pointer);
      }
      if (value.is_structured()) {
        std::string at = pointer;
        spec::json::append_token(at, name);
        look(schemas_of(known, name).value_or(known.others), value, at);
      }
    }
  }

  void note(const Known& known, const Json& object, const std::string& name,
            const std::string& pointer) {
    if (known.is_closed || found_.size() >= kMaxFound || ++unknown_ > kMaxUnknown) {
      return;
    }
    std::vector<std::string_view> used;
    std::vector<std::string_view> unused;
    for (const auto& entry : known.names) {
      if (!object.contains(entry.first)) {
        unused.push_back(entry.first);
      } else if (without_digits(entry.first) != without_digits(name)) {
        used.push_back(entry.first);
      }
    }
    const auto near_unused = text::nearest(name, unused);
    if (const auto near = near_unused ? near_unused : text::nearest(name, used, 1)) {
      std::string at = pointer;
      spec::json::append_token(at, name);
      found_.push_back({std::move(at), name, std::string(*near), !near_unused});
    }
  }

  void look_at_elements(const Known& known, const Json& array, const std::string& pointer) {
    for (std::size_t at = 0; at < array.size(); ++at) {
      if (++looked_at_ <= kMaxValues && array[at].is_structured()) {
        look(at < known.prefix.size() ? known.prefix[at] : known.elements, array[at],
             pointer + '/' + std::to_string(at));
      }
    }
  }

  const KnownBySchemas* gathered_;
  KnownBySchemas known_;  // what was not gathered
  std::vector<Misspelling> found_;
  std::size_t looked_at_ = 0;
  std::size_t unknown_ = 0;
};

}  // namespace

std::string Misspelling::message() const {
  return "no schema names \"" + name + "\"; did you mean \"" + meant +
         (is_used ? "\", which is there, too?" : "\"?");
}

std::vector<Misspelling> misspelt_members(std::vector<AppliedSchema> schemas, const Json& instance,
                                          std::span<const std::string> below) {
  Search search;
  for (const std::string& name : below) {
    schemas = search.step(std::move(schemas), name);
  }
  if (instance.is_structured()) {
    search.look(std::move(schemas), instance, "");
  }
  return search.take();
}

struct KnownMembers::Gathered {
  KnownBySchemas known;
};

KnownMembers::KnownMembers() : gathered_(std::make_unique<Gathered>()) {}

KnownMembers::~KnownMembers() = default;
KnownMembers::KnownMembers(KnownMembers&&) noexcept = default;
KnownMembers& KnownMembers::operator=(KnownMembers&&) noexcept = default;

void KnownMembers::gather(const AppliedSchema& schema) {
  std::vector<Applied> open{{schema}};
  while (!open.empty() && gathered_->known.size() < kMaxGathered) {
    Applied schemas = std::move(open.back());
    open.pop_back();
    std::ranges::sort(schemas);
    const auto [entry, is_new] = gathered_->known.try_emplace(std::move(schemas));
    if (is_new && !entry->first.empty()) {
      entry->second = known_of(entry->first);
      std::ranges::move(next_of(entry->second), std::back_inserter(open));
    }
  }
}

std::vector<Misspelling> KnownMembers::misspelt(const AppliedSchema& schema,
                                                const Json& instance) const {
  Search search(&gathered_->known);
  if (instance.is_structured()) {
    search.look({schema}, instance, "");
  }
  return search.take();
}

}  // namespace spec::schema
