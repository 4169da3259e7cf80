#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/examples/header_table.hpp"
#include "mock_server/reply/json_response.hpp"
#include "spec/http/items.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::api::loading {
namespace {

using spec::contract::Location;
using spec::contract::MediaTypeObject;
using spec::contract::Operation;
using spec::document::Node;

// True if the operation's body, of some media type, may have the member.
bool declares_member(const Operation& operation, const std::string& name,
                     const LoadContext& context) {
  return operation.body && std::ranges::any_of(operation.body->contents, [&](const auto& content) {
           if (!content.schema) {
             return true;
           }
           const auto body =
               spec::schema::summarize(context.contract.schemas().program(), {*content.schema});
           return body.open_names || body.property(name) != nullptr;
         });
}

using Kind = Condition::Kind;

enum class Takes : std::uint8_t { kNothing, kValue, kPlace, kBound, kPattern, kConditions };

struct Operator {
  std::string_view name;
  Kind kind;
  Takes takes;
};

constexpr std::array<Operator, 14> kOperators{{{"equals", Kind::kEquals, Takes::kValue},
                                               {"equals_at", Kind::kEqualsAt, Takes::kPlace},
                                               {"exists", Kind::kExists, Takes::kNothing},
                                               {"absent", Kind::kAbsent, Takes::kNothing},
                                               {"before_now", Kind::kBeforeNow, Takes::kNothing},
                                               {"after_now", Kind::kAfterNow, Takes::kNothing},
                                               {"after_at", Kind::kAfterAt, Takes::kPlace},
                                               {"among", Kind::kAmong, Takes::kPlace},
                                               {"contains", Kind::kContains, Takes::kValue},
                                               {"matches", Kind::kMatches, Takes::kPattern},
                                               {"less", Kind::kLess, Takes::kBound},
                                               {"greater", Kind::kGreater, Takes::kBound},
                                               {"any", Kind::kAny, Takes::kConditions},
                                               {"not", Kind::kNot, Takes::kConditions}}};

bool read_pattern(const Node& node, Condition& condition, LoadContext& context) {
  const auto text = node.is_string() ? node.string() : std::string_view{};
  auto pattern = spec::schema::patterns::Pattern::compile(text);
  if (!pattern) {
    context.report(node, "must be a pattern of ECMA-262, but " + pattern.error().message);
    return false;
  }
  condition.pattern =
      std::make_shared<const spec::schema::patterns::Pattern>(std::move(pattern.value()));
  return true;
}

bool read_bound(const Node& node, Condition& condition, LoadContext& context) {
  condition.value = node.value();
  const bool is_bound = node.is_number() || instant_of(&condition.value).has_value();
  if (!is_bound) {
    context.report(node, "must be a number, or a date-time as 2026-01-31T12:00:00Z");
  }
  return is_bound;
}

std::optional<Condition> read_condition(const Node& node, const Operation* operation,
                                        LoadContext& context);

bool read_parts(const Node& node, const Operation* operation, Condition& condition,
                LoadContext& context) {
  if (condition.kind == Kind::kAny) {
    condition.parts = read_conditions(node, operation, context);
  } else if (auto part = read_condition(node, operation, context)) {
    condition.parts.push_back(std::move(*part));
  }
  return !condition.parts.empty();
}

// What the operator compares with; false if it is unusable.
bool read_operand(const Node& node, const Operator& operation_of, const Operation* operation,
                  Condition& condition, LoadContext& context) {
  const Node operand = node.find(operation_of.name);
  switch (operation_of.takes) {
    case Takes::kNothing: return true;
    case Takes::kValue: condition.value = operand.value(); return true;
    case Takes::kBound: return read_bound(operand, condition, context);
    case Takes::kPattern: return read_pattern(operand, condition, context);
    case Takes::kConditions: return read_parts(operand, operation, condition, context);
    case Takes::kPlace:
      condition.other = read_place(node, operation_of.name, operation, context).value_or(Place{});
      return true;
  }
  return false;
}

// "/query/page equals 2", "not /body/name exists".
std::string text_of(const Condition& condition, const Node& node, const Operator& operation_of) {
  if (condition.kind == Kind::kNot) {
    return "not " + condition.parts.front().text;
  }
  std::string words = condition.at.text + ' ' + std::string(operation_of.name);
  std::ranges::replace(words, '_', ' ');
  return operation_of.takes == Takes::kNothing
             ? words
             : words + ' ' +
                   spec::text::shortened(spec::json::write(node.find(operation_of.name).value()));
}

std::optional<Condition> read_condition(const Node& node, const Operation* operation,
                                        LoadContext& context) {
  auto at = read_place(node, "at", operation, context);
  const auto* const found = std::ranges::find_if(
      kOperators, [&](const Operator& one) { return static_cast<bool>(node.find(one.name)); });
  if (found == kOperators.end()) {
    return std::nullopt;
  }
  Condition condition;
  condition.kind = found->kind;
  const bool is_read = read_operand(node, *found, operation, condition, context);
  if (!is_read || (!at && found->takes != Takes::kConditions)) {
    return std::nullopt;
  }
  condition.at = std::move(at).value_or(Place{});
  condition.text = text_of(condition, node, *found);
  return condition;
}

// `values`: null where every value is a text.
void read_headers(const Node& node, spec::http::Headers& headers,
                  std::vector<TemplateValue>* values, LoadContext& context) {
  for (const auto& header : node.find("headers").members()) {
    if (examples::is_about_bytes(header.key)) {
      context.report(header.value, "header " + std::string(header.key) +
                                       " must not be set: the mock sets the headers of the "
                                       "transfer itself; leave it out");
    } else if (header.value.is_string()) {
      headers.set(header.key, std::string(header.value.string()));
    } else if (auto value = read_template(header.value, context); value && values != nullptr) {
      value->header = header.key;
      values->push_back(std::move(*value));
    } else if (values != nullptr) {
      context.report(header.value,
                     "must be a text, or one of {from: PLACE}, {now: +1h}, {next: "
                     "COUNTER}, {random: uuid}");
    }
  }
}

int status_at(const Node& node, int otherwise) {
  return static_cast<int>(integer_at(node, "status").value_or(otherwise));
}

const MediaTypeObject* stream_content(const spec::contract::Response& declared) {
  const auto found = std::ranges::find_if(declared.contents, [](const MediaTypeObject& content) {
    return spec::http::item_form(content.media_type).has_value();
  });
  return found == declared.contents.end() ? nullptr : &*found;
}

// The stream that a body is: where the fixture says how it is sent, or nothing else is declared.
const MediaTypeObject* stream_of_body(const Operation* operation, int status, bool is_wanted) {
  const auto* const declared = operation != nullptr ? operation->response(status) : nullptr;
  const bool has_json =
      declared != nullptr && spec::contract::json_content(declared->contents) != nullptr;
  return declared != nullptr && (is_wanted || !has_json) ? stream_content(*declared) : nullptr;
}

void read_response(const Node& node, const Operation* operation, Rule& rule, LoadContext& context) {
  const int status = status_at(node, 200);
  rule.response.stream = read_stream(node, operation, context);
  rule.body = node.find("body");
  ResponseTemplate made;
  if (rule.body) {
    made = read_body(rule.body, context);
    made.items = stream_of_body(operation, status, rule.response.stream.has_value());
    rule.response.response = reply::json_response(status, made.body);
    if (made.items != nullptr) {
      rule.response.response.headers.set("Content-Type", made.items->place.key());
      rule.response.response.body = body_text(made, made.body);
    } else if (operation != nullptr) {
      set_json_type(*operation, rule.response.response);
    }
  }
  rule.response.response.status = status;
  read_headers(node, rule.response.response.headers, &made.values, context);
  if (!made.values.empty()) {
    rule.response.made = std::make_shared<ResponseTemplate>(std::move(made));
  }
}

void read_error(const Node& node, Rule& rule, LoadContext& context) {
  const auto kind = parse_error_kind(text_at(node, "use").value_or(""));
  const ErrorEntry entry = kind ? context.errors[*kind] : ErrorEntry{400, "", ""};
  rule.response.response = reply::error_response(status_at(node, entry.status),
                                                 text_at(node, "code").value_or(entry.code),
                                                 text_at(node, "message").value_or(""));
  read_headers(node, rule.response.response.headers, nullptr, context);
}

Rule read_rule(const Node& node, const Operation& operation, LoadContext& context) {
  Rule rule;
  rule.node = node;
  rule.name = text_at(node, "name").value_or("");
  if (rule.name.empty()) {
    rule.name = node.key();
  }
  rule.when = read_conditions(node.find("when"), &operation, context);
  read_said(node, &operation, rule, context);
  return rule;
}

}  // namespace

std::optional<Location> location_of(Place::Root root) {
  switch (root) {
    case Place::Root::kPath: return Location::kPath;
    case Place::Root::kQuery: return Location::kQuery;
    case Place::Root::kHeader: return Location::kHeader;
    case Place::Root::kCookie: return Location::kCookie;
    case Place::Root::kBody:
    case Place::Root::kRecord: break;
  }
  return std::nullopt;
}

bool read_said(const Node& node, const Operation* operation, Rule& rule, LoadContext& context) {
  const Node response = node.find("response");
  const Node error = node.find("error");
  if (response) {
    read_response(response, operation, rule, context);
  } else if (error) {
    read_error(error, rule, context);
  }
  const Node said = response ? response : error;
  rule.is_whole = said && is_sound(said, context.problems);
  return static_cast<bool>(said);
}

std::optional<StreamPlan> read_stream(const Node& node, const Operation* operation,
                                      LoadContext& context) {
  const Node stream = node.find("stream");
  if (!stream) {
    return std::nullopt;
  }
  StreamPlan plan;
  plan.pace = std::chrono::milliseconds(integer_at(stream, "pace_ms").value_or(0));
  plan.rounds = text_at(stream, "repeat") == "forever" ? StreamPlan::kForever
                                                       : integer_at(stream, "repeat").value_or(1);
  plan.stays_open = text_at(stream, "end") == "open";
  if (plan.rounds == StreamPlan::kForever && plan.pace.count() == 0) {
    context.report(stream, "must have \"pace_ms\" of at least 1: \"repeat: forever\" has no end");
  }
  const auto is_stream = [](const auto& one) { return stream_content(one) != nullptr; };
  if (operation != nullptr && std::ranges::none_of(operation->responses, is_stream)) {
    context.report(stream, operation->name +
                               " declares no stream (text/event-stream, application/jsonl, "
                               "application/json-seq, ...): leave \"stream\" out");
  }
  return plan;
}

ForcedStatus read_forced(const Node& node, LoadContext& context) {
  ForcedStatus forced;
  forced.status = status_at(node, forced.status);
  forced.message = text_at(node, "message").value_or("");
  forced.text = text_at(node, "text");
  read_headers(node, forced.headers, nullptr, context);
  return forced;
}

bool is_declared(const Place& place, const Operation& operation, const LoadContext& context) {
  if (place.root == Place::Root::kPath) {  // of its template, described or not
    const auto names = parameter_names(operation.segments);
    return !place.tokens.empty() && std::ranges::find(names, place.tokens.front()) != names.end();
  }
  if (const auto location = location_of(place.root)) {
    return !place.tokens.empty() && operation.parameter(*location, place.tokens.front()) != nullptr;
  }
  if (place.root != Place::Root::kBody || place.tokens.empty()) {
    return true;
  }
  return declares_member(operation, place.tokens.front(), context);
}

std::optional<Place> read_place(const Node& node, std::string_view key, const Operation* operation,
                                LoadContext& context) {
  const auto text = text_at(node, key);
  if (!text) {
    return std::nullopt;
  }
  auto place = parse_place(*text);
  if (!place) {
    context.report(node.find(key),
                   "must be a place: a JSON pointer that starts with /path, /query, /header, "
                   "/cookie, /body or /record");
  } else if (operation != nullptr && !context.document_only &&
             !is_declared(*place, *operation, context)) {
    context.report(node.find(key),
                   "must be declared by " + operation->name + ", but " + place->text + " is not");
  }
  return place;
}

std::vector<Condition> read_conditions(const Node& list, const Operation* operation,
                                       LoadContext& context) {
  std::vector<Condition> conditions;
  for (const Node& node : list.elements()) {
    if (auto condition = read_condition(node, operation, context)) {
      conditions.push_back(std::move(*condition));
    }
  }
  return conditions;
}

std::vector<Rule> read_rules(const Node& list, const Operation& operation, LoadContext& context) {
  std::vector<Rule> rules;
  for (const Node& node : list.elements()) {
    rules.push_back(read_rule(node, operation, context));
  }
  return rules;
}

}  // namespace mock_server::api::loading
