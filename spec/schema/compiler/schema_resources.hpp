#pragma once

// Resolves references: the schema resources ($id), their anchors and their dialects, of all loaded
// documents. Used only by this folder.

#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/load_error.hpp"
#include "spec/result.hpp"
#include "spec/schema/keyword.hpp"
#include "spec/schema/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spec::schema {

// The rules for schemas without `$schema`.
enum class Dialect : std::uint8_t { k2020_12, kOpenApi32, kOpenApi31, kOpenApi30 };

// The dialect of the schemas in an OpenAPI document, by its version and its jsonSchemaDialect. The
// error is about the latter.
Result<Dialect, std::string> dialect_of_document(const document::Node& root);

struct CompileOptions {
  Dialect dialect = Dialect::k2020_12;
  // `format` as an assertion (JSON Schema 2020-12 Validation §7.2.2) or an annotation.
  bool assert_format = true;
  // Leaves instances undecided if they depend on a keyword that is not understood, instead of
  // rejecting the schema: see SchemaSet::not_understood().
  bool tolerate = false;
  // Disregards statements that leave no valid instance, each with a hint: usual mistakes of API
  // descriptions.
  bool disregard_contradictions = false;
};

}  // namespace spec::schema

// For this folder only.

namespace spec::schema::compiler {

// The rules of a schema resource.
struct DialectRules {
  Vocabularies vocabularies = 0;
  bool assert_format = false;
  bool open_api = false;     // OpenAPI's formats and annotations
  bool open_api_30 = false;  // nullable, boolean exclusive bounds, a $ref alone
  bool open_api_32 = false;  // a discriminator's defaultMapping
};

DialectRules rules_of(Dialect dialect, bool assert_format);

// The dialect that `$schema` or `jsonSchemaDialect` names, if it is built in.
std::optional<Dialect> dialect_of(std::string_view uri);

// The bit of a vocabulary's URI; none if the vocabulary is unknown here.
std::optional<Vocabularies> vocabulary_of(std::string_view uri);

// True if the keyword is known under `rules`.
bool is_known(const KeywordRow& row, const DialectRules& rules);

// The names of all known keywords.
std::vector<std::string_view> known_names(const DialectRules& rules);

// Messages are of one line, and quoted texts may be long.
inline constexpr std::size_t kMaxMessageBytes = 4000;

// A schema with `$id`, or a document's root (JSON Schema 2020-12 Core §4.3.5).
struct Resource {
  document::Node root;
  std::string uri;
  DialectRules rules;
  std::unordered_map<std::string, document::Node> anchors;  // both kinds
  std::unordered_map<std::string, document::Node> dynamic_anchors;
};

// The target of a reference. `dynamic` is the anchor's name if it is a $dynamicAnchor.
struct Target {
  document::Node node;
  std::string dynamic;
};

class Resources {
 public:
  Resources(document::Library& library, CompileOptions options)
      : library_(&library), options_(options) {}

  // The resource that the schema at `node` belongs to. Reads the node's document and the schema
  // once, for names.
  ResourceId resource_of(const document::Node& node);

  const Resource& at(ResourceId id) const { return resources_[id]; }

  std::size_t size() const { return resources_.size(); }

  // The number of dynamic anchors of all resources. Grows when one is found.
  std::size_t dynamic_anchor_count() const { return dynamic_anchors_; }

  // The target of `reference` at `from` in `base`; none, and one more problem, if there is no such
  // target.
  std::optional<Target> resolve(const document::Node& from, std::string_view reference,
                                ResourceId base);

  // True if the dialect or a name ($id, anchor) of the schema at `node`, or of one around it, is
  // not understood, so that its keywords may mean anything.
  bool is_misread(document::Node node) const;

  void report(const document::Node& node, const std::string& message);

  // Problems found so far; the caller removes them.
  std::vector<Problem>& problems() { return problems_; }

 private:
  ResourceId add_resource(const document::Node& root, std::string uri, const DialectRules& rules);
  void read_document(const document::Node& root);
  void read_schemas_of_openapi(const document::Node& root, ResourceId resource);
  void read_named_schemas(const document::Node& map, ResourceId resource);
  void read_schema(const document::Node& node, ResourceId resource);
  ResourceId read_names(const document::Node& node, ResourceId resource);
  void read_anchors(const document::Node& node, ResourceId resource);
  void add_anchor(const document::Node& value, ResourceId resource, bool dynamic);
  DialectRules read_dialect(const document::Node& value, const DialectRules& inherited);
  std::optional<DialectRules> read_vocabularies(const document::Node& from,
                                                const document::Node& metaschema);
  DialectRules document_rules(const document::Node& root);
  std::optional<ResourceId> find_or_load(const document::Node& from, const std::string& uri);
  std::optional<Target> find_fragment(const document::Node& from, std::string_view fragment,
                                      ResourceId resource);
  // Reports a problem of a keyword that decides how the schema is read.
  void report_name(const document::Node& value, const std::string& message);

  document::Library* library_;
  CompileOptions options_;
  std::vector<Resource> resources_;
  std::unordered_map<std::string, ResourceId> by_uri_;
  std::unordered_map<document::Node, ResourceId> by_root_;
  // Schemas whose names are known; not bool, since std::vector<bool> has no references.
  document::NodeTable<std::uint8_t> read_{0};
  document::NodeTable<std::uint8_t> misread_{0};
  std::size_t dynamic_anchors_ = 0;
  std::vector<Problem> problems_;
};

}  // namespace spec::schema::compiler
