#include "spec/contract/loading/security.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/nearest.hpp"

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

// Source: OpenAPI 3.0.3 §4.7.30: only OAuth2 and OpenID Connect have scopes; in 3.1 others may name
// roles.
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
      const Node scheme = schemes.find(member.key);
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

}  // namespace spec::contract::loading
