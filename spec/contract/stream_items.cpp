#include "spec/contract/stream_items.hpp"

#include "spec/contract/contract_state.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/instance_schemas.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace spec::contract {

namespace {

using Json = nlohmann::json;
using ReadItem = Result<Json, json::ReadError>;

// A field's text as an instance of that shape: a text where only that is allowed, or where the text
// is no JSON and may be any; else JSON.
ReadItem value_of(const std::string& text, const Shape* shape) {
  const bool takes_text = shape == nullptr || shape->allows(schema::kStringType);
  if (shape != nullptr && shape->types == schema::kStringType) {
    return Json(text);
  }
  auto value = json::read(text);
  const bool is_plain = !value || (shape != nullptr && shape->is_typed && value->is_primitive());
  return takes_text && is_plain ? ReadItem(Json(text)) : std::move(value);
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : json::write(value);
}

}  // namespace

ReadItem item_value(const Contract& contract, const MediaTypeObject& content, http::ItemForm form,
                    const http::Item& item) {
  if (form != http::ItemForm::kEvents) {
    return json::read(*item.data);
  }
  const Shapes& shapes = contract.state().shapes;
  if (!content.item_is_event) {
    return value_of(*item.data, shapes.find(content.item_shape));
  }
  Json event = Json::object();
  for (const auto& [name, text] : {std::pair("data", &item.data), std::pair("event", &item.event),
                                   std::pair("id", &item.id), std::pair("retry", &item.retry)}) {
    if (*text) {
      auto value = value_of(**text, shapes.find(shapes.member(content.item_shape, name)));
      if (!value) {
        return value;
      }
      event[name] = std::move(*value);
    }
  }
  return event;
}

http::Item to_item(const MediaTypeObject& content, http::ItemForm form, const Json& value) {
  if (form != http::ItemForm::kEvents) {
    return {json::write(value)};
  }
  if (!content.item_is_event || !value.is_object() || !value.contains("data")) {
    return {text_of(value)};
  }
  const auto field = [&value](const char* name) {
    const auto found = value.find(name);
    return found == value.end() ? std::nullopt : std::optional(text_of(*found));
  };
  return {field("data"), field("event"), field("id"), field("retry")};
}

std::string write_items(const MediaTypeObject& content, http::ItemForm form, const Json& value) {
  std::string text;
  for (const Json& each : value.is_array() ? value : Json::array({value})) {
    text += http::write_item(form, to_item(content, form, each));
  }
  return text;
}

schema::Verdict check_items(const Contract& contract, const MediaTypeObject& content,
                            const Json& value, schema::Direction direction) {
  auto verdict = schema::Verdict::kValid;
  if (!content.item_schema) {
    return verdict;
  }
  const Json* const last = value.is_array() && !value.empty() ? &value.back() : &value;
  const auto check_one = [&](const Json& each) {
    const bool is_end = &each == last && each == kLastData;
    const auto one = is_end ? schema::Verdict::kValid
                            : check(contract.schemas(), *content.item_schema, each, {direction});
    verdict =
        verdict == schema::Verdict::kInvalid || one == schema::Verdict::kValid ? verdict : one;
  };
  if (value.is_array()) {
    std::ranges::for_each(value, check_one);
  } else {
    check_one(value);
  }
  return verdict;
}

std::vector<Encoded> encoded_texts(const Contract& contract, schema::SchemaId schema,
                                   const Json& instance, schema::Direction direction) {
  std::vector<Encoded> found;
  const schema::Program& program = contract.schemas().program();
  visit_applied(
      contract.schemas(), schema, instance, {.direction = direction},
      [&](schema::SchemaId part, const Json& value, const schema::Path* path) {
        const auto media_type = keyword_value(program, part, "contentMediaType");
        if (!value.is_string() || !media_type.is_string() ||
            keyword_value(program, part, "contentEncoding")) {
          return true;
        }
        const auto type = http::parse_media_type(media_type.string());
        if (type && type->is_json()) {
          found.push_back({schema::to_pointer(path), media_type,
                           contract.schema_at(keyword_value(program, part, "contentSchema"))});
        }
        return true;
      });
  return found;
}

}  // namespace spec::contract
