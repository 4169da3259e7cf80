#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/loading/load_steps.hpp"
#include "spec/contract/router.hpp"
#include "spec/http/bytes.hpp"
#include "spec/text/ascii.hpp"

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

// Each tag's name is unique. Source: OpenAPI 3.1.0 §4.8.1, `tags`.
void check_tags(LoadContext& context, const Node& root) {
  std::set<std::string> seen;
  for (const Node& tag : root.find("tags").elements()) {
    const Node name = tag.find("name");
    if (name && !seen.insert(scalar_text(name)).second) {
      context.add_violation(name, "duplicate tag name \"" + scalar_text(name) + '"');
    }
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

// Each {name} of `url` must be one of `variables`. Source: OpenAPI 3.1.0 §4.8.5.
void check_server(LoadContext& context, const Node& node) {
  const std::string url = text_of(node, "url");
  const Node variables = node.find("variables");
  for (std::size_t open = url.find('{'); open != std::string::npos; open = url.find('{', open)) {
    const std::size_t close = std::min(url.find('}', open), url.size());
    const std::string name = url.substr(open + 1, close - open - 1);
    if (!variables.find(name)) {
      context.add_violation(node.find("url"),
                            "the variable {" + name + "} is not described in \"variables\"");
    }
    open = close;
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
  });
  for (const Row& row : kRows) {
    const Node flow = flows.find(row.flow);
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
    {ObjectKind::kParameter, check_examples},
    {ObjectKind::kHeader, check_examples},
    {ObjectKind::kMediaType, check_examples},
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

namespace {

constexpr std::array<std::pair<std::string_view, Location>, 4> kQualifiers{
    {{"path.", Location::kPath},
     {"query.", Location::kQuery},
     {"header.", Location::kHeader},
     {"cookie.", Location::kCookie}}};

// Parameters are named "id", or "path.id" if the name alone is ambiguous.
bool has_parameter(const Operation& operation, std::string_view name) {
  for (const auto& [qualifier, location] : kQualifiers) {
    const bool is_qualified = name.starts_with(qualifier);
    const std::string_view plain = is_qualified ? name.substr(qualifier.size()) : name;
    const bool is_in_path =
        location == Location::kPath &&
        operation.path.find('{' + std::string(plain) + '}') != std::string::npos;
    if (operation.parameter(location, plain) != nullptr || is_in_path) {
      return true;
    }
  }
  return false;
}

class LinkChecker {
 public:
  LinkChecker(LoadContext& context, const Inspection& inspection)
      : context_(context), inspection_(inspection) {
    for (const TypedNode& typed : inspection.objects) {
      if (typed.kind == ObjectKind::kOperation) {
        by_id_.emplace(text_of(typed.node, "operationId"), typed.node);
      }
    }
    for (const Operation& operation : context.state.operations) {
      operations_.emplace(operation.node, &operation);
    }
  }

  void run() {
    for (const TypedNode& typed : inspection_.objects) {
      if (typed.kind == ObjectKind::kLink && !typed.target && typed.node.is_object()) {
        check(typed.node);
      }
    }
  }

 private:
  void check(const Node& link) {
    const Node id = link.find("operationId");
    const Node reference = link.find("operationRef");
    if (id && reference) {
      context_.add_violation(reference,
                             "\"operationId\" and \"operationRef\" exclude each other: remove one");
    }
    const Node by_id = id ? find(id) : Node();
    const Node by_reference = reference ? follow(reference) : Node();
    const Node target = by_id ? by_id : by_reference;
    const auto operation = operations_.find(target);
    if (operation != operations_.end()) {
      check_parameters(link.find("parameters"), *operation->second);
    }
  }

  Node find(const Node& id) {
    const auto found = by_id_.find(scalar_text(id));
    if (found == by_id_.end()) {
      context_.add_violation(id, "no operation has the operationId \"" + scalar_text(id) + '"');
      return {};
    }
    return found->second;
  }

  // Follows references inside the document; others are left to those who follow links.
  Node follow(const Node& reference) {
    const std::string text = scalar_text(reference);
    if (!text.starts_with('#')) {
      return {};
    }
    try {
      return context_.state.library.resolve(reference, text);
    } catch (const LoadError&) {
      context_.add_violation(reference, "there is no operation at \"" + text + '"');
      return {};
    }
  }

  void check_parameters(const Node& parameters, const Operation& operation) {
    for (const Member& member : parameters.members()) {
      if (!has_parameter(operation, member.key)) {
        context_.add_violation(
            member.value, operation.name + " has no parameter \"" + std::string(member.key) + '"');
      }
    }
  }

  LoadContext& context_;
  const Inspection& inspection_;
  std::unordered_map<std::string, Node> by_id_;
  std::unordered_map<Node, const Operation*> operations_;
};

}  // namespace

void check_links(LoadContext& context, const Inspection& inspection) {
  LinkChecker(context, inspection).run();
}

}  // namespace spec::contract::loading
