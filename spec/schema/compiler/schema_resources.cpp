#include "spec/schema/compiler/schema_resources.hpp"

#include "spec/document/document.hpp"
#include "spec/document/uri.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/metaschemas/metaschemas.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <utility>

namespace spec::schema::compiler {

namespace {

using document::Member;
using document::Node;

std::string without_fragment(std::string_view uri) {
  return std::string(uri.substr(0, uri.find('#')));
}

Node root_of(const Node& node) {
  return {node.document(), 0};
}

bool is_openapi(const Node& root) {
  return root.find("openapi").is_string();
}

// Anchors are XML names without colon. Source: JSON Schema 2020-12 Core §8.2.2.
bool is_anchor(std::string_view name) {
  const auto is_start = [](char byte) { return text::is_letter(byte) || byte == '_'; };
  return !name.empty() && is_start(name[0]) && std::ranges::all_of(name, [&](char byte) {
    return is_start(byte) || text::is_digit(byte) || byte == '-' || byte == '.';
  });
}

// Appends the subschemas in `value` to `pending`.
void append_subschemas(const Node& value, Subschemas where, std::vector<Node>& pending) {
  switch (where) {
    case Subschemas::kNone: break;
    case Subschemas::kOne: pending.push_back(value); break;
    case Subschemas::kList:
      for (const Node& element : value.elements()) {
        pending.push_back(element);
      }
      break;
    case Subschemas::kMap:
    case Subschemas::kDependencies:
      for (const Member& member : value.members()) {
        if (where == Subschemas::kMap || !member.value.is_array()) {
          pending.push_back(member.value);
        }
      }
      break;
  }
}

}  // namespace

void Resources::report(const Node& node, const std::string& message) {
  problems_.push_back(node.problem(text::one_line(message, kMaxMessageBytes)));
}

void Resources::report_name(const Node& value, const std::string& message) {
  report(value, message);
  misread_.at(value.parent()) = 1;
}

bool Resources::is_misread(Node node) const {
  while (node && misread_.find(node) == 0) {
    node = node.parent();
  }
  return static_cast<bool>(node);
}

ResourceId Resources::resource_of(const Node& node) {
  const Node root = root_of(node);
  if (!by_root_.contains(root)) {
    read_document(root);
  }
  Node at = node;
  auto found = by_root_.find(at);
  while (found == by_root_.end()) {
    at = at.parent();
    found = by_root_.find(at);
  }
  if (read_.find(node) != 0) {
    return found->second;
  }
  const ResourceId outer = found->second;
  read_schema(node, outer);
  // The node itself may have turned out to be a resource.
  found = by_root_.find(node);
  return found == by_root_.end() ? outer : found->second;
}

ResourceId Resources::add_resource(const Node& root, std::string uri, const DialectRules& rules) {
  const auto id = static_cast<ResourceId>(resources_.size());
  resources_.push_back(
      {.root = root, .uri = uri, .rules = rules, .anchors = {}, .dynamic_anchors = {}});
  by_root_[root] = id;
  by_uri_.insert_or_assign(std::move(uri), id);
  return id;
}

DialectRules Resources::document_rules(const Node& root) {
  if (!is_openapi(root)) {
    return rules_of(options_.dialect, options_.assert_format);
  }
  const auto dialect = dialect_of_document(root);
  if (!dialect) {
    report_name(root.find("jsonSchemaDialect"), dialect.error());
  }
  return rules_of(dialect ? *dialect : Dialect::kOpenApi31, options_.assert_format);
}

void Resources::read_document(const Node& root) {
  std::string uri = without_fragment(document::base_uri(root));
  const ResourceId resource = add_resource(root, std::move(uri), document_rules(root));
  if (is_openapi(root)) {
    read_schemas_of_openapi(root, resource);
  } else {
    read_schema(root, resource);
  }
}

// Schemas may be in components, parameters, headers and media types, but not in examples. Source:
// OpenAPI 3.1.0 §4.8.
void Resources::read_schemas_of_openapi(const Node& root, ResourceId resource) {
  std::vector<Node> pending{root};
  while (!pending.empty()) {
    const Node node = pending.back();
    pending.pop_back();
    for (const Node& element : node.elements()) {
      pending.push_back(element);
    }
    for (const Member& member : node.members()) {
      if (member.key == "schema" || member.key == "itemSchema") {
        read_schema(member.value, resource);
      } else if (member.key == "schemas" && node.parent() == root) {
        read_named_schemas(member.value, resource);
      } else if (member.key != "example" && member.key != "examples" &&
                 !member.key.starts_with("x-")) {
        pending.push_back(member.value);
      }
    }
  }
}

void Resources::read_named_schemas(const Node& map, ResourceId resource) {
  for (const Member& named : map.members()) {
    read_schema(named.value, resource);
  }
}

void Resources::read_schema(const Node& start, ResourceId resource) {
  std::vector<std::pair<Node, ResourceId>> pending{{start, resource}};
  std::vector<Node> children;
  while (!pending.empty()) {
    const auto [node, outer] = pending.back();
    pending.pop_back();
    if (std::exchange(read_.at(node), 1) != 0 || !node.is_object()) {
      continue;
    }
    const ResourceId inner = read_names(node, outer);
    const DialectRules rules = resources_[inner].rules;
    if (rules.open_api_30 && node.find("$ref")) {
      continue;
    }
    children.clear();
    for (const Member& member : node.members()) {
      const KeywordRow* row = find_keyword(member.key);
      if (row != nullptr && is_known(*row, rules)) {
        append_subschemas(member.value, row->subschemas, children);
      }
    }
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      pending.emplace_back(*child, inner);
    }
  }
}

// The resource that the schema at `node` belongs to: its own if it has an `$id`.
ResourceId Resources::read_names(const Node& node, ResourceId resource) {
  if (resources_[resource].rules.open_api_30) {
    return resource;
  }
  if (const Node id = node.find("$id")) {
    const std::string uri =
        id.is_string() ? document::resolve_uri(resources_[resource].uri, id.string()) : "";
    const std::string bare = without_fragment(uri);
    const auto taken = by_uri_.find(bare);
    if (!id.is_string()) {
      report_name(id, "must be a string");
    } else if (uri.find('#') != std::string::npos && uri.back() != '#') {
      report_name(id, "must have no fragment, but is \"" + std::string(id.string()) + '"');
    } else if (resources_[resource].root == node) {
      // A document's root has the name in its `$id`, too.
      resources_[resource].uri = bare;
      by_uri_.insert_or_assign(bare, resource);
    } else if (taken != by_uri_.end() &&
               &resources_[taken->second].root.document() == &node.document()) {
      report_name(id, "duplicate $id \"" + bare + '"');
    } else {
      resource = add_resource(node, bare, resources_[resource].rules);
    }
  }
  const Node dialect = node.find("$schema");
  if (dialect && (resources_[resource].root == node || dialect.is_string())) {
    const DialectRules rules = read_dialect(dialect, resources_[resource].rules);
    if (resources_[resource].root == node) {
      resources_[resource].rules = rules;
    }
  }
  read_anchors(node, resource);
  return resource;
}

void Resources::read_anchors(const Node& node, ResourceId resource) {
  if (const Node anchor = node.find("$anchor")) {
    add_anchor(anchor, resource, false);
  }
  if (const Node anchor = node.find("$dynamicAnchor")) {
    add_anchor(anchor, resource, true);
  }
}

void Resources::add_anchor(const Node& value, ResourceId resource, bool dynamic) {
  if (!value.is_string() || !is_anchor(value.string())) {
    report_name(value, "must be a name of letters, digits, \"-\", \"_\" and \".\"");
    return;
  }
  const std::string name(value.string());
  if (!resources_[resource].anchors.emplace(name, value.parent()).second) {
    report_name(value, "duplicate anchor \"" + name + '"');
  }
  if (dynamic) {
    ++dynamic_anchors_;
    resources_[resource].dynamic_anchors.emplace(name, value.parent());
  }
}

DialectRules Resources::read_dialect(const Node& value, const DialectRules& inherited) {
  if (!value.is_string()) {
    report_name(value, "must be a string");
    return inherited;
  }
  const std::string uri(value.string());
  if (const auto dialect = dialect_of(uri)) {
    DialectRules rules = rules_of(*dialect, options_.assert_format);
    // A plain JSON Schema inside an OpenAPI description keeps OpenAPI's formats.
    rules.open_api = rules.open_api || inherited.open_api;
    return rules;
  }
  const Node metaschema = library_->find(without_fragment(uri));
  const auto rules = metaschema ? read_vocabularies(value, metaschema) : std::nullopt;
  if (!rules) {
    report_name(value, "unsupported dialect \"" + uri + "\"; use JSON Schema 2020-12");
    return inherited;
  }
  return *rules;
}

// The dialect of a metaschema that is one of the documents. Source: JSON Schema 2020-12 Core
// §8.1.2.
std::optional<DialectRules> Resources::read_vocabularies(const Node& from, const Node& metaschema) {
  const Node own = metaschema.find("$schema");
  if (own && (!own.is_string() || dialect_of(own.string()) != Dialect::k2020_12)) {
    return std::nullopt;
  }
  const Node vocabularies = metaschema.find("$vocabulary");
  if (!vocabularies) {
    return rules_of(Dialect::k2020_12, options_.assert_format);
  }
  DialectRules rules{.vocabularies = kCore, .assert_format = options_.assert_format};
  for (const Member& member : vocabularies.members()) {
    if (const auto known = vocabulary_of(member.key)) {
      rules.vocabularies = static_cast<Vocabularies>(rules.vocabularies | *known);
    } else if (!member.value.is_boolean() || member.value.boolean()) {
      report_name(from, "unknown required vocabulary \"" + std::string(member.key) + '"');
    }
  }
  rules.open_api = (rules.vocabularies & kOpenApiBase) != 0;
  rules.assert_format = rules.assert_format || (rules.vocabularies & kFormatAssertion) != 0;
  return rules;
}

namespace {

using text::in_quotes;

std::string suggestion(const Node& parent, std::string_view token) {
  std::vector<std::string_view> names;
  for (const document::Member& member : parent.members()) {
    names.push_back(member.key);
  }
  return text::did_you_mean(token, names);
}

}  // namespace

std::optional<Target> Resources::resolve(const Node& from, std::string_view reference,
                                         ResourceId base) {
  const std::size_t hash = reference.find('#');
  const std::string_view fragment =
      hash == std::string_view::npos ? "" : reference.substr(hash + 1);
  if (hash == 0) {
    return find_fragment(from, fragment, base);
  }
  const std::string uri = document::resolve_uri(resources_[base].uri, reference.substr(0, hash));
  const auto resource = find_or_load(from, uri);
  return resource ? find_fragment(from, fragment, *resource) : std::nullopt;
}

std::optional<ResourceId> Resources::find_or_load(const Node& from, const std::string& uri) {
  if (const auto known = by_uri_.find(uri); known != by_uri_.end()) {
    return known->second;
  }
  try {
    Node root = library_->find(uri);
    if (!root) {
      const auto metaschema = metaschemas::find(uri);
      root = metaschema ? library_->add(uri, uri, *metaschema, document::Format::kJson)
                        : library_->resolve(from, uri);
    }
    return resource_of(root);
  } catch (const LoadError& error) {
    problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    return std::nullopt;
  }
}

std::optional<Target> Resources::find_fragment(const Node& from, std::string_view fragment,
                                               ResourceId resource) {
  const auto text = text::percent_decode(fragment);
  if (!text || !text::is_utf8(*text)) {
    report(from, in_quotes(from.string()) + " is not a URI reference");
    return std::nullopt;
  }
  Node node = resources_[resource].root;
  if (text->empty()) {
    return Target{.node = node, .dynamic = {}};
  }
  if (text->front() != '/') {
    const auto& anchors = resources_[resource].anchors;
    const auto found = anchors.find(*text);
    if (found == anchors.end()) {
      report(from, "no anchor " + in_quotes(*text) + " in " + in_quotes(resources_[resource].uri));
      return std::nullopt;
    }
    const bool dynamic = resources_[resource].dynamic_anchors.contains(*text);
    return Target{.node = found->second, .dynamic = dynamic ? *text : ""};
  }
  const auto tokens = json::split_pointer(*text);
  for (const std::string& token : tokens ? *tokens : std::vector<std::string>{""}) {
    const Node next = tokens ? document::step(node, token) : Node();
    if (!next) {
      report(from, "no schema at " + in_quotes(from.string()) + suggestion(node, token));
      return std::nullopt;
    }
    node = next;
  }
  return Target{.node = node, .dynamic = {}};
}

}  // namespace spec::schema::compiler
