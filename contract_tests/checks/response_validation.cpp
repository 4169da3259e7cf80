#include "contract_tests/checks/response_validation.hpp"

#include "contract_tests/checks/documented_members.hpp"
#include "contract_tests/checks/header_fields.hpp"
#include "contract_tests/checks/normal_form.hpp"
#include "contract_tests/checks/response_rules.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/charset.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <span>

namespace contract_tests::checks {

using client::Exchange;
using spec::contract::Part;
using spec::contract::Violation;

namespace {

// Said by HTTP before or beside an operation: their content is not the operation's.
constexpr std::array<int, 12> kOfHttp{206, 304, 405, 406, 408, 411, 412, 413, 414, 416, 417, 431};

bool belongs_to_http(int status) {
  return std::ranges::find(kOfHttp, status) != kOfHttp.end();
}

std::optional<spec::http::MediaType> media_type(const Exchange& exchange) {
  const auto field = exchange.response.headers.find("Content-Type");
  return field ? spec::http::parse_media_type(*field) : std::nullopt;
}

// The content of the governing response that the media type falls under; null if none.
const spec::contract::MediaTypeObject* content_for(const spec::contract::Operation& operation,
                                                   int status, const spec::http::MediaType& type) {
  const auto* response = operation.response(status);
  if (response == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(response->contents, [&type](const auto& content) {
    return spec::http::includes(content.media_type, type);
  });
  return found == response->contents.end() ? nullptr : &*found;
}

std::string rule_of(const Violation& violation) {
  if (violation.part == Part::kStatus) {
    return "status/undeclared";
  }
  return "schema/" + (violation.part == Part::kMediaType ? "media-type"
                      : violation.part == Part::kHeader  ? "header"
                                                         : violation.rule);
}

// True if the schemas are of the members of a map: not only the schema `false`.
bool allow_any(const spec::schema::Summaries& summaries, const spec::schema::Schemas& schemas) {
  return std::ranges::any_of(schemas,
                             [&](auto schema) { return summaries.summary_of(schema).types != 0; });
}

// The place in the body with "*" for each name that the contract leaves to the data: of a member by
// additionalProperties or patternProperties. "" if there is none.
std::string kind_place(const ResponseQuestion& question, const Violation& violation) {
  const auto type = media_type(question.exchange);
  const auto* content =
      type ? content_for(question.operation, question.exchange.status(), *type) : nullptr;
  auto tokens = spec::json::split_pointer(violation.instance);
  if (violation.part != Part::kBody || content == nullptr || !content->schema || !tokens) {
    return {};
  }
  const auto& summaries = question.contract.summaries();
  const bool has_items = content->kind == spec::contract::BodyKind::kItems && content->item_schema;
  spec::schema::Schemas schemas{has_items ? *content->item_schema : *content->schema};
  bool any = false;
  for (auto& token : std::span(*tokens).subspan(has_items && !tokens->empty() ? 1 : 0)) {
    const auto& seen = summaries.summary_of(schemas);
    const auto& below = seen.part(token);
    if (&below == &seen.others) {
      if (!allow_any(summaries, below)) {
        return {};
      }
      token = "*";
      any = true;
    }
    schemas = below;
  }
  return any ? std::string(to_text(Part::kBody)) + spec::json::pointer_of(*tokens) : "";
}

RuleViolation to_violation(const ResponseQuestion& question, const Violation& violation) {
  RuleViolation rule_violation;
  rule_violation.rule = question.exchange.status() >= 400 && violation.part != Part::kStatus
                            ? "error/shape"
                            : rule_of(violation);
  rule_violation.place = std::string(to_text(violation.part)) + violation.instance;
  rule_violation.kind_place = kind_place(question, violation);
  rule_violation.must = violation.message.must;
  rule_violation.is = violation.message.is;
  rule_violation.property = violation.message.property;
  if (violation.part != Part::kStatus) {
    rule_violation.source = source_of(question.contract, violation.statement);
  }
  return rule_violation;
}

void validate(const ResponseQuestion& question, bool text_is_invalid, ResponseReading& reading) {
  const int status = question.exchange.status();
  if (belongs_to_http(status) && (status < 400 || question.operation.response(status) != nullptr)) {
    return;
  }
  // A stream that was left before its first event has no body to validate.
  const bool head = question.exchange.sent.method == "HEAD" ||
                    (question.exchange.ending == client::Ending::kLeftOpen &&
                     question.exchange.response.body.empty());
  std::set<std::string> said;  // one violation of a kind, however many items
  for (const auto& violation : spec::contract::validate_response(
           question.contract, question.operation, question.exchange.response,
           {.head = head,
           .body = reading.body ? &*reading.body : nullptr,
           .goes_on = question.exchange.ending == client::Ending::kLeftOpen})) {
    if (violation.undecided) {
      reading.undecided = violation.message.text();
      continue;
    }
    auto made = to_violation(question, violation);
    const bool undeclared_success = violation.part == Part::kStatus && status < 400;
    const bool said_already =
        (violation.part == Part::kBody && text_is_invalid) || !said.insert(key_of(made)).second;
    if (!undeclared_success && !said_already) {
      reading.violations.push_back(std::move(made));
    }
  }
  const auto type = media_type(question.exchange);
  const auto* content = type ? content_for(question.operation, status, *type) : nullptr;
  if (!head && content != nullptr && content->schema &&
      !spec::contract::is_decoded(question.contract, *content, *type)) {
    reading.violations.push_back({.rule = "schema/undecided",
                                  .place = "body",
                                  .must = "must satisfy its schema, which is undecided: " +
                                          type->essence() + " is not decoded",
                                  .clause = {},
                                  .source = source_of(question.contract, content->statement)});
  }
}

void append(RuleViolations& to, RuleViolations from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// True if the request has a JSON object as body, and none of its members is documented: a service
// that stores what it gets shows none either.
bool sends_nothing_documented(const ResponseQuestion& question) {
  const auto& operation = question.operation;
  const auto body = spec::json::read(question.exchange.sent.body);
  if (!operation.body || !body || !body.value().is_object() || body.value().empty()) {
    return false;
  }
  const auto& members = body.value().get_ref<const nlohmann::json::object_t&>();
  return std::ranges::any_of(operation.body->contents, [&](const auto& content) {
    const auto is_documented = [&](const auto& member) {
      return question.contract.summaries().summary_of(*content.schema).property(member.first) !=
             nullptr;
    };
    return content.media_type.is_json() && content.schema &&
           std::ranges::none_of(members, is_documented);
  });
}

// An example of the contract that has nothing documented at a place, either, says that other
// members are usual there.
void drop_what_examples_show(const spec::schema::Summaries& summaries,
                             const spec::contract::MediaTypeObject& content,
                             RuleViolations& violations) {
  for (const auto& example : content.examples) {
    if (violations.empty()) {
      return;
    }
    const auto shown = check_names(summaries, *content.schema, *example.value).violations;
    std::erase_if(violations, [&shown](const auto& found) {
      return std::ranges::any_of(shown, [&found](const auto& other) {
        return without_indices(other.place) == without_indices(found.place);
      });
    });
  }
}

void validate_members(const ResponseQuestion& question,
                      const spec::contract::MediaTypeObject* content, ResponseReading& reading) {
  if (content == nullptr || !content->schema || question.exchange.status() / 100 != 2) {
    return;
  }
  const auto schema = *content->schema;
  const auto& summaries = question.contract.summaries();
  auto names = check_names(summaries, schema, *reading.body);
  if (!names.violations.empty() && sends_nothing_documented(question)) {
    names.violations.clear();
  }
  drop_what_examples_show(summaries, *content, names.violations);
  append(reading.violations, std::move(names.violations));
  reading.misspelt = std::move(names.misspelt);
  reading.known = documented_part(summaries, schema, *reading.body);
  if (reading.known) {
    reading.unknown_texts = undocumented_texts(summaries, schema, *reading.body);
  }
  reading.normal = normal_form(summaries, schema, question.rules,
                               reading.known ? *reading.known : *reading.body);
  append(reading.violations, check_response_rules(question.rules, *reading.body, question.path));
}

}  // namespace

Source source_of(const spec::contract::Contract& contract, spec::contract::StatementId statement) {
  const auto& said = contract.statement(statement);
  const auto place = said.file.empty() ? std::string()
                                       : said.file + ':' + std::to_string(said.line) + ':' +
                                             std::to_string(said.column);
  return {said.clause, said.statement_class, said.pointer, place};
}

JsonBody read_json_body(const Exchange& exchange) {
  JsonBody body;
  const auto type = media_type(exchange);
  if (!type || !type->is_json() || exchange.sent.method == "HEAD" || exchange.status() == 204 ||
      exchange.status() == 304) {
    return body;
  }
  nlohmann::json value = nlohmann::json::value_t::discarded;
  body.violations = check_json_text(exchange.response.body, value, exchange.sent.body);
  if (body.violations.empty()) {
    body.violations = check_charset(exchange.response.body, *type);
  }
  body.is_invalid = value.is_discarded();
  body.is_too_deep = body.is_invalid && body.violations.empty();
  if (!body.is_invalid) {
    body.value = std::move(value);
  }
  if (exchange.status() >= 400 && exchange.response.body.empty()) {
    body.violations.clear();  // an error may come without a body, but not with another than it says
  }
  return body;
}

ResponseReading check_response(const ResponseQuestion& question, JsonBody body) {
  ResponseReading reading;
  reading.violations = std::move(body.violations);
  reading.body = std::move(body.value);
  const int status = question.exchange.status();
  validate(question, body.is_invalid && (status < 400 || body.is_too_deep), reading);
  if (body.is_too_deep) {
    reading.undecided = "the body is nested deeper than is read";
  }
  if (reading.body) {
    const auto type = media_type(question.exchange);
    validate_members(question, content_for(question.operation, status, *type), reading);
  }
  return reading;
}

std::set<std::string> documented_places(const spec::contract::Contract& contract,
                                        const spec::contract::Operation& operation,
                                        const Exchange& exchange, const nlohmann::json& body) {
  const auto type = media_type(exchange);
  const auto* content = type ? content_for(operation, exchange.status(), *type) : nullptr;
  if (content == nullptr || !content->schema) {
    return {};
  }
  return shown_places(contract.summaries(), *content->schema, body);
}

namespace {

// The members of the operation's successful responses, or of its others.
std::set<std::string> members_of(const spec::contract::Contract& contract,
                                 const spec::contract::Operation& operation, bool of_success) {
  std::set<std::string> names;
  for (const auto& response : operation.responses) {
    for (const auto& content : response.contents) {
      if (response.is_success() == of_success && content.schema) {
        for (const auto& member : contract.summaries().summary_of(*content.schema).properties) {
          names.insert(member.first);
        }
      }
    }
  }
  return names;
}

// The last of `names` in an object that has at least `least` of them; "" if it has fewer.
std::string data_in(const nlohmann::json& body, const std::set<std::string>& names,
                    std::size_t least) {
  std::string shown;
  std::size_t count = 0;
  for (const auto& name : names) {
    if (body.is_object() && body.contains(name)) {
      shown = name;
      ++count;
    }
  }
  return count >= least ? shown : "";
}

}  // namespace

RuleViolations check_rejection(const spec::contract::Contract& contract,
                               const spec::contract::Operation& operation,
                               const nlohmann::json& body) {
  auto data = members_of(contract, operation, true);
  const auto least = std::min<std::size_t>(2, data.size());
  const auto shown_beside_errors_of = [&](const spec::contract::Operation& each) {
    for (const auto& name : members_of(contract, each, false)) {
      data.erase(name);
    }
    return data_in(body, data, least);
  };
  auto shown = shown_beside_errors_of(operation);
  for (const auto& each : contract.operations()) {
    // A service has one form for all of its errors, also where an operation does not declare it.
    if (!shown.empty()) {
      shown = shown_beside_errors_of(each);
    }
  }
  return shown.empty() ? RuleViolations{}
                       : RuleViolations{{"auth/data-in-rejection", "body/" + shown,
                                         "must not contain data of a successful response",
                                         "contains \"" + shown + '"'}};
}

std::string without_documented_secrets(const spec::contract::Contract& contract,
                                       const spec::contract::Operation& operation,
                                       const Exchange& exchange,
                                       const std::vector<std::string>& secrets) {
  const auto type = media_type(exchange);
  const auto* content = type && type->is_json() && exchange.status() / 100 == 2
                            ? content_for(operation, exchange.status(), *type)
                            : nullptr;
  if (content == nullptr || !content->schema) {
    return exchange.response.body;
  }
  auto value = spec::json::read(exchange.response.body);
  if (!value) {
    return exchange.response.body;
  }
  drop_secrets(contract.summaries(), {*content->schema}, value.value(), secrets);
  return spec::json::write(value.value());
}

RuleViolations check_challenge(const spec::contract::Operation& operation,
                               const Exchange& exchange) {
  bool bearer = false;
  for (const auto& alternative : operation.security) {
    for (const auto& scheme : alternative.schemes) {
      bearer = bearer || scheme.kind == spec::contract::SecurityKind::kBearer;
    }
  }
  if (exchange.status() != 401 || !bearer) {
    return {};
  }
  const auto field =
      spec::http::list_field(exchange.response.headers, "WWW-Authenticate").value_or("");
  const auto schemes = challenge_schemes(field);
  if (!schemes || std::ranges::find(*schemes, "bearer") != schemes->end()) {
    return {};  // what is missing or malformed is said already
  }
  return {{"http/www-authenticate", "header/WWW-Authenticate", "must offer the scheme Bearer",
           "is " + spec::text::in_quotes(field)}};
}

namespace {

// The encoding other than UTF-8 that the first bytes show.
std::optional<std::string> other_encoding(std::string_view body) {
  if (body.starts_with("\xFE\xFF") || body.starts_with("\xFF\xFE")) {
    return "UTF-16 with a byte order mark";
  }
  if (body.size() >= 2 && (body[0] == '\0' || body[1] == '\0')) {
    return "UTF-16 or UTF-32";
  }
  if (!spec::text::is_utf8(body)) {
    return "not UTF-8";
  }
  return std::nullopt;
}

constexpr spec::json::ReadOptions kAnyDepth = {.max_depth =
                                                   std::numeric_limits<std::size_t>::max()};

// True if `body` is JSON but for its depth: a limit of the reader (RFC 8259 §9), no error of the
// text.
bool is_only_too_deep(std::string_view body) {
  return !spec::json::read(body) && spec::json::read(body, kAnyDepth);
}

}  // namespace

RuleViolations check_charset(std::string_view body, const spec::http::MediaType& type) {
  const auto charset = type.parameter("charset");
  if (!charset || spec::text::is_utf8_label(*charset) || spec::text::is_ascii(body)) {
    return {};
  }
  return {{"json/charset", "header/Content-Type",
           "must not name another charset than utf-8, because some clients read the content by it",
           "names " + spec::text::in_quotes(*charset)}};
}

RuleViolations check_json_text(std::string_view body, nlohmann::json& value,
                               std::string_view sent) {
  RuleViolations violations;
  if (body.starts_with("\xEF\xBB\xBF")) {
    violations.push_back(
        {"json/bom", "body", "must not start with a byte order mark", "starts with one"});
    body.remove_prefix(3);
  }
  if (const auto encoding = other_encoding(body)) {
    violations.push_back({"json/encoding", "body", "must be UTF-8", "is " + *encoding});
    return violations;
  }
  auto read = spec::json::read(body);
  if (read) {
    value = std::move(read.value());
    return violations;
  }
  const auto deeper = spec::json::read(body, kAnyDepth);
  if (deeper && is_only_too_deep(sent)) {
    return violations;
  }
  const auto& error = deeper ? read.error() : deeper.error();
  const auto at = "byte " + std::to_string(error.byte_offset);
  violations.push_back(error.is_lone_surrogate
                           ? RuleViolation{"json/surrogate", "body",
                                           "must not contain half of a surrogate pair",
                                           "has one at " + at}
                           : RuleViolation{"json/text", "body", "must be valid JSON",
                                           "is not (" + at + ": " + error.message + ')'});
  return violations;
}

}  // namespace contract_tests::checks
