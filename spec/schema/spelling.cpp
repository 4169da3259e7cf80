#include "spec/schema/spelling.hpp"

#include "spec/json/pointer.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace spec::schema {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFound = 50;
constexpr std::size_t kMaxValues = 200'000;  // looked at
constexpr std::size_t kMaxUnknown = 1'000;   // names that are compared with those that are known

// The summary of a schema that applies to a value, and the summaries of its set.
struct AppliedSummary {
  const Summaries* summaries = nullptr;
  const Summary* summary = nullptr;

  friend auto operator<=>(const AppliedSummary&, const AppliedSummary&) = default;
};

// All summaries for one value, each once.
using AppliedSummaries = std::set<AppliedSummary>;

bool matches(const patterns::Pattern& pattern, std::string_view name) {
  return pattern.search(name) != patterns::Search::kNotFound;
}

// True if a member of any of the schemas is called `name`.
bool is_known(const AppliedSummaries& all, std::string_view name) {
  return std::ranges::any_of(all, [name](const AppliedSummary& one) {
    const Summary& summary = *one.summary;
    return summary.property(name) != nullptr ||
           std::ranges::find(summary.required, name) != summary.required.end() ||
           std::ranges::any_of(summary.patterns,
                               [name](const auto& known) { return matches(*known.first, name); });
  });
}

// The schemas of a member that is called `name`.
Schemas named(const Summary& summary, std::string_view name) {
  const Schemas* const property = summary.property(name);
  Schemas schemas = property != nullptr ? *property : Schemas();
  for (const auto& [pattern, schema] : summary.patterns) {
    if (matches(*pattern, name)) {
      schemas.push_back(schema);
    }
  }
  return schemas;
}

// The schemas of a part of the value, by the function `of_part` of a summary.
template <typename OfPart>
AppliedSummaries part_schemas(const AppliedSummaries& all, const OfPart& of_part) {
  AppliedSummaries schemas;
  for (const AppliedSummary& one : all) {
    for (const SchemaId id : of_part(*one.summary)) {
      schemas.insert({one.summaries, &one.summaries->summary_of(id)});
    }
  }
  return schemas;
}

AppliedSummaries of_member(const AppliedSummaries& all, std::string_view name) {
  const bool known = is_known(all, name);
  return part_schemas(all, [known, name](const Summary& summary) {
    return known ? named(summary, name) : summary.additional;
  });
}

AppliedSummaries of_element(const AppliedSummaries& all, std::size_t index) {
  const bool is_first = std::ranges::any_of(
      all, [index](const AppliedSummary& one) { return index < one.summary->prefix.size(); });
  return part_schemas(all, [&](const Summary& summary) {
    const bool has_own = index < summary.prefix.size();
    return has_own ? summary.prefix[index] : is_first ? Schemas() : summary.elements;
  });
}

std::string without_digits(std::string_view name) {
  std::string rest(name);
  std::erase_if(rest, text::is_digit);
  return rest;
}

class Search {
 public:
  void look(const AppliedSummaries& schemas, const Json& value, const std::string& pointer) {
    if (schemas.empty()) {
      return;
    }
    if (value.is_object()) {
      look_at_members(schemas, value, pointer);
    } else {
      look_at_elements(schemas, value, pointer);
    }
  }

  std::vector<Misspelling> take() { return std::move(found_); }

 private:
  void look_at_members(const AppliedSummaries& schemas, const Json& object,
                       const std::string& pointer) {
    for (const auto& [name, value] : object.items()) {
      if (++looked_at_ > kMaxValues) {
        return;
      }
      if (!is_known(schemas, name)) {
        note(schemas, object, name, pointer);
      }
      if (value.is_structured()) {
        std::string at = pointer;
        spec::json::append_token(at, name);
        look(of_member(schemas, name), value, at);
      }
    }
  }

  void note(const AppliedSummaries& schemas, const Json& object, const std::string& name,
            const std::string& pointer) {
    const bool is_closed = std::ranges::any_of(
        schemas, [](const AppliedSummary& one) { return one.summary->is_closed; });
    if (is_closed || found_.size() >= kMaxFound || ++unknown_ > kMaxUnknown) {
      return;
    }
    std::vector<std::string_view> used;
    std::vector<std::string_view> unused;
    for (const std::string_view known : known_names(schemas)) {
      if (!object.contains(known)) {
        unused.push_back(known);
      } else if (without_digits(known) != without_digits(name)) {
        used.push_back(known);
      }
    }
    const auto near_unused = text::nearest(name, unused);
    if (const auto near = near_unused ? near_unused : text::nearest(name, used, 1)) {
      std::string at = pointer;
      spec::json::append_token(at, name);
      found_.push_back({std::move(at), name, std::string(*near), !near_unused});
    }
  }

  static std::set<std::string_view> known_names(const AppliedSummaries& schemas) {
    std::set<std::string_view> names;
    for (const AppliedSummary& one : schemas) {
      const Summary& summary = *one.summary;
      names.insert(summary.required.begin(), summary.required.end());
      for (const auto& property : summary.properties) {
        names.insert(property.first);
      }
    }
    return names;
  }

  void look_at_elements(const AppliedSummaries& schemas, const Json& array,
                        const std::string& pointer) {
    for (std::size_t at = 0; at < array.size(); ++at) {
      if (++looked_at_ <= kMaxValues && array[at].is_structured()) {
        look(of_element(schemas, at), array[at], pointer + '/' + std::to_string(at));
      }
    }
  }

  std::vector<Misspelling> found_;
  std::size_t looked_at_ = 0;
  std::size_t unknown_ = 0;
};

std::vector<Misspelling> search(const AppliedSummaries& schemas, const Json& instance) {
  Search found;
  if (instance.is_structured()) {
    found.look(schemas, instance, "");
  }
  return found.take();
}

}  // namespace

std::string Misspelling::message() const {
  return "no schema names \"" + name + "\"; did you mean \"" + meant +
         (is_used ? "\", which is there, too?" : "\"?");
}

std::vector<Misspelling> misspelt_members(const std::vector<AppliedSchema>& schemas,
                                          const Json& instance,
                                          std::span<const std::string> below) {
  std::map<const SchemaSet*, Summaries> summaries;
  AppliedSummaries applied;
  for (const AppliedSchema& one : schemas) {
    const auto own = summaries.try_emplace(one.schemas, one.schemas->program(), Reach::kEvery);
    applied.insert({&own.first->second, &own.first->second.summary_of(one.id)});
  }
  for (const std::string& name : below) {
    applied = of_member(applied, name);
  }
  return search(applied, instance);
}

std::vector<Misspelling> misspelt_members(const Summaries& summaries, SchemaId schema,
                                          const Json& instance) {
  return search({{&summaries, &summaries.summary_of(schema)}}, instance);
}

}  // namespace spec::schema
