// Authentication bypass: requests without credentials but with headers or parameters that may
// confuse a server, tokens in other places, and tokens of other accounts.

#include "contract_tests/checks/documented_members.hpp"
#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/demands/credential_cases.hpp"
#include "contract_tests/demands/update_cases.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace contract_tests::demands {

namespace {

// A field of the record with another value.
nlohmann::json a_change(const plan::UpdateRules& update) {
  const auto values = update.shown_values();
  return {{values.begin().key(), values.begin().value()}};
}

// A value that the parameter takes: the rules' own where they know one, else of its type.
std::string a_value(const Drafting& drafting, const spec::contract::Parameter& parameter) {
  const auto& filters = drafting.rules.filters;
  if (filters && filters->member && filters->member->parameter == parameter.name) {
    return filters->member->value;
  }
  const auto& seen = drafting.summary({*parameter.schema});
  if (seen.format == "date-time") {
    return "2024-01-01T00:00:00Z";
  }
  return seen.is_boolean() ? "true" : "1";
}

// A query parameter of the operation, given a value that it takes.
template <typename Visit>
void each_query(const Drafting& drafting, const Visit& visit) {
  for (const auto& parameter : drafting.operation.parameters) {
    if (parameter.location == spec::contract::Location::kQuery && parameter.schema) {
      visit(parameter.name, a_value(drafting, parameter));
    }
  }
}

struct BypassHeader {
  std::string_view sentence;
  std::string_view rule;
  std::string_view header;
  std::string_view value;
};

// Headers that a faulty server accepts as credentials, or that make it skip the check.
constexpr auto kBypassHeaders = std::to_array<BypassHeader>({
    {"an empty Authorization is rejected", "auth/missing", "Authorization", ""},
    {"an Origin header does not replace credentials", "auth/missing", "Origin",
     "https://app.counterpart.example"},
    {"an unknown entity tag does not replace credentials", "auth/missing", "If-None-Match",
     "\"counterpart-gave-none\""},
    {"If-None-Match: * does not replace credentials", "auth/missing", "If-None-Match", "*"},
    {"a token in X-Api-Key is rejected", "auth/other-field", "X-Api-Key", "${token}"},
    {"a token in X-Auth-Token is rejected", "auth/other-field", "X-Auth-Token", "${token}"},
    {"a token in X-Access-Token is rejected", "auth/other-field", "X-Access-Token", "${token}"},
});

// Rules on the token itself in a place, or a form, that the contract does not have.
constexpr std::array<std::string_view, 4> kAssumed{"auth/cookie", "auth/no-scheme",
                                                   "auth/other-field", "auth/query"};

void add_fields(const Drafting& drafting) {
  for (const auto& opener : kBypassHeaders) {
    auto item = rejected_credentials(drafting, opener.sentence, opener.rule,
                                     {"header", std::string(opener.header),
                                      std::string(opener.value), "and no other credentials"});
    item.request.headers.emplace_back(opener.header, opener.value);
    if (!drafting.is_rejected(item.request)) {
      drafting.add(std::move(item));
    }
  }
  if (!drafting.plain.path.empty()) {
    auto item = rejected_credentials(
        drafting, "a percent-encoded path without credentials is rejected", "auth/missing",
        "the identifier percent-encoded, no header Authorization");
    item.request.encode_path = true;
    drafting.add(std::move(item));
  }
}

// Requests without credentials with a query parameter or a cookie: a server may check credentials
// in some of its handlers only.
void add_bypass_headers(const Drafting& drafting) {
  auto unknown =
      rejected_credentials(drafting, "an unknown token in the query is rejected", "auth/missing",
                           "an unknown token in the query, no header Authorization");
  unknown.request.query.emplace_back("access_token", "counterpart-nobody-has-this-token");
  drafting.add(std::move(unknown));
  each_query(drafting, [&drafting](const std::string& name, const std::string& value) {
    auto item = rejected_credentials(
        drafting, "a request with " + name + " but without credentials is rejected", "auth/missing",
        {"query", name, std::nullopt, "and no header Authorization"});
    item.request = with_query(std::move(item.request), name, value);
    drafting.add(std::move(item));
  });
  auto cookie = rejected_credentials(drafting, "a token in a cookie is rejected", "auth/cookie",
                                     "the token in cookies instead of the header");
  cookie.request.headers.emplace_back(
      "Cookie", "token=${token}; access_token=${token}; session=${token}; Authorization=${token}");
  drafting.add(std::move(cookie));
}

void add_other_account(const Drafting& drafting) {
  const auto add = [&drafting](std::string sentence, checks::Change changed, const Pairs& query) {
    auto other = drafting.draft(std::move(sentence), "auth/other-account");
    other.basis.source.statement_class = StatementClass::kAssumption;
    other.request.authorization = "Bearer ${other_token}";
    other.request.query.insert(other.request.query.end(), query.begin(), query.end());
    other.expect.want = Want::kRejected;
    other.changed = std::move(changed);
    other.needs.other_token = true;
    other.about_credentials = true;
    drafting.add(std::move(other));
  };
  add("the token of another account gives no access", "the token of another account", {});
  each_query(drafting, [&add](const std::string& name, const std::string& value) {
    add("the token of another account gives no access, with " + name,
        "the token of another account, query " + name, {{name, value}});
  });
}

// Texts that identify the record in a response: long enough not to occur by chance, and not part of
// the request itself.
std::set<std::string> recognizable_texts(const nlohmann::json& value, std::string_view target) {
  constexpr std::size_t kTelling = 10;
  std::vector<std::string> texts;
  checks::gather_texts(value, texts);
  std::erase_if(texts, [target](const std::string& text) {
    return text.size() < kTelling || target.find(text) != std::string_view::npos;
  });
  return {texts.begin(), texts.end()};
}

void run_silent_rejection(CaseRun& case_run) {
  const auto& plain = case_run.send();
  if (!plain.accepted || !plain.body) {
    return;
  }
  auto request = case_run.item().request;
  request.authorization = "";
  const auto& rejected = case_run.send(request, {.want = Want::kUnauthorized});
  if (!rejected.conclusive || rejected.exchange.status() / 100 != 4) {
    return;
  }
  auto data = recognizable_texts(*plain.body, plain.exchange.sent.target);
  const auto is_in = [](std::string_view text, const std::string& word) {
    return text.find(word) != std::string_view::npos;
  };
  // Texts that are in the headers of the success too (the name of the service, a policy) are not of
  // the record.
  for (const auto& line : plain.exchange.response.headers.lines()) {
    std::erase_if(data, [&](const auto& word) { return is_in(line.second, word); });
  }
  const auto validate = [&](std::string_view text, const std::string& place) {
    const auto shown =
        std::ranges::find_if(data, [&](const auto& word) { return is_in(text, word); });
    if (shown != data.end()) {
      case_run.report(
          {{case_run.item().basis.rule, place, "must not contain data of a successful response",
            "contains " + checks::shown(*shown)}},
          rejected);
    }
  };
  for (const auto& [name, value] : rejected.exchange.response.headers.lines()) {
    validate(value, "header/" + name);
  }
  validate(rejected.exchange.response.body, "body");
}

// A rejection must not contain the data of the record, in headers or body.
void add_silence(const Drafting& drafting) {
  auto item =
      drafting.draft("a rejection contains no data in headers or body", "auth/data-in-rejection",
                     drafting.source_of(drafting.operation.security_statement));
  item.run = &run_silent_rejection;
  item.about_credentials = true;
  item.changed = "no header Authorization";
  drafting.add(std::move(item));
}

}  // namespace

Case rejected_credentials(const Drafting& drafting, std::string_view sentence,
                          std::string_view rule, checks::Change changed) {
  auto item = drafting.draft(std::string(sentence), std::string(rule),
                             drafting.source_of(drafting.operation.security_statement));
  if (std::ranges::find(kAssumed, rule) != kAssumed.end()) {
    item.basis.source.statement_class = StatementClass::kAssumption;
  }
  item.expect.want = Want::kUnauthorized;
  item.about_credentials = true;
  item.changed = std::move(changed);
  item.request.authorization = "";
  if (const auto& update = drafting.rules.update) {
    keep_record(drafting, item);
    item.request.body = a_change(*update);
  }
  return item;
}

void add_head_without(const Drafting& drafting, const std::string& lack) {
  if (drafting.operation.method == "GET") {
    auto head = rejected_credentials(drafting, "HEAD without credentials is rejected",
                                     "auth/missing", "method HEAD, " + lack);
    head.request.method = "HEAD";
    drafting.add(std::move(head));
  }
}

void add_bypass_cases(const Drafting& drafting) {
  add_bypass_headers(drafting);
  add_fields(drafting);
  add_other_account(drafting);
  add_silence(drafting);
}

}  // namespace contract_tests::demands
