#include "spec/contract/loading/servers.hpp"

#include "spec/contract/loading/context.hpp"
#include "spec/document/load.hpp"
#include "spec/document/uri.hpp"

#include <algorithm>

namespace spec::contract::loading {

namespace {

using document::Node;

// The most combinations of values that become paths.
constexpr std::size_t kMaxUrls = 256;

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
  const std::size_t count = urls.size() * values.size() <= kMaxUrls ? values.size() : 1;
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
    const Node variable = variables.find(name);
    filled = combine(filled, variable ? values_of(variable, name) : std::vector<std::string>{""});
    path.remove_prefix(close + 1);
  }
  return filled;
}

// The path of a server's URL without a trailing "/"; "" for none, and where the URL starts with a
// variable that any text may replace, which is a host rather than a path.
std::string prefix_of(const std::string& url) {
  if (url.starts_with('{')) {
    return {};
  }
  std::string whole = document::resolve_uri("http://host/", url);
  std::string prefix(document::split_uri(whole).path);
  while (prefix.ends_with('/')) {
    prefix.pop_back();
  }
  return prefix.starts_with('/') ? prefix : "";
}

}  // namespace

void ServerPrefixes::add(std::uint32_t operation, const Node& servers) {
  for (const std::string& prefix : prefixes_of(servers)) {
    operations_[prefix].push_back(operation);
  }
}

const std::vector<std::string>& ServerPrefixes::prefixes_of(const Node& servers) {
  const auto known = std::ranges::find(known_, servers, [](const auto& one) { return one.first; });
  if (known != known_.end()) {
    return known->second;
  }
  std::vector<std::string> prefixes;
  for (const Node& server : servers.elements()) {
    for (const std::string& url : fill_in(text_of(server, "url"), server.find("variables"))) {
      std::string prefix = prefix_of(url);
      if (!prefix.empty() && std::ranges::find(prefixes, prefix) == prefixes.end()) {
        prefixes.push_back(std::move(prefix));
      }
    }
  }
  return known_.emplace_back(servers, std::move(prefixes)).second;
}

}  // namespace spec::contract::loading
