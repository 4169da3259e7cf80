#pragma once

// The parts of a Document: flat vectors joined by index, and the texts that they view. Used in this
// folder only; other folders use Nodes (document.hpp). Written by TreeBuilder, then const.

#include "spec/document/document.hpp"
#include "spec/document/file.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace spec::document {

inline constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();
// Objects with more members than this have a hash index.
inline constexpr std::uint32_t kMaxScannedMembers = 16;
inline constexpr std::size_t kMaxDepth = 128;

// The source text and the strings that are not spelled in it; views into both live as long as this.
struct Texts {
  std::string source;
  std::pmr::monotonic_buffer_resource arena;

  // A lasting copy of `text`, or `text` itself where it lies in the source.
  std::string_view keep(std::string_view text);
};

struct NodeRecord {
  const char* text = nullptr;  // of a scalar: a string's characters, a number as JSON text
  std::uint32_t size = 0;      // bytes of the text; number of members or elements
  std::uint32_t first = 0;     // of a container: where its children start in `children`
  std::uint32_t slots = 0;     // of a large object: where its index starts in `slots`
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

}  // namespace spec::document
