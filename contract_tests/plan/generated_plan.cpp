#include "contract_tests/plan/generated_plan.hpp"

#include "spec/contract/resources/references.hpp"
#include "spec/http/form.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Parameter;
using spec::contract::Part;
using spec::contract::Style;
using spec::contract::resources::referred_resource;
using spec::http::Request;
using spec::text::percent_decode;
using spec::text::percent_encode;

namespace {

bool holds_name(const std::string& text) {
  return text.find("${") != std::string::npos;
}

// The text that percent-encodes to `encoded` and means nothing else; nothing for text of a style.
std::optional<std::string> plain_text(std::string_view encoded) {
  auto decoded = percent_decode(encoded);
  const bool same = decoded && percent_encode(*decoded) == encoded && !holds_name(*decoded);
  return same ? decoded : std::nullopt;
}

// The pairs of `query`, but not those of parameters with these names.
void set_query(RequestPlan& plan, std::string_view query,
               const std::set<std::string>& but_not = {}) {
  plan.query.clear();
  plan.raw_query.clear();
  for (const auto& pair : spec::http::split_form(query)) {
    const auto name = plain_text(pair.text.substr(0, pair.text.find('=')));
    const auto value = pair.has_equals ? plain_text(pair.value) : std::nullopt;
    if (name && but_not.contains(*name)) {
      continue;
    }
    if (name && value) {
      plan.query.emplace_back(*name, *value);
    } else {
      plan.raw_query += (plan.raw_query.empty() ? "" : "&") + std::string(pair.text);
    }
  }
}

void set_headers(RequestPlan& plan, const Request& request) {
  plan.headers.clear();
  for (const auto& [name, value] : request.headers.lines()) {
    if (!spec::text::equals_ignoring_case(name, "Content-Type")) {
      plan.headers.emplace_back(name, value);
    }
  }
}

void set_body(RequestPlan& plan, const Request& request) {
  plan.body.reset();
  plan.raw_body.reset();
  plan.body_type.reset();
  const auto field = request.headers.find("Content-Type");
  if (!field) {
    return;
  }
  if (*field != "application/json") {
    plan.body_type = std::string(*field);
  }
  const auto type = spec::http::parse_media_type(*field);
  if (type && type->is_json()) {
    auto value = spec::json::read(request.body);
    if (value && names_in(value.value()).empty()) {
      plan.body = std::move(value.value());
      return;
    }
  }
  plan.raw_body = request.body;
}

std::string name_of(const Operation& operation, const std::string& parameter) {
  return operation.id + '.' + parameter;
}

void name_path(const Operation& operation, const std::string& parameter, const std::string& encoded,
               GeneratedPlain& plain) {
  if (const auto text = plain_text(encoded)) {
    const auto name = name_of(operation, parameter);
    plain.request.path[parameter] = "${" + name + '}';
    plain.names[name] = *text;
  } else {
    plain.request.encoded_path.emplace_back(parameter, encoded);
  }
}

// A parameter in the query that is there once.
void name_query(const Operation& operation, const Parameter& parameter, GeneratedPlain& plain) {
  const auto is_it = [&parameter](const auto& pair) { return pair.first == parameter.name; };
  auto& query = plain.request.query;
  if (parameter.location != Location::kQuery || parameter.style != Style::kForm ||
      std::ranges::count_if(query, is_it) != 1) {
    return;
  }
  auto& value = std::ranges::find_if(query, is_it)->second;
  const auto name = name_of(operation, parameter.name);
  plain.names[name] = value;
  value = "${" + name + '}';
}

// A member of `body` that names the record that the path parameter names: of the same name, or "id"
// where the path ends in the parameter. Null if there is none.
json* identifier_in_body(const Operation& operation, const std::string& parameter, json& body) {
  const bool last = operation.path.ends_with('{' + parameter + '}');
  for (const auto& name : {parameter, std::string(last ? "id" : "")}) {
    const auto member = body.find(name);
    if (member != body.end() && (member->is_string() || spec::json::is_integer(*member))) {
      return &*member;
    }
  }
  return nullptr;
}

// The request with one value for an identifier in path and body, the path's or else the body's. As
// it is where neither is valid in both.
void name_body(const spec::contract::Contract& contract, const Operation& operation,
               const std::string& parameter, GeneratedPlain& plain) {
  if (!plain.request.body || !plain.request.body->is_object()) {
    return;
  }
  auto named = plain;
  auto* member = identifier_in_body(operation, parameter, *named.request.body);
  if (member == nullptr) {
    return;
  }
  const auto name = name_of(operation, parameter);
  const auto value =
      std::exchange(*member, (member->is_string() ? "${" : "${number.") + name + '}');
  if (!validate_plain(contract, operation, named).is_valid()) {
    named.names[name] =
        value.is_string() ? value.get<std::string>() : spec::json::number_key(value);
  }
  if (validate_plain(contract, operation, named).is_valid()) {
    plain = std::move(named);
  }
}

// Keeps values of subjects in the body of `plain`, but for the member that the case is about.
void keep_names(const RequestPlan& plain, const std::string& but_not, RequestPlan& request) {
  if (!plain.body || !plain.body->is_object() || !request.body || !request.body->is_object()) {
    return;
  }
  for (const auto& [name, value] : plain.body->items()) {
    if (name != but_not && request.body->contains(name) && !names_in(value).empty()) {
      (*request.body)[name] = value;
    }
  }
}

// Keeps the body of `plain` but for the member that the case is about.
void keep_others(const RequestPlan& plain, const std::string& changed, RequestPlan& request) {
  if (changed.empty() || !plain.body || !plain.body->is_object() || !request.body ||
      !request.body->is_object()) {
    return;
  }
  auto body = *plain.body;
  const auto other = request.body->find(changed);
  if (other == request.body->end()) {
    body.erase(changed);
  } else {
    body[changed] = *other;
  }
  request.body = std::move(body);
}

}  // namespace

spec::Result<GeneratedPlain, spec::schema::generate::GenerateFailure> generated_plain(
    const spec::contract::Contract& contract, const spec::schema::generate::Generator& generator,
    const Operation& operation) {
  const auto drawn = generate_request(contract, generator, operation,
                                      {.values = {}, .optional = OptionalParts::kBody});
  if (!drawn) {
    return spec::Unexpected{drawn.error()};
  }
  GeneratedPlain plain;
  for (const auto& [parameter, encoded] : drawn->path) {
    name_path(operation, parameter, encoded, plain);
  }
  plain.request = with_drawn(plain.request, drawn->request);
  for (const auto& parameter : operation.parameters) {
    name_query(operation, parameter, plain);
  }
  const auto named = plain.request.path;
  for (const auto& [parameter, text] : named) {
    name_body(contract, operation, parameter, plain);
  }
  return plain;
}

std::string name_of_member(const std::string& operation, const std::string& member) {
  return operation + ".body." + member;
}

std::string member_of_name(const std::string& operation, const std::string& name) {
  const auto start = name_of_member(operation, "");
  return name.starts_with(start) ? name.substr(start.size()) : "";
}

void name_references(const spec::contract::Contract& contract,
                     const spec::contract::Resources& resources, const Operation& operation,
                     GeneratedPlain& plain) {
  const auto schema =
      operation.body ? spec::contract::json_schema(operation.body->contents) : std::nullopt;
  if (!schema || !plain.request.body || !plain.request.body->is_object()) {
    return;
  }
  auto named = plain;
  for (const auto& [member, schemas] : contract.summaries().summary_of(*schema).properties) {
    const auto found = named.request.body->find(member);
    const auto& seen = contract.summaries().summary_of(schemas);
    if (found == named.request.body->end() || !names_in(*found).empty() ||
        referred_resource(contract, resources, member,
                          seen.elements.empty() ? schemas : seen.elements) == nullptr) {
      continue;
    }
    if (found->is_array()) {
      found->get_ref<json::array_t&>().resize(std::min<std::size_t>(found->size(), 1));
    }
    auto& value = found->is_array() && !found->empty() ? found->front() : *found;
    if (value.is_string() || spec::json::is_integer(value)) {
      const auto name = name_of_member(operation.id, member);
      named.names[name] =
          value.is_string() ? value.get<std::string>() : spec::json::number_key(value);
      value = (value.is_string() ? "${" : "${number.") + name + '}';
    }
  }
  if (validate_plain(contract, operation, named).is_valid()) {
    plain = std::move(named);
  }
}

RequestVerdict validate_plain(const spec::contract::Contract& contract, const Operation& operation,
                              const GeneratedPlain& plain) {
  Names names;
  names.set("token", "x");
  for (const auto& [name, value] : plain.names) {
    names.set(name, value);
  }
  return validate_request(contract, operation, plain.request, names);
}

RequestPlan with_drawn(const RequestPlan& plain, const Request& drawn) {
  auto request = plain;
  set_query(request, spec::http::query_of(drawn.target));
  set_headers(request, drawn);
  set_body(request, drawn);
  keep_names(plain, "", request);
  return request;
}

RequestPlan with_boundary(const RequestPlan& plain, const BoundaryRequest& boundary,
                          bool keeps_body) {
  auto request = plain;
  const auto tokens = spec::json::split_pointer(boundary.place);
  const auto parameter = tokens && !tokens->empty() ? tokens->front() : std::string{};
  if (boundary.part == Part::kBody || boundary.part == Part::kMediaType) {
    set_body(request, boundary.request);
    keep_names(plain, parameter, request);
    if (keeps_body) {
      keep_others(plain, parameter, request);
    }
  } else if (boundary.part == Part::kPath) {
    RequestPlan over;
    over.encoded_path.emplace_back(parameter, boundary.path.at(parameter));
    request = overlay(std::move(request), over);
    request.path.erase(parameter);
  } else if (boundary.part == Part::kQuery) {
    // Keeps values of subjects and rules, but for the one that the case is about.
    Pairs named;
    std::set<std::string> names;
    for (const auto& pair : plain.query) {
      if (pair.first != parameter && holds_name(pair.second)) {
        named.push_back(pair);
        names.insert(pair.first);
      }
    }
    set_query(request, spec::http::query_of(boundary.request.target), names);
    std::ranges::move(named, std::back_inserter(request.query));
  } else {
    set_headers(request, boundary.request);
  }
  return request;
}

}  // namespace contract_tests::plan
