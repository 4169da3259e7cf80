#include "contract_tests/demands/credential_cases.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace contract_tests::demands {

using spec::contract::SecurityRequirement;
using spec::contract::SecurityScheme;

namespace {

struct Attempt {
  std::string_view sentence;
  std::string_view rule;
  std::string_view authorization;
  bool of_any_kind = false;  // whether API keys and basic credentials can be wrong like this
};

constexpr std::string_view kBearer = "Bearer ";
constexpr std::string_view kToken = "token";

constexpr std::string_view kLongToken =
    "Bearer "
    "counterpart-nobody-has-this-token-counterpart-nobody-has-this-token-counterpart-nobody-has-"
    "this-"
    "token-counterpart-nobody-has-this-token-counterpart-nobody-has-this-token-counterpart-nobody-"
    "has-this-token-counterpart-nobody-has-this-token-counterpart-nobody-has-this-token-"
    "counterpart";

constexpr std::array<Attempt, 18> kRejected{{
    {"a request without credentials is rejected", "auth/missing", ""},
    {"an empty bearer token is rejected", "auth/malformed", "Bearer"},
    {"an unknown token is rejected", "auth/unknown", "Bearer counterpart-nobody-has-this-token"},
    {"a token with a letter before it is rejected", "auth/unknown", "Bearer x${token}", true},
    {"a third of a token is rejected", "auth/unknown", "Bearer ${third.token}", true},
    {"a token with text after it is rejected", "auth/unknown", "Bearer ${token},x", true},
    {"a token in the other letter case is rejected", "auth/unknown", "Bearer ${case.token}", true},
    {"the word null as a token is rejected", "auth/unknown", "Bearer null", true},
    {"the word undefined as a token is rejected", "auth/unknown", "Bearer undefined", true},
    {"basic credentials are rejected", "auth/malformed", "Basic Y291bnRlcnBhcnQ6Y291bnRlcnBhcnQ="},
    {"a token as the user name of Basic credentials is rejected", "auth/malformed",
     "Basic ${basic.token}"},
    {"a token with another scheme is rejected", "auth/malformed", "Digest ${token}"},
    {"a token with the scheme Token is rejected", "auth/malformed", "Token ${token}"},
    {"a token of one letter is rejected", "auth/unknown", "Bearer x", true},
    {"a token of 300 letters is rejected", "auth/unknown", kLongToken, true},
    {"an unsigned JWT is rejected", "auth/unknown", "Bearer eyJhbGciOiJub25lIn0.e30."},
    {"a token of three meaningless parts is rejected", "auth/unknown", "Bearer a.b.c"},
    {"a token without a scheme is rejected", "auth/no-scheme", "${token}"},
}};

// The operation needs one bearer token: any other form must be rejected.
bool is_bearer(const Drafting& drafting) {
  const auto& security = drafting.operation.security;
  return security.size() == 1 && security.front().schemes.size() == 1 &&
         security.front().schemes.front().kind == spec::contract::SecurityKind::kBearer;
}

// The scheme that one credential alone must satisfy; null if the operation has another need.
const SecurityScheme* only_scheme(const spec::contract::Operation& operation) {
  const auto& first = operation.security.front().schemes;
  return first.size() == 1 ? &first.front() : nullptr;
}

// The text that a request has instead of its credential, without the scheme.
std::string made_up_in(const RequestPlan& request) {
  if (request.credentials && !request.credentials->empty()) {
    return request.credentials->front().second;
  }
  const auto text = request.authorization.value_or("");
  return text.starts_with(kBearer) ? text.substr(kBearer.size()) : "";
}

// A made-up credential may be the real token of a service: "x", "null".
bool is_real(const plan::Names& names, const std::string& credential) {
  return std::ranges::any_of(names.values(), [&credential](const auto& entry) {
    const auto& [name, value] = entry;
    return plan::is_credential(name) && !value.empty() &&
           plan::basic_credentials(credential) == plan::basic_credentials(value);
  });
}

// Why the service may accept what the request brings; "" if it must not. Beside a key as the
// user name, a service may take any password, for which "x" is usual; and the letter case of
// hexadecimal digits may say nothing.
std::string why_acceptable(const CaseRun& case_run) {
  constexpr std::size_t kShortestSecret = 8;
  const auto& names = case_run.settings().names;
  const auto* scheme = only_scheme(case_run.operation());
  const auto made_up = made_up_in(case_run.item().request);
  const auto name = plan::credential_name(scheme == nullptr ? "" : scheme->name, names);
  const auto sent = plan::fill(std::string_view(plan::phrase_about(made_up, name)), names);
  if (sent && is_real(names, sent.value())) {
    return "the token of the run is the one that this case makes up";
  }
  const auto real = names.find(name).value_or("");
  const bool is_basic = scheme != nullptr && scheme->kind == spec::contract::SecurityKind::kBasic;
  const auto colon = is_basic ? real.find(':') : std::string::npos;
  const auto secret = std::string_view(real).substr(colon == std::string::npos ? 0 : colon + 1);
  const bool cased = made_up.find("${case.") != std::string::npos;
  if (cased && !secret.empty() && std::ranges::all_of(secret, [](char byte) {
        return byte == '-' || spec::text::is_hex_digit(byte);
      })) {
    return "the token of the run has no letters but hexadecimal digits, whose case may mean "
           "nothing";
  }
  const bool changed = made_up.find("${") != std::string::npos;
  if (changed && colon != std::string::npos && secret.size() < kShortestSecret) {
    return "the password of the run is so short that the user name may be all that counts";
  }
  return "";
}

void leave_out_acceptable(Case& item) {
  item.sends_its_request_alone = !item.run;
  item.run = [run = std::move(item.run)](CaseRun& case_run) {
    if (auto why = why_acceptable(case_run); !why.empty()) {
      case_run.skip(why);
    } else if (run) {
      run(case_run);
    } else {
      case_run.send();
    }
  };
}

// The case that explains the other ones about credentials.
void make_unauthenticated(Case& item) {
  item.is_unauthenticated = true;
  item.about_credentials = false;
}

void add_secured(const Drafting& drafting) {
  for (const auto& attempt : kRejected) {
    const bool none = attempt.authorization.empty();
    auto item = rejected_credentials(
        drafting, attempt.sentence, attempt.rule,
        none ? checks::Change("no header Authorization")
             : checks::Change("header", "Authorization", std::string(attempt.authorization)));
    item.request.authorization = std::string(attempt.authorization);
    if (none) {
      make_unauthenticated(item);
    }
    leave_out_acceptable(item);
    drafting.add(std::move(item));
  }
  for (const std::string name : {"access_token", "token", "api_key"}) {
    auto item = rejected_credentials(drafting, "a token in the query as " + name + " is rejected",
                                     "auth/query", "the token in the query instead of the header");
    item.request.query.emplace_back(name, "${token}");
    drafting.add(std::move(item));
  }
  add_head_without(drafting, "no header Authorization");
  add_bypass_cases(drafting);
  auto lower =
      drafting.draft_by_book("the scheme may be written in lower case", "auth/scheme-case");
  lower.request.authorization = "bearer ${token}";
  lower.changed = {"header", "Authorization", "bearer ${token}"};
  drafting.add(std::move(lower));
}

bool is_seen(const SecurityScheme& scheme) {
  return scheme.kind != spec::contract::SecurityKind::kOther || !scheme.http_scheme.empty();
}

// True if HTTP shows that a request without credentials has none: TLS may bring them too.
bool shows_lack(const spec::contract::Operation& operation) {
  return std::ranges::all_of(operation.security, [](const auto& alternative) {
    return std::ranges::any_of(alternative.schemes, &is_seen);
  });
}

Pairs credentials_of(const SecurityRequirement& alternative, const std::string& but_not = {}) {
  Pairs pairs;
  for (const auto& scheme : alternative.schemes) {
    if (scheme.name != but_not) {
      pairs.emplace_back(scheme.name, "${token}");
    }
  }
  return pairs;
}

// The place of the scheme's credentials in a request: "header authorization", "query key".
std::string credential_place(const SecurityScheme& scheme) {
  using spec::contract::Location;
  if (scheme.kind != spec::contract::SecurityKind::kApiKey) {
    return "header authorization";
  }
  return scheme.location == Location::kHeader  ? "header " + spec::text::to_lower(scheme.parameter)
         : scheme.location == Location::kQuery ? "query " + scheme.parameter
                                               : "cookie " + scheme.parameter;
}

// True if a request without the credentials of `scheme` alone lacks something: two schemes that use
// one header have one text there.
bool is_alone_in_its_place(const SecurityRequirement& alternative, const SecurityScheme& scheme) {
  return std::ranges::count(alternative.schemes, credential_place(scheme), &credential_place) == 1;
}

// Every scheme of the only alternative is needed.
void add_parts(const Drafting& drafting, const SecurityRequirement& alternative) {
  for (const auto& scheme : alternative.schemes) {
    if (alternative.schemes.size() > 1 && is_seen(scheme) &&
        is_alone_in_its_place(alternative, scheme)) {
      auto item = rejected_credentials(
          drafting, "a request without credentials for " + scheme.name + " is rejected",
          "auth/missing", "no credentials for " + scheme.name);
      item.request.authorization.reset();
      item.request.credentials = credentials_of(alternative, scheme.name);
      drafting.add(std::move(item));
    }
  }
}

// The token of a run is for one alternative, and it is unknown for which: another one is tried
// where it has credentials of its own. The mock takes its token for every scheme.
void run_alternative(CaseRun& case_run) {
  const auto& settings = case_run.settings();
  const auto& credentials = *case_run.item().request.credentials;
  const bool is_usual =
      credentials == plan::usual_credentials(case_run.operation(), settings.names);
  const auto missing = std::ranges::find_if(credentials, [&settings](const auto& pair) {
    return !settings.names.find("credentials." + pair.first);
  });
  if (settings.target == run::Target::kMock || is_usual || missing == credentials.end()) {
    case_run.send();
  } else {
    case_run.skip("no credentials are given for " + missing->first +
                  "; name them with --subjects (credentials: {" + missing->first + ": text})");
  }
}

// The rejected tokens, as they are for a key, or a name and a password. A letter before these is a
// change of the name alone, at which a service with keys as passwords need not look.
void add_changed(const Drafting& drafting, const SecurityScheme& scheme, std::string_view noun) {
  const auto add = [&](const std::string& sentence, std::string_view rule, std::string made_up) {
    auto item =
        rejected_credentials(drafting, sentence, rule, credential_place(scheme) + ": " + made_up);
    item.request.authorization.reset();
    item.request.credentials = Pairs{{scheme.name, std::move(made_up)}};
    leave_out_acceptable(item);
    drafting.add(std::move(item));
  };
  // The empty name and password, ":", are well-formed. Source: RFC 7617 §2.
  const bool is_well_formed = scheme.kind == spec::contract::SecurityKind::kBasic;
  add("an empty " + std::string(noun) + " is rejected",
      is_well_formed ? "auth/unknown" : "auth/malformed", "");
  for (const auto& attempt : kRejected) {
    const bool of_name = scheme.kind == spec::contract::SecurityKind::kBasic &&
                         attempt.authorization.ends_with("${token}");
    if (attempt.of_any_kind && !of_name) {
      std::string sentence(attempt.sentence);
      sentence.replace(sentence.find(kToken), kToken.size(), noun);
      add(sentence, attempt.rule, std::string(attempt.authorization.substr(kBearer.size())));
    }
  }
}

constexpr std::array<Attempt, 4> kNotBasic{{
    {"the scheme Basic without credentials is rejected", "auth/malformed", "Basic"},
    {"Basic credentials without a colon are rejected", "auth/malformed", "Basic Y291bnRlcnBhcnQ="},
    {"a name and a password with the scheme Bearer are rejected", "auth/malformed",
     "Bearer ${basic.token}"},
    {"a name and a password with an unknown scheme are rejected", "auth/malformed",
     "Counterpart ${basic.token}"},
}};

// One credential that is another than that of the run, or in another form.
void add_wrong(const Drafting& drafting, const SecurityScheme& scheme) {
  using spec::contract::SecurityKind;
  if (scheme.kind == SecurityKind::kApiKey) {
    add_changed(drafting, scheme, "key");
  } else if (scheme.kind == SecurityKind::kBasic) {
    add_changed(drafting, scheme, "name and password");
  }
  if (scheme.kind == SecurityKind::kBasic && drafting.operation.security.size() == 1) {
    for (const auto& attempt : kNotBasic) {
      auto item = rejected_credentials(
          drafting, attempt.sentence, attempt.rule,
          checks::Change("header", "Authorization", std::string(attempt.authorization)));
      item.request.authorization = std::string(attempt.authorization);
      drafting.add(std::move(item));
    }
  }
}

// Credentials of any kind: none, a part of them, wrong ones, each alternative by itself.
void add_schemes(const Drafting& drafting) {
  const auto& security = drafting.operation.security;
  if (shows_lack(drafting.operation)) {
    auto item = rejected_credentials(drafting, "a request without credentials is rejected",
                                     "auth/missing", "no credentials");
    make_unauthenticated(item);
    drafting.add(std::move(item));

    auto unknown = rejected_credentials(drafting, "unknown credentials are rejected",
                                        "auth/unknown", "unknown credentials");
    unknown.request.authorization.reset();
    auto pairs = credentials_of(security.front());
    for (auto& [name, credential] : pairs) {
      credential = "counterpart:nobody-has-this";
    }
    unknown.request.credentials = std::move(pairs);
    drafting.add(std::move(unknown));
    add_head_without(drafting, "no credentials");
    if (const auto* scheme = only_scheme(drafting.operation)) {
      add_wrong(drafting, *scheme);
    }
  }
  if (security.size() == 1) {
    add_parts(drafting, security.front());
    return;
  }
  for (const auto& alternative : security) {
    auto pairs = credentials_of(alternative);
    std::string names;
    for (const auto& [name, credential] : pairs) {
      names += (names.empty() ? "" : " and ") + name;
    }
    auto item =
        drafting.draft("credentials for " + names + " alone are accepted", "auth/alternative",
                       drafting.source_of(drafting.operation.security_statement));
    item.request.credentials = std::move(pairs);
    item.run = &run_alternative;
    item.changed = "credentials for " + names + " alone";
    drafting.add(std::move(item));
  }
}

void add_public(const Drafting& drafting) {
  const auto source = drafting.source_of(drafting.operation.security_statement);
  auto open = drafting.draft("a request without credentials succeeds", "auth/public", source);
  open.request.authorization = "";
  drafting.add(std::move(open));

  auto harmless = [&](std::string sentence, std::string authorization) {
    auto item = drafting.draft(std::move(sentence), "auth/public-harmless", source);
    item.basis.source.statement_class = StatementClass::kAssumption;
    item.changed = {"header", "Authorization", authorization};
    item.request.authorization = std::move(authorization);
    drafting.add(std::move(item));
  };
  harmless("a token that is not needed is ignored", "Bearer ${token}");
  harmless("an unknown token that is not needed is ignored",
           "Bearer counterpart-nobody-has-this-token");
  harmless("an empty token that is not needed is ignored", "Bearer");
  harmless("basic credentials that are not needed are ignored",
           "Basic Y291bnRlcnBhcnQ6Y291bnRlcnBhcnQ=");
  harmless("credentials of an unknown scheme that are not needed are ignored", "Counterpart x");
  harmless("a token without a scheme that is not needed is ignored", "${token}");
  harmless("an expired JWT that is not needed is ignored",
           "Bearer eyJhbGciOiJub25lIn0.eyJleHAiOjF9.");
}

}  // namespace

void add_credential_cases(const Drafting& drafting) {
  if (!drafting.operation.is_secured()) {
    add_public(drafting);
  } else if (is_bearer(drafting)) {
    add_secured(drafting);
  } else {
    add_schemes(drafting);
  }
}

}  // namespace contract_tests::demands
