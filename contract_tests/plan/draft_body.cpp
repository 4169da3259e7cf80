// The request body broken in one place at a time: each must be refused, and change nothing.

#include "contract_tests/plan/drafting.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;

namespace {

struct Broken {
  std::string sentence;
  std::string rule;
  checks::Source source;
  std::string changed;
};

// A case whose request must be refused; for a writer, with proof that nothing changed.
Case broken(const Drafting& drafting, Broken how) {
  auto item = drafting.draft(std::move(how.sentence), std::move(how.rule), std::move(how.source));
  item.expect.want = Want::kRefused;
  item.changed = std::move(how.changed);
  if (!drafting.rules.update.is_null()) {
    item.procedure = "refused_unchanged";
    item.data = {{"read", to_json(drafting.plain)}};
  }
  return item;
}

// Where the judge takes the request after all (a composition may), there is no case.
void add_if_refused(const Drafting& drafting, Case item) {
  if (drafting.is_refused(item.request)) {
    drafting.add(std::move(item));
  }
}

void add_raw(const Drafting& drafting, Broken how, std::string text) {
  auto item = broken(drafting, std::move(how));
  item.request.body.reset();
  item.request.raw_body = std::move(text);
  add_if_refused(drafting, std::move(item));
}

// Values of every type that the property does not take, each with its name.
std::vector<std::pair<std::string, json>> wrong_types(const checks::SchemaView& seen) {
  const std::vector<std::tuple<std::string, std::string, json>> all{
      {"string", "a string", "12x"},         {"integer", "a number", 123},
      {"boolean", "a boolean", true},        {"array", "an array", json::array({"a"})},
      {"object", "an object", {{"a", "b"}}},
  };
  std::vector<std::pair<std::string, json>> wrong;
  for (const auto& [type, name, value] : all) {
    if (!seen.is(type) && !(type == "integer" && seen.is("number"))) {
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
    {"a uuid with a letter that is no digit", "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a1g"},
    {"a uuid with a line break behind it", "6f1d7c1e-4b0e-4c57-9a7c-2f4f0f5d9a11\n"},
    {"36 letters that are no uuid", "counterpart-counterpart-counterpart-"},
});

void add_property(const Drafting& drafting, const std::string& name,
                  const checks::SchemaView& seen) {
  const auto with = [&](const std::string& what, const std::string& rule,
                        const spec::document::Node& node, const json& value) {
    const auto statement = drafting.contract.statement_at(node);
    auto item =
        broken(drafting, {name + " as " + what + " is refused", rule, drafting.source_of(statement),
                          "body /" + name + " = " + spec::json::write(value)});
    item.request.body = drafting.plain.body.value_or(json::object());
    (*item.request.body)[name] = value;
    add_if_refused(drafting, std::move(item));
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
    with("abc which is no uuid", "body/format", seen.format_node, "abc");
    for (const auto& [what, value] : kNoUuids) {
      with(std::string(what), "body/format", seen.format_node, std::string(value));
    }
  }
}

void add_missing(const Drafting& drafting, const checks::SchemaView& seen) {
  for (const auto& name : seen.required) {
    auto item =
        broken(drafting, {"a body without " + name + " is refused", "body/required",
                          drafting.source_of(drafting.contract.statement_at(seen.required_node)),
                          "body without /" + name});
    item.request.body = drafting.plain.body.value_or(json::object());
    item.request.body->erase(name);
    add_if_refused(drafting, std::move(item));
  }
}

constexpr auto kOtherTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"text", "text/plain"},
    {"a form", "application/x-www-form-urlencoded"},
    {"XML", "application/xml"},
    {"bytes", "application/octet-stream"},
    {"a form in parts", "multipart/form-data; boundary=counterpart"},
});

void add_malformed(const Drafting& drafting, const checks::Source& source) {
  const auto text = spec::json::write(drafting.plain.body.value_or(json::object()));
  add_raw(drafting,
          {"a body that is cut in the middle is refused", "body/malformed", source,
           "the body without its last byte"},
          text.substr(0, text.size() - 1));
  add_raw(drafting,
          {"a body with bytes behind its end is refused", "body/malformed", source,
           "the body with } behind it"},
          text + "}");
  for (const auto* other : {"[]", "\"text\"", "null", "42"}) {
    add_raw(drafting,
            {"a body that is " + std::string(other) + " instead of an object is refused",
             "body/type", source, "body " + std::string(other)},
            other);
  }
  for (const auto& [what, type] : kOtherTypes) {
    auto other =
        broken(drafting, {"a body that is called " + std::string(what) + " is refused",
                          "body/media-type", source, "header Content-Type: " + std::string(type)});
    other.request.body_type = std::string(type);
    add_if_refused(drafting, std::move(other));
  }
}

// The first field that the record shows as it was sent; "" where the rules know none.
std::string plain_field(const json& update) {
  const auto fields = update.is_null() ? json::object() : update.at("fields");
  for (const auto& [name, field] : fields.items()) {
    if (field.value("echo", "same") == "same") {
      return name;
    }
  }
  return {};
}

// What the request does without the unknown member, it does with it.
void add_extra(const Drafting& drafting, const checks::Source& source) {
  auto item = drafting.draft("an unknown member of the body is left alone", "body/extra", source);
  item.why.source.statement_class = StatementClass::kAssumption;
  const json extra{{"counterpart_unknown", {{"deep", {1, 2, 3}}}}};
  const auto field = plain_field(drafting.rules.update);
  auto variant = drafting.plain;
  variant.body = variant.body.value_or(json::object());
  variant.body->update(extra);
  if (!drafting.is_sound(variant)) {
    return;
  }
  if (field.empty()) {
    item.procedure = "same";
    item.data = {{"variant", to_json(variant)}};
  } else {
    item.procedure = "update_extra";
    item.data = {{"field", field}, {"extra", extra}};
  }
  item.changed = "body /counterpart_unknown";
  drafting.add(std::move(item));
}

// The content that a plain request's body is of, if that is an object in JSON.
const spec::contract::Content* json_content(const Drafting& drafting) {
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

void draft_body(const Drafting& drafting) {
  const auto* content = json_content(drafting);
  if (content == nullptr) {
    return;
  }
  const auto seen = checks::view(drafting.contract.schemas().source(*content->schema));
  if (!seen.is("object")) {
    return;
  }
  const auto source = drafting.source_of(content->statement);
  for (const auto& [name, schema] : seen.properties) {
    add_property(drafting, name, checks::view(schema));
  }
  add_missing(drafting, seen);
  add_malformed(drafting, source);
  add_extra(drafting, source);
}

}  // namespace contract_tests::plan
