#include "spec/contract/checking/request_credentials.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/form.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>

namespace spec::contract {

namespace {

// The value of the only line of that name.
std::optional<std::string_view> only_line(const http::Headers& headers, std::string_view name) {
  std::optional<std::string_view> value;
  for (const auto& line : headers.lines()) {
    if (text::equals_ignoring_case(line.first, name)) {
      if (value) {
        return std::nullopt;
      }
      value = line.second;
    }
  }
  return value;
}

// The text behind the scheme in the only Authorization field, never empty. Source: RFC 9110 §11.4,
// §11.6.2.
std::optional<std::string> behind_scheme(const http::Request& request, std::string_view scheme) {
  const std::string_view line = only_line(request.headers, "Authorization").value_or("");
  // Some contracts write more than one word as the scheme ("Token token").
  const std::string_view behind = line.substr(std::min(scheme.size(), line.size()));
  if (behind.empty() || !http::is_blank(behind.front()) ||
      !text::equals_ignoring_case(line.substr(0, scheme.size()), scheme)) {
    return std::nullopt;
  }
  const std::string_view credential = http::trimmed(behind);
  return credential.empty() ? std::nullopt : std::optional(std::string(credential));
}

// "name:password" in base64, as it came.
std::optional<std::string> basic_pair(const http::Request& request) {
  auto text = behind_scheme(request, "Basic");
  const auto pair = text ? text::from_base64(*text) : std::nullopt;
  return pair && pair->find(':') != std::string::npos ? text : std::nullopt;
}

// The value of the only pair of that name.
std::optional<std::string> value_of(const std::vector<http::FormPair>& pairs, std::string_view name,
                                    bool plus_is_blank) {
  const auto is_named = [name](const http::FormPair& pair) { return pair.name == name; };
  const auto found = std::find_if(pairs.begin(), pairs.end(), is_named);
  if (found == pairs.end() || found->value.empty() ||
      std::count_if(pairs.begin(), pairs.end(), is_named) > 1) {
    return std::nullopt;
  }
  return text::percent_decode(found->value, plus_is_blank).value_or(std::string(found->value));
}

std::optional<std::string> api_key(const http::Request& request, const SecurityScheme& scheme) {
  if (scheme.location == Location::kQuery) {
    return value_of(http::split_form(http::query_of(request.target)), scheme.parameter, true);
  }
  if (scheme.location == Location::kCookie) {
    std::vector<http::FormPair> cookies;
    for (const std::string_view line : request.headers.all("Cookie")) {
      const auto pairs = http::split_cookies(line);
      cookies.insert(cookies.end(), pairs.begin(), pairs.end());
    }
    return value_of(cookies, scheme.parameter, false);
  }
  const std::string_view line = only_line(request.headers, scheme.parameter).value_or("");
  return line.empty() ? std::nullopt : std::optional(std::string(line));
}

}  // namespace

std::optional<std::string> credential_of(const http::Request& request,
                                         const SecurityScheme& scheme) {
  switch (scheme.kind) {
    case SecurityKind::kBearer: return behind_scheme(request, "Bearer");
    case SecurityKind::kBasic: return basic_pair(request);
    case SecurityKind::kApiKey: return api_key(request, scheme);
    case SecurityKind::kOther: break;
  }
  // Mutual TLS happens below HTTP: the message cannot show it.
  return scheme.http_scheme.empty() ? std::optional<std::string>("")
                                    : behind_scheme(request, scheme.http_scheme);
}

bool is_bearer_token(std::string_view text) {
  const std::size_t end = std::min(text.find('='), text.size());
  const auto is_letter = [](char c) {
    return text::is_letter_or_digit(c) ||
           std::string_view("-._~+/").find(c) != std::string_view::npos;
  };
  return end > 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), is_letter) &&
         text.find_first_not_of('=', end) == std::string_view::npos;
}

std::string describe_credential(const SecurityScheme& scheme) {
  switch (scheme.kind) {
    case SecurityKind::kBearer: return "header/Authorization \"Bearer\" and a token";
    case SecurityKind::kBasic: return "header/Authorization \"Basic\" and name:password in base64";
    case SecurityKind::kApiKey: break;
    case SecurityKind::kOther:
      return scheme.http_scheme.empty()
                 ? "a client certificate"
                 : "header/Authorization \"" + scheme.http_scheme + "\" and credentials";
  }
  return std::string(to_text(part_of(scheme.location))) + '/' + scheme.parameter;
}

Credentials read_credentials(const Operation& operation, const http::Request& request) {
  Credentials credentials;
  credentials.satisfied_by_anyone = !operation.is_secured();
  for (const SecurityRequirement& alternative : operation.security) {
    if (alternative.schemes.empty()) {
      continue;
    }
    std::vector<GivenCredential> given;
    for (const SecurityScheme& scheme : alternative.schemes) {
      if (auto credential = credential_of(request, scheme)) {
        given.push_back({&scheme, std::move(*credential)});
      }
    }
    if (given.size() == alternative.schemes.size()) {
      credentials.given.push_back(std::move(given));
    }
  }
  return credentials;
}

std::set<std::pair<Location, std::string>> api_keys(const Contract& contract) {
  std::set<std::pair<Location, std::string>> keys;
  for (const Operation& operation : contract.operations()) {
    for (const SecurityRequirement& alternative : operation.security) {
      for (const SecurityScheme& scheme : alternative.schemes) {
        if (scheme.kind == SecurityKind::kApiKey) {
          keys.emplace(scheme.location, scheme.parameter);
        }
      }
    }
  }
  return keys;
}

}  // namespace spec::contract
