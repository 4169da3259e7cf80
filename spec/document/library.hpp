#pragma once

// Loads texts as documents and resolves references between them. A Library owns every document of
// one contract, opens referenced files on demand, and never a socket. Not thread-safe while
// loading; documents are immutable afterwards.

#include "spec/document/document.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace spec::document {

enum class Format { kYaml, kJson };

// The documents of one contract. `name` is the file name in places; `uri` is the base that relative
// references resolve against (RFC 3986 §5). Throws LoadError with the place of each problem:
// duplicate keys, depth over 128, invalid UTF-8, NUL, a second YAML document, more than 1,000,000
// nodes after alias expansion. YAML scalars follow the core schema of YAML 1.2 (§10.3.2).
class Library {
 public:
  Library();
  ~Library();
  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;

  // Reads a file once; a second call returns the same root. The content decides between JSON and
  // YAML.
  Node open(const std::filesystem::path& path);
  // Adds a document that is not a file, registered under `uri`, so that references find it.
  Node add(std::string uri, std::string name, std::string_view text, Format format);
  // A copy of `root`'s document without the nodes for which `dropped` is true (object members and
  // array elements; asked for each node before its children), registered under the same URI in
  // place of the original. Places stay those of the text.
  Node prune(Node root, const std::function<bool(const Node&)>& dropped);

  // The node that `reference` names, relative to the document of `from`: a relative or absolute URI
  // with an optional JSON pointer fragment. Opens files on demand. Throws LoadError at `from` if
  // there is no such file or place, or the scheme is not "file".
  Node resolve(const Node& from, std::string_view reference);

  // The root of a registered document by absolute URI without fragment; an empty handle if there is
  // none.
  Node find(std::string_view uri) const;

  // Every file that was read, for watchers.
  std::vector<std::filesystem::path> files() const;
  // Every file that could not be read, for watchers.
  std::vector<std::filesystem::path> missing_files() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The base URI under which the node's document was registered.
std::string_view base_uri(const Node& node);

}  // namespace spec::document
