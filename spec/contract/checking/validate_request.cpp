#include "spec/contract/checking/form_body.hpp"
#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/checking/message_value.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/checking/violation_list.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/router.hpp"
#include "spec/http/form.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <set>

namespace spec::contract {

namespace {

using checking::FieldSource;
using checking::Form;
using checking::ObjectFields;
using checking::SplitResult;
using checking::ValueReading;
using checking::ValueRules;
using checking::Violations;
using Json = nlohmann::json;

using PathValues = std::vector<std::pair<std::string, std::string>>;

class RequestReader {
 public:
  RequestReader(const Contract& contract, const Operation& operation, const http::Request& request,
                const PathValues& path_values)
      : state_(contract.state()),
        operation_(operation),
        request_(request),
        path_values_(path_values),
        violations_(contract, operation) {}

  RequestReading run() {
    if (has_any(Location::kQuery)) {
      query_ = http::split_form(http::query_of(request_.target));
    }
    if (has_any(Location::kCookie)) {
      read_cookies();
    }
    if (operation_.needs_raw_path) {
      read_raw_path();
    }
    for (const Parameter& parameter : operation_.parameters) {
      read_parameter(parameter);
    }
    read_plain_path_values();
    if (operation_.body) {
      read_request_body(*operation_.body);
    }
    for (const Gap& gap : operation_.gaps) {
      violations_.add(gap);
    }
    reading_.violations = violations_.take();
    return std::move(reading_);
  }

 private:
  bool has_any(Location location) const {
    return std::ranges::any_of(operation_.parameters, [location](const Parameter& parameter) {
      return parameter.location == location;
    });
  }

  void read_cookies() {
    for (const std::string_view line : request_.headers.all("Cookie")) {
      std::vector<http::FormPair> pairs = http::split_cookies(line);
      std::move(pairs.begin(), pairs.end(), std::back_inserter(cookies_));
    }
  }

  // Reads the path's values while they are encoded, so that an encoded delimiter stays data.
  void read_raw_path() {
    const auto path = normal_path(http::path_of(request_.target));
    if (!path) {
      return;
    }
    raw_path_ = *path;
    std::vector<std::string_view> candidates{raw_path_};
    for (const ServerPrefix& prefix : state_.prefixes) {
      if (const auto rest = path_behind(raw_path_, prefix.text)) {
        candidates.push_back(*rest);
      }
    }
    for (const std::string_view candidate : candidates) {
      if (auto values = match_template(operation_.segments, candidate)) {
        raw_values_ = std::move(*values);
      }
    }
  }

  void read_parameter(const Parameter& parameter) {
    if (parameter.location == Location::kQuerystring) {
      read_whole_query(parameter);
      return;
    }
    const ValueRules rules =
        checking::rules_of(parameter, state_.shapes,
                           {part_of(parameter.location), checking::pointer_to(parameter.name)},
                           schema::Direction::kRequest);
    const auto take_as = [&](Form form) { return take(parameter, form); };
    if (is_given_empty(parameter) &&
        (parameter.allow_empty_value || is_null_alone(rules, std::cref(take_as)))) {
      return;
    }
    ValueReading reading = checking::read_value(violations_, rules, std::cref(take_as));
    if (reading.value) {
      (reading_.*parameters_in(parameter.location))[parameter.name] = std::move(*reading.value);
    }
    if (!reading.is_given && parameter.required) {
      violations_.add(rules.where, parameter.required_statement, "missing",
                      {"must be given", "is not"});
    }
  }

  // The query as a body of its media type. A form is percent-encoded by itself; any other text is
  // decoded first. Source: OpenAPI 3.2.0, Parameter Locations, URL Percent-Encoding.
  void read_whole_query(const Parameter& parameter) {
    const checking::MessagePlace where{Part::kQuery, checking::pointer_to(parameter.name)};
    const std::string_view query = http::query_of(request_.target);
    if (query.empty()) {
      if (parameter.required) {
        violations_.add(where, parameter.required_statement, "missing",
                        {"must be given", "is not"});
      }
      return;
    }
    if (parameter.querystring == nullptr) {
      return;  // nothing is known of it
    }
    const MediaTypeObject& content = *parameter.querystring;
    const auto decoded =
        content.kind == BodyKind::kForm ? std::string(query) : text::percent_decode(query);
    if (!decoded) {
      violations_.add(where, parameter.statement, "encoding",
                      {"must be percent-encoded", "is " + checking::in_quotes(query)});
      return;
    }
    Violations found(violations_.contract(), operation_);
    auto value = checking::read_body(found, *decoded,
                                     {.media_type = content.media_type,
                                      .content = content,
                                      .shapes = state_.shapes,
                                      .direction = schema::Direction::kRequest});
    for (Violation& violation : found.take()) {
      violation.part = Part::kQuery;
      violation.instance.insert(0, where.instance);
      violations_.add(std::move(violation));
    }
    if (value) {
      reading_.query[parameter.name] = std::move(*value);
    }
  }

  // A query parameter that is there once, without a value: unused where `allowEmptyValue` says so.
  // Source: OpenAPI 3.1.1 §4.8.12.2.1.
  bool is_given_empty(const Parameter& parameter) const {
    if (parameter.location != Location::kQuery) {
      return false;
    }
    const auto is_named = [&parameter](const http::FormPair& pair) {
      return pair.name == parameter.name;
    };
    const auto found = std::find_if(query_.begin(), query_.end(), is_named);
    return found != query_.end() && found->value.empty() &&
           std::count_if(query_.begin(), query_.end(), is_named) == 1;
  }

  // True if the schema takes the empty value for null alone, which has no other spelling and means
  // "not given" (RFC 6570 §2.3).
  bool is_null_alone(const ValueRules& rules, const checking::Take& take_as) const {
    const auto& schema = rules.schema;
    if (!schema || schema::check(state_.schemas, *schema, nullptr) != schema::Verdict::kValid) {
      return false;
    }
    Violations otherwise(violations_.contract(), operation_);
    checking::read_value(otherwise, rules, take_as);
    return !otherwise.take().empty();
  }

  SplitResult take(const Parameter& parameter, Form form) const {
    switch (parameter.location) {
      case Location::kPath: return take_path(parameter, form);
      case Location::kQuery:
        if (form == Form::kObject) {
          return take_object(parameter, spread_of(parameter));
        }
        return checking::take_field({.pairs = query_}, style_of(parameter), form, {});
      case Location::kQuerystring: break;  // read_whole_query
      case Location::kHeader:
        return checking::take_header(request_.headers.all(parameter.name), parameter.explode, form);
      case Location::kCookie: break;
    }
    return checking::take_field({.pairs = cookies_,
                                 .plus_is_blank = false,
                                 .is_lenient = true,
                                 .is_encoded = !parameter.is_unencoded},
                                style_of(parameter), form,
                                form == Form::kObject ? spread_of(parameter) : ObjectFields{});
  }

  // An object whose members are fields of their own is not given as one field of its own name.
  SplitResult take_object(const Parameter& parameter, const ObjectFields& spread) const {
    const bool is_deep = parameter.style == Style::kDeepObject;
    const bool is_member =
        std::find(spread.names.begin(), spread.names.end(), parameter.name) != spread.names.end();
    const auto plain =
        std::find_if(query_.begin(), query_.end(), [&parameter](const http::FormPair& pair) {
          return pair.name == parameter.name && !pair.value.empty();
        });
    const bool needs_members = is_deep ? !parameter.takes_plain : parameter.explode && !is_member;
    if (plain == query_.end() || !needs_members) {
      return checking::take_field({.pairs = query_}, style_of(parameter), Form::kObject, spread);
    }
    const std::string first(spread.names.empty() ? "name" : spread.names.front());
    const std::string member = is_deep ? parameter.name + '[' + first + ']' : first;
    return Unexpected{checking::DecodeError{
        "malformed",
        {"must be given as its members (\"" + member + "=value\")",
         "is " + checking::in_quotes(parameter.name + '=' + std::string(plain->value))}}};
  }

  static FieldStyle style_of(const Parameter& parameter) {
    return {.name = parameter.name,
            .style = parameter.style,
            .explode = parameter.explode,
            .takes_plain = parameter.takes_plain};
  }

  SplitResult take_path(const Parameter& parameter, Form form) const {
    for (std::size_t i = 0; i < path_values_.size(); ++i) {
      if (path_values_[i].first != parameter.name) {
        continue;
      }
      if (raw_values_.size() == path_values_.size()) {
        return checking::take_path_value(raw_values_[i], parameter, form, state_.version);
      }
      return take_decoded(path_values_[i].second, parameter, form);
    }
    return std::optional<checking::Pieces>();
  }

  SplitResult take_decoded(const std::string& text, const Parameter& parameter, Form form) const {
    if (form != Form::kScalar || parameter.style != Style::kSimple) {
      return checking::take_path_value(text, parameter, form, state_.version);
    }
    if (!spec::text::is_utf8(text)) {
      return Unexpected{
          checking::DecodeError{"encoding",
                                {"must be percent-encoded UTF-8",
                                 "is " + checking::in_quotes(text::percent_encode(text))}}};
    }
    return std::optional(checking::one_piece(text));
  }

  // The fields that an object which is spread over the query may take: its properties and, if it is
  // open, those that no other parameter has.
  ObjectFields spread_of(const Parameter& parameter) const {
    const Shape* shape = state_.shapes.find(parameter.shape);
    ObjectFields spread = checking::members_of(shape);
    if (shape == nullptr) {
      return spread;
    }
    spread.takes_others = shape->allows_additional;
    for (const Parameter& other : operation_.parameters) {
      spread.taken.push_back(other.name);
    }
    return spread;
  }

  // Template parameters that the document does not describe may have any text.
  void read_plain_path_values() {
    for (const auto& [name, value] : path_values_) {
      const bool is_described = operation_.parameter(Location::kPath, name) != nullptr;
      if (!is_described && spec::text::is_utf8(value)) {
        reading_.path[name] = value;
      }
    }
  }

  void read_request_body(const RequestBody& body) {
    const std::string_view text = request_.body;
    if (text.empty() && !request_.headers.has("Content-Type")) {
      if (body.required) {
        report_missing(body);
      }
      return;
    }
    if (text.empty() && !body.required) {
      return;
    }
    const checking::ContentType type = checking::read_content_type(violations_, request_.headers);
    if (!type.is_sound) {
      return;
    }
    const MediaTypeObject* content =
        type.media_type ? checking::select_content(body.contents, *type.media_type) : nullptr;
    if (content == nullptr && body.content_gap) {
      violations_.add(*body.content_gap);
      return;
    }
    if (content == nullptr) {
      report_media_type(body, type);
      return;
    }
    if (text.empty() && needs_text(content->kind, *type.media_type)) {
      report_missing(body);
      return;
    }
    reading_.body = checking::read_body(violations_, text,
                                        {.media_type = *type.media_type,
                                         .content = *content,
                                         .shapes = state_.shapes,
                                         .direction = schema::Direction::kRequest});
  }

  // An empty body is no JSON text and no multipart, but it is an empty form, text or file.
  static bool needs_text(BodyKind kind, const http::MediaType& media_type) {
    return kind == BodyKind::kJson || kind == BodyKind::kMultipart || kind == BodyKind::kParts ||
           (kind == BodyKind::kByMediaType && media_type.is_json());
  }

  void report_missing(const RequestBody& body) {
    violations_.add({Part::kBody, ""}, body.required_statement, "missing",
                    {"must be given", "is empty"});
  }

  void report_media_type(const RequestBody& body, const checking::ContentType& type) {
    const std::string supported = checking::list_media_types(body.contents);
    if (!type.is_given) {
      violations_.add({Part::kMediaType, ""}, body.statement, "missing",
                      {"must be " + supported, "none is given"});
      return;
    }
    violations_.add({Part::kMediaType, ""}, body.statement, "unsupported",
                    {"must be " + supported, "is " + type.media_type->essence()});
  }

  const Contract::State& state_;
  const Operation& operation_;
  const http::Request& request_;
  const PathValues& path_values_;
  Violations violations_;
  RequestReading reading_;
  std::vector<http::FormPair> query_;
  std::vector<http::FormPair> cookies_;
  std::string raw_path_;
  std::vector<std::string_view> raw_values_;
};

}  // namespace

Json RequestReading::*parameters_in(Location location) {
  switch (location) {
    case Location::kPath: return &RequestReading::path;
    case Location::kQuery:
    case Location::kQuerystring: return &RequestReading::query;
    case Location::kHeader: return &RequestReading::header;
    case Location::kCookie: break;
  }
  return &RequestReading::cookie;
}

RequestReading validate_request(
    const Contract& contract, const Operation& operation, const http::Request& request,
    const std::vector<std::pair<std::string, std::string>>& path_values) {
  assert(operation.index < contract.operations().size());
  return RequestReader(contract, operation, request, path_values).run();
}

bool fits_path(const Contract& contract, const Operation& operation, std::string_view raw_path,
               const PathValues& path_values) {
  const http::Request request{.method = operation.method, .target = std::string(raw_path)};
  const auto reading = validate_request(contract, operation, request, path_values);
  return std::ranges::find(reading.violations, Part::kPath, &Violation::part) ==
         reading.violations.end();
}

bool cannot_be_decoded(const Violation& violation) {
  const bool is_parameter = violation.part == Part::kPath || violation.part == Part::kQuery ||
                            violation.part == Part::kHeader || violation.part == Part::kCookie;
  return is_parameter &&
         (violation.rule == "type" || violation.rule == "format" || violation.rule == "repeated" ||
          violation.rule == "encoding" || violation.rule == "malformed");
}

namespace {

// "filter[a]" of the deep object "filter"; "ids[0]" belongs to no parameter.
bool is_deep(const Parameter& parameter, std::string_view name) {
  return parameter.style == Style::kDeepObject && name.size() > parameter.name.size() &&
         name.starts_with(parameter.name) && name[parameter.name.size()] == '[';
}

// An object that is spread over the query: its properties, or any name if it is open.
bool is_spread(const Parameter& parameter, const Shape& shape, std::string_view name) {
  const bool spreads =
      parameter.style == Style::kForm && parameter.explode && shape.allows(schema::kObjectType);
  if (!spreads || !shape.is_typed) {
    return false;
  }
  return shape.allows_additional || shape.property(name) != nullptr;
}

bool is_taken(const Contract::State& state, const Operation& operation, std::string_view name) {
  return operation.querystring() != nullptr || operation.has_api_key(Location::kQuery, name) ||
         std::ranges::any_of(operation.parameters, [&](const Parameter& parameter) {
           const Shape* shape = state.shapes.find(parameter.shape);
           return parameter.location == Location::kQuery &&
                  (parameter.name == name || is_deep(parameter, name) ||
                   (shape != nullptr && !parameter.content_type &&
                    is_spread(parameter, *shape, name)));
         });
}

}  // namespace

std::vector<std::string> undeclared_query(const Contract& contract, const Operation& operation,
                                          const http::Request& request) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (http::FormPair& pair : http::split_form(http::query_of(request.target))) {
    if (!is_taken(contract.state(), operation, pair.name) && seen.insert(pair.name).second) {
      names.push_back(std::move(pair.name));
    }
  }
  return names;
}

Violation undeclared_query_violation(const Operation& operation, const std::string& name) {
  std::string declared;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.location == Location::kQuery) {
      text::append_to_list(declared, parameter.name);
    }
  }
  return {.operation = operation.name,
          .part = Part::kQuery,
          .instance = checking::pointer_to(name),
          .statement = operation.statement,
          .rule = "undeclared",
          .message = declared.empty()
                         ? text::ViolationMessage(
                               "must not be given: the operation has no query parameters")
                         : text::ViolationMessage(
                               "must be one of the operation's query parameters (" + declared + ')',
                               "is not")};
}

std::vector<schema::Misspelling> misspelt_body(const Contract& contract, const Operation& operation,
                                               const http::Request& request,
                                               const nlohmann::json& body) {
  const MediaTypeObject* content =
      operation.body ? checking::select_content(operation.body->contents, request.headers)
                     : nullptr;
  if (content == nullptr || !content->schema) {
    return {};
  }
  return misspelt_members(*contract.state().every_summary, *content->schema, body);
}

}  // namespace spec::contract
