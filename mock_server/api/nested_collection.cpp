#include "mock_server/api/nested_collection.hpp"

#include "mock_server/api/condition.hpp"
#include "mock_server/api/record_source.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace mock_server::api {
namespace {

using nlohmann::json;
using spec::contract::Contract;
using spec::schema::Schemas;
using spec::text::plain_name;

// "/carts/{}/items": the path without the names of its parameters.
std::string form_of(std::string_view path) {
  std::string form;
  bool is_inside = false;
  for (const char c : path) {
    is_inside = is_inside && c != '}';
    if (!is_inside) {
      form += c;
    }
    is_inside = is_inside || c == '{';
  }
  return form;
}

bool may_be_nested(const Binding& own, const Binding& other) {
  const bool has_records = other.shows() == Shows::kRecords || other.shows() == Shows::kMade;
  return other.collection != nullptr && other.collection != own.collection && has_records &&
         (own.collection->is_single()
              ? other.within.size() == own.within.size()
              : !other.within.empty() && other.within.back().in == own.collection);
}

bool is_list(const Contract& contract, const Schemas& schemas) {
  const auto& summary = contract.summaries().summary_of(schemas);
  return !summary.elements.empty() || summary.is(spec::schema::kArrayType);
}

void add_nested(const Binding& other, std::string_view segment,
                std::vector<NestedCollection>& found) {
  const auto known = std::ranges::find_if(found, [&](const NestedCollection& one) {
    return one.binding->collection == other.collection;
  });
  if (known == found.end()) {
    found.push_back({&other, plain_name(segment)});
  } else if (other.shows() == Shows::kRecords) {
    known->binding = &other;
  }
}

}  // namespace

std::map<const Collection*, std::vector<NestedCollection>> nested_collections(
    std::span<const Binding> bindings) {
  std::multimap<std::string, const Binding*> owners;  // by form
  for (const Binding& own : bindings) {
    const bool has_nested = own.collection != nullptr && own.collection->shows_examples_first() &&
                            !own.is_about_collection();
    if (has_nested) {
      owners.emplace(form_of(own.operation->path), &own);
    }
  }
  std::map<const Collection*, std::vector<NestedCollection>> found;
  for (const Binding& other : bindings) {
    const std::string form = form_of(other.operation->path);
    const std::size_t end = form.rfind('/');
    const std::string segment = end == std::string::npos ? "" : form.substr(end + 1);
    if (segment.empty() || segment.find('{') != std::string::npos) {
      continue;
    }
    const auto [first, last] = owners.equal_range(form.substr(0, end));
    for (auto own = first; own != last; ++own) {
      if (may_be_nested(*own->second, other)) {
        add_nested(other, segment, found[own->second->collection]);
      }
    }
  }
  return found;
}

std::vector<Schemas> sent_records(const Contract& contract, std::span<const Binding> bindings,
                                  const Collection& collection) {
  std::vector<Schemas> found;
  for (const Binding& binding : bindings) {
    if (binding.collection == &collection) {
      Schemas sent = schemas_at(
          contract, spec::contract::resources::request_body(*binding.operation), binding.from);
      if (!sent.empty()) {
        found.push_back(std::move(sent));
      }
    }
  }
  return found;
}

std::vector<std::string> nested_list(const Contract& contract, const Schemas& record,
                                     const NestedCollection& nested) {
  if (record.empty()) {
    return {};
  }
  for (const auto& [name, inner] : contract.summaries().summary_of(record).properties) {
    if (plain_name(name) != nested.name) {
      continue;
    }
    if (is_list(contract, inner)) {
      return {name};
    }
    const auto& into = nested.binding->list.into;
    const Schemas list = into.size() == 1 ? schemas_at(contract, inner, into) : Schemas{};
    if (!list.empty() && is_list(contract, list)) {
      return {name, into.front()};
    }
  }
  return {};
}

std::vector<std::string> nested_counts(const Contract& contract, const Schemas& record,
                                       const NestedCollection& nested) {
  std::vector<std::string> found;
  if (record.empty()) {
    return found;
  }
  const std::string one = spec::text::singular(nested.name);
  for (const auto& [name, inner] : contract.summaries().summary_of(record).properties) {
    const std::string plain = plain_name(name);
    const bool is_count = plain == one + "count" || plain == nested.name + "count" ||
                          plain == "total" + nested.name || plain == "numberof" + nested.name ||
                          plain == "num" + nested.name;
    if (is_count && contract.summaries().summary_of(inner).is_number()) {
      found.push_back(name);
    }
  }
  return found;
}

bool may_have(const Contract& contract, const Schemas& schemas, const json& value) {
  return std::ranges::all_of(schemas, [&](spec::schema::SchemaId id) {
    return spec::schema::check(contract.schemas(), id, value,
                               {.direction = spec::schema::Direction::kResponse}) !=
           spec::schema::Verdict::kInvalid;
  });
}

void empty_nested_lists(const Contract& contract, const std::vector<NestedCollection>& all,
                        const Schemas& schemas, bool is_made_up, json& record) {
  for (const NestedCollection& nested : all) {
    const auto at = nested_list(contract, schemas, nested);
    const bool is_free = !at.empty() && (is_made_up || walk(&record, {at.front()}) == nullptr);
    if (!is_free || !may_have(contract, schemas_at(contract, schemas, at), json::array())) {
      continue;
    }
    if (json* const list = walk(&record, at)) {
      *list = json::array();
    } else if (at.size() == 1) {
      record[at.front()] = json::array();
    }
  }
}

std::string parents_of(const std::vector<Within>& within, const json& record) {
  std::string keys;
  for (const Within& one : within) {
    const json* const key = walk(&record, one.at);
    keys += parent_part(key != nullptr ? key_text(*key) : std::string{});
  }
  return keys;
}

}  // namespace mock_server::api
