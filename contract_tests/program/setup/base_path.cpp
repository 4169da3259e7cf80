#include "contract_tests/program/setup/base_path.hpp"

#include "spec/document/uri.hpp"
#include "spec/text/ascii.hpp"

#include <optional>

namespace contract_tests::program::setup {

namespace {

using spec::document::Node;

// The URL of a server with its variables at their defaults; nothing where one has none.
std::optional<std::string> url_of(const Node& server) {
  const Node text = server.find("url");
  std::string url = text && text.is_string() ? std::string(text.string()) : "";
  for (auto open = url.find('{'); open != std::string::npos; open = url.find('{')) {
    const auto close = url.find('}', open);
    if (close == std::string::npos) {
      return std::nullopt;
    }
    const Node variable =
        server.find("variables").find(std::string_view(url).substr(open + 1, close - open - 1));
    const Node value = variable ? variable.find("default") : Node();
    if (!value || !value.is_string() || value.string().find('{') != std::string_view::npos) {
      return std::nullopt;
    }
    url.replace(open, close - open + 1, value.string());
  }
  return url;
}

std::string host_of(std::string_view authority) {
  return std::string(authority.substr(0, authority.find(':')));
}

// Of one list of servers.
std::string path_of(const Node& servers, std::string_view host) {
  std::optional<std::string> chosen;
  for (const Node& server : servers ? servers.elements() : std::vector<Node>()) {
    const auto url = url_of(server);
    if (!url) {
      continue;
    }
    const auto whole = spec::document::resolve_uri("http://host/", *url);
    const auto parts = spec::document::split_uri(whole);
    std::string path(parts.path);
    while (path.ends_with('/')) {
      path.pop_back();
    }
    const bool is_same_host =
        spec::text::equals_ignoring_case(host_of(parts.authority.value_or("")), host);
    if (!chosen || is_same_host) {
      chosen = std::move(path);
    }
    if (is_same_host) {
      break;
    }
  }
  return chosen.value_or("");
}

// The list of the operation itself, else of its path; an empty handle where it has none of its own.
Node own_servers(const spec::contract::Operation& operation) {
  const Node own = operation.node.find("servers");
  const Node item = operation.node.parent();
  return own || !item ? own : item.find("servers");
}

}  // namespace

std::string base_path_of(const spec::contract::Contract& contract, std::string_view host) {
  auto path = path_of(contract.root().find("servers"), host);
  for (const auto& operation : contract.operations()) {
    const Node own = own_servers(operation);
    if (own && path_of(own, host) != path) {
      return {};
    }
  }
  return path;
}

}  // namespace contract_tests::program::setup
