#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/loading/load_steps.hpp"
#include "spec/contract/router.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/method.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

// Checks two fields of an object that exclude each other.
void check_pair(LoadContext& context, const Node& node, std::string_view first,
                std::string_view second) {
  if (node.find(first) && node.find(second)) {
    context.add_violation(node.find(second), "\"" + std::string(first) + "\" and \"" +
                                                 std::string(second) +
                                                 "\" exclude each other: remove one");
  }
}

void need(LoadContext& context, const Node& node, std::string_view field, const std::string& of) {
  if (!node.find(field)) {
    context.add_violation(node,
                          "missing \"" + std::string(field) + "\", which is required in " + of);
  }
}

// "3.1.0"; not "3.1", nor "3.0.0-rc0", which was before 3.0.
bool is_release(std::string_view version) {
  const std::string_view patch = version.substr(std::min<std::size_t>(version.size(), 4));
  return text::is_all_digits(patch);
}

// A tag's parent exists, and no tag is above itself. Source: OpenAPI 3.2.0, Tag Object.
void check_parents(LoadContext& context, const Node& tags) {
  std::map<std::string, Node, std::less<>> parents;
  for (const Node& tag : tags.elements()) {
    if (tag.find("name")) {
      parents.emplace(text_of(tag, "name"), tag.find("parent"));
    }
  }
  for (const auto& [name, parent] : parents) {
    if (!parent) {
      continue;
    }
    if (!parents.contains(scalar_text(parent))) {
      context.add_violation(parent, "no tag is named \"" + scalar_text(parent) + '"');
      continue;
    }
    auto above = parents.find(name);
    for (std::size_t step = 0; above != parents.end() && above->second && step < parents.size();
         ++step) {
      above = parents.find(scalar_text(above->second));
      if (above != parents.end() && above->first == name) {
        context.add_violation(parent, "the tag \"" + name + "\" is above itself");
        break;
      }
    }
  }
}

// Each tag's name is unique. Source: OpenAPI 3.1.0 §4.8.1, `tags`.
void check_tags(LoadContext& context, const Node& root) {
  std::set<std::string> seen;
  for (const Node& tag : root.find("tags").elements()) {
    const Node name = tag.find("name");
    if (name && !seen.insert(scalar_text(name)).second) {
      context.add_violation(name, "duplicate tag name \"" + scalar_text(name) + '"');
    }
  }
  if (has_field(ObjectKind::kTag, "parent", context.state.version)) {
    check_parents(context, root.find("tags"));
  }
}

// Source: OpenAPI 3.1.0 §4.1, §4.8.1, 3.0.3 OpenAPI Object.
void check_root(LoadContext& context, const Node& root) {
  check_tags(context, root);
  const std::string version = text_of(root, "openapi");
  if (!is_release(version)) {
    context.add_violation(
        root.find("openapi"),
        "must be a released version of OpenAPI, such as \"3.1.0\", but is \"" + version + '"');
  }
  if (context.state.version == Version::k30) {
    need(context, root, "paths", "every OpenAPI 3.0 document");
    return;
  }
  if (!root.find("paths") && !root.find("components") && !root.find("webhooks")) {
    context.add_violation(
        root, "missing \"paths\", \"components\" or \"webhooks\": at least one is required");
  }
}

// Checks the characters of components' names. Source: OpenAPI 3.1.0 §4.8.7.
void check_component_names(LoadContext& context, const Node& components) {
  const auto is_allowed = [](char letter) {
    return text::is_letter_or_digit(letter) || letter == '.' || letter == '-' || letter == '_';
  };
  for (const Member& map : components.members()) {
    for (const Member& one :
         map.key.starts_with("x-") ? std::vector<Member>() : map.value.members()) {
      if (one.key.empty() || !std::ranges::all_of(one.key, is_allowed)) {
        context.add_violation(one.value, "invalid component name \"" + std::string(one.key) +
                                             "\": use letters, digits, \".\", \"-\" and \"_\"");
      }
    }
  }
}

// Before 3.1 an operation must have responses. Source: OpenAPI 3.0.3 §4.7.10.1, `responses`.
void check_operation(LoadContext& context, const Node& node) {
  if (context.state.version == Version::k30) {
    need(context, node, "responses", "every operation of OpenAPI 3.0");
  }
}

// Source: OpenAPI 3.1.0 §4.8.16.
void check_responses(LoadContext& context, const Node& node) {
  const std::vector<Member> members = node.members();
  if (std::ranges::all_of(members, [](const Member& one) { return one.key.starts_with("x-"); })) {
    context.add_violation(node, "at least one response is required");
  }
}

// The literal text of a template, with a "x" for each parameter.
std::string without_parameters(std::string_view path) {
  std::string literal;
  while (!path.empty()) {
    const std::size_t open = std::min(path.find('{'), path.size());
    literal += path.substr(0, open);
    path.remove_prefix(open);
    if (!path.empty()) {
      literal += 'x';
      path.remove_prefix(std::min(path.find('}'), path.size() - 1) + 1);
    }
  }
  return literal;
}

// Source: OpenAPI 3.2.0, Path Templating; RFC 3986 §3.3.
void check_template(LoadContext& context, const Member& member) {
  const std::string literal = without_parameters(member.key);
  if (literal.find("//") != std::string::npos) {
    context.add_violation(member.value, "a path has no empty segment");
  }
  constexpr std::string_view kPunctuation = "-._~!$&'()*+,;=:@/%?#";
  const auto is_odd = [&](char letter) {
    return static_cast<unsigned char>(letter) >= 0x20U && !text::is_letter_or_digit(letter) &&
           kPunctuation.find(letter) == std::string_view::npos;
  };
  if (std::ranges::any_of(literal, is_odd) || !text::percent_decode(literal)) {
    context.add_violation(member.value,
                          "a path has letters, digits, -._~!$&'()*+,;=:@ and triplets (%20) alone; "
                          "encode the others");
  }
}

// Source: OpenAPI 3.1.0 §3.3, §4.8.8.
void check_path(LoadContext& context, const Member& member) {
  if (member.key.starts_with("x-")) {
    return;
  }
  const bool is_odd = std::ranges::any_of(member.key, [](char letter) {
    return letter == '?' || letter == '#' || static_cast<unsigned char>(letter) < 0x20U;
  });
  if (is_odd) {
    context.add_violation(
        member.value,
        "a path has no query, fragment or control characters: no request can match this one");
  }
  if (context.state.version >= Version::k32) {
    check_template(context, member);
  }
  const auto segments = parse_path_template(std::string(member.key));
  std::vector<std::string> names = parameter_names(segments.value_or(std::vector<Segment>()));
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) {
    context.add_violation(member.value,
                          "the path has the parameter {" + *twice + "} more than once");
  }
}

// Checks for templates that differ in nothing but the names of their parameters. Source: OpenAPI
// 3.1.0 §4.8.8.1, `/{path}`.
void check_twins(LoadContext& context, const Node& paths) {
  std::map<std::vector<Segment>, Member> first_of_shape;
  for (const Member& member : paths.members()) {
    auto shape = parse_path_template(std::string(member.key));
    if (!shape) {
      continue;
    }
    std::ranges::transform(*shape, shape->begin(), nameless);
    const auto [first, is_new] = first_of_shape.try_emplace(std::move(*shape), member);
    if (!is_new) {
      context.add_violation(member.value,
                            kTwinPath + ('"' + std::string(first->second.key)) + "\" (line " +
                                std::to_string(first->second.key_place.line) +
                                ") but for the names of its parameters; a request goes to the one "
                                "whose parameters it fits, else to that one");
    }
  }
}

// Source: OpenAPI 3.2.0, Path Item Object, `additionalOperations`.
void check_path_item(LoadContext& context, const Node& node) {
  if (!has_field(ObjectKind::kPathItem, "additionalOperations", context.state.version)) {
    return;
  }
  for (const Member& one : node.find("additionalOperations").members()) {
    const auto* const method = http::find_method(one.key);
    if (method != nullptr) {
      context.add_violation(one.value, std::string(one.key) + " has a field of its own, \"" +
                                           std::string(method->field) +
                                           "\": use that; this operation is ignored");
    } else if (!is_additional_method(one.key)) {
      context.add_violation(
          one.value, '"' + std::string(one.key) + "\" is no HTTP method; the operation is ignored");
    }
  }
}

// Source: OpenAPI 3.2.0 §4.6, `name`: an optional unique string.
void check_server_name(LoadContext& context, const Node& node) {
  const std::string name = text_of(node, "name");
  for (const Node& other : node.parent().elements()) {
    if (other == node || name.empty()) {
      return;
    }
    if (text_of(other, "name") == name) {
      context.add_violation(node.find("name"), "another server has the name \"" + name + "\", too");
      return;
    }
  }
}

// Each {name} of `url` must be one of `variables`. Since 3.2 it is there
// once. Source: OpenAPI 3.2.0, Server Variable Object, 3.1.0 §4.8.5.
void check_server(LoadContext& context, const Node& node) {
  const std::string url = text_of(node, "url");
  const Node variables = node.find("variables");
  const bool is_32 = context.state.version >= Version::k32;
  if (is_32 && url.find_first_of("?#") != std::string::npos) {
    context.add_violation(node.find("url"), "must have no query and no fragment");
  }
  std::set<std::string> seen;
  for (std::size_t open = url.find('{'); open != std::string::npos; open = url.find('{', open)) {
    const std::size_t close = std::min(url.find('}', open), url.size());
    const std::string name = url.substr(open + 1, close - open - 1);
    if (!variables.find(name)) {
      context.add_violation(node.find("url"),
                            "the variable {" + name + "} is not described in \"variables\"");
    }
    if (is_32 && !seen.insert(name).second) {
      context.add_violation(node.find("url"), "has the variable {" + name + "} more than once");
    }
    open = close;
  }
  if (is_32) {
    check_server_name(context, node);
  }
}

// Since 3.1 the default of a variable must be one of its `enum`; 3.0 says that the default is sent
// if no other value is chosen, so there it is probably wrong. Source: OpenAPI 3.1.0 §4.8.6,
// `default`.
void check_server_variable(LoadContext& context, const Node& node) {
  const Node choices = node.find("enum");
  const Node value = node.find("default");
  const std::string text = scalar_text(value);
  const auto is_value = [&text](const Node& one) { return scalar_text(one) == text; };
  if (!choices.is_array() || !value || std::ranges::any_of(choices.elements(), is_value)) {
    return;
  }
  const std::string message =
      "must be one of the variable's \"enum\", but is \"" + text + "\"; add it there";
  context.state.version == Version::k30 ? context.warn(value, message)
                                        : context.add_violation(value, message);
}

// Source: RFC 9110 §5.1.
void check_header_names(LoadContext& context, const Node& response) {
  for (const Member& member : response.find("headers").members()) {
    if (member.key.empty() || !http::is_all(member.key, http::kTokenByte)) {
      context.add_violation(member.value,
                            "\"" + std::string(member.key) + "\" is not a valid header name");
    }
  }
}

// Source: OpenAPI 3.1.0 §4.8.28, §4.8.29.
void check_flows(LoadContext& context, const Node& flows) {
  struct Row {
    std::string_view flow;
    std::array<std::string_view, 2> urls;
  };

  static constexpr std::array kRows = std::to_array<Row>({
      {"implicit", {"authorizationUrl", ""}},
      {"password", {"tokenUrl", ""}},
      {"clientCredentials", {"tokenUrl", ""}},
      {"authorizationCode", {"authorizationUrl", "tokenUrl"}},
      {"deviceAuthorization", {"deviceAuthorizationUrl", "tokenUrl"}},
  });
  for (const Row& row : kRows) {
    const bool is_known = has_field(ObjectKind::kOAuthFlows, row.flow, context.state.version);
    const Node flow = is_known ? flows.find(row.flow) : Node();
    const std::string of = "the flow \"" + std::string(row.flow) + '"';
    for (const std::string_view url : row.urls) {
      if (flow && !url.empty()) {
        need(context, flow, url, of);
      }
    }
    if (flow) {
      need(context, flow, "scopes", of);
    }
  }
}

// Source: OpenAPI 3.1.0 §4.8.27; mutualTLS is new in 3.1.
void check_scheme(LoadContext& context, const Node& node) {
  const std::string type = text_of(node, "type");
  if (context.state.version >= Version::k32 && flag_of(node, "deprecated")) {
    context.warn(node.find("deprecated"), "the security scheme is deprecated");
  }
  if (type == "oauth2") {
    need(context, node, "flows", "a scheme of type oauth2");
    check_flows(context, node.find("flows"));
  } else if (type == "openIdConnect") {
    need(context, node, "openIdConnectUrl", "a scheme of type openIdConnect");
  } else if (type == "mutualTLS" && context.state.version == Version::k30) {
    context.add_violation(node.find("type"),
                          "mutualTLS is new in OpenAPI 3.1 and this document is 3.0");
  }
}

void check_paths(LoadContext& context, const Node& node) {
  for (const Member& member : node.members()) {
    check_path(context, member);
  }
  check_twins(context, node);
}

void check_examples(LoadContext& context, const Node& node) {
  check_pair(context, node, "example", "examples");
}

void check_example(LoadContext& context, const Node& node) {
  check_pair(context, node, "value", "externalValue");
  if (has_field(ObjectKind::kExample, "dataValue", context.state.version)) {
    check_pair(context, node, "value", "dataValue");
    check_pair(context, node, "value", "serializedValue");
    check_pair(context, node, "externalValue", "serializedValue");
  }
}

// Source: OpenAPI 3.2.0, Media Type Object, Encoding Object.
void check_encodings(LoadContext& context, const Node& node) {
  if (has_field(ObjectKind::kMediaType, "itemEncoding", context.state.version)) {
    check_pair(context, node, "encoding", "prefixEncoding");
    check_pair(context, node, "encoding", "itemEncoding");
  }
}

void check_media_type(LoadContext& context, const Node& node) {
  check_examples(context, node);
  check_encodings(context, node);
}

// Source: OpenAPI 3.2.0, XML Object.
void check_xml(LoadContext& context, const Node& node) {
  const Node type = node.find("nodeType");
  if (!type || !has_field(ObjectKind::kXml, "nodeType", context.state.version)) {
    return;
  }
  constexpr std::array<std::string_view, 5> kTypes{"element", "attribute", "text", "cdata", "none"};
  if (std::ranges::find(kTypes, scalar_text(type)) == kTypes.end()) {
    context.add_violation(type, "must be element, attribute, text, cdata or none, but is \"" +
                                    scalar_text(type) + '"');
  }
  check_pair(context, node, "nodeType", "attribute");
  check_pair(context, node, "nodeType", "wrapped");
}

// True if every instance of the schema has the property.
bool requires_property(const schema::Program& program, schema::SchemaId id,
                       const std::string& name) {
  return std::ranges::any_of(
      applicable(program, id, schema::Reach::kCertain), [&](schema::SchemaId part) {
        const Node list = keyword_value(program, part, "required");
        return std::ranges::any_of(list.elements(), [&name](const Node& each) {
          return each.is_string() && each.string() == name;
        });
      });
}

// A property that may be absent needs a schema for that. Source: OpenAPI 3.2.0, Discriminator
// Object, Optional Discriminating Property.
void check_discriminator(LoadContext& context, const Node& node) {
  const Node discriminator = node.find("discriminator");
  const bool has_default = static_cast<bool>(discriminator.find("defaultMapping"));
  const schema::SchemaId id = context.state.schema_ids.find(node);
  if (!discriminator || has_default || context.state.version < Version::k32 ||
      id == Contract::State::kNoSchema) {
    return;
  }
  const schema::Program& program = context.state.schemas.program();
  const std::string name = text_of(discriminator, "propertyName");
  std::vector<Node> alternatives = node.find("oneOf").elements();
  std::ranges::copy(node.find("anyOf").elements(), std::back_inserter(alternatives));
  const auto has_it = [&](const Node& each) {
    const schema::SchemaId alternative = context.state.schema_ids.find(each);
    return alternative == Contract::State::kNoSchema ||
           requires_property(program, alternative, name);
  };
  const bool is_required = requires_property(program, id, name) ||
                           (!alternatives.empty() && std::ranges::all_of(alternatives, has_it));
  if (!is_required) {
    context.add_violation(
        discriminator,
        "missing \"defaultMapping\", which is required because \"" + name + "\" may be absent");
  }
}

// The checks of the kinds that have rules beyond those of the grammar.
struct Check {
  ObjectKind kind;
  void (*check)(LoadContext& context, const Node& node);
};

constexpr std::array kChecks = std::to_array<Check>({
    {ObjectKind::kRoot, check_root},
    {ObjectKind::kComponents, check_component_names},
    {ObjectKind::kServer, check_server},
    {ObjectKind::kServerVariable, check_server_variable},
    {ObjectKind::kResponse, check_header_names},
    {ObjectKind::kOperation, check_operation},
    {ObjectKind::kResponses, check_responses},
    {ObjectKind::kPaths, check_paths},
    {ObjectKind::kPathItem, check_path_item},
    {ObjectKind::kParameter, check_examples},
    {ObjectKind::kHeader, check_examples},
    {ObjectKind::kMediaType, check_media_type},
    {ObjectKind::kEncoding, check_encodings},
    {ObjectKind::kXml, check_xml},
    {ObjectKind::kSchema, check_discriminator},
    {ObjectKind::kExample, check_example},
    {ObjectKind::kSecurityScheme, check_scheme},
});

}  // namespace

void check_rules(LoadContext& context, const Inspection& inspection) {
  for (const TypedNode& typed : inspection.objects) {
    const bool is_reference = typed.target && typed.kind != ObjectKind::kPathItem;
    const auto* const rule = std::ranges::find(kChecks, typed.kind, &Check::kind);
    if (!is_reference && typed.node.is_object() && rule != kChecks.end()) {
      rule->check(context, typed.node);
    }
  }
}

}  // namespace spec::contract::loading
