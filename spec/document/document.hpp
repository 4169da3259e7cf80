#pragma once

// A YAML or JSON text as a tree whose every node knows its file, line and column, with object
// members in the order of the text. For files that people write (contracts, schemas, fixtures,
// rules, scenarios), not for messages (spec/json). Built once by library.hpp, then immutable and
// shared: nodes are light handles that must not outlive their Document.

#include "spec/json/number.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spec::document {

using Kind = json::Type;

// A place in a text; `line` and `column` count from 1, columns in characters (code points).
struct Place {
  std::string_view file;
  std::size_t line = 0;
  std::size_t column = 0;
};

class Document;
struct Member;

// A node of a document: two words, cheap to copy. Two handles are equal when they are the same
// place in the same document. An empty handle looks like a null without parent, so that chains of
// look-ups need no tests on the way; it has no place, pointer or document.
class Node {
 public:
  Node() = default;

  Node(const Document& document, std::uint32_t index) : document_(&document), index_(index) {}

  explicit operator bool() const { return document_ != nullptr; }

  friend bool operator==(const Node&, const Node&) = default;

  Kind kind() const;

  bool is_object() const { return kind() == Kind::kObject; }

  bool is_array() const { return kind() == Kind::kArray; }

  bool is_string() const { return kind() == Kind::kString; }

  bool is_boolean() const { return kind() == Kind::kBoolean; }

  bool is_number() const { return kind() == Kind::kNumber; }

  bool is_null() const { return kind() == Kind::kNull; }

  // Precondition: the kind fits. A string's text is valid UTF-8.
  std::string_view string() const;
  bool boolean() const;
  // A number as JSON text (RFC 8259 §6), exact; YAML's other spellings are already translated.
  std::string_view number_text() const;

  // The member `key` of an object; an empty handle if there is none or this is not an object. Large
  // objects are indexed: constant time on average.
  Node find(std::string_view key) const;
  // The element `index` of an array; an empty handle out of range or if this is not an array.
  Node at(std::size_t index) const;
  // Members of an object in the order of the text; empty for other kinds.
  std::vector<Member> members() const;
  // Elements of an array; empty for other kinds.
  std::vector<Node> elements() const;
  // Number of members or elements; 0 for scalars.
  std::size_t size() const;

  // The subtree as a value, numbers exact (spec/json/number.hpp).
  nlohmann::json value() const;

  // The start of the value; for an empty YAML value, of its key.
  Place place() const;
  // Its file and line: "spec/a.yaml:12".
  std::string file_and_line() const;
  // The JSON pointer from the document's root (RFC 6901).
  std::string pointer() const;
  // An empty handle at the root.
  Node parent() const;
  // The key in the parent object, or the index in the parent array in decimal; "" at the root.
  std::string key() const;

  const Document& document() const { return *document_; }

  std::uint32_t index() const { return index_; }

  // A problem at this node.
  Problem problem(std::string message) const;

 private:
  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;
};

struct Member {
  std::string_view key;
  Place key_place;
  Node value;

  // A problem at the key.
  Problem problem(std::string message) const;
};

// The element or member of `node` that a token of a pointer names; an empty handle if there is
// none.
Node step(const Node& node, std::string_view token);

// The node that `pointer` names below `node`, or the last node on the way to it.
Node nearest_below(Node node, std::string_view pointer);

// The number of nodes of a document: the index of each is below.
std::size_t node_count(const Document& document);

template <typename Note>
class NodeTable {
 public:
  // `absent` is the value of a node that has no note.
  explicit NodeTable(Note absent) : absent_(std::move(absent)) {}

  // The note about `node`, or `absent`. Precondition: `node` is no empty handle.
  const Note& find(const Node& node) const {
    const std::size_t place = place_of(node.document());
    return place == kNone ? absent_ : pages_[place].notes[node.index()];
  }

  // The note about `node`, to be changed.
  Note& at(const Node& node) {
    std::size_t place = place_of(node.document());
    if (place == kNone) {
      place = pages_.size();
      places_.emplace(&node.document(), place);
      pages_.push_back({&node.document(), Notes(node_count(node.document()), absent_)});
    }
    return pages_[place].notes[node.index()];
  }

 private:
  using Notes = std::vector<Note>;

  struct Page {
    const Document* document;
    Notes notes;
  };

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Fast path: most look-ups are in the first document.
  std::size_t place_of(const Document& document) const {
    if (!pages_.empty() && pages_.front().document == &document) {
      return 0;
    }
    const auto found = places_.find(&document);
    return found == places_.end() ? kNone : found->second;
  }

  Note absent_;
  std::vector<Page> pages_;
  std::unordered_map<const Document*, std::size_t> places_;
};

}  // namespace spec::document

template <>
struct std::hash<spec::document::Node> {
  std::size_t operator()(const spec::document::Node& node) const noexcept {
    return std::hash<const void*>{}(node ? &node.document() : nullptr) * 31U + node.index();
  }
};
