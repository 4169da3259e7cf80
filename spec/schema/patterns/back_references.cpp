#include "spec/schema/patterns/back_references.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace spec::schema::patterns {
namespace {

// The parts that decide what a back reference sees.
struct Captures {
  std::map<std::size_t, Span> groups;  // by number
  std::vector<Span> repeated;          // parts that may match more than once
  std::vector<Span> optional;  // parts that may be passed over: x?, x*, one of several alternatives
  std::vector<const Node*> references;

  void collect(const Node& node) {
    if (node.kind == Node::Kind::kGroup && node.group != 0) {
      groups.emplace(node.group, node.span);
    } else if (node.kind == Node::Kind::kReference) {
      references.push_back(&node);
    } else if (node.kind == Node::Kind::kRepeat) {
      if (node.min == 0) {
        optional.push_back(node.span);
      }
      if (node.max > 1) {
        repeated.push_back(node.span);
      }
    }
    for (const Node& child : node.children) {
      if (node.kind == Node::Kind::kAlternatives && node.children.size() > 1) {
        optional.push_back(child.span);
      }
      collect(child);
    }
  }

  // True when `group` may be left out of a round of `round` that `reference` can then see.
  bool may_be_stale(const Span& round, const Span& group, const Span& reference) const {
    return round.contains(group) && std::ranges::any_of(optional, [&](const Span& part) {
             return round.contains(part) && part != round && part.contains(group) &&
                    !part.contains(reference);
           });
  }
};

}  // namespace

std::optional<SyntaxError> wrong_back_reference(const Node& tree) {
  Captures captures;
  captures.collect(tree);
  for (const Node* reference : captures.references) {
    const auto group = captures.groups.find(reference->group);
    if (group == captures.groups.end()) {
      return SyntaxError{reference->span.first, "back reference to a group that does not exist"};
    }
    if (std::ranges::any_of(captures.repeated, [&](const Span& round) {
          return captures.may_be_stale(round, group->second, reference->span);
        })) {
      return SyntaxError{reference->span.first,
                         "back reference to a group that a repetition may skip"};
    }
  }
  return std::nullopt;
}

}  // namespace spec::schema::patterns
