#include "mock_server/service/credentials.hpp"

#include "mock_server/service/error_response.hpp"
#include "spec/contract/checking/credentials.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>

namespace mock_server::service {
namespace {

using fixtures::CredentialLine;
using fixtures::ErrorKind;

bool ends_token(char byte) {
  return byte == ' ' || byte == '\t' || byte == ',' || byte == '"';
}

// What starts like a token and goes on like none ("dodo_test_x,y") is not of its family.
bool is_of_line(const CredentialLine& line, std::string_view credential) {
  return line.fits(credential) && (!line.is_prefix || std::ranges::none_of(credential, ends_token));
}

const CredentialLine* line_for(const Call& call, std::string_view credential) {
  const auto& lines = call.api.fixtures.credentials();
  if (!lines) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(
      *lines, [&](const CredentialLine& line) { return is_of_line(line, credential); });
  return found == lines->end() ? nullptr : &*found;
}

const spec::contract::SecurityScheme* find_scheme(const spec::contract::Operation& operation,
                                                  std::string_view name) {
  for (const auto& alternative : operation.security) {
    for (const auto& scheme : alternative.schemes) {
      if (scheme.name == name) {
        return &scheme;
      }
    }
  }
  return nullptr;
}

// Basic credentials carry a token as the user's name or as "name:password".
// Source: RFC 7617 §2.
std::string token_of(const spec::contract::SecurityScheme& scheme, const std::string& credential) {
  const bool is_basic = scheme.kind == spec::contract::SecurityKind::kBasic;
  auto pair = is_basic ? spec::text::from_base64(credential) : std::nullopt;
  if (pair && pair->ends_with(':')) {
    pair->pop_back();
  }
  return pair.value_or(credential);
}

// Where nobody names credentials any will do, whatever its form. A bearer token of a family
// ("dodo_test_...") that nobody wrote out must at least have the form of one.
bool is_taken(const Call& call, const spec::contract::SecurityScheme& scheme,
              const std::string& token, const TakenTokens& tokens) {
  if (!tokens.only.empty()) {
    return std::ranges::find(tokens.only, token) != tokens.only.end();
  }
  if (!token.empty() && token == tokens.besides) {
    return true;
  }
  if (!call.api.fixtures.credentials()) {
    return true;
  }
  const bool is_sound = scheme.kind != spec::contract::SecurityKind::kBearer ||
                        spec::contract::is_bearer_token(token);
  const CredentialLine* const line = line_for(call, token);
  return line != nullptr && line->accepted && (is_sound || !line->is_prefix);
}

using GivenCredentials = std::vector<std::pair<std::string, std::string>>;

// The token of the first scheme when every credential of an alternative is taken.
std::optional<std::string> taken_token(const Call& call, const GivenCredentials& alternative,
                                       const TakenTokens& tokens) {
  std::optional<std::string> first;
  for (const auto& [name, credential] : alternative) {
    const auto& scheme = *find_scheme(*call.operation, name);
    std::string token = token_of(scheme, credential);
    // No message shows that of mutual TLS: it is empty, and good.
    if (!credential.empty() && !is_taken(call, scheme, token, tokens)) {
      return std::nullopt;
    }
    if (!first) {
      first = std::move(token);
    }
  }
  return first;
}

// 403 when the credential may read, say, but not change.
std::optional<Outcome> check_method(Call& call) {
  const CredentialLine* const line = call.credential_line;
  if (line == nullptr || line->methods.empty() ||
      std::ranges::find(line->methods, call.request.method) != line->methods.end()) {
    return std::nullopt;
  }
  return reject(
      call, ErrorKind::kForbidden,
      "security: must be a credential that may " + call.request.method + ", but this one may not");
}

// "query/key, together with header/X-Key; or header/Authorization "Bearer" and a token".
std::string ways_in(const spec::contract::Operation& operation) {
  std::string words;
  for (const auto& alternative : operation.security) {
    std::string way;
    for (const auto& scheme : alternative.schemes) {
      spec::text::append_to_list(way, in_words(scheme), ", together with ");
    }
    words += (words.empty() || way.empty() ? "" : "; or ") + way;
  }
  return words;
}

// What the first alternative lacks.
std::string lacks(const Call& call) {
  std::string words;
  for (const auto& scheme : call.operation->security.front().schemes) {
    if (!spec::contract::credential_of(call.request, scheme)) {
      const bool is_key = scheme.kind == spec::contract::SecurityKind::kApiKey;
      const bool is_there = !is_key && call.request.headers.has("Authorization");
      spec::text::append_to_list(
          words, is_key ? in_words(scheme) + " is missing or given more than once"
                        : std::string("header/Authorization is ") +
                              (is_there ? "something else or given more than once" : "missing"));
    }
  }
  return words;
}

std::string why_not(const Call& call, bool something_given) {
  if (something_given) {
    return "security: must hold a credential that is known, but this one is not, or was revoked";
  }
  return "security: must have " + ways_in(*call.operation) + ", but " + lacks(call);
}

}  // namespace

std::optional<Outcome> check_credentials(Call& call, const TakenTokens& tokens) {
  if (call.operation->security.empty()) {
    return std::nullopt;
  }
  const auto brought = spec::contract::read_credentials(*call.operation, call.request);
  for (const auto& alternative : brought.given) {
    if (auto token = taken_token(call, alternative, tokens)) {
      call.credential = std::move(*token);
      call.credential_line = line_for(call, call.credential);
      return check_method(call);
    }
  }
  if (brought.satisfied_by_anyone) {
    return std::nullopt;
  }
  Outcome rejection = reject(call, ErrorKind::kUnauthorized, why_not(call, !brought.given.empty()));
  rejection.response.headers.set("WWW-Authenticate", challenges(*call.operation));
  return rejection;
}

std::string challenges(const spec::contract::Operation& operation) {
  std::string text;
  const auto add = [&](std::string_view challenge) {
    if (text.find(challenge) == std::string::npos) {
      spec::text::append_to_list(text, challenge);
    }
  };
  for (const auto& alternative : operation.security) {
    for (const auto& scheme : alternative.schemes) {
      if (scheme.kind == spec::contract::SecurityKind::kBearer) {
        add("Bearer");
      } else if (scheme.kind == spec::contract::SecurityKind::kBasic) {
        add("Basic realm=\"counterpart\"");
      } else if (scheme.kind == spec::contract::SecurityKind::kApiKey) {
        add("ApiKey");
      } else if (!scheme.http_scheme.empty()) {
        add(scheme.http_scheme);
      }
    }
  }
  return text.empty() ? "Bearer" : text;
}

bool may_see(const Call& call, const nlohmann::json& record) {
  if (call.credential_line == nullptr || call.credential_line->records.empty()) {
    return true;
  }
  return fixtures::holds(call.credential_line->records, {call.reading, &record},
                         call.session->now());
}

}  // namespace mock_server::service
