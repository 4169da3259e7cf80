#include "mock_server/record/redactor.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/record/call_verdict.hpp"
#include "spec/http/form.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/instance_schemas.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <span>

namespace mock_server::record {
namespace {

using nlohmann::json;
using spec::contract::Operation;
using spec::schema::Direction;
using spec::schema::SchemaId;

// Replaces letters by letters and digits by digits, all else stays: most patterns and every length
// do.
std::string same_shape(std::string_view value, std::string_view digits, std::size_t from) {
  std::string made(value);
  for (std::size_t at = from; at < made.size(); ++at) {
    const auto nibble = static_cast<char>(spec::text::hex_digit_value(digits[at % digits.size()]));
    char& byte = made[at];
    if (spec::text::is_digit(byte)) {
      byte = static_cast<char>('0' + (byte - '0' + nibble + 1) % 10);
    } else if (spec::text::is_letter(byte)) {
      const char first = byte >= 'a' ? 'a' : 'A';
      const int letters = spec::text::is_hex_digit(byte) ? 6 : 26;
      byte = static_cast<char>(first + (byte - first + nibble + 1) % letters);
    }
  }
  return made;
}

// The same for an identifier: also "ses_" stays. "" where too little would change.
std::string same_identifier(std::string_view value, std::string_view digits) {
  constexpr std::size_t kMinChanged = 6;
  const std::size_t mark = value.find('_');
  const bool has_prefix =
      mark != std::string_view::npos &&
      std::ranges::all_of(value.substr(0, mark), [](char c) { return spec::text::is_letter(c); });
  const auto rest = value.substr(has_prefix ? mark : 0);
  const auto changed = std::ranges::count_if(rest, spec::text::is_letter_or_digit);
  const bool is_plain = std::ranges::all_of(value, [](char c) {
    return spec::text::is_letter_or_digit(c) ||
           std::string_view("-_.~").find(c) != std::string_view::npos;
  });
  return is_plain && static_cast<std::size_t>(changed) >= kMinChanged
             ? same_shape(value, digits, value.size() - rest.size())
             : "";
}

// The number that the text of a parameter is by its schemas; else the text.
json value_of_parameter(const spec::schema::SchemaSet& all, const std::string& text,
                        std::span<const spec::schema::SchemaId> schemas) {
  const auto is_valid = [&](const json& value) {
    return std::ranges::all_of(schemas, [&](spec::schema::SchemaId one) {
      return spec::schema::check(all, one, value) == spec::schema::Verdict::kValid;
    });
  };
  const bool is_number = spec::json::is_number_text(text);
  if (is_number && !schemas.empty() && !is_valid(json(text))) {
    if (json number = spec::json::make_number(text); is_valid(number)) {
      return number;
    }
  }
  return json(text);
}

// The field of a request, and of the response with that status, that the operation declares.
auto field_of(const Operation* operation) {
  return [operation](std::string_view name) {
    return operation == nullptr ? nullptr
                                : operation->parameter(spec::contract::Location::kHeader, name);
  };
}

auto field_of(const Operation* operation, int status) {
  const auto* const declared = operation == nullptr ? nullptr : operation->response(status);
  return [declared](std::string_view name) {
    return declared == nullptr ? nullptr : declared->header(name);
  };
}

}  // namespace

// One value on its way through a body.
struct Redactor::Walk {
  const std::map<std::string, Schemas>& places;  // the schemas that apply, by pointer
  std::string pointer;
  bool is_secret = false;  // something further out is
};

Redactor::Redactor(const spec::contract::Contract& contract, Key key, RedactionOptions options)
    : contract_(contract),
      options_(std::move(options)),
      secrets_(contract, std::move(key), options_.names),
      generator_(contract.schemas()) {}

Redactor::Redactor(const spec::contract::Contract& contract, const Redactor& before)
    : contract_(contract),
      options_(before.options_),
      secrets_(contract, before.secrets_),
      generator_(contract.schemas()),
      replaced_(before.replaced_),
      identifiers_(before.identifiers_) {
  if (&contract == &before.contract_) {
    return;
  }
  for (auto& one : identifiers_) {
    one.second.clear();  // schemas of the other contract
  }
}

void Redactor::learn(const spec::http::Request& request, const spec::http::Response* response,
                     const Operation* operation) {
  if (options_.is_off) {
    return;
  }
  secrets_.learn(request, response);
  if (operation == nullptr) {
    return;
  }
  for (const auto& one : secrets_.in_path(request.target, operation)) {
    secrets_.learn_value(one.value);
    learn_identifier(one.value, one.schemas);
  }
  if (const auto schema = request_schema(operation, request)) {
    secrets_.learn_by_schema(request.body, *schema, Direction::kRequest);
  }
  learn_headers(request.headers, field_of(operation));
  if (response != nullptr) {
    if (const auto schema = api::response_schema(contract_, *operation, response->status)) {
      secrets_.learn_by_schema(response->body, schema->id, Direction::kResponse);
    }
    learn_headers(response->headers, field_of(operation, response->status));
  }
}

void Redactor::learn_headers(const spec::http::Headers& headers, const FindParameter& find) {
  for (const auto& [name, value] : headers.lines()) {
    const auto* const declared = find(name);
    if (declared != nullptr && declared->schema && secrets_.is_schema(*declared->schema)) {
      secrets_.learn_value(value);
    }
  }
}

// Chooses its replacement at once, for all places where it comes up.
void Redactor::learn_identifier(const std::string& value, const Schemas& schemas) {
  const auto [found, is_new] = identifiers_.try_emplace(value);
  Schemas& all = found->second;
  for (const auto one : schemas) {
    if (std::ranges::find(all, one) == all.end()) {
      all.push_back(one);
    }
  }
  if (is_new) {
    secrets_.replace_by(value, replace_text(value, schemas));
  }
}

Redactor::Schemas Redactor::with_identifier(const std::string& text, Schemas schemas) const {
  if (const auto found = identifiers_.find(text); found != identifiers_.end()) {
    schemas.insert(schemas.end(), found->second.begin(), found->second.end());
  }
  return schemas;
}

bool Redactor::is_secret_schema(const Schemas& schemas) const {
  return std::ranges::any_of(
      schemas, [this](spec::schema::SchemaId one) { return secrets_.is_schema(one); });
}

std::string Redactor::text(std::string_view value) const {
  return options_.is_off ? std::string(value) : secrets_.text(value);
}

bool Redactor::is_as_valid(const json& before, const json& after, const Schemas& schemas) const {
  using spec::schema::Verdict;
  const auto& all = contract_.schemas();
  return std::ranges::all_of(schemas, [&](spec::schema::SchemaId one) {
    return spec::schema::check(all, one, after) == Verdict::kValid ||
           spec::schema::check(all, one, before) != Verdict::kValid;
  });
}

std::vector<json> Redactor::candidates(const json& value, const std::string& text,
                                       const Schemas& schemas) {
  std::vector<json> made;
  const std::string digits = key().digits(text, 64);
  if (value.is_string()) {
    const std::string shaped =
        identifiers_.contains(text) ? same_identifier(text, digits) : std::string();
    if (!shaped.empty()) {
      made.emplace_back(shaped);
    }
    made.emplace_back(secrets_.replacement(text));
    const std::size_t last = text.find_last_of("_-");
    made.emplace_back(same_shape(text, digits, 0));
    made.emplace_back(same_shape(text, digits, last == std::string::npos ? 0 : last + 1));
  } else if (value.is_boolean()) {
    made.emplace_back(digits.front() % 2 == 0);
  } else if (spec::json::is_number(value)) {
    const std::string shaped = same_shape(text, digits, text.front() == '-' ? 1 : 0);
    if (spec::json::is_number_text(shaped)) {
      made.push_back(spec::json::make_number(shaped));
    }
  }
  for (const auto schema : schemas) {
    if (auto one = generator_.generate(
            schema, {.seed = key().number(text), .name = {}, .key = {}, .use_examples = false})) {
      made.push_back(std::move(*one));
    }
  }
  return made;
}

std::optional<json> Redactor::replace(const json& value, const Schemas& places) {
  const std::string text = value.is_string() ? value.get<std::string>() : spec::json::write(value);
  const Schemas schemas = value.is_string() ? with_identifier(text, places) : places;
  const auto fits = [&](const json& one) {
    return (one != value || one.is_boolean()) && is_as_valid(value, one, schemas);
  };
  std::vector<json>& known = replaced_[spec::json::write(value)];
  if (const auto same = std::ranges::find_if(known, fits); same != known.end()) {
    return *same;
  }
  const auto others = candidates(value, text, schemas);
  const auto found = std::ranges::find_if(others, fits);
  if (found == others.end()) {
    return std::nullopt;
  }
  known.push_back(*found);
  return *found;
}

std::optional<json> Redactor::redact_scalar(const json& value, const Schemas& schemas,
                                            bool is_secret) {
  if (value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty()) ||
      (!is_secret && !value.is_string())) {
    return value;
  }
  if (is_secret) {
    if (value.is_string()) {
      secrets_.learn_value(value.get_ref<const std::string&>());
    }
    return replace(value, schemas);
  }
  const auto& before = value.get_ref<const std::string&>();
  json after = secrets_.first_text(before);
  return after == value || is_as_valid(value, after, schemas) ? after : replace(value, schemas);
}

// True if the member names what a path named by a secret.
bool Redactor::is_identifier(std::string_view name, const json& value) const {
  const std::string plain = spec::text::plain_name(name);
  return (plain == "id" || plain == "uuid" || plain == "key") && !value.is_structured() &&
         identifiers_.contains(value.is_string() ? value.get<std::string>()
                                                 : spec::json::write(value));
}

std::optional<json> Redactor::redact_value(const json& value, const Walk& walk) {
  const auto found = walk.places.find(walk.pointer);
  const Schemas& schemas = found == walk.places.end() ? Schemas{} : found->second;
  const bool is_secret = walk.is_secret || is_secret_schema(schemas);
  const auto type = spec::json::type_of(value);
  if (type != spec::json::Type::kArray && type != spec::json::Type::kObject) {
    return redact_scalar(value, schemas, is_secret);
  }
  json made = type == spec::json::Type::kArray ? json::array() : json::object();
  std::size_t index = 0;
  for (const auto& item : value.items()) {
    Walk inner{walk.places, walk.pointer, is_secret};
    if (value.is_array()) {
      spec::json::append_token(inner.pointer, index++);
    } else {
      spec::json::append_token(inner.pointer, item.key());
      inner.is_secret = is_secret || is_identifier(item.key(), item.value()) ||
                        secrets_.is_member(item.key(), item.value());
    }
    auto part = redact_value(item.value(), inner);
    if (!part) {
      return std::nullopt;
    }
    if (value.is_array()) {
      made.push_back(std::move(*part));
    } else {
      made[text(item.key())] = std::move(*part);
    }
  }
  return made;
}

spec::Result<std::string, std::string> Redactor::redact_json(
    const std::string& body, std::optional<spec::schema::SchemaId> schema, Direction direction) {
  const auto read = spec::json::read(body);
  if (!read) {
    return spec::Unexpected{"the body is no JSON (" + text(read.error().message) +
                            "), so that nothing in it can be redacted"};
  }
  std::map<std::string, Schemas> places;
  const spec::schema::ValidateOptions options{.direction = direction};
  if (schema) {
    spec::schema::visit_applied(contract_.schemas(), *schema, *read, options,
                                [&](auto id, const json& /*value*/, const auto* path) {
                                  places[spec::schema::to_pointer(path)].push_back(id);
                                  return true;
                                });
  }
  const auto made = redact_value(*read, {places, "", false});
  if (made && *made == *read) {
    return body;
  }
  if (!made || (schema &&
                spec::schema::check(contract_.schemas(), *schema, *read, options) ==
                    spec::schema::Verdict::kValid &&
                spec::schema::check(contract_.schemas(), *schema, *made, options) !=
                    spec::schema::Verdict::kValid)) {
    return spec::Unexpected{
        std::string("no replacement of a secret in the body is valid by its schema")};
  }
  return spec::json::write(*made);
}

// Redacts a body whose type is text: its form may be that of JSON.
std::string Redactor::redact_text(const std::string& body, Direction direction) {
  if (!spec::json::read(body)) {
    return secrets_.first_text(body);
  }
  const auto made = redact_json(body, std::nullopt, direction);
  return made ? *made : secrets_.token(body);
}

// For a parameter, whose value is a text whatever its schema says.
std::string Redactor::replace_text(const std::string& value, const Schemas& schemas) {
  const auto other = replace(value_of_parameter(contract_.schemas(), value, schemas), schemas);
  if (!other || other->is_structured()) {
    return secrets_.token(value);
  }
  return other->is_string() ? other->get<std::string>() : spec::json::write(*other);
}

std::string Redactor::redact_form(std::string_view form, const Operation* operation) {
  std::string made;
  for (const auto& pair : spec::http::split_form(form)) {
    std::string value =
        spec::text::percent_decode(pair.value, true).value_or(std::string(pair.value));
    const auto* const parameter =
        operation != nullptr ? operation->parameter(spec::contract::Location::kQuery, pair.name)
                             : nullptr;
    const Schemas schemas =
        parameter != nullptr && parameter->schema ? Schemas{*parameter->schema} : Schemas{};
    std::string after = secrets_.first_text(value);
    if (secrets_.is_pair(pair.name, form) || is_secret_schema(schemas)) {
      after = replace_text(value, schemas);
    }
    made += made.empty() ? "" : "&";
    made += spec::text::percent_encode(secrets_.first_text(pair.name), "[]");
    made += pair.has_equals ? "=" : "";
    made += after == value ? std::string(pair.value) : spec::text::percent_encode(after);
  }
  return made;
}

std::string Redactor::redact_target(std::string_view target, const Operation* operation) {
  std::string made;
  const auto secret = secrets_.in_path(target, operation);
  std::string_view path = spec::http::path_of(target);
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(slash);
    const std::string_view name = segment.substr(segment.starts_with('/') ? 1 : 0);
    const std::string value = spec::text::percent_decode(name).value_or(std::string(name));
    const auto own = std::ranges::find(secret, value, &Secrets::PathValue::value);
    const std::string after = own != secret.end() ? replace_text(value, own->schemas) : text(value);
    made += segment.starts_with('/') ? "/" : "";
    made += after == value ? std::string(name) : spec::text::percent_encode(after, "@:");
  }
  const std::string query = redact_form(spec::http::query_of(target), operation);
  return query.empty() ? made : made + '?' + query;
}

// The value of a field by its schemas, as valid as it was where that is possible.
std::string Redactor::redact_field(std::string_view name, const std::string& value,
                                   const Schemas& schemas) {
  auto parts = secrets_.in_field(name, value);
  if (is_secret_schema(schemas)) {
    secrets_.learn_value(value);
    parts = {value};
  }
  std::string made;
  const char* done = value.data();
  for (const std::string_view part : parts) {
    made.append(done, part.data()).append(secrets_.token(part));
    done = part.data() + part.size();
  }
  made =
      parts.empty() ? secrets_.first_text(value) : made.append(done, value.data() + value.size());
  const auto& all = contract_.schemas();
  return made == value || is_as_valid(value_of_parameter(all, value, schemas),
                                      value_of_parameter(all, made, schemas), schemas)
             ? made
             : replace_text(value, schemas);
}

spec::http::Headers Redactor::redact_headers(const spec::http::Headers& headers,
                                             const FindParameter& find) {
  spec::http::Headers made;
  for (const auto& [name, value] : headers.lines()) {
    const auto* const declared = find(name);
    const bool has_schema = declared != nullptr && declared->schema;
    made.add(name, redact_field(name, value, has_schema ? Schemas{*declared->schema} : Schemas{}));
  }
  return made;
}

std::string Redactor::redact_body(const spec::http::Headers& headers, std::string& body,
                                  bool& is_whole, std::optional<spec::schema::SchemaId> schema,
                                  Direction direction,
                                  const spec::contract::MediaTypeObject* items) {
  const BodyForm form = form_of(headers, body);
  if (form == BodyForm::kJson && is_whole) {
    auto made = redact_json(body, schema, direction);
    if (!made) {
      return made.error();
    }
    body = std::move(*made);
  } else if (form == BodyForm::kForm) {
    body = redact_form(body, nullptr);
  } else if (form == BodyForm::kItems) {
    const auto type = spec::http::parse_media_type(headers.find("Content-Type").value_or(""));
    body = redact_items(body, *spec::http::item_form(*type), items);
  } else if (form == BodyForm::kText) {
    body = redact_text(body, direction);
  } else if (form != BodyForm::kNone) {
    body.clear();
    is_whole = false;
  }
  return "";
}

spec::Result<spec::har::Call, std::string> Redactor::redact(const spec::har::Call& call,
                                                            const Operation* operation) {
  spec::har::Call made = call;
  if (options_.is_off) {
    return made;
  }
  auto& request = made.request;
  if (const auto why = redact_body(request.headers, request.body, made.has_request_body,
                                   request_schema(operation, request), Direction::kRequest);
      !why.empty()) {
    return spec::Unexpected{"request: " + why};
  }
  request.headers = redact_headers(request.headers, field_of(operation));
  request.target = redact_target(request.target, operation);
  if (made.response) {
    auto& response = *made.response;
    const auto schema = operation == nullptr
                            ? std::nullopt
                            : api::response_schema(contract_, *operation, response.status);
    if (const auto why = redact_body(response.headers, response.body, made.has_response_body,
                                     schema ? std::optional(schema->id) : std::nullopt,
                                     Direction::kResponse, items_content(operation, response));
        !why.empty()) {
      return spec::Unexpected{"response: " + why};
    }
    response.headers = redact_headers(response.headers, field_of(operation, response.status));
    response.reason = text(response.reason);
  }
  made.failure = text(made.failure);
  made.url = made.origin + made.request.target;
  return made;
}

}  // namespace mock_server::record
