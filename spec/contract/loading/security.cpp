#include "spec/contract/loading/load_steps.hpp"
#include "spec/document/library.hpp"
#include "spec/document/uri.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <algorithm>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

void read_http_scheme(LoadContext& context, const Node& node, SecurityScheme& scheme) {
  scheme.http_scheme = text_of(node, "scheme");
  if (scheme.http_scheme.empty()) {
    context.report(node, "missing \"scheme\", the name of the HTTP authentication scheme");
  }
  if (text::equals_ignoring_case(scheme.http_scheme, "bearer")) {
    scheme.kind = SecurityKind::kBearer;
  } else if (text::equals_ignoring_case(scheme.http_scheme, "basic")) {
    scheme.kind = SecurityKind::kBasic;
  }
}

void read_api_key(LoadContext& context, const Node& node, SecurityScheme& scheme) {
  scheme.kind = SecurityKind::kApiKey;
  scheme.parameter = text_of(node, "name");
  const std::string in = text_of(node, "in");
  if (scheme.parameter.empty()) {
    context.report(node, "missing \"name\", the name of the API key");
  }
  if (in == "query") {
    scheme.location = Location::kQuery;
  } else if (in == "cookie") {
    scheme.location = Location::kCookie;
  } else if (in != "header") {
    scheme.kind = SecurityKind::kOther;
    context.report(node.find("in") ? node.find("in") : node,
                   "\"in\" must be query, header or cookie, but is \"" + in + '"');
  }
}

SecurityScheme load_scheme(LoadContext& context, const Node& place, std::string_view name) {
  const Node node = context.follow(place);
  SecurityScheme scheme;
  scheme.name = name;
  scheme.node = node;
  scheme.statement = context.statement(place);
  const std::string type = text_of(node, "type");
  if (type == "http") {
    read_http_scheme(context, node, scheme);
  } else if (type == "apiKey") {
    read_api_key(context, node, scheme);
  } else if (type == "oauth2" || type == "openIdConnect") {
    scheme.kind = SecurityKind::kBearer;  // RFC 6750: their tokens travel so
  } else if (node.find("type") && type != "mutualTLS") {
    context.report(
        node.find("type"),
        "must be http, apiKey, oauth2, openIdConnect or mutualTLS, but is \"" + type + '"');
  }
  return scheme;
}

// Before 3.1 only OAuth2 and OpenID Connect have scopes; in 3.1 others may name roles. Source:
// OpenAPI 3.0.3 §4.7.30.
void check_scopes(LoadContext& context, const Node& scopes, const SecurityScheme& scheme) {
  const std::string type = text_of(scheme.node, "type");
  if (!scopes.is_array()) {
    context.add_violation(scopes, "must be an array of scopes");
  } else if (context.state.version == Version::k30 && type != "oauth2" && type != "openIdConnect" &&
             scopes.size() != 0) {
    context.add_violation(scopes, "must be empty for a scheme of type " + type + ", but has " +
                                      std::to_string(scopes.size()) + " entries");
  }
}

// The scheme that a requirement names by its URI. Source: OpenAPI 3.2.0, Security Requirement
// Object.
Node scheme_at(LoadContext& context, const Member& requirement) {
  if (context.state.version < Version::k32) {
    return {};
  }
  try {
    const Node found = context.state.library.resolve(requirement.value, requirement.key);
    return found.find("type") || reference_in(found) ? found : Node();
  } catch (const LoadError&) {
    return {};  // reported as a name that is unknown
  }
}

}  // namespace

void check_security_schemes(LoadContext& context) {
  for (const Member& member :
       context.state.root.find("components").find("securitySchemes").members()) {
    load_scheme(context, member.value, member.key);
  }
}

std::vector<SecurityRequirement> load_security(LoadContext& context, const Node& list) {
  const Node schemes = context.state.root.find("components").find("securitySchemes");
  std::vector<SecurityRequirement> alternatives;
  if (list && !list.is_array()) {  // reported by inspection: credentials are required, and which
                                   // ones is not known
    alternatives.push_back({.schemes = {{.statement = context.statement(list)}}});
  }
  for (const Node& requirement : list.elements()) {
    SecurityRequirement& alternative = alternatives.emplace_back();
    if (!requirement.is_object()) {
      alternative.schemes.push_back({.statement = context.statement(requirement)});
    }
    for (const Member& member : requirement.members()) {
      if (member.key.starts_with("x-")) {
        continue;
      }
      const Node named = schemes.find(member.key);
      const Node scheme = named ? named : scheme_at(context, member);
      if (scheme) {
        alternative.schemes.push_back(load_scheme(context, scheme, member.key));
        check_scopes(context, member.value, alternative.schemes.back());
        continue;
      }
      std::vector<std::string_view> known;
      for (const Member& one : schemes.members()) {
        known.push_back(one.key);
      }
      alternative.schemes.push_back(
          {.name = std::string(member.key), .statement = context.statement(member.value)});
      context.report(member.value, "unknown security scheme \"" + std::string(member.key) +
                                       "\": not in components/securitySchemes" +
                                       text::did_you_mean(member.key, known));
    }
  }
  return alternatives;
}

namespace {

// The maximum number of combinations of values that become paths.
constexpr std::size_t kMaxUrls = 256;

// The values of the variable `name`, the default first; "{name}" if any value is allowed. Source:
// OpenAPI 3.1.0 §4.8.6, `enum`.
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

// Each of `urls` with each of `values` behind it; with the first value alone if that is too many.
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

// The path of a server's URL without a trailing "/"; "" if there is none, or if the URL starts with
// a variable that any text may replace, which is a host rather than a path.
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
