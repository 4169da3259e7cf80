#include "mock_server/service/credentials.hpp"

#include "mock_server/service/refusal.hpp"

#include <algorithm>

namespace mock_server::service {
namespace {

using fixtures::CredentialLine;
using fixtures::ErrorKind;

// What starts like a token and goes on like none ("dodo_test_x,y") is not of its family.
bool is_of_line(const CredentialLine& line, std::string_view credential) {
  return line.fits(credential) &&
         (!line.is_prefix || credential.find_first_of(" \t,\"") == std::string_view::npos);
}

const CredentialLine* line_for(const Call& call, std::string_view credential) {
  const auto& lines = call.world.fixtures.credentials();
  if (!lines) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(
      *lines, [&](const CredentialLine& line) { return is_of_line(line, credential); });
  return found == lines->end() ? nullptr : &*found;
}

bool is_taken(const Call& call, std::string_view credential, const TakenTokens& tokens) {
  if (!tokens.only.empty()) {
    return std::ranges::find(tokens.only, credential) != tokens.only.end();
  }
  if (!call.world.fixtures.credentials() || credential == tokens.besides) {
    return true;
  }
  const CredentialLine* const line = line_for(call, credential);
  return line != nullptr && line->accepted;
}

// The schemes that would do, as a challenge each; Bearer when the document names none that HTTP
// knows. Source: RFC 9110 §11.6.1.
std::string challenges(const spec::contract::Operation& operation) {
  std::string text;
  const auto add = [&](std::string_view challenge) {
    if (text.find(challenge) == std::string::npos) {
      text += (text.empty() ? "" : ", ") + std::string(challenge);
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
      }
    }
  }
  return text.empty() ? "Bearer" : text;
}

std::string why_not(const Call& call, bool something_given) {
  if (something_given) {
    return "security: must hold a credential that is known but this one is not, or was revoked";
  }
  std::string words;
  for (const auto& alternative : call.operation->security) {
    for (const auto& scheme : alternative.schemes) {
      words = scheme.kind == spec::contract::SecurityKind::kApiKey
                  ? "security: must have " + scheme.parameter + " but it is missing"
                  : "header/Authorization: must be \"Bearer\" and a token but " +
                        std::string(call.request.headers.has("Authorization") ? "is something else"
                                                                              : "is missing");
    }
  }
  return words;
}

}  // namespace

std::optional<Outcome> check_credentials(Call& call, const TakenTokens& tokens) {
  if (call.operation->security.empty()) {
    return std::nullopt;
  }
  const auto brought = spec::contract::read_credentials(*call.operation, call.request);
  for (const auto& alternative : brought.given) {
    const bool all = std::ranges::all_of(alternative, [&](const auto& credential) {
      return is_taken(call, credential.second, tokens);
    });
    if (!all || alternative.empty()) {
      continue;
    }
    call.credential = alternative.front().second;
    call.credential_line = line_for(call, call.credential);
    const auto* const line = call.credential_line;
    if (line != nullptr && !line->methods.empty() &&
        std::ranges::find(line->methods, call.request.method) == line->methods.end()) {
      return refuse(call, ErrorKind::kForbidden,
                    "security: must be a credential that may " + call.request.method +
                        " but this one may not");
    }
    return std::nullopt;
  }
  if (brought.satisfied_by_anyone) {
    return std::nullopt;
  }
  Outcome refusal = refuse(call, ErrorKind::kUnauthorized, why_not(call, !brought.given.empty()));
  refusal.response.headers.set("WWW-Authenticate", challenges(*call.operation));
  return refusal;
}

bool may_see(const Call& call, const nlohmann::json& record) {
  if (call.credential_line == nullptr || call.credential_line->records.empty()) {
    return true;
  }
  return fixtures::holds(call.credential_line->records, {call.reading, &record},
                         call.session->now());
}

}  // namespace mock_server::service
