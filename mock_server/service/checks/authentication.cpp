#include "mock_server/service/checks/authentication.hpp"

#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/contract/checking/request_credentials.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/form.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mock_server::service::checks {

namespace {

using api::CredentialLine;
using api::ErrorKind;

bool ends_token(char byte) {
  return byte == ' ' || byte == '\t' || byte == ',' || byte == '"';
}

// A text with the prefix of a token that is not a token ("dodo_test_x,y") does not fit the line.
bool is_of_line(const CredentialLine& line, std::string_view credential) {
  return line.fits(credential) && (!line.is_prefix || std::ranges::none_of(credential, ends_token));
}

const CredentialLine* line_for(const RequestContext& context, std::string_view credential) {
  const auto& lines = context.api.fixtures.credentials();
  if (!lines) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(
      *lines, [&](const CredentialLine& line) { return is_of_line(line, credential); });
  return found == lines->end() ? nullptr : &*found;
}

// Basic credentials carry a token as the user's name or as "name:password".
// Source: RFC 7617 §2.
std::string token_of(const spec::contract::GivenCredential& given) {
  const bool is_basic = given.scheme->kind == spec::contract::SecurityKind::kBasic;
  auto pair = is_basic ? spec::text::from_base64(given.text) : std::nullopt;
  if (pair && pair->ends_with(':')) {
    pair->pop_back();
  }
  return pair ? std::move(*pair) : given.text;
}

// True for a token that a login of the session issued and that has not ended, false for one that
// has; nothing for any other.
std::optional<bool> is_issued(const RequestContext& context, const std::string& token) {
  if (!context.api.fixtures.issues_tokens()) {
    return std::nullopt;
  }
  const state::Cell cell = context.session->read(issued_cell(token));
  const auto end = static_cast<std::int64_t>(state::number_in(cell));
  const auto now = context.session->now().time_since_epoch().count();
  return cell ? std::optional(end == 0 || now < end) : std::nullopt;
}

// If no credentials are named, any are accepted, of any form. A bearer token that fits only a
// prefix must have the form of a token. `line`: the token's.
bool is_taken(const RequestContext& context, const spec::contract::SecurityScheme& scheme,
              const std::string& token, const CredentialLine* line, const TakenTokens& tokens) {
  if (const auto issued = is_issued(context, token)) {
    return *issued;
  }
  if (!tokens.only.empty()) {
    return std::ranges::find(tokens.only, token) != tokens.only.end();
  }
  if (!token.empty() && token == tokens.besides) {
    return true;
  }
  if (!context.api.fixtures.credentials()) {
    return true;
  }
  const bool is_sound = scheme.kind != spec::contract::SecurityKind::kBearer ||
                        spec::contract::is_bearer_token(token);
  return line != nullptr && line->accepted && (is_sound || !line->is_prefix);
}

using GivenCredentials = std::vector<spec::contract::GivenCredential>;

struct TakenToken {
  std::string text;
  const CredentialLine* line = nullptr;
};

// The token of the first scheme, if every credential of the alternative is accepted.
std::optional<TakenToken> taken_token(const RequestContext& context,
                                      const GivenCredentials& alternative,
                                      const TakenTokens& tokens) {
  std::optional<TakenToken> first;
  for (const auto& given : alternative) {
    std::string token = token_of(given);
    const CredentialLine* const line = line_for(context, token);
    // The credential of mutual TLS is not in the request: it is empty and accepted.
    if (!given.text.empty() && !is_taken(context, *given.scheme, token, line, tokens)) {
      return std::nullopt;
    }
    if (!first) {
      first = TakenToken{std::move(token), line};
    }
  }
  return first;
}

// 403 if the credential does not allow the method.
std::optional<ChosenResponse> check_method(RequestContext& context) {
  const CredentialLine* const line = context.credential_line;
  if (line == nullptr || line->methods.empty() ||
      std::ranges::find(line->methods, context.request.method) != line->methods.end()) {
    return std::nullopt;
  }
  return reject(context, ErrorKind::kForbidden,
                "this credential does not allow " + std::string(context.method()) +
                    "; see its \"methods\" in operations.yaml");
}

// "query/key, together with header/X-Key; or header/Authorization "Bearer" and a token".
std::string ways_in(const spec::contract::Operation& operation) {
  std::string words;
  for (const auto& alternative : operation.security) {
    std::string way;
    for (const auto& scheme : alternative.schemes) {
      spec::text::append_to_list(way, describe_credential(scheme), ", together with ");
    }
    words += (words.empty() || way.empty() ? "" : "; or ") + way;
  }
  return words;
}

// Why there is no credential of an HTTP scheme, though the request may have an Authorization
// header.
std::string authorization_problem(const spec::http::Request& request,
                                  const spec::contract::SecurityScheme& scheme) {
  const auto lines = request.headers.all("Authorization");
  if (lines.empty()) {
    return "is missing";
  }
  if (lines.size() > 1) {
    return "is given more than once";
  }
  const std::string_view value = spec::http::trimmed(lines.front());
  const bool is_lone_token = value.find(' ') == std::string_view::npos &&
                             !spec::text::equals_ignoring_case(value, "Bearer");
  return scheme.kind == spec::contract::SecurityKind::kBearer && is_lone_token
             ? "has no \"Bearer\" before the token"
             : "has another form";
}

// The credentials that are missing for the first alternative.
std::string lacks(const RequestContext& context) {
  std::string words;
  for (const auto& scheme : context.operation->security.front().schemes) {
    if (!spec::contract::credential_of(context.request, scheme)) {
      const bool is_key = scheme.kind == spec::contract::SecurityKind::kApiKey;
      spec::text::append_to_list(
          words, is_key ? describe_credential(scheme) + " is missing or given more than once"
                        : "header/Authorization " + authorization_problem(context.request, scheme));
    }
  }
  return words;
}

// `use one that starts with dodo_test_, or start the mock with --token`.
std::string accepted_credentials(const RequestContext& context, const TakenTokens& tokens) {
  if (!tokens.only.empty()) {
    return "use one that --token gave to the mock";
  }
  std::string starts;
  for (const CredentialLine& line : *context.api.fixtures.credentials()) {
    if (line.is_prefix && line.accepted && line.methods.empty() && line.records.empty()) {
      spec::text::append_to_list(starts, line.text, " or ");
    }
  }
  return (starts.empty() ? std::string("use one of \"credentials\" in operations.yaml")
                         : "use one that starts with " + starts) +
         ", or start the mock with --token";
}

std::string not_accepted(const RequestContext& context, const GivenCredentials& given,
                         const TakenTokens& tokens) {
  using spec::contract::SecurityKind;
  const SecurityKind kind = given.front().scheme->kind;
  const std::string what = kind == SecurityKind::kBearer   ? "this token is"
                           : kind == SecurityKind::kApiKey ? "this API key is"
                                                           : "these credentials are";
  if (is_issued(context, token_of(given.front())) == false) {
    return what + " over by the session's clock; log in again";
  }
  const CredentialLine* const line = line_for(context, token_of(given.front()));
  const bool is_revoked = tokens.only.empty() && line != nullptr && !line->accepted;
  return what +
         (is_revoked ? " revoked (\"accepted: false\" in operations.yaml); " : " not accepted; ") +
         accepted_credentials(context, tokens);
}

std::string why_not(const RequestContext& context, const std::vector<GivenCredentials>& given,
                    const TakenTokens& tokens) {
  return given.empty()
             ? "security: must have " + ways_in(*context.operation) + ", but " + lacks(context)
             : not_accepted(context, given.front(), tokens);
}

}  // namespace

std::string issued_cell(std::string_view token) {
  return std::string(state::kIssuedCells) + std::to_string(spec::text::text_hash(token, 0));
}

std::optional<ChosenResponse> check_credentials(RequestContext& context,
                                                const TakenTokens& tokens) {
  if (context.operation->security.empty()) {
    return std::nullopt;
  }
  const auto brought = spec::contract::read_credentials(*context.operation, context.request);
  for (const auto& alternative : brought.given) {
    if (auto token = taken_token(context, alternative, tokens)) {
      context.credential = std::move(token->text);
      context.credential_line = token->line;
      return check_method(context);
    }
  }
  if (brought.satisfied_by_anyone) {
    return std::nullopt;
  }
  ChosenResponse rejection =
      reject(context, ErrorKind::kUnauthorized, why_not(context, brought.given, tokens));
  rejection.response.headers.set("WWW-Authenticate", challenges(*context.operation));
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

bool may_see(const RequestContext& context, const nlohmann::json& record) {
  if (context.credential_line == nullptr || context.credential_line->records.empty()) {
    return true;
  }
  return api::holds(context.credential_line->records, {context.reading, &record},
                    context.session->now());
}

namespace {

using spec::contract::Location;

}  // namespace

Secrets::Secrets(const spec::contract::Contract& contract) {
  std::set<std::string> fields;
  for (const auto& [location, name] : spec::contract::api_keys(contract)) {
    switch (location) {
      case Location::kQuery: parameters_.push_back(name); break;
      case Location::kHeader: fields.insert(name); break;
      case Location::kCookie: fields.insert("Cookie"); break;
      case Location::kPath:
      case Location::kQuerystring: break;
    }
  }
  fields_.assign(fields.begin(), fields.end());
}

bool Secrets::concerns(const spec::contract::Violation& violation) const {
  using spec::contract::Part;
  const auto tokens = spec::json::split_pointer(violation.instance);
  const std::string name = tokens && !tokens->empty() ? tokens->front() : "";
  const auto is_it = [&name](const std::string& one) {
    return spec::text::equals_ignoring_case(one, name);
  };
  switch (violation.part) {
    case Part::kQuery: return std::ranges::find(parameters_, name) != parameters_.end();
    case Part::kHeader: return std::ranges::any_of(fields_, is_it);
    case Part::kCookie: return std::ranges::find(fields_, "Cookie") != fields_.end();
    case Part::kPath:
    case Part::kBody:
    case Part::kStatus:
    case Part::kMediaType:
    case Part::kFraming:
    case Part::kSecurity: break;
  }
  return false;
}

std::string Secrets::hide(std::string_view target) const {
  const std::size_t mark = target.find('?');
  if (parameters_.empty() || mark == std::string_view::npos) {
    return "";
  }
  std::string shown(target.substr(0, mark));
  bool any = false;
  for (const spec::http::FormPair& pair : spec::http::split_form(target.substr(mark + 1))) {
    const bool secret =
        pair.has_equals && std::ranges::find(parameters_, pair.name) != parameters_.end();
    any = any || secret;
    shown += shown.size() == mark ? '?' : '&';
    shown += secret ? pair.text.substr(0, pair.text.size() - pair.value.size()) : pair.text;
    shown += secret ? state::kHidden : "";
  }
  return any ? shown : "";
}

}  // namespace mock_server::service::checks
