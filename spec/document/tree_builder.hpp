#pragma once

// Builds a Document from events, for both loaders and for prune: containers open and close like
// brackets, members come as key and value. Duplicate keys and merges are resolved when an object
// closes. Problems are collected until the end, so that one run reports them all.

#include "spec/document/document.hpp"
#include "spec/document/text_file.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace spec::document {

// The parts of a Document: flat vectors joined by index, and the texts that they view. Used in this
// folder only; other folders use Nodes (document.hpp). Written by TreeBuilder, then const.

inline constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();
// Objects with more members than this have a hash index.
inline constexpr std::uint32_t kMaxScannedMembers = 16;
inline constexpr std::size_t kMaxDepth = 128;

// The source text and the strings that are not spelled in it; views into both live as long as this.
struct Texts {
  std::string source;
  std::pmr::monotonic_buffer_resource arena;

  // A lasting copy of `text`, or `text` itself if it lies in the source.
  std::string_view keep(std::string_view text);
};

struct NodeRecord {
  const char* text = nullptr;  // of a scalar: a string's characters, a number as JSON text
  std::uint32_t size = 0;      // bytes of the text; number of members or elements
  std::uint32_t first = 0;     // of a container: the index of its first child in `children`
  std::uint32_t slots = 0;     // of a large object: the start of its index in `slots`
  std::uint32_t parent = kNoNode;
  std::uint32_t ordinal = 0;  // place among the parent's children
  Spot spot;
  Kind kind = Kind::kNull;

  std::string_view view() const { return {text, size}; }

  bool is_container() const { return kind == Kind::kArray || kind == Kind::kObject; }
};

// A member of an object or, without key, an element of an array.
struct ChildRecord {
  std::string_view key;
  Spot key_spot;
  std::uint32_t node = kNoNode;
};

class Document {
 public:
  std::string uri;
  std::string self;   // the URI that the document gives itself (`$self` of OpenAPI 3.2), or ""
  std::string name;   // for errors, and to open it
  std::string shown;  // for places: relative to the folder of the library's first file
  std::shared_ptr<Texts> texts;
  std::vector<NodeRecord> nodes;  // the root first; parents before children
  std::vector<ChildRecord> children;
  std::vector<std::uint32_t> slots;  // open addressing: 1 + ordinal of the member, 0 if free

  // The ordinal of the member `key` of `object`; kNoNode if there is none.
  std::uint32_t member(const NodeRecord& object, std::string_view key) const;
};

// Size of the index of an object with `members` members: a power of two, at most half full.
std::uint32_t slot_count(std::uint32_t members);

class TreeBuilder {
 public:
  TreeBuilder(std::string uri, std::string name, std::shared_ptr<Texts> texts);

  // Sets the name of the member that the next value is of. A `merge` member is YAML's "<<": the
  // members of the following object, or objects of the array, are added unless this object names
  // them itself.
  void key(std::string_view name, Spot spot, bool merge = false);
  // Each returns the new node; `text` must outlive the tree (Texts::keep).
  std::uint32_t scalar(Kind kind, std::string_view text, Spot spot);
  std::uint32_t begin(Kind kind, Spot spot);
  void end();

  std::size_t depth() const { return open_.size(); }

  bool is_open(std::uint32_t node) const;

  // The innermost open container; kNoNode if none is open.
  std::uint32_t container() const { return open_.empty() ? kNoNode : open_.back().node; }

  // The node that the next scalar or container will be.
  std::uint32_t next_node() const { return static_cast<std::uint32_t>(document_->nodes.size()); }

  const Document& document() const { return *document_; }

  Texts& texts() { return *document_->texts; }

  // Notes a problem at `spot`; `node`, if it exists by the end, gives its pointer.
  void problem(Spot spot, std::string message, std::uint32_t node = kNoNode);

  // The finished document. Throws LoadError with every problem, in the order of the text.
  std::unique_ptr<Document> finish();

 private:
  struct PendingMember {
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
  std::vector<PendingMember> pending_;  // children of the open containers
  PendingMember next_;                  // the member that was announced
  std::vector<Violation> violations_;
};

// The readers of documents. Each throws LoadError with every problem that it finds.

// The names of a document: the base of its references and the file that its places print.
struct Identity {
  std::string uri;
  std::string name;
};

// RFC 8259, by the tokenizer of spec/json; a byte order mark is rejected.
std::unique_ptr<Document> load_json(const Identity& identity, std::shared_ptr<Texts> texts);

// YAML 1.2, core schema; also merge keys. One document, no other tags than the core schema's.
std::unique_ptr<Document> load_yaml(const Identity& identity, std::shared_ptr<Texts> texts);

// Decides by content: JSON if the text is JSON, or starts like it and gets further as JSON than as
// YAML; else YAML.
std::unique_ptr<Document> load_either(const Identity& identity, std::shared_ptr<Texts> texts);

}  // namespace spec::document
