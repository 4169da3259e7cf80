#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_steps.hpp"
#include "spec/http/items.hpp"
#include "spec/json/number.hpp"
#include "spec/schema/applicable.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

// The bounds that a schema sets for a body of bytes: of an array, its size and its elements'
// values; of a string, its length. Source: JSON Schema 2020-12 Validation §6.2 to §6.4.
std::vector<BytesBound> bounds_of(LoadContext& context, schema::SchemaId schema) {
  using Kind = BytesBound::Kind;

  struct Row {
    std::string_view keyword;
    Kind kind;
    std::int64_t shift;
  };

  static constexpr std::array kCounts = std::to_array<Row>({{"minItems", Kind::kMinCount, 0},
                                                            {"maxItems", Kind::kMaxCount, 0},
                                                            {"minLength", Kind::kMinCount, 0},
                                                            {"maxLength", Kind::kMaxCount, 0}});
  static constexpr std::array kBytes =
      std::to_array<Row>({{"minimum", Kind::kMinByte, 0},
                          {"exclusiveMinimum", Kind::kMinByte, 1},
                          {"maximum", Kind::kMaxByte, 0},
                          {"exclusiveMaximum", Kind::kMaxByte, -1}});
  const schema::Program& program = context.state.schemas.program();
  std::vector<BytesBound> bounds;
  const auto add = [&](schema::SchemaId id, const auto& rows) {
    for (const Row& row : rows) {
      const Node node = keyword_value(program, id, row.keyword);
      const auto value = node.is_number() ? json::to_int64(node.value()) : std::nullopt;
      if (value) {
        bounds.push_back(
            {row.kind, *value + row.shift, std::string(row.keyword), context.statement(node)});
      }
    }
  };
  for (const schema::SchemaId part : applicable(program, schema, schema::Reach::kCertain)) {
    add(part, kCounts);
    const auto elements = inner_schemas(program, part).elements;
    if (!elements) {
      continue;
    }
    if ((possible_types(program, *elements) & schema::kIntegerType) == 0) {
      return {};  // lines of a table, for one
    }
    for (const schema::SchemaId each : applicable(program, *elements, schema::Reach::kCertain)) {
      add(each, kBytes);
    }
  }
  return bounds;
}

std::vector<http::MediaType> parse_list(LoadContext& context, const Node& node) {
  std::vector<http::MediaType> types;
  std::string_view rest = node.is_string() ? node.string() : std::string_view();
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (auto type = http::parse_media_type(rest.substr(0, comma))) {
      types.push_back(std::move(*type));
    } else {
      context.report(node, "\"" + std::string(rest.substr(0, comma)) +
                               "\" is not a media type; separate several with commas");
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return types;
}

// True if `style`, `explode` and `allowReserved` of an Encoding apply. Source: OpenAPI 3.0.3
// §4.7.15.1, 3.1.0 §4.8.15.1.
bool has_styles(const LoadContext& context, BodyKind kind) {
  return kind == BodyKind::kForm ||
         (kind == BodyKind::kMultipart && context.state.version != Version::k30);
}

Encoding load_encoding(LoadContext& context, const Member& member, BodyKind kind) {
  const Node& node = member.value;
  Encoding encoding;
  encoding.property = member.key;
  const Node content_type = node.find("contentType");
  encoding.is_styled = has_styles(context, kind) &&
                       (node.find("style") || node.find("explode") || node.find("allowReserved"));
  std::vector<http::MediaType> types = parse_list(context, content_type);
  if (!encoding.is_styled) {
    encoding.content_types = std::move(types);
  }
  encoding.statement = context.statement(content_type ? content_type : node);
  const std::string style = text_of(node, "style", "form");
  const auto parsed = parse_style(style);
  const bool fits = parsed == Style::kForm || parsed == Style::kSpaceDelimited ||
                    parsed == Style::kPipeDelimited || parsed == Style::kDeepObject;
  if (!fits) {
    context.report(
        node.find("style"),
        "must be form, spaceDelimited, pipeDelimited or deepObject, but is \"" + style + '"');
  }
  encoding.style = parsed.value_or(Style::kForm);
  encoding.explode = flag_of(node, "explode", encoding.style == Style::kForm);
  encoding.headers = load_headers(context, node.find("headers"), schema::Direction::kRequest);
  return encoding;
}

// Warns of form fields whose media type cannot be decoded into the schema.
void warn_of_unread_fields(LoadContext& context, const Node& encodings,
                           const MediaTypeObject& content) {
  const Shapes& shapes = context.state.shapes;
  for (const Encoding& encoding : content.encodings) {
    const ShapeId* id =
        content.shape ? shapes[*content.shape].property(encoding.property) : nullptr;
    const Shape* shape = id == nullptr ? nullptr : &shapes[*id];
    if (shape != nullptr && shape->is_structured() && shape->items) {
      shape = &shapes[*shape->items];  // each element is a field
    }
    for (const http::MediaType& type : encoding.content_types) {
      if (body_kind(type, shape, shapes) == BodyKind::kUnchecked) {
        context.warn(
            encodings.find(encoding.property),
            "fields of " + type.essence() +
                " are not validated against their schema: only their media type is checked");
      }
    }
  }
}

// True if an example of such a body may be its text: OpenAPI 3.1.0 §4.8.14, `example`, is "in the
// correct format as specified by the media type".
bool is_written(BodyKind kind) {
  return kind == BodyKind::kForm || kind == BodyKind::kMultipart || kind == BodyKind::kParts ||
         kind == BodyKind::kItems || kind == BodyKind::kUnchecked || kind == BodyKind::kByMediaType;
}

// The schema of each item, by a schema of the whole body: of a list, that of its elements; before
// 3.2 another is about each item.
std::optional<schema::SchemaId> item_of(const LoadContext& context, schema::SchemaId schema) {
  const schema::Program& program = context.state.schemas.program();
  const auto types = possible_types(program, schema);
  if ((types & schema::kArrayType) == 0 || (types & schema::kObjectType) != 0) {
    return context.state.version == Version::k32 ? std::nullopt : std::optional(schema);
  }
  for (const schema::SchemaId part : applicable(program, schema, schema::Reach::kCertain)) {
    if (const auto elements = inner_schemas(program, part).elements) {
      return elements;
    }
  }
  return std::nullopt;
}

// True if the shape has the members of an event, among them `data`, and no others.
bool is_event(const Shape& shape) {
  static constexpr std::array<std::string_view, 5> kFields{"data", "event", "id", "retry",
                                                           "comment"};
  return shape.property("data") != nullptr &&
         std::ranges::all_of(shape.properties, [](const auto& property) {
           return std::ranges::find(kFields, property.first) != kFields.end();
         });
}

void load_item(LoadContext& context, const http::MediaType& media_type, MediaTypeObject& content) {
  const auto form = http::item_form(media_type);
  if (!form && media_type.subtype != "*") {
    return;
  }
  const bool by_the_letter = context.state.version == Version::k32;
  content.has_array_schema = by_the_letter && content.schema;
  if (!content.item_schema && content.schema) {
    content.item_schema = item_of(context, *content.schema);
  }
  if (content.item_schema) {
    content.item_shape = context.state.shapes.shape_of(context.state.schemas, *content.item_schema);
  }
  content.item_is_event =
      by_the_letter || (content.item_shape && is_event(context.state.shapes[*content.item_shape]));
}

// True for parts that are told by their position. Source: OpenAPI 3.2.0 §4.14, Encoding By
// Position.
bool is_by_position(const LoadContext& context, const http::MediaType& media_type,
                    const MediaTypeObject& content, const Shape* shape) {
  if (context.state.version < Version::k32 || media_type.type != "multipart" ||
      content.kind != BodyKind::kUnchecked) {
    return false;
  }
  const bool is_array = shape != nullptr && shape->types == schema::kArrayType;
  return is_array || content.item_schema || content.node.find("prefixEncoding") ||
         content.node.find("itemEncoding");
}

void load_parts(LoadContext& context, const Node& node, MediaTypeObject& content) {
  content.kind = BodyKind::kParts;
  if (content.item_schema) {
    content.item_shape = context.state.shapes.shape_of(context.state.schemas, *content.item_schema);
  }
  for (const Node& one : node.find("prefixEncoding").elements()) {
    content.prefix_encodings.push_back(load_encoding(context, {"", {}, one}, content.kind));
  }
  if (const Node item = node.find("itemEncoding")) {
    content.item_encoding = load_encoding(context, {"", {}, item}, content.kind);
  }
}

MediaTypeObject load_content(LoadContext& context, const Node& place, http::MediaType media_type,
                             schema::Direction direction) {
  MediaTypeObject content;
  const Node node = context.follow_media_type(place);
  const Node schema = node.find("schema");
  content.node = node;
  content.place = place;
  content.statement = context.statement(place);
  content.schema = context.compile(schema);
  if (has_field(ObjectKind::kMediaType, "itemSchema", context.state.version)) {
    content.item_schema = context.compile(node.find("itemSchema"));
  }
  if (content.schema && !media_type.is_json()) {  // JSON text has types of its own
    content.shape = context.state.shapes.shape_of(context.state.schemas, *content.schema);
    content.bounds = bounds_of(context, *content.schema);
  }
  load_item(context, media_type, content);
  const Shape* shape = context.state.shapes.find(content.shape);
  content.kind = body_kind(media_type, shape, context.state.shapes);
  if (is_by_position(context, media_type, content, shape)) {
    load_parts(context, node, content);
  }
  if (content.kind == BodyKind::kUnchecked) {
    context.warn(place,
                 "bodies of " + media_type.essence() +
                     " are not validated against their schema: only their media type is checked");
  }
  for (const Member& member : node.find("encoding").members()) {
    content.encodings.push_back(load_encoding(context, member, content.kind));
  }
  warn_of_unread_fields(context, node.find("encoding"), content);
  const bool is_items = content.kind == BodyKind::kItems;
  const auto& described = is_items ? content.item_schema : content.schema;
  content.examples = load_examples(
      context, node,
      {.schema = schema,
       // A schema of bytes says nothing about an example that is text or a file.
       .compiled = content.kind == BodyKind::kBytes ? std::nullopt : described,
       .of_items = is_items,
       .direction = direction,
       .is_json = media_type.is_json(),
       .may_be_text = is_items || (is_written(content.kind) && shape != nullptr &&
                                   shape->is_typed && !shape->allows(schema::kStringType))});
  content.media_type = std::move(media_type);
  return content;
}

}  // namespace

std::vector<MediaTypeObject> load_contents(LoadContext& context, const Node& map,
                                           schema::Direction direction) {
  std::vector<MediaTypeObject> contents;
  for (const Member& member : map.members()) {
    auto media_type = http::parse_media_type(member.key);
    if (!media_type) {
      context.report(member.value,
                     "\"" + std::string(member.key) +
                         "\" is not a media type or media range (type/subtype, type/*, */*)");
      continue;
    }
    contents.push_back(load_content(context, member.value, std::move(*media_type), direction));
  }
  return contents;
}

}  // namespace spec::contract::loading
