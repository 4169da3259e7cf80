// References to what they name. Source: JSON Schema 2020-12 Core §8.2.3, RFC 3986 §5.

#include "spec/document/steps.hpp"
#include "spec/document/uri.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/compiler/resources.hpp"
#include "spec/schema/metaschemas/metaschemas.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/nearest.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <utility>

namespace spec::schema::compiler {
namespace {

using document::Node;
using text::in_quotes;

std::string suggestion(const Node& parent, std::string_view token) {
  std::vector<std::string_view> names;
  for (const document::Member& member : parent.members()) {
    names.push_back(member.key);
  }
  return text::did_you_mean(token, names);
}

}  // namespace

std::optional<Target> Resources::resolve(const Node& from, std::string_view reference,
                                         ResourceId base) {
  const std::size_t hash = reference.find('#');
  const std::string_view fragment =
      hash == std::string_view::npos ? "" : reference.substr(hash + 1);
  if (hash == 0) {
    return find_fragment(from, fragment, base);
  }
  const std::string uri = document::resolve_uri(resources_[base].uri, reference.substr(0, hash));
  const auto resource = find_or_load(from, uri);
  return resource ? find_fragment(from, fragment, *resource) : std::nullopt;
}

std::optional<ResourceId> Resources::find_or_load(const Node& from, const std::string& uri) {
  if (const auto known = by_uri_.find(uri); known != by_uri_.end()) {
    return known->second;
  }
  try {
    Node root = library_->find(uri);
    if (!root) {
      const auto metaschema = metaschemas::find(uri);
      root = metaschema ? library_->add(uri, uri, *metaschema, document::Format::kJson)
                        : library_->resolve(from, uri);
    }
    return resource_of(root);
  } catch (const LoadError& error) {
    problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    return std::nullopt;
  }
}

std::optional<Target> Resources::find_fragment(const Node& from, std::string_view fragment,
                                               ResourceId resource) {
  const auto text = text::percent_decode(fragment);
  if (!text || !text::is_utf8(*text)) {
    report(from, in_quotes(from.string()) + " is not a URI reference");
    return std::nullopt;
  }
  Node node = resources_[resource].root;
  if (text->empty()) {
    return Target{.node = node, .dynamic = {}};
  }
  if (text->front() != '/') {
    const auto& anchors = resources_[resource].anchors;
    const auto found = anchors.find(*text);
    if (found == anchors.end()) {
      report(from, "no anchor " + in_quotes(*text) + " in " + in_quotes(resources_[resource].uri));
      return std::nullopt;
    }
    const bool dynamic = resources_[resource].dynamic_anchors.contains(*text);
    return Target{.node = found->second, .dynamic = dynamic ? *text : ""};
  }
  const auto tokens = json::split_pointer(*text);
  for (const std::string& token : tokens ? *tokens : std::vector<std::string>{""}) {
    const Node next = tokens ? document::step(node, token) : Node();
    if (!next) {
      report(from, "no schema at " + in_quotes(from.string()) + suggestion(node, token));
      return std::nullopt;
    }
    node = next;
  }
  return Target{.node = node, .dynamic = {}};
}

}  // namespace spec::schema::compiler
