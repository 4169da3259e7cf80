#include "spec/contract/loading/servers.hpp"

#include "spec/contract/loading/context.hpp"
#include "spec/document/uri.hpp"

#include <algorithm>

namespace spec::contract::loading {

namespace {

using document::Node;

// More combinations than this are no choice of paths any more.
constexpr std::size_t kMostUrls = 256;

// The values of the variable `name`, the default first; "{name}" where any value will do.
// Source: OpenAPI 3.1.0 §4.8.6, `enum`.
std::vector<std::string> values_of(const Node& variable, std::string_view name) {
  std::vector<std::string> values{text_of(variable, "default")};
  const Node choices = variable.find("enum");
  if (!choices) {
    values.push_back('{' + std::string(name) + '}');
  }
  for (const Node& one : choices.elements()) {
    const std::string value = scalar_text(one);
    if (!value.empty() && std::ranges::find(values, value) == values.end()) {
      values.push_back(value);
    }
  }
  return values;
}

// Each of `urls` with each of `values` behind it; with the first value alone where that is too
// much.
std::vector<std::string> combine(const std::vector<std::string>& urls,
                                 const std::vector<std::string>& values) {
  const std::size_t count = urls.size() * values.size() <= kMostUrls ? values.size() : 1;
  std::vector<std::string> combined;
  for (const std::string& url : urls) {
    for (std::size_t i = 0; i < count; ++i) {
      combined.push_back(url + values[i]);
    }
  }
  return combined;
}

// `path` with each {variable} at each of its values.
std::vector<std::string> fill_in(std::string_view path, const Node& variables) {
  std::vector<std::string> filled{""};
  while (!path.empty()) {
    const std::size_t open = std::min(path.find('{'), path.size());
    filled = combine(filled, {std::string(path.substr(0, open))});
    path.remove_prefix(open);
    const std::size_t close = path.find('}');
    if (path.empty() || close == std::string_view::npos) {
      break;
    }
    const std::string_view name = path.substr(1, close - 1);
    const Node variable = variables ? variables.find(name) : Node();
    filled = combine(filled, variable ? values_of(variable, name) : std::vector<std::string>{""});
    path.remove_prefix(close + 1);
  }
  return filled;
}

}  // namespace

void ServerPrefixes::add(const Node& servers) {
  for (const Node& server : servers ? servers.elements() : std::vector<Node>()) {
    for (const std::string& url : fill_in(text_of(server, "url"), server.find("variables"))) {
      add_path(std::string(document::split_uri(url).path));
    }
  }
}

void ServerPrefixes::add_path(std::string prefix) {
  while (prefix.ends_with('/')) {
    prefix.pop_back();
  }
  const bool is_known = std::find(prefixes_.begin(), prefixes_.end(), prefix) != prefixes_.end();
  if (prefix.starts_with('/') && !is_known) {
    prefixes_.push_back(std::move(prefix));
  }
}

std::vector<std::string> ServerPrefixes::take() {
  std::stable_sort(
      prefixes_.begin(), prefixes_.end(),
      [](const std::string& left, const std::string& right) { return left.size() > right.size(); });
  return std::move(prefixes_);
}

}  // namespace spec::contract::loading
