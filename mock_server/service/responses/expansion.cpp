#include "mock_server/service/responses/expansion.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/api/references.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "mock_server/service/responses/referred_records.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;
using spec::schema::Schemas;

std::vector<std::string> parts_of(std::string text, char separator) {
  std::vector<std::string> parts;
  text += separator;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.erase(0, end + 1);
  }
  std::erase(parts, "");
  return parts;
}

// "customer,items.price", or an array of such texts.
void add_places(const json& given, std::vector<std::string>& places) {
  if (given.is_array()) {
    std::ranges::for_each(given, [&places](const json& one) { add_places(one, places); });
  } else if (given.is_string()) {
    const auto words = parts_of(given.get<std::string>(), ',');
    places.insert(places.end(), words.begin(), words.end());
  }
}

// Replaces the references at one place of a body.
class Expansion {
 public:
  explicit Expansion(const RequestContext& context) : context_(context) {}

  void expand(const Schemas& schemas, std::span<const std::string> path, json& value) {
    if (value.is_array()) {
      const Schemas elements = part(schemas, "*");
      std::ranges::for_each(value, [&](json& one) { expand(elements, path, one); });
      return;
    }
    if (!value.is_structured() && !value.is_null()) {
      replace(schemas, value);
    }
    if (path.empty() || !value.is_object()) {
      return;
    }
    const Schemas inner = part(schemas, path.front());
    const auto member = value.find(path.front());
    if (member != value.end()) {
      expand(inner, path.subspan(1), *member);
    } else if (inner.empty()) {
      why_not_ = "which the response does not have";
    }
    is_whole_ = is_whole_ || (path.size() == 1 && api::first_object(context_.api.contract, inner) &&
                              context_.api.fixtures.references().showing(inner).empty());
  }

  // True if the contract has the member as an object that is none of a collection's.
  bool is_whole() const { return is_whole_; }

  // "" if there was nothing that could not be shown.
  const std::string& why_not() const { return why_not_; }

 private:
  Schemas part(const Schemas& schemas, const std::string& token) const {
    return api::schemas_at(context_.api.contract, schemas, {token});
  }

  void replace(const Schemas& schemas, json& key) {
    const auto collections = context_.api.fixtures.references().showing(schemas);
    if (collections.empty()) {
      why_not_ = "which is no reference to records that are known";
      return;
    }
    if (const auto record = record_in(context_, collections, key)) {
      key = *record;
    } else {
      why_not_ = "because " + collections.front()->name() + " has no record " +
                 spec::text::in_quotes(api::plain_text(key));
    }
  }

  const RequestContext& context_;
  std::string why_not_;
  bool is_whole_ = false;
};

// The place from the body: of a list, places may be those in its elements.
std::vector<std::string> path_in_body(const RequestContext& context, const Schemas& body,
                                      const std::string& place) {
  std::vector<std::string> path = parts_of(place, '.');
  const bool is_list =
      context.binding != nullptr && context.binding->shows() == api::Shows::kRecords;
  if (is_list && !path.empty() &&
      api::schemas_at(context.api.contract, body, {path.front()}).empty()) {
    const auto& into = context.binding->list.into;
    path.insert(path.begin(), into.begin(), into.end());
  }
  return path;
}

// True if the contract's records have a member of their own with that name.
bool is_of_records(const RequestContext& context, const std::string& name) {
  const bool has_record = context.binding != nullptr && context.binding->collection != nullptr;
  return has_record &&
         !api::schemas_at(context.api.contract, record_source(context).schemas, {name}).empty();
}

}  // namespace

bool asks_to_expand(std::string_view plain) {
  constexpr std::array<std::string_view, 6> kNames{"expand",   "expands", "expansions",
                                                   "expanded", "embed",   "populate"};
  return std::ranges::find(kNames, plain) != kNames.end();
}

std::vector<std::string> take_expansions(RequestContext& context) {
  std::vector<std::string> places;
  if (context.reading.query.is_object()) {
    for (const auto& [name, value] : context.reading.query.items()) {
      if (asks_to_expand(spec::text::plain_name(name))) {
        add_places(value, places);
      }
    }
  }
  constexpr const char* kInBody = "expand";
  auto& body = context.reading.body;
  if (body && body->is_object() && body->contains(kInBody) && !is_of_records(context, kInBody)) {
    add_places((*body)[kInBody], places);
    body->erase(kInBody);
  }
  return places;
}

void expand_members(RequestContext& context, const std::vector<std::string>& places,
                    ChosenResponse& chosen) {
  if (places.empty() || is_rejection(chosen)) {
    return;
  }
  const auto schema =
      api::response_schema(context.api.contract, *context.operation, chosen.response.status);
  if (!schema) {
    return;
  }
  for (const std::string& place : places) {
    const auto body = spec::json::read(chosen.response.body);
    json expanded = body ? *body : json();
    Expansion expansion(context);
    expansion.expand({schema->id}, path_in_body(context, {schema->id}, place), expanded);
    std::string why_not = expansion.why_not();
    if (body && expanded != *body) {
      spec::http::Response response = chosen.response;
      response.body = spec::json::write(expanded);
      if (context.validate(response)) {
        chosen = {std::move(response), true};
      } else {
        why_not = "because the contract shows it otherwise";
        context.response_violations.clear();
      }
    }
    if (expansion.is_whole()) {
      context.warnings.push_back("not played: query/expand");
    } else if (!why_not.empty()) {
      context.warnings.push_back(
          reply::header_text("not played: expand " + place + ", " + why_not));
    }
  }
}

}  // namespace mock_server::service::responses
