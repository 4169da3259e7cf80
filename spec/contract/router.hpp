#pragma once

// Finds the operation of a method and path: a trie of path segments, built once. Operations are
// only numbers here. The time of a look-up depends on the path, not on how many templates there
// are.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spec::contract {

// A template's segment: literal text and parameters in turn ("{a}-{b}", "test.{format}").
struct SegmentPart {
  std::string text;  // a literal, percent-decoded; or a parameter's name
  bool is_parameter = false;

  friend auto operator<=>(const SegmentPart&, const SegmentPart&) = default;
};

using Segment = std::vector<SegmentPart>;

// The segments of a template that starts with "/"; none if a brace has no partner or a parameter
// has no name.
std::optional<std::vector<Segment>> parse_path_template(std::string_view path);

// The names of the parameters, in the template's order.
std::vector<std::string> parameter_names(const std::vector<Segment>& segments);

// The segment without the names of its parameters: templates of the same shape are equal.
Segment nameless(Segment segment);

// The values of a template's parameters in the segments of `raw_path`, still encoded, in the
// template's order; none if it does not fit.
std::optional<std::vector<std::string_view>> match_template(const std::vector<Segment>& segments,
                                                            std::string_view raw_path);

// `raw_path` with the triplets of unreserved characters decoded, so that equivalent paths look the
// same (RFC 3986 §6.2.2.2); none if a triplet is malformed.
std::optional<std::string> normal_path(std::string_view raw_path);

class Router {
 public:
  using Route = std::uint32_t;

  // One path of the document: its parameters' names in the template's order, its methods and their
  // routes in the order in which they were added.
  struct Path {
    std::string text;
    std::vector<std::string> names;
    std::vector<std::pair<std::string, Route>> methods;
  };

  struct PathMatch {
    const std::vector<Path>* paths = nullptr;  // more than one only for twins
    std::vector<std::string_view> values;      // parts of the path, still encoded, in order
  };

  void add(std::string_view path, const std::vector<Segment>& segments, std::string_view method,
           Route route);

  // The best template that fits: segment by segment from the left, a literal beats a mixture, a
  // mixture beats a parameter, more literal text beats less. None if no template fits.
  // Precondition: normal_path gave `path`.
  std::optional<PathMatch> find(std::string_view path) const;

 private:
  using NodeId = std::uint32_t;

  struct MixedSegment {
    Segment segment;  // without the parameters' names
    NodeId next = 0;
  };

  struct Node {
    std::unordered_map<std::string, NodeId> literals;
    std::vector<MixedSegment> mixtures;  // most literal text first
    NodeId parameter = 0;                // 0: none
    std::vector<Path> paths;             // that end here
  };

  NodeId child(NodeId node, const Segment& segment);
  bool descend(NodeId node, std::string_view rest, PathMatch& found) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
};

// The paths of the servers' URLs. Operations are found behind those of their servers too.
struct ServerPrefix {
  std::string text;        // "/v1", "/{tenant}/api"
  std::size_t router = 0;  // of the operations that are served there, in Contract::State::routers
};

// True if a prefix has a "{name}": a server's variable that any text may replace.
bool is_open_prefix(std::string_view prefix);

// The rest of `path` behind `prefix`, if it starts with the prefix's segments. "{name}" in it takes
// any text without a slash. Precondition: normal_path gave `path`.
std::optional<std::string_view> path_behind(std::string_view path, std::string_view prefix);

}  // namespace spec::contract
