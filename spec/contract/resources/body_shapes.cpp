#include "spec/contract/resources/body_shapes.hpp"

#include "spec/contract/contract.hpp"
#include "spec/contract/resources/usual_names.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace spec::contract::resources {
namespace {

using schema::Schemas;
using schema::Summary;

bool is_object_schema(const Contract& contract, const Schemas& schemas) {
  if (schemas.empty()) {
    return false;
  }
  const Summary& summary = summary_of(contract, schemas);
  return summary.is_object() || !summary.properties.empty();
}

// The elements' schemas, if they are objects.
std::optional<Schemas> object_elements(const Contract& contract, const Schemas& schemas) {
  const Summary& summary = summary_of(contract, schemas);
  return is_object_schema(contract, summary.elements) ? std::optional(summary.elements)
                                                      : std::nullopt;
}

struct ListCandidate {
  int rank = kNoRank;
  RecordPlace found;
};

void add_candidates(const Contract& contract, const Schemas& body, std::string_view name,
                    const std::vector<std::string>& outer, std::vector<ListCandidate>& found) {
  constexpr std::size_t kMaxDepth = 2;
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const std::string plain = text::plain_name(member);
    std::vector<std::string> at = outer;
    at.push_back(member);
    if (auto elements = object_elements(contract, inner)) {
      const int rank = plain == text::plain_name(name) ? -1 : list_rank(plain);
      found.push_back({rank, {at, std::move(*elements)}});
    } else if (at.size() < kMaxDepth && list_rank(plain) != kNoRank) {
      add_candidates(contract, inner, name, at, found);
    }
  }
}

// The first of `names` that is a scalar member.
std::string member_of_names(const Contract& contract, const Schemas& record,
                            const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const auto& [member, inner] : summary_of(contract, record).properties) {
      const Summary& own = summary_of(contract, inner);
      const bool is_list = own.is(schema::kArrayType) || !own.elements.empty();
      if (text::plain_name(member) == name && !own.is_object() && !is_list) {
        return member;
      }
    }
  }
  return "";
}

}  // namespace

const Summary& summary_of(const Contract& contract, const Schemas& schemas) {
  const Summary& certain = contract.summaries().summary_of(schemas);
  return is_choice(contract, schemas) ? contract.possible_summaries().summary_of(schemas) : certain;
}

std::string component_of(const Contract& contract, const Schemas& schemas) {
  for (const auto schema : schemas) {
    const auto reference = contract.schemas().source(schema).find("$ref");
    if (reference.is_string()) {
      return std::string(reference.string());
    }
  }
  return "";
}

bool is_choice(const Contract& contract, const Schemas& schemas) {
  if (schemas.empty()) {
    return false;
  }
  const Summary& certain = contract.summaries().summary_of(schemas);
  return certain.properties.empty() && certain.elements.empty() &&
         !contract.possible_summaries().summary_of(schemas).properties.empty();
}

const Response* success_of(const Operation& operation) {
  const auto* const response = operation.response(operation.success_status());
  const bool is_default = response != nullptr && response->lowest_status() == 0;
  return response != nullptr && (response->is_success() || is_default) ? response : nullptr;
}

Schemas response_body(const Contract& contract, const Operation& operation) {
  const auto* const response = success_of(operation);
  if (response == nullptr) {
    return {};
  }
  const auto* const content = json_content(response->contents);
  if (content == nullptr || !content->schema) {
    return {};
  }
  const Schemas schemas{*content->schema};
  return contract.summaries().summary_of(schemas).types == 0 ? Schemas{} : schemas;
}

const MediaTypeObject* request_content(const Operation& operation) {
  if (!operation.body) {
    return nullptr;
  }
  const auto& contents = operation.body->contents;
  const auto found = std::ranges::find_if(contents, [](const auto& content) {
    const std::string type = content.media_type.essence();
    const bool is_form =
        type == "application/x-www-form-urlencoded" || type == "multipart/form-data";
    const bool has_record = content.media_type.is_json() && type != "application/json-patch+json";
    return content.schema && (is_form || has_record);
  });
  return found != contents.end() ? &*found : json_content(contents);
}

Schemas request_body(const Operation& operation) {
  const auto* const content = request_content(operation);
  return content != nullptr && content->schema ? Schemas{*content->schema} : Schemas{};
}

bool may_be_object(const Contract& contract, const Schemas& body) {
  return !body.empty() && (summary_of(contract, body).types & schema::kObjectType) != 0;
}

bool has_no_body(const Operation& operation) {
  const auto* const response = success_of(operation);
  return response == nullptr || response->contents.empty();
}

bool has_success(const Operation& operation) {
  constexpr int kFirstError = 400;
  return success_of(operation) != nullptr ||
         std::ranges::any_of(operation.responses, [](const auto& response) {
           return response.lowest_status() < kFirstError;
         });
}

bool holds_record_inside(const Contract& contract, const Schemas& body, const Schemas& record) {
  const Summary& of_record = summary_of(contract, record);
  bool has_object = false;
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    if (of_record.property(member) != nullptr) {
      return false;
    }
    has_object = has_object || is_object_schema(contract, of_one(contract, inner));
  }
  return has_object;
}

bool is_alike(const Contract& contract, const Schemas& one, const Schemas& other) {
  const auto& left = summary_of(contract, one).properties;
  const auto& right = summary_of(contract, other).properties;
  const auto same = static_cast<std::size_t>(std::ranges::count_if(left, [&](const auto& member) {
    return std::ranges::any_of(right, [&](const auto& twin) { return twin.first == member.first; });
  }));
  return 2 * same >= std::min(left.size(), right.size());
}

OtherNames other_names(const Contract& contract, const Schemas& shown, const Schemas& record,
                       std::string_view collection) {
  const Summary& of_record = summary_of(contract, record);
  const std::string one = text::plain_name(text::singular(collection));
  OtherNames names;
  for (const auto& [member, inner] : summary_of(contract, shown).properties) {
    const std::string plain = text::plain_name(member);
    for (const auto& [own, schemas] : of_record.properties) {
      const std::string other = text::plain_name(own);
      const bool is_other = plain == one + other || other == one + plain;
      if (is_other && of_record.property(member) == nullptr &&
          summary_of(contract, inner).is_scalar() == summary_of(contract, schemas).is_scalar()) {
        names.emplace_back(member, own);
        break;
      }
    }
  }
  return names;
}

bool shows(const Contract& contract, const Schemas& shown, const Schemas& record,
           std::string_view collection) {
  if (is_alike(contract, record, shown)) {
    return true;
  }
  const Summary& of_shown = summary_of(contract, shown);
  const Summary& of_record = summary_of(contract, record);
  const auto same =
      static_cast<std::size_t>(std::ranges::count_if(
          of_shown.properties,
          [&](const auto& member) { return of_record.property(member.first) != nullptr; })) +
      other_names(contract, shown, record, collection).size();
  return 2 * same >= std::min(of_shown.properties.size(), of_record.properties.size());
}

const Schemas& of_one(const Contract& contract, const Schemas& schemas) {
  if (schemas.empty()) {
    return schemas;
  }
  const Summary& summary = summary_of(contract, schemas);
  return summary.properties.empty() && is_object_schema(contract, summary.elements)
             ? summary.elements
             : schemas;
}

std::string member_with_record(const Contract& contract, const Schemas& body,
                               const Schemas& record) {
  std::string found;
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const Schemas& one = of_one(contract, inner);
    if (is_object_schema(contract, one) && !summary_of(contract, one).properties.empty() &&
        is_alike(contract, record, one)) {
      if (!found.empty()) {
        return "";
      }
      found = member;
    }
  }
  return found;
}

std::optional<RecordPlace> find_list(const Contract& contract, const Schemas& body,
                                     std::string_view name) {
  if (body.empty()) {
    return std::nullopt;
  }
  if (auto elements = object_elements(contract, body)) {
    return RecordPlace{{}, std::move(*elements)};
  }
  std::vector<ListCandidate> found;
  add_candidates(contract, body, name, {}, found);
  if (found.empty()) {
    return std::nullopt;
  }
  const auto best = std::ranges::min_element(found, {}, &ListCandidate::rank);
  return best->rank == kNoRank && found.size() > 1 ? std::nullopt
                                                   : std::optional(std::move(best->found));
}

namespace {

// The likelihood that the member holds the record: 0 is best.
int rank_of_holder(const std::string& member, std::string_view name) {
  const std::string plain = text::plain_name(member);
  const bool is_named =
      plain == text::plain_name(name) || plain == text::plain_name(text::singular(name));
  return is_named ? 0 : record_rank(plain) + 1;
}

// In the body, in one of its members, or in the elements of either.
std::optional<RecordPlace> find_record_near(const Contract& contract, const Schemas& body,
                                            const std::vector<std::string>& key,
                                            std::string_view name) {
  if (body.empty() || key.empty()) {
    return std::nullopt;
  }
  const auto place = [&](std::vector<std::string> at, const Schemas& schemas) {
    const Schemas& one = of_one(contract, schemas);
    if (&one != &schemas) {
      at.emplace_back("0");
    }
    return RecordPlace{std::move(at), one};
  };
  const Schemas& whole = of_one(contract, body);
  int rank = kNoRank + 2;
  std::optional<RecordPlace> found;
  const bool is_alternative =
      contract.possible_summaries().summary_of(whole).property(key.front()) != nullptr;
  if (has_member(contract, whole, key) || (is_alternative && key.size() == 1)) {
    found = place({}, body);
    rank = kNoRank;
  }
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const int own = rank_of_holder(member, name);
    if (own < rank && has_member(contract, of_one(contract, inner), key)) {
      found = place({member}, inner);
      rank = own;
    }
  }
  return found;
}

// The member in which a body has what it is about: "data", or the "attributes" in that. Null if
// there is none.
const std::pair<std::string, Schemas>* holder_in(const Contract& contract, const Schemas& body) {
  const auto& members = summary_of(contract, body).properties;
  const auto found = std::ranges::find_if(members, [](const auto& member) {
    const std::string plain = text::plain_name(member.first);
    return record_rank(plain) != kNoRank || is_word_for_members(plain);
  });
  return found == members.end() ? nullptr : &*found;
}

}  // namespace

std::optional<RecordPlace> find_record_with(const Contract& contract, const Schemas& body,
                                            const std::vector<std::string>& key,
                                            std::string_view name) {
  constexpr int kMaxDepth = 3;
  std::vector<std::string> outer;
  const Schemas* at = &body;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    if (auto found = find_record_near(contract, *at, key, name)) {
      found->at.insert(found->at.begin(), outer.begin(), outer.end());
      return found;
    }
    const auto* const holder = at->empty() ? nullptr : holder_in(contract, *at);
    if (holder == nullptr) {
      break;
    }
    outer.push_back(holder->first);
    at = &holder->second;
  }
  return std::nullopt;
}

bool has_member(const Contract& contract, const Schemas& schemas,
                const std::vector<std::string>& tokens) {
  const Schemas* at = &schemas;
  for (const std::string& token : tokens) {
    at = at->empty() ? nullptr : summary_of(contract, *at).property(token);
    if (at == nullptr) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> key_member(const Contract& contract, const Schemas& record,
                                    std::string_view parameter, std::string_view collection) {
  const std::string wanted = text::plain_name(parameter);
  const std::string one = text::plain_name(text::singular(collection));
  std::vector<std::string> names{wanted};
  const bool is_key_by_name = std::ranges::any_of(
      std::array{"token", "code", "ref", "reference", "handle", "identifier", "key"},
      [&](std::string_view word) { return wanted.starts_with(one) && wanted.ends_with(word); });
  if (wanted.ends_with("id") || wanted == one) {
    names.insert(names.end(), {"id", one + "id", "uuid"});
    if (wanted.starts_with(one) && wanted.size() > one.size()) {
      names.push_back(wanted.substr(one.size()));  // "task_gid" below /tasks/ is "gid"
    }
  } else if (wanted.starts_with(one) && wanted.size() > one.size()) {
    names.push_back(wanted.substr(one.size()));  // "petName" below /pets/ is "name"
    if (is_key_by_name) {
      names.insert(names.end(), {"id", one + "id"});
    }
  } else {
    names.insert(names.end(), {one + wanted, "id"});
    if (wanted.ends_with("name") && one.ends_with(wanted.substr(0, wanted.size() - 4))) {
      names.emplace_back("name");  // "databaseName" below /mysqldatabases/
    }
  }
  if (std::string member = member_of_names(contract, record, names); !member.empty()) {
    return {std::move(member)};
  }
  for (const auto& [holder, inner] : summary_of(contract, record).properties) {
    if (is_word_for_head(text::plain_name(holder))) {
      if (std::string member = member_of_names(contract, inner, {wanted}); !member.empty()) {
        return {holder, std::move(member)};
      }
    }
  }
  return {};
}

}  // namespace spec::contract::resources
