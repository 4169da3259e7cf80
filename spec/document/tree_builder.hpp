#pragma once

// Builds a Document from events, for both loaders and for prune: containers open and close like
// brackets, members come as key and value. Duplicate keys and merges are settled when an object
// closes. Problems are kept until the end, so that one run reports them all.

#include "spec/document/tree.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace spec::document {

class TreeBuilder {
 public:
  TreeBuilder(std::string uri, std::string name, std::shared_ptr<Texts> texts);

  // Announces the member that the next value is of. A `merge` member is YAML's "<<": the object,
  // or objects of the array, that follow give members that this object does not name itself.
  void key(std::string_view name, Spot spot, bool merge = false);
  // Each returns the new node; `text` must be kept by the texts.
  std::uint32_t scalar(Kind kind, std::string_view text, Spot spot);
  std::uint32_t begin(Kind kind, Spot spot);
  void end();

  std::size_t depth() const { return open_.size(); }

  bool is_open(std::uint32_t node) const;

  // The innermost open container; kNoNode outside of all.
  std::uint32_t container() const { return open_.empty() ? kNoNode : open_.back().node; }

  // The node that the next scalar or container will be.
  std::uint32_t next_node() const { return static_cast<std::uint32_t>(document_->nodes.size()); }

  const Document& document() const { return *document_; }

  Texts& texts() { return *document_->texts; }

  // A problem at `spot`; `node`, if there is one by the end, gives its pointer.
  void problem(Spot spot, std::string message, std::uint32_t node = kNoNode);

  // The finished document. Throws LoadError with every problem, in the order of the text.
  std::unique_ptr<Document> finish();

 private:
  struct Pending {
    ChildRecord child;
    bool merge = false;
  };

  struct Frame {
    std::uint32_t node = kNoNode;
    std::size_t first = 0;  // in pending_
    bool merges = false;
  };

  struct Violation {
    Spot spot;
    std::string message;
    std::uint32_t node = kNoNode;
  };

  std::uint32_t add(const NodeRecord& record);
  void merge(std::size_t first);
  bool adopt_all(std::uint32_t source, std::unordered_set<std::string_view>& taken);
  void adopt(const NodeRecord& source, std::unordered_set<std::string_view>& taken);
  void commit(const Frame& frame);
  void index(std::uint32_t object);
  void scan_for_duplicates(const NodeRecord& object);
  std::uint32_t attached(std::uint32_t node) const;
  void duplicate(const ChildRecord& first, const ChildRecord& second);

  std::unique_ptr<Document> document_;
  std::vector<Frame> open_;
  std::vector<Pending> pending_;  // children of the open containers
  Pending next_;                  // the member that was announced
  std::vector<Violation> violations_;
};

}  // namespace spec::document
