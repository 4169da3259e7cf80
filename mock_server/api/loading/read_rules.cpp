#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/record_view.hpp"
#include "mock_server/examples/header_table.hpp"
#include "mock_server/reply/json_response.hpp"
#include "spec/schema/schema_summary.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::api::loading {
namespace {

using spec::contract::Location;
using spec::contract::Operation;
using spec::document::Node;

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

struct Operator {
  std::string_view name;
  Kind kind;
  bool takes_place;
};

constexpr std::array<Operator, 8> kOperators{{{"equals", Kind::kEquals, false},
                                              {"equals_at", Kind::kEqualsAt, true},
                                              {"exists", Kind::kExists, false},
                                              {"absent", Kind::kAbsent, false},
                                              {"before_now", Kind::kBeforeNow, false},
                                              {"after_now", Kind::kAfterNow, false},
                                              {"after_at", Kind::kAfterAt, true},
                                              {"among", Kind::kAmong, true}}};

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
  if (found->takes_place) {
    condition.other = read_place(node, found->name, operation, context).value_or(Place{});
  } else if (found->kind == Kind::kEquals) {
    condition.value = node.find(found->name).value();
  }
  if (!at) {
    return std::nullopt;
  }
  condition.at = std::move(*at);
  return condition;
}

void read_headers(const Node& node, spec::http::Headers& headers, LoadContext& context) {
  for (const auto& header : node.find("headers").members()) {
    if (examples::is_about_bytes(header.key)) {
      context.report(header.value, "header " + std::string(header.key) +
                                       " must not be set: the mock sets the headers of the "
                                       "transfer itself; leave it out");
    } else if (header.value.is_string()) {
      headers.set(header.key, std::string(header.value.string()));
    }
  }
}

int status_at(const Node& node, int otherwise) {
  return static_cast<int>(integer_at(node, "status").value_or(otherwise));
}

void read_response(const Node& node, const Operation* operation, Rule& rule, LoadContext& context) {
  const int status = status_at(node, 200);
  rule.body = node.find("body");
  if (rule.body) {
    rule.response.response = reply::json_response(status, rule.body.value());
    if (operation != nullptr) {
      set_json_type(*operation, rule.response.response);
    }
  }
  rule.response.response.status = status;
  read_headers(node, rule.response.response.headers, context);
}

void read_error(const Node& node, Rule& rule, LoadContext& context) {
  const auto kind = parse_error_kind(text_at(node, "use").value_or(""));
  const ErrorEntry entry = kind ? context.errors[*kind] : ErrorEntry{400, "", ""};
  rule.response.response = reply::error_response(status_at(node, entry.status),
                                                 text_at(node, "code").value_or(entry.code),
                                                 text_at(node, "message").value_or(""));
  read_headers(node, rule.response.response.headers, context);
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

ForcedStatus read_forced(const Node& node, LoadContext& context) {
  ForcedStatus forced;
  forced.status = status_at(node, forced.status);
  forced.message = text_at(node, "message").value_or("");
  forced.text = text_at(node, "text");
  read_headers(node, forced.headers, context);
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
