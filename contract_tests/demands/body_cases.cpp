// Request bodies with one error each: they must be rejected and change nothing. Unknown members are
// ignored, and no text in a body causes a server error.

#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/request_variants.hpp"
#include "contract_tests/demands/update_cases.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

struct InvalidBody {
  std::string sentence;
  std::string rule;
  checks::Source source;
  checks::Change changed;
};

// A case whose request must be rejected; for an operation that writes, nothing may change.
Case invalid_body_case(const Drafting& drafting, InvalidBody how) {
  auto item = drafting.draft(std::move(how.sentence), std::move(how.rule), std::move(how.source));
  item.expect.want = Want::kRejected;
  item.changed = std::move(how.changed);
  if (drafting.rules.update) {
    keep_records(drafting, item);
  }
  return item;
}

// No case where the request is valid after all (a composition may allow it).
void add_if_rejected(const Drafting& drafting, Case item) {
  if (drafting.demand_rejection(item)) {
    drafting.add(std::move(item));
  }
}

// The valid body to which errors are added. For an update it changes every field that the record
// shows as sent, so that a rejected change that is applied nevertheless is seen.
json complete_body(const Drafting& drafting) {
  auto body = drafting.plain.body.value_or(json::object());
  if (const auto& update = drafting.rules.update) {
    body.update(update->shown_values());
  }
  return body;
}

void add_raw(const Drafting& drafting, InvalidBody how, std::string text) {
  auto item = invalid_body_case(drafting, std::move(how));
  item.request.body.reset();
  item.request.raw_body = std::move(text);
  add_if_rejected(drafting, std::move(item));
}

// Values of every type that the property does not take, each with its name.
std::vector<std::pair<std::string, json>> wrong_types(const spec::schema::Summary& seen) {
  using namespace spec::schema;
  const std::vector<std::tuple<TypeSet, std::string, json>> all{
      {kStringType, "a string", "12x"},         {kIntegerType, "a number", 123},
      {kBooleanType, "a boolean", true},        {kArrayType, "an array", json::array({"a"})},
      {kObjectType, "an object", {{"a", "b"}}},
  };
  std::vector<std::pair<std::string, json>> wrong;
  for (const auto& [type, name, value] : all) {
    if ((seen.types & type) == 0) {
      wrong.emplace_back(name, value);
    }
  }
  return wrong;
}

// Nearly a UUID. Source: RFC 9562 §4.
constexpr auto kNoUuids = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"a uuid cut short", "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a1"},
    {"a uuid with a digit too many", "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a111"},
    {"a uuid in braces", "{6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a11}"},
    {"a uuid without hyphens", "6f1d7c1e4b0e4c579a7c2f4f0f5d9a11"},
    {"a uuid with other hyphens", "6f1d7c1e4-b0e-4c57-9a7c-2f4f0f5d9a11"},
    {"a uuid as a URN", "urn:uuid:6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a11"},
    {"a uuid with a letter that is not hexadecimal", "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a1g"},
    {"a uuid with a line break at the end", "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a11\n"},
    {"36 letters that are not a uuid", "counterpart-counterpart-counterpart-"},
});

void add_property(const Drafting& drafting, const std::string& name,
                  const spec::schema::Summary& seen) {
  const auto with = [&](const std::string& what, const std::string& rule,
                        const spec::document::Node& node, const json& value) {
    const auto statement = drafting.contract.statement_at(node);
    auto item = invalid_body_case(drafting, {name + " as " + what + " is rejected",
                                             rule,
                                             drafting.source_of(statement),
                                             {"body", name, spec::json::write(value)}});
    item.request.body = complete_body(drafting);
    (*item.request.body)[name] = value;
    add_if_rejected(drafting, std::move(item));
  };
  if (seen.type_node) {
    for (const auto& [what, value] : wrong_types(seen)) {
      with(what, "body/type", seen.type_node, value);
    }
    if (!seen.nullable) {
      with("null", "body/type", seen.type_node, nullptr);
    }
  }
  if (seen.format == "uuid") {
    with("abc", "body/format", seen.format_node, "abc");
    for (const auto& [what, value] : kNoUuids) {
      with(std::string(what), "body/format", seen.format_node, std::string(value));
    }
  }
}

void add_missing(const Drafting& drafting, const spec::schema::Summary& seen) {
  for (const auto& name : seen.required) {
    auto item = invalid_body_case(
        drafting, {"a body without " + name + " is rejected", "body/required",
                   drafting.source_of(drafting.contract.statement_at(seen.required_node)),
                   "body without /" + name});
    item.request.body = drafting.plain.body.value_or(json::object());
    item.request.body->erase(name);
    add_if_rejected(drafting, std::move(item));
  }
}

constexpr auto kOtherTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"text", "text/plain"},
    {"a form", "application/x-www-form-urlencoded"},
    {"XML", "application/xml"},
    {"bytes", "application/octet-stream"},
    {"a form in parts", "multipart/form-data; boundary=counterpart"},
});

// JSON of another type than an object, by the statement that the generated cases have too.
void add_other_types(const Drafting& drafting, const spec::schema::Summary& seen,
                     const checks::Source& content) {
  const auto source =
      seen.type_node ? drafting.source_of(drafting.contract.statement_at(seen.type_node)) : content;
  for (const json& other : {json::array(), json("text"), json(nullptr), json(42)}) {
    const auto text = spec::json::write(other);
    auto item =
        invalid_body_case(drafting, {"a body that is " + text + " instead of an object is rejected",
                                     "body/type",
                                     source,
                                     {"body", "", std::nullopt, text + " instead of an object"}});
    item.request.body = other;
    add_if_rejected(drafting, std::move(item));
  }
}

void add_malformed(const Drafting& drafting, const checks::Source& source) {
  const auto body = complete_body(drafting);
  const auto text = spec::json::write(body);
  add_raw(
      drafting,
      {"a truncated body is rejected", "body/malformed", source, "the body without its last byte"},
      text.substr(0, text.size() - 1));
  add_raw(drafting,
          {"a body with extra bytes at the end is rejected", "body/malformed", source,
           "the body with } behind it"},
          text + "}");
  for (const auto& [what, type] : kOtherTypes) {
    auto other =
        invalid_body_case(drafting, {"a body sent as " + std::string(what) + " is rejected",
                                     "body/media-type",
                                     source,
                                     {"header", "Content-Type", std::string(type)}});
    other.request.body = body;
    other.request.body_type = std::string(type);
    add_if_rejected(drafting, std::move(other));
  }
}

// The request has the same effect with and without the unknown member.
void add_extra(const Drafting& drafting, const checks::Source& source) {
  auto item = drafting.draft("an unknown member of the body changes nothing", "body/extra", source);
  item.basis.source.statement_class = StatementClass::kAssumption;
  const json extra{{"counterpart_unknown", {{"deep", {1, 2, 3}}}}};
  auto variant = drafting.plain;
  variant.body = variant.body.value_or(json::object());
  variant.body->update(extra);
  if (!drafting.is_sound(variant)) {
    return;
  }
  if (drafting.rules.update) {
    change_beside(drafting, item, extra);
  } else {
    compare_with(item, std::move(variant));
  }
  item.changed = {"body", "counterpart_unknown"};
  drafting.add(std::move(item));
}

Case no_server_error_case(const Drafting& drafting, const std::string& what) {
  return drafting.draft_no_server_error("a body with " + what + " ends in no server error",
                                        "body/hostile", "body with " + what);
}

// Undoes what the service accepts of it.
void add_no_server_error(const Drafting& drafting, const std::string& what, const json& body) {
  auto item = no_server_error_case(drafting, what);
  item.request.body = body;
  if (drafting.rules.update) {
    take_back(item);
  }
  drafting.add(std::move(item));
}

// Each hostile text in each member that takes texts of any kind; in the first of them, if many.
void add_hostile(const Drafting& drafting, const spec::schema::Summary& seen) {
  constexpr std::size_t kMaxMembers = 4;
  std::size_t members = 0;
  for (const auto& [name, schemas] : seen.properties) {
    const auto& member = drafting.summary(schemas);
    if (!member.is_string() || !member.format.empty() || !member.listed.empty() ||
        ++members > kMaxMembers) {
      continue;
    }
    for (const auto& hostile : drafting.hostile) {
      if (!hostile.encoded) {
        auto body = drafting.plain.body.value_or(json::object());
        body[name] = hostile.text;
        add_no_server_error(drafting, hostile.what + " as " + name, body);
      }
    }
    auto body = drafting.plain.body.value_or(json::object());
    body[name] = std::string("x\0y", 3);
    add_no_server_error(drafting, "a NUL as " + name, body);
  }
}

// JSON texts that a faulty parser fails on: bytes that are not UTF-8, half a character, deep
// nesting, a number too large for a double, a member given twice.
void add_hostile_json(const Drafting& drafting, const spec::schema::Summary& seen) {
  constexpr std::size_t kDeep = 2'000;
  const auto name = seen.properties.front().first;
  const auto member = [&name](const std::string& value) {
    return "{" + spec::json::write(name) + ":" + value + "}";
  };
  const std::vector<std::pair<std::string, std::string>> texts{
      {"bytes that are not UTF-8", member("\"x\xff\"")},
      {"half a surrogate pair", member("\"\\ud800\"")},
      {"deeply nested lists", member(std::string(kDeep, '[') + std::string(kDeep, ']'))},
      {"a number too large for a double", member("1e999999")},
      {"a member given twice",
       "{" + spec::json::write(name) + ":1," + spec::json::write(name) + ":2}"},
      {"a member name of NUL", "{\"\\u0000\":1}"},
  };
  for (const auto& [what, text] : texts) {
    auto item = no_server_error_case(drafting, what);
    item.request.body.reset();
    item.request.raw_body = text;
    if (drafting.rules.update) {
      keep_records(drafting, item);
    }
    drafting.add(std::move(item));
  }
}

// Values of a scalar's types, other than the one that it is likely to have.
std::vector<json> scalar_values(const spec::schema::Summary& seen) {
  if (seen.is_boolean()) {
    return {true, false};
  }
  if (seen.is_string() && seen.format.empty() && seen.listed.empty()) {
    return {"counterpart"};
  }
  return seen.is_number() ? std::vector<json>{7} : std::vector<json>{};
}

// The schema of a success in JSON, if there is one.
spec::schema::Schemas success_schema(const Drafting& drafting) {
  for (const auto& response : drafting.operation.responses) {
    const auto schema = spec::contract::json_schema(response.contents);
    if (response.is_success() && schema) {
      return {*schema};
    }
  }
  return {};
}

// Members that only the response has: in a request they change nothing.
void add_owned(const Drafting& drafting, const spec::schema::Summary& seen) {
  if (drafting.writes) {
    return;  // the rules of updates say what is the service's own
  }
  for (const auto& [name, schemas] : drafting.summary(success_schema(drafting)).properties) {
    const bool asked = seen.property(name) != nullptr;
    for (const auto& value :
         asked ? std::vector<json>{} : scalar_values(drafting.summary(schemas))) {
      auto variant = drafting.plain;
      variant.body = variant.body.value_or(json::object());
      (*variant.body)[name] = value;
      auto item = drafting.draft_by_book(
          name + " as " + spec::json::write(value) + " in the body changes nothing", "body/owned");
      item.changed = {"body", name};
      if (drafting.is_sound(variant)) {
        compare_with(item, std::move(variant));
        drafting.add(std::move(item));
      }
    }
  }
}

// The content that a plain request's body is of, if that is an object in JSON.
const spec::contract::MediaTypeObject* json_content(const Drafting& drafting) {
  const auto& plain = drafting.plain;
  const auto type = spec::http::parse_media_type(plain.body_type.value_or("application/json"));
  if (!drafting.operation.body || plain.raw_body || !type || !type->is_json() ||
      !plain.body.value_or(json::object()).is_object()) {
    return nullptr;
  }
  const auto& contents = drafting.operation.body->contents;
  const auto found = std::ranges::find_if(contents, [&type](const auto& content) {
    return spec::http::includes(content.media_type, *type);
  });
  return found == contents.end() || !found->schema ? nullptr : &*found;
}

}  // namespace

void add_body_cases(const Drafting& drafting) {
  const auto* content = json_content(drafting);
  if (content == nullptr) {
    return;
  }
  const auto& seen = drafting.summary({*content->schema});
  if (!seen.is_object()) {
    return;
  }
  const auto source = drafting.source_of(content->statement);
  for (const auto& [name, schemas] : seen.properties) {
    add_property(drafting, name, drafting.summary(schemas));
  }
  add_missing(drafting, seen);
  add_malformed(drafting, source);
  add_other_types(drafting, seen, source);
  add_extra(drafting, source);
  add_owned(drafting, seen);
  add_hostile(drafting, seen);
  if (!seen.properties.empty()) {
    add_hostile_json(drafting, seen);
  }
}

}  // namespace contract_tests::demands
