#include "spec/contract/loading/servers.hpp"

#include "spec/contract/loading/context.hpp"
#include "spec/document/uri.hpp"

#include <algorithm>

namespace spec::contract::loading {

namespace {

using document::Node;

// `url` with each {variable} at its default.
std::string fill_in(std::string_view url, const Node& variables) {
  std::string filled;
  while (!url.empty()) {
    const std::size_t open = std::min(url.find('{'), url.size());
    filled += url.substr(0, open);
    url.remove_prefix(open);
    const std::size_t close = url.find('}');
    if (url.empty() || close == std::string_view::npos) {
      break;
    }
    const Node variable = variables ? variables.find(url.substr(1, close - 1)) : Node();
    filled += variable ? text_of(variable, "default") : "";
    url.remove_prefix(close + 1);
  }
  return filled;
}

}  // namespace

void ServerPrefixes::add(const Node& servers) {
  for (const Node& server : servers ? servers.elements() : std::vector<Node>()) {
    const std::string url = fill_in(text_of(server, "url"), server.find("variables"));
    std::string prefix(document::split_uri(url).path);
    while (prefix.ends_with('/')) {
      prefix.pop_back();
    }
    const bool is_known = std::find(prefixes_.begin(), prefixes_.end(), prefix) != prefixes_.end();
    if (prefix.starts_with('/') && !is_known) {
      prefixes_.push_back(std::move(prefix));
    }
  }
}

std::vector<std::string> ServerPrefixes::take() {
  std::stable_sort(
      prefixes_.begin(), prefixes_.end(),
      [](const std::string& left, const std::string& right) { return left.size() > right.size(); });
  return std::move(prefixes_);
}

}  // namespace spec::contract::loading
