#include "spec/document/tree_builder.hpp"

#include "spec/text/quote.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace spec::document {

TreeBuilder::TreeBuilder(std::string uri, std::string name, std::shared_ptr<Texts> texts)
    : document_(std::make_unique<Document>()) {
  document_->uri = std::move(uri);
  document_->name = std::move(name);
  document_->texts = std::move(texts);
}

void TreeBuilder::key(std::string_view name, Spot spot, bool merge) {
  next_ = {.child = {.key = name, .key_spot = spot}, .merge = merge};
  open_.back().merges = open_.back().merges || merge;
}

std::uint32_t TreeBuilder::add(const NodeRecord& record) {
  const auto node = static_cast<std::uint32_t>(document_->nodes.size());
  document_->nodes.push_back(record);
  if (!open_.empty()) {
    document_->nodes.back().parent = open_.back().node;
    next_.child.node = node;
    pending_.push_back(next_);
    next_ = {};
  }
  return node;
}

std::uint32_t TreeBuilder::scalar(Kind kind, std::string_view text, Spot spot) {
  NodeRecord record;
  record.text = text.data();
  record.size = static_cast<std::uint32_t>(text.size());
  record.spot = spot;
  record.kind = kind;
  return add(record);
}

std::uint32_t TreeBuilder::begin(Kind kind, Spot spot) {
  NodeRecord record;
  record.spot = spot;
  record.kind = kind;
  const std::uint32_t node = add(record);
  open_.push_back({.node = node, .first = pending_.size()});
  return node;
}

void TreeBuilder::end() {
  const Frame frame = open_.back();
  if (frame.merges) {
    merge(frame.first);
  }
  commit(frame);
  open_.pop_back();
}

bool TreeBuilder::is_open(std::uint32_t node) const {
  return std::any_of(open_.begin(), open_.end(),
                     [node](const Frame& frame) { return frame.node == node; });
}

// Replaces merge members by the members of the merged objects: of those with the same name the
// object's own wins, then the earliest. The merged container stays, as no node's child. Source:
// https://yaml.org/type/merge.html.
void TreeBuilder::merge(std::size_t first) {
  const std::vector<PendingMember> own(pending_.begin() + static_cast<std::ptrdiff_t>(first),
                                       pending_.end());
  pending_.resize(first);
  std::unordered_set<std::string_view> taken;
  for (const PendingMember& member : own) {
    if (!member.merge) {
      taken.insert(member.child.key);
    }
  }
  bool merged = false;
  for (const PendingMember& member : own) {
    if (!member.merge) {
      pending_.push_back(member);
      continue;
    }
    if (std::exchange(merged, true)) {
      problem(member.child.key_spot, "second '<<' in one mapping; merge a list instead: [*a, *b]",
              open_.back().node);
    }
    if (!adopt_all(member.child.node, taken)) {
      problem(member.child.key_spot, "'<<' merges only a mapping or a list of mappings",
              open_.back().node);
    }
  }
}

// Adopts the members of an object, or of each object of an array; false at anything else.
bool TreeBuilder::adopt_all(std::uint32_t source, std::unordered_set<std::string_view>& taken) {
  const NodeRecord record = document_->nodes[source];
  if (record.kind == Kind::kObject) {
    adopt(record, taken);
    return true;
  }
  for (std::uint32_t i = 0; i < record.size && record.kind == Kind::kArray; ++i) {
    const NodeRecord element = document_->nodes[document_->children[record.first + i].node];
    if (element.kind != Kind::kObject) {
      return false;
    }
    adopt(element, taken);
  }
  return record.kind == Kind::kArray;
}

// Makes those members of `source` whose names are not taken members of the innermost open object.
void TreeBuilder::adopt(const NodeRecord& source, std::unordered_set<std::string_view>& taken) {
  for (std::uint32_t i = 0; i < source.size; ++i) {
    const ChildRecord& child = document_->children[source.first + i];
    if (taken.insert(child.key).second) {
      document_->nodes[child.node].parent = open_.back().node;
      pending_.push_back({.child = child});
    }
  }
}

void TreeBuilder::commit(const Frame& frame) {
  NodeRecord& node = document_->nodes[frame.node];
  node.first = static_cast<std::uint32_t>(document_->children.size());
  node.size = static_cast<std::uint32_t>(pending_.size() - frame.first);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const ChildRecord& child = pending_[frame.first + i].child;
    document_->nodes[child.node].ordinal = i;
    document_->children.push_back(child);
  }
  pending_.resize(frame.first);
  if (node.kind != Kind::kObject) {
    return;
  }
  if (node.size > kMaxScannedMembers) {
    index(frame.node);
  } else {
    scan_for_duplicates(node);
  }
}

void TreeBuilder::scan_for_duplicates(const NodeRecord& object) {
  const ChildRecord* members = document_->children.data() + object.first;
  for (std::uint32_t i = 1; i < object.size; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (members[j].key == members[i].key) {
        duplicate(members[j], members[i]);
        break;
      }
    }
  }
}

void TreeBuilder::index(std::uint32_t object) {
  NodeRecord& node = document_->nodes[object];
  std::vector<std::uint32_t>& slots = document_->slots;
  node.slots = static_cast<std::uint32_t>(slots.size());
  const std::uint32_t mask = slot_count(node.size) - 1U;
  slots.resize(slots.size() + mask + 1U);
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const ChildRecord& member = document_->children[node.first + i];
    const std::uint32_t held = document_->member(node, member.key);
    if (held != kNoNode) {
      duplicate(document_->children[node.first + held], member);
      continue;
    }
    auto slot = static_cast<std::uint32_t>(std::hash<std::string_view>{}(member.key)) & mask;
    while (slots[node.slots + slot] != 0) {
      slot = (slot + 1U) & mask;
    }
    slots[node.slots + slot] = i + 1U;
  }
}

void TreeBuilder::duplicate(const ChildRecord& first, const ChildRecord& second) {
  problem(second.key_spot,
          "duplicate key " + text::in_quotes(second.key) + " (first at line " +
              std::to_string(first.key_spot.line) + ", column " +
              std::to_string(first.key_spot.column) + ")",
          second.node);
}

void TreeBuilder::problem(Spot spot, std::string message, std::uint32_t node) {
  violations_.push_back({.spot = spot, .message = std::move(message), .node = node});
}

// `node`, or the nearest node above it in the finished tree: a merged container is not part of it,
// and reading may have stopped before the node.
std::uint32_t TreeBuilder::attached(std::uint32_t node) const {
  if (node >= document_->nodes.size()) {
    return kNoNode;
  }
  std::uint32_t result = node;
  for (std::uint32_t at = node; document_->nodes[at].parent != kNoNode;) {
    const NodeRecord& record = document_->nodes[at];
    const NodeRecord& parent = document_->nodes[record.parent];
    const bool held = record.ordinal < parent.size &&
                      document_->children[parent.first + record.ordinal].node == at;
    result = held ? result : record.parent;
    at = record.parent;
  }
  return result;
}

std::unique_ptr<Document> TreeBuilder::finish() {
  if (violations_.empty()) {
    // Documents live as long as the program, so spare memory is freed.
    document_->nodes.shrink_to_fit();
    document_->children.shrink_to_fit();
    return std::move(document_);
  }
  while (!open_.empty()) {
    end();
  }
  // An alias repeats the problems of what it names: report them once.
  const auto order = [](const Violation& one) { return std::tie(one.spot, one.message); };
  std::stable_sort(violations_.begin(), violations_.end(),
                   [&](const auto& a, const auto& b) { return order(a) < order(b); });
  const auto same = [&](const auto& a, const auto& b) { return order(a) == order(b); };
  violations_.erase(std::unique(violations_.begin(), violations_.end(), same), violations_.end());
  std::vector<Problem> problems;
  for (Violation& violation : violations_) {
    const std::uint32_t node = attached(violation.node);
    problems.push_back({.file = document_->name,
                        .line = violation.spot.line,
                        .column = violation.spot.column,
                        .pointer = node == kNoNode ? "" : Node(*document_, node).pointer(),
                        .message = std::move(violation.message)});
  }
  throw LoadError(std::move(problems));
}

}  // namespace spec::document
