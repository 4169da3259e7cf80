#pragma once

// Items of a body as instances of the contract's schemas, and back: an event, a line of JSON, a
// record. spec/http/items.hpp splits bodies and reads fields. In OpenAPI 3.0 and 3.1 a schema of
// lists is about the items and any other about each item; of an event it is about the JSON of its
// data, or, where it has a member `data` and none but the fields of events, about the event. Since
// 3.2, `schema` is about the array of all items, `itemSchema` about each, of an event with its
// fields. Source: OpenAPI 3.2.0 §4.14, Working with Sequential Media Types.
// Pure functions of const data.

#include "spec/contract/contract.hpp"
#include "spec/http/items.hpp"
#include "spec/json/read.hpp"
#include "spec/result.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract {

// The text after which chat services send no more, though no schema describes it.
inline constexpr std::string_view kLastData = "[DONE]";

// The item as the instance of `content.item_schema`. Precondition: it has data.
Result<nlohmann::json, json::ReadError> item_value(const Contract& contract,
                                                   const MediaTypeObject& content,
                                                   http::ItemForm form, const http::Item& item);

// The item that a value of `content.item_schema` is written as; a text that is no instance is the
// data of an event.
http::Item to_item(const MediaTypeObject& content, http::ItemForm form,
                   const nlohmann::json& value);

// The items of a value as bytes: one for each element of an array, or one for any other value.
std::string write_items(const MediaTypeObject& content, http::ItemForm form,
                        const nlohmann::json& value);

// The verdict on the values of all items: the elements of an array, or the one value; the last one
// may be kLastData.
schema::Verdict check_items(const Contract& contract, const MediaTypeObject& content,
                            const nlohmann::json& value, schema::Direction direction);

// A text inside an instance that is JSON by contentMediaType, and its contentSchema.
struct Encoded {
  std::string pointer;  // of the text in the instance
  document::Node media_type;
  std::optional<schema::SchemaId> schema;
};

// Source: JSON Schema 2020-12 Validation §8.
std::vector<Encoded> encoded_texts(const Contract& contract, schema::SchemaId schema,
                                   const nlohmann::json& instance, schema::Direction direction);

}  // namespace spec::contract
