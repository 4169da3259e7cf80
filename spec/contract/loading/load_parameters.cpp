#include "spec/contract/loading/load_steps.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

struct StyleRow {
  std::string_view name;
  Style style;
};

constexpr std::array kStyles = std::to_array<StyleRow>({{"simple", Style::kSimple},
                                                        {"label", Style::kLabel},
                                                        {"matrix", Style::kMatrix},
                                                        {"form", Style::kForm},
                                                        {"spaceDelimited", Style::kSpaceDelimited},
                                                        {"pipeDelimited", Style::kPipeDelimited},
                                                        {"deepObject", Style::kDeepObject}});

// The styles that a location may use, the default first. Source: OpenAPI 3.1.0 §4.8.12.2.
std::span<const Style> styles_of(Location location) {
  static constexpr std::array kPath{Style::kSimple, Style::kLabel, Style::kMatrix};
  static constexpr std::array kQuery{Style::kForm, Style::kSpaceDelimited, Style::kPipeDelimited,
                                     Style::kDeepObject};
  static constexpr std::array kHeader{Style::kSimple};
  static constexpr std::array kCookie{Style::kForm};
  switch (location) {
    case Location::kPath: return kPath;
    case Location::kQuery:
    case Location::kQuerystring: return kQuery;
    case Location::kHeader: return kHeader;
    case Location::kCookie: return kCookie;
  }
  return {};
}

std::optional<Location> parse_location(std::string_view text, Version version) {
  for (const Location location :
       {Location::kPath, Location::kQuery, Location::kHeader, Location::kCookie}) {
    if (to_text(part_of(location)) == text) {
      return location;
    }
  }
  return text == "querystring" && version >= Version::k32 ? std::optional(Location::kQuerystring)
                                                          : std::nullopt;
}

void read_style(LoadContext& context, const Node& node, Parameter& parameter) {
  const std::span<const Style> allowed = styles_of(parameter.location);
  parameter.style = allowed.front();
  const Node text = node.find("style");
  parameter.is_unencoded = parameter.location == Location::kCookie && text.is_string() &&
                           text.string() == "cookie" && context.state.version >= Version::k32;
  if (text.is_string() && !parameter.is_unencoded) {
    const auto style = parse_style(text.string());
    if (style && std::find(allowed.begin(), allowed.end(), *style) != allowed.end()) {
      parameter.style = *style;
    } else {
      context.report(text, "style \"" + std::string(text.string()) +
                               "\" is not allowed for parameters in this location");
    }
  }
  parameter.explode = flag_of(node, "explode", parameter.style == Style::kForm);
}

// The one entry of a parameter's `content`.
Node read_content(LoadContext& context, const Node& node, Parameter& parameter) {
  const Node content = node.find("content");
  if (!content) {
    return node.find("schema");
  }
  const std::vector<Member> members = content.members();
  if (members.size() != 1 || node.find("schema")) {
    context.report(content,
                   "\"content\" of a parameter has one media type, and no \"schema\" beside it");
    return {};
  }
  parameter.content_type = http::parse_media_type(members[0].key);
  if (!parameter.content_type) {
    context.report(members[0].value,
                   "\"" + std::string(members[0].key) + "\" is not a media type (type/subtype)");
  }
  return context.follow_media_type(members[0].value).find("schema");
}

// The description of a whole query. Source: OpenAPI 3.2.0, Parameter Locations.
void read_querystring(LoadContext& context, const Node& node, Parameter& parameter) {
  for (const std::string_view field : {"schema", "style", "explode", "allowReserved"}) {
    if (const Node other = node.find(field)) {
      context.add_violation(other, '"' + std::string(field) +
                                       "\" must not be used with \"in: querystring\", which is "
                                       "described by \"content\" alone");
    }
  }
  auto contents = load_contents(context, node.find("content"), schema::Direction::kRequest);
  if (contents.empty()) {
    return;
  }
  MediaTypeObject& content = contents.front();
  if (content.kind == BodyKind::kBytes) {
    content.kind = BodyKind::kText;  // a query is text, whatever the media type
  }
  parameter.querystring = std::make_shared<const MediaTypeObject>(std::move(content));
}

// Reads the fields that parameters and headers share.
Parameter read_common(LoadContext& context, const Node& place, const Node& node,
                      Parameter parameter, schema::Direction direction) {
  parameter.node = node;
  parameter.statement = context.statement(place);
  parameter.required = flag_of(node, "required", parameter.location == Location::kPath);
  const Node required = node.find("required");
  parameter.required_statement = required ? context.statement(required) : parameter.statement;
  parameter.allow_reserved = flag_of(node, "allowReserved");
  parameter.deprecated = flag_of(node, "deprecated");
  if (parameter.location == Location::kQuerystring) {
    read_querystring(context, node, parameter);
  } else {
    read_style(context, node, parameter);
  }
  // Only the form style of a query has an empty value. Source: OpenAPI 3.1.0 §4.8.12.2.
  parameter.allow_empty_value = flag_of(node, "allowEmptyValue") &&
                                parameter.location == Location::kQuery &&
                                parameter.style == Style::kForm;
  const Node schema = read_content(context, node, parameter);
  if (!schema && !node.find("content")) {
    context.add_violation(node, "has neither \"schema\" nor \"content\", so any text is valid");
  }
  parameter.schema = context.compile(schema);
  if (parameter.schema) {
    parameter.shape = context.state.shapes.shape_of(context.state.schemas, *parameter.schema);
  }
  const Shape* shape = context.state.shapes.find(parameter.shape);
  parameter.takes_plain = takes_plain(shape);
  if (parameter.style == Style::kDeepObject && shape != nullptr && shape->is_typed &&
      !shape->allows(schema::kObjectType | schema::kArrayType)) {
    context.add_violation(node.find("style"),
                          "deepObject is for objects and arrays, but the schema allows neither");
  }
  const std::vector<Member> contents = node.find("content").members();
  const Node media = contents.empty() ? node : context.follow_media_type(contents.front().value);
  parameter.examples = load_examples(
      context, node.find("example") || node.find("examples") ? node : media,
      {.schema = schema, .compiled = parameter.schema, .direction = direction, .is_json = true});
  return parameter;
}

bool is_reserved_header(std::string_view name) {
  return text::equals_ignoring_case(name, "Accept") ||
         text::equals_ignoring_case(name, "Content-Type") ||
         text::equals_ignoring_case(name, "Authorization");
}

bool is_same(const Parameter& left, const Parameter& right) {
  return left.location == right.location &&
         (left.location == Location::kHeader ? text::equals_ignoring_case(left.name, right.name)
                                             : left.name == right.name);
}

std::optional<Parameter> load_parameter(LoadContext& context, const Node& place) {
  const Node node = context.follow(place);
  Parameter parameter;
  parameter.name = text_of(node, "name");
  const Node in = node.find("in");
  if (!node || !in || !in.is_string()) {
    return std::nullopt;  // reported by inspection
  }
  const Version version = context.state.version;
  const auto location = parse_location(in.string(), version);
  if (!location) {
    context.report(in, std::string("must be path, query, ") +
                           (version >= Version::k32 ? "querystring, " : "") +
                           "header or cookie, but is \"" + std::string(in.string()) + '"');
    return std::nullopt;
  }
  parameter.location = *location;
  if (parameter.location == Location::kHeader && is_reserved_header(parameter.name)) {
    context.warn(node, "the header parameter " + parameter.name +
                           " is ignored: OpenAPI describes it elsewhere");
    return std::nullopt;
  }
  if (parameter.location == Location::kPath && !flag_of(node, "required")) {
    context.add_violation(node,
                          "a path parameter needs \"required: true\"; it is read as if it had it");
  }
  Parameter loaded =
      read_common(context, place, node, std::move(parameter), schema::Direction::kRequest);
  loaded.required = loaded.required || *location == Location::kPath;
  return loaded;
}

std::vector<Parameter> load_list(LoadContext& context, const Node& list) {
  std::vector<Parameter> result;
  for (const Node& place : list.elements()) {
    auto loaded = load_parameter(context, place);
    if (!loaded) {
      continue;
    }
    const bool is_double = std::ranges::any_of(
        result, [&loaded](const Parameter& other) { return is_same(other, *loaded); });
    if (is_double) {
      context.report(place, "duplicate parameter \"" + loaded->name + "\" in the same location");
      continue;
    }
    result.push_back(std::move(*loaded));
  }
  return result;
}

// A whole query has no other parameters beside it. Source: OpenAPI 3.2.0, Parameter Locations.
void check_querystring(LoadContext& context, const std::vector<Parameter>& parameters) {
  const auto whole = std::ranges::find(parameters, Location::kQuerystring, &Parameter::location);
  for (auto each = parameters.begin(); whole != parameters.end() && each != parameters.end();
       ++each) {
    if (each->location == Location::kQuery) {
      context.add_violation(each->node, "a query parameter must not be beside \"" + whole->name +
                                            "\", which is the whole query (in: querystring)");
    } else if (each->location == Location::kQuerystring && each != whole) {
      context.add_violation(each->node, "the whole query is described by \"" + whole->name +
                                            "\" already: only one parameter may be in querystring");
    }
  }
}

}  // namespace

std::vector<Parameter> load_parameters(LoadContext& context, const Node& path_list,
                                       const Node& operation_list) {
  std::vector<Parameter> own = load_list(context, operation_list);
  std::vector<Parameter> all = load_list(context, path_list);
  // An operation's parameter replaces the path's with the same (name, in).
  std::erase_if(all, [&own](const Parameter& inherited) {
    return std::any_of(own.begin(), own.end(),
                       [&inherited](const Parameter& one) { return is_same(one, inherited); });
  });
  std::move(own.begin(), own.end(), std::back_inserter(all));
  check_querystring(context, all);
  return all;
}

std::vector<Parameter> load_headers(LoadContext& context, const Node& map,
                                    schema::Direction direction) {
  std::vector<Parameter> headers;
  for (const Member& member : map.members()) {
    const Node node = context.follow(member.value);
    if (!node || text::equals_ignoring_case(member.key, "Content-Type")) {
      continue;
    }
    Parameter header;
    header.name = member.key;
    header.location = Location::kHeader;
    headers.push_back(read_common(context, member.value, node, std::move(header), direction));
  }
  return headers;
}

std::optional<Style> parse_style(std::string_view text) {
  const auto* const found = std::ranges::find(kStyles, text, &StyleRow::name);
  return found == kStyles.end() ? std::nullopt : std::optional(found->style);
}
}  // namespace spec::contract::loading
