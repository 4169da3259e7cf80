#include "spec/contract/loading/security.hpp"

#include "spec/document/suggest.hpp"
#include "spec/http/message.hpp"

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

void read_http_scheme(LoadContext& context, const Node& node, SecurityScheme& scheme) {
  scheme.http_scheme = text_of(node, "scheme");
  if (scheme.http_scheme.empty()) {
    context.complain(node, "must name its HTTP authentication \"scheme\" but does not");
  }
  if (http::equals_ignoring_case(scheme.http_scheme, "bearer")) {
    scheme.kind = SecurityKind::kBearer;
  } else if (http::equals_ignoring_case(scheme.http_scheme, "basic")) {
    scheme.kind = SecurityKind::kBasic;
  }
}

void read_api_key(LoadContext& context, const Node& node, SecurityScheme& scheme) {
  scheme.kind = SecurityKind::kApiKey;
  scheme.parameter = text_of(node, "name");
  const std::string in = text_of(node, "in");
  if (scheme.parameter.empty()) {
    context.complain(node, "must have the \"name\" of its API key but has none");
  }
  if (in == "query") {
    scheme.location = Location::kQuery;
  } else if (in == "cookie") {
    scheme.location = Location::kCookie;
  } else if (in != "header") {
    context.complain(node.find("in") ? node.find("in") : node,
                     "must be in query, header or cookie but is in \"" + in + '"');
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
  } else if (node && type != "mutualTLS") {
    context.complain(
        node.find("type") ? node.find("type") : node,
        "must be http, apiKey, oauth2, openIdConnect or mutualTLS but is \"" + type + '"');
  }
  return scheme;
}

}  // namespace

std::vector<SecurityAlternative> load_security(LoadContext& context, const Node& list) {
  const Node schemes = context.state.root.find("components").find("securitySchemes");
  std::vector<SecurityAlternative> alternatives;
  for (const Node& requirement : list.elements()) {
    SecurityAlternative& alternative = alternatives.emplace_back();
    for (const Member& member : requirement.members()) {
      if (member.key.starts_with("x-")) {
        continue;
      }
      const Node scheme = schemes ? schemes.find(member.key) : Node();
      if (scheme) {
        alternative.schemes.push_back(load_scheme(context, scheme, member.key));
        continue;
      }
      std::vector<std::string_view> known;
      for (const Member& one : schemes ? schemes.members() : std::vector<Member>()) {
        known.push_back(one.key);
      }
      const auto meant = document::nearest(member.key, known);
      context.complain(member.value,
                       "must name one of components/securitySchemes but \"" +
                           std::string(member.key) + "\" is none" +
                           (meant ? "; did you mean \"" + std::string(*meant) + "\"?" : ""));
    }
  }
  return alternatives;
}

}  // namespace spec::contract::loading
