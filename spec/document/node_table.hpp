#pragma once

// Data about nodes, found in constant time without hashing: a vector for each document, with an
// element for each of its nodes, made with the first datum. For notes about many nodes of few
// documents. Not thread-safe while notes are made.

#include "spec/document/document.hpp"

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spec::document {

// How many nodes a document has: the index of each is below.
std::size_t node_count(const Document& document);

template <typename Note>
class NodeTable {
 public:
  // `absent` is what a node has that nothing was noted about.
  explicit NodeTable(Note absent) : absent_(std::move(absent)) {}

  // The note about `node`; what is absent if there is none. Precondition: `node` is no empty
  // handle.
  const Note& find(const Node& node) const {
    const std::size_t place = place_of(node.document());
    return place == kNone ? absent_ : pages_[place].notes[node.index()];
  }

  // The same, to be changed.
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

  // Most questions are about the first document.
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
