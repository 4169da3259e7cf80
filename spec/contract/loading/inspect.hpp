#pragma once

// One walk over an OpenAPI document and all that it refers to, by the grammar's table: finds every
// object with its kind, and the errors in the form of the text. The other sources of this folder
// read the objects; spec/schema compiles their schemas.

#include "spec/contract/contract.hpp"
#include "spec/contract/loading/grammar.hpp"
#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spec::contract::loading {

// A chain of references that is longer than this is taken for a circle.
inline constexpr int kMaxReferences = 64;

// An object of a known kind. For a {"$ref": ...}, `target` is what it finally refers to; of a
// schema and a Path Item, which may be more than a reference, the next step.
struct TypedNode {
  document::Node node;
  ObjectKind kind = ObjectKind::kAny;
  document::Node target;
};

// The problems of a document, as far as it was read.
struct Findings {
  std::vector<Problem> problems;  // it cannot be used
  std::vector<Problem> warnings;  // it can be used, but probably not as intended
  // Violations of OpenAPI with which the document can still be used; --check rejects it.
  std::vector<Problem> openapi_violations;

  // The nodes that are not understood, with the messages.
  std::unordered_map<document::Node, std::string> not_understood;

  void report(const document::Node& node, std::string message);
  void report(const LoadError& error);
  void warn(const document::Node& node, std::string message);
  void add_violation(const document::Node& node, std::string message);
};

struct Inspection {
  std::vector<TypedNode> objects;  // each once, references too
  Findings findings;
};

// Everything reachable from `root`, the OpenAPI object. Opens referenced files.
Inspection inspect(document::Library& library, const document::Node& root, Version version);

// The object that a chain of non-schema references ends in: `node` itself if it is no reference.
// Throws LoadError for a reference that leads nowhere or in a circle.
document::Node follow(document::Library& library, document::Node node);

// The text of `node`'s "$ref", if it is an object with one.
std::optional<std::string_view> reference_in(const document::Node& node);

}  // namespace spec::contract::loading
