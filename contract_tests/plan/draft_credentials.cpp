// Authentication in both directions: what must be refused without a token, and what must not.

#include "contract_tests/plan/drafting.hpp"

#include <array>

namespace contract_tests::plan {

using spec::contract::StatementClass;

namespace {

struct Attempt {
  std::string_view sentence;
  std::string_view rule;
  std::string_view authorization;
};

constexpr std::array<Attempt, 7> kRefused{{
    {"without credentials nothing is given", "auth/missing", ""},
    {"an empty bearer token is refused", "auth/malformed", "Bearer"},
    {"an unknown token is refused", "auth/unknown", "Bearer counterpart-nobody-has-this-token"},
    {"a token with a letter before it is refused", "auth/unknown", "Bearer x${token}"},
    {"basic credentials are refused", "auth/malformed", "Basic Y291bnRlcnBhcnQ6Y291bnRlcnBhcnQ="},
    {"a token under another scheme is refused", "auth/malformed", "Digest ${token}"},
    {"a token without a scheme is refused", "auth/no-scheme", "${token}"},
}};

bool is_bearer(const Drafting& drafting) {
  for (const auto& alternative : drafting.operation.security) {
    for (const auto& scheme : alternative.schemes) {
      if (scheme.kind == spec::contract::SecurityKind::kBearer) {
        return true;
      }
    }
  }
  return false;
}

// A field of the record with another value.
nlohmann::json a_change(const nlohmann::json& update) {
  for (const auto& [name, field] : update.at("fields").items()) {
    if (field.value("echo", "same") == "same") {
      return {{name, field.at("values").at(0)}};
    }
  }
  return nlohmann::json::object();
}

Case refused(const Drafting& drafting, std::string_view sentence, std::string_view rule) {
  auto item = drafting.draft(std::string(sentence), std::string(rule),
                             drafting.source_of(drafting.operation.security_statement));
  item.expect.want = Want::kUnauthorized;
  const auto& update = drafting.rules.update;
  if (!update.is_null()) {  // with proof that the refused change changed nothing
    item.procedure = "refused_unchanged";
    item.data = {{"read", to_json(drafting.plain)}};
    item.request.body = a_change(update);
  }
  return item;
}

void draft_secured(const Drafting& drafting) {
  for (const auto& attempt : kRefused) {
    auto item = refused(drafting, attempt.sentence, attempt.rule);
    item.request.authorization = std::string(attempt.authorization);
    item.changed = attempt.authorization.empty()
                       ? "no header Authorization"
                       : "header Authorization: " + std::string(attempt.authorization);
    if (attempt.rule == "auth/no-scheme") {
      item.why.source.statement_class = StatementClass::kAssumption;
    }
    drafting.add(std::move(item));
  }
  for (const std::string name : {"access_token", "token", "api_key"}) {
    auto item = refused(drafting, "a token in the query as " + name + " is refused", "auth/query");
    item.why.source.statement_class = StatementClass::kAssumption;
    item.request.authorization = "";
    item.request.query.emplace_back(name, "${token}");
    item.changed = "the token in the query instead of the header";
    drafting.add(std::move(item));
  }
  auto lower = drafting.draft("the scheme may be written in lower case", "auth/scheme-case");
  lower.why.source = {};
  lower.request.authorization = "bearer ${token}";
  lower.changed = "header Authorization: bearer ${token}";
  drafting.add(std::move(lower));

  auto other = drafting.draft("the token of another account opens nothing", "auth/other-account");
  other.why.source.statement_class = StatementClass::kAssumption;
  other.request.authorization = "Bearer ${other_token}";
  other.expect.want = Want::kRefused;
  other.changed = "the token of another account";
  other.needs.other_token = true;
  drafting.add(std::move(other));
}

void draft_public(const Drafting& drafting) {
  const auto source = drafting.source_of(drafting.operation.security_statement);
  auto open = drafting.draft("no credentials are needed", "auth/public", source);
  open.request.authorization = "";
  drafting.add(std::move(open));

  auto harmless = [&](std::string sentence, std::string authorization) {
    auto item = drafting.draft(std::move(sentence), "auth/public-harmless", source);
    item.why.source.statement_class = StatementClass::kAssumption;
    item.changed = "header Authorization: " + authorization;
    item.request.authorization = std::move(authorization);
    drafting.add(std::move(item));
  };
  harmless("a token that is not needed does no harm", "Bearer ${token}");
  harmless("an unknown token that is not needed does no harm",
           "Bearer counterpart-nobody-has-this-token");
}

}  // namespace

void draft_credentials(const Drafting& drafting) {
  if (!drafting.secured) {
    draft_public(drafting);
  } else if (is_bearer(drafting)) {
    draft_secured(drafting);
  }
}

}  // namespace contract_tests::plan
