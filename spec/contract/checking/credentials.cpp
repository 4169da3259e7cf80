#include "spec/contract/check.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/form.hpp"

namespace spec::contract {

namespace {

// What stands behind the scheme in Authorization, never empty. Source: RFC 9110 §11.4.
std::optional<std::string> behind_scheme(const http::Request& request, std::string_view scheme) {
  for (const std::string_view line : request.headers.all("Authorization")) {
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos ||
        !http::equals_ignoring_case(line.substr(0, blank), scheme)) {
      continue;
    }
    const std::string_view credential = http::trimmed(line.substr(blank));
    if (!credential.empty()) {
      return std::string(credential);
    }
  }
  return std::nullopt;
}

std::optional<std::string> value_of(const std::vector<http::FormPair>& pairs, std::string_view name,
                                    bool plus_is_blank) {
  for (const http::FormPair& pair : pairs) {
    if (pair.name == name && !pair.value.empty()) {
      return http::percent_decode(pair.value, plus_is_blank).value_or(std::string(pair.value));
    }
  }
  return std::nullopt;
}

std::optional<std::string> api_key(const http::Request& request, const SecurityScheme& scheme) {
  if (scheme.location == Location::kQuery) {
    return value_of(http::split_form(http::query_of(request.target)), scheme.parameter, true);
  }
  if (scheme.location == Location::kCookie) {
    for (const std::string_view line : request.headers.all("Cookie")) {
      if (auto value = value_of(http::split_cookies(line), scheme.parameter, false)) {
        return value;
      }
    }
    return std::nullopt;
  }
  const auto value = request.headers.find(scheme.parameter);
  return value && !value->empty() ? std::optional(std::string(*value)) : std::nullopt;
}

std::optional<std::string> credential_of(const http::Request& request,
                                         const SecurityScheme& scheme) {
  switch (scheme.kind) {
    case SecurityKind::kBearer: return behind_scheme(request, "Bearer");
    case SecurityKind::kBasic: return behind_scheme(request, "Basic");
    case SecurityKind::kApiKey: return api_key(request, scheme);
    case SecurityKind::kOther: break;
  }
  // Mutual TLS happens below HTTP: nothing in the message can show or miss it.
  return scheme.http_scheme.empty() ? std::optional<std::string>("")
                                    : behind_scheme(request, scheme.http_scheme);
}

}  // namespace

Credentials read_credentials(const Operation& operation, const http::Request& request) {
  Credentials credentials;
  credentials.satisfied_by_anyone = operation.security.empty();
  for (const SecurityAlternative& alternative : operation.security) {
    if (alternative.schemes.empty()) {
      credentials.satisfied_by_anyone = true;
      continue;
    }
    std::vector<std::pair<std::string, std::string>> given;
    for (const SecurityScheme& scheme : alternative.schemes) {
      if (auto credential = credential_of(request, scheme)) {
        given.emplace_back(scheme.name, std::move(*credential));
      }
    }
    if (given.size() == alternative.schemes.size()) {
      credentials.given.push_back(std::move(given));
    }
  }
  return credentials;
}

}  // namespace spec::contract
