#include "mock_server/record/redactor.hpp"

#include "mock_server/inference/names.hpp"
#include "mock_server/record/bodies.hpp"
#include "spec/http/form.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/applied.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace mock_server::record {
namespace {

using nlohmann::json;
using spec::contract::Operation;
using spec::schema::Direction;
using spec::text::equals_ignoring_case;

constexpr const char* kMail = R"([^\s@"'<>(),;:\\/=]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)";

// Keys of well-known makers, JSON web tokens, private keys, credentials in a text.
constexpr std::array<const char*, 5> kKeys{
    R"([A-Za-z]+_(?:live|test)_[A-Za-z0-9_-]{8,})",
    R"((?:gh[oprsu]_|github_pat_|glpat-|xox[abprs]-|whsec_|sk-|AKIA|AIza)[A-Za-z0-9_+\/=-]{12,})",
    R"(eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*)",
    R"(-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+\/=\s]*(?:-----END [A-Z ]*PRIVATE KEY-----)?)",
    R"([Bb]earer [A-Za-z0-9._~+\/-]{8,}=*)"};

constexpr std::array<const char*, 24> kSecretNames{
    "password",      "passwd",        "pwd",           "passphrase", "secret",     "clientsecret",
    "token",         "accesstoken",   "refreshtoken",  "idtoken",    "apikey",     "xapikey",
    "apisecret",     "privatekey",    "secretkey",     "authtoken",  "xauthtoken", "sessiontoken",
    "signingsecret", "webhooksecret", "authorization", "cardnumber", "cvv",        "cvc"};

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

}  // namespace

// One value on its way through a body.
struct Redactor::Walk {
  const std::map<std::string, Schemas>& places;  // the schemas that apply, by pointer
  std::string pointer;
  bool is_secret = false;  // something further out is
};

Redactor::Redactor(const spec::contract::Contract& contract, Key key, RedactionOptions options)
    : contract_(contract),
      key_(std::move(key)),
      options_(std::move(options)),
      generator_(contract.schemas()) {
  names_.insert(kSecretNames.begin(), kSecretNames.end());
  for (const auto& name : options_.names) {
    names_.insert(inference::plain_name(name));
  }
  for (const Operation& operation : contract.operations()) {
    for (const auto& alternative : operation.security) {
      for (const auto& scheme : alternative.schemes) {
        if (scheme.kind == spec::contract::SecurityKind::kApiKey) {
          names_.insert(inference::plain_name(scheme.parameter));
        }
      }
    }
  }
  std::vector<const char*> texts{kMail};
  texts.insert(texts.end(), kKeys.begin(), kKeys.end());
  for (const char* const text : texts) {
    auto pattern = spec::schema::patterns::Pattern::compile(text);
    assert(pattern);
    patterns_.push_back(std::move(*pattern));
  }
}

bool Redactor::is_secret_name(std::string_view name) const {
  return names_.contains(inference::plain_name(name));
}

bool Redactor::is_secret_schema(const Schemas& schemas) const {
  const auto& program = contract_.schemas().program();
  return std::ranges::any_of(schemas, [&](spec::schema::SchemaId one) {
    const auto format = spec::schema::keyword_value(program, one, "format");
    const auto write_only = spec::schema::keyword_value(program, one, "writeOnly");
    return (format && format.is_string() && format.string() == "password") ||
           (write_only && write_only.is_boolean() && write_only.boolean());
  });
}

void Redactor::learn_value(std::string_view value) {
  constexpr std::size_t kMinBytes = 8;
  if (value.size() >= kMinBytes && !value.starts_with("redacted-")) {
    secrets_.emplace(value);
  }
}

void Redactor::learn_body(const std::string& body) {
  const auto read = spec::json::read(body);
  if (!read) {
    return;
  }
  std::vector<std::pair<const json*, bool>> open{{&*read, false}};
  while (!open.empty()) {
    const auto [value, is_secret] = open.back();
    open.pop_back();
    if (value->is_string() && is_secret) {
      learn_value(value->get_ref<const std::string&>());
    } else if (spec::json::type_of(*value) == spec::json::Type::kObject) {
      for (const auto& [name, inner] : value->items()) {
        open.emplace_back(&inner, is_secret || is_secret_name(name));
      }
    } else if (value->is_array()) {
      for (const json& inner : *value) {
        open.emplace_back(&inner, is_secret);
      }
    }
  }
}

void Redactor::learn(const spec::har::Call& call, const Operation* /*operation*/) {
  for (const auto& [name, value] : call.request.headers.lines()) {
    if (equals_ignoring_case(name, "Cookie")) {
      for (const auto& pair : spec::http::split_cookies(value)) {
        learn_value(pair.value);
      }
    } else if (is_secret_name(name) || equals_ignoring_case(name, "Proxy-Authorization")) {
      const std::size_t blank = value.find(' ');
      const auto credential =
          std::string_view(value).substr(blank == std::string::npos ? 0 : blank + 1);
      learn_value(credential);
      if (const auto pair = spec::text::from_base64(credential);
          pair && value.starts_with("Basic ")) {
        learn_value(pair->substr(std::min(pair->find(':') + 1, pair->size())));
      }
    }
  }
  for (const std::string_view form :
       {spec::http::query_of(call.request.target), std::string_view(call.request.body)}) {
    for (const auto& pair : spec::http::split_form(form)) {
      if (is_secret_name(pair.name)) {
        learn_value(spec::text::percent_decode(pair.value, true).value_or(std::string(pair.value)));
      }
    }
  }
  learn_body(call.request.body);
  if (call.response) {
    learn_body(call.response->body);
    for (const std::string_view line : call.response->headers.all("Set-Cookie")) {
      for (const auto& pair : spec::http::split_cookies(line.substr(0, line.find(';')))) {
        learn_value(pair.value);
      }
    }
  }
}

std::string Redactor::token(std::string_view value) const {
  constexpr std::size_t kDigits = 12;
  return "redacted-" + key_.digits(value, kDigits);
}

// What replaces a secret that nothing else is known of.
std::string Redactor::replacement(std::string_view value) const {
  const auto mail = patterns_.front().find(value);
  return mail && mail->size() == value.size() ? token(value) + "@example.com" : token(value);
}

std::string Redactor::text(std::string_view value) const {
  std::string shown(value);
  if (options_.is_off) {
    return shown;
  }
  for (const std::string& secret : secrets_) {
    const std::string instead = replacement(secret);
    for (std::size_t at = shown.find(secret); at != std::string::npos;
         at = shown.find(secret, at + instead.size())) {
      shown.replace(at, secret.size(), instead);
    }
  }
  for (const auto& pattern : patterns_) {
    std::string done;
    std::string_view rest = shown;
    for (auto found = pattern.find(rest); found && !found->empty(); found = pattern.find(rest)) {
      const auto at = static_cast<std::size_t>(found->data() - rest.data());
      done += rest.substr(0, at);
      // Replacements that are there already stay.
      done += found->starts_with("redacted-") ? std::string(*found) : replacement(*found);
      rest.remove_prefix(at + found->size());
    }
    shown = done + std::string(rest);
  }
  return shown;
}

bool Redactor::is_as_valid(const json& before, const json& after, const Schemas& schemas) const {
  using spec::schema::Verdict;
  const auto& all = contract_.schemas();
  return std::ranges::all_of(schemas, [&](spec::schema::SchemaId one) {
    return spec::schema::check(all, one, after) == Verdict::kValid ||
           spec::schema::check(all, one, before) != Verdict::kValid;
  });
}

std::optional<json> Redactor::replace(const json& value, const Schemas& schemas) {
  const std::string text = value.is_string() ? value.get<std::string>() : spec::json::write(value);
  std::vector<json>& known = replaced_[spec::json::write(value)];
  std::vector<json> candidates = known;
  const std::string digits = key_.digits(text, 64);
  if (value.is_string()) {
    candidates.emplace_back(replacement(text));
    const std::size_t last = text.find_last_of("_-");
    candidates.emplace_back(same_shape(text, digits, 0));
    candidates.emplace_back(same_shape(text, digits, last == std::string::npos ? 0 : last + 1));
  } else if (value.is_boolean()) {
    candidates.emplace_back(digits.front() % 2 == 0);
  } else if (spec::json::type_of(value) == spec::json::Type::kNumber) {
    const std::string shaped = same_shape(text, digits, text.front() == '-' ? 1 : 0);
    if (spec::json::is_number_text(shaped)) {
      candidates.push_back(spec::json::make_number(shaped));
    }
  }
  for (const auto schema : schemas) {
    if (auto made = generator_.generate(
            schema, {.seed = key_.number(text), .name = {}, .key = {}, .use_examples = false})) {
      candidates.push_back(std::move(*made));
    }
  }
  const auto fits = [&](const json& one) {
    return (one != value || one.is_boolean()) && is_as_valid(value, one, schemas);
  };
  const auto found = std::ranges::find_if(candidates, fits);
  if (found == candidates.end()) {
    return std::nullopt;
  }
  if (std::ranges::find(known, *found) == known.end()) {
    known.push_back(*found);
  }
  return *found;
}

std::optional<json> Redactor::redact_scalar(const json& value, const Walk& /*walk*/,
                                            const Schemas& schemas, bool is_secret) {
  if (value.is_null() || value == "" || (!is_secret && !value.is_string())) {
    return value;
  }
  if (is_secret) {
    return replace(value, schemas);
  }
  const auto& before = value.get_ref<const std::string&>();
  json after = text(before);
  return after == value || is_as_valid(value, after, schemas) ? after : replace(value, schemas);
}

std::optional<json> Redactor::redact_value(const json& value, const Walk& walk) {
  const auto found = walk.places.find(walk.pointer);
  const Schemas& schemas = found == walk.places.end() ? Schemas{} : found->second;
  const bool is_secret = walk.is_secret || is_secret_schema(schemas);
  const auto type = spec::json::type_of(value);
  if (type != spec::json::Type::kArray && type != spec::json::Type::kObject) {
    return redact_scalar(value, walk, schemas, is_secret);
  }
  json made = type == spec::json::Type::kArray ? json::array() : json::object();
  std::size_t index = 0;
  for (const auto& item : value.items()) {
    Walk inner{walk.places, walk.pointer, is_secret};
    if (value.is_array()) {
      spec::json::append_token(inner.pointer, index++);
    } else {
      spec::json::append_token(inner.pointer, item.key());
      inner.is_secret = is_secret || is_secret_name(item.key());
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
  if (!made || (schema &&
                spec::schema::check(contract_.schemas(), *schema, *read, options) ==
                    spec::schema::Verdict::kValid &&
                spec::schema::check(contract_.schemas(), *schema, *made, options) !=
                    spec::schema::Verdict::kValid)) {
    return spec::Unexpected{
        std::string("no replacement of a secret in the body is valid by its schema")};
  }
  return *made == *read ? body : spec::json::write(*made);
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
    std::string after = text(value);
    if (is_secret_name(pair.name) || is_secret_schema(schemas)) {
      const auto other = replace(json(value), schemas);
      after = other && other->is_string() ? other->get<std::string>() : token(value);
    }
    made += made.empty() ? "" : "&";
    made += spec::text::percent_encode(text(pair.name), "[]");
    made += pair.has_equals ? "=" : "";
    made += after == value ? std::string(pair.value) : spec::text::percent_encode(after);
  }
  return made;
}

std::string Redactor::redact_target(std::string_view target, const Operation* operation) {
  std::string made;
  std::string_view path = spec::http::path_of(target);
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/', 1), path.size());
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(slash);
    const std::string_view name = segment.substr(segment.starts_with('/') ? 1 : 0);
    const std::string value = spec::text::percent_decode(name).value_or(std::string(name));
    const std::string after = text(value);
    made += segment.starts_with('/') ? "/" : "";
    made += after == value ? std::string(name) : spec::text::percent_encode(after, "@:");
  }
  const std::string query = redact_form(spec::http::query_of(target), operation);
  return query.empty() ? made : made + '?' + query;
}

std::string Redactor::redact_field(std::string_view name, std::string_view value) const {
  const bool is_set = equals_ignoring_case(name, "Set-Cookie");
  if (is_set || equals_ignoring_case(name, "Cookie")) {
    const std::string_view pairs = is_set ? value.substr(0, value.find(';')) : value;
    std::string made;
    for (const auto& pair : spec::http::split_cookies(pairs)) {
      made += (made.empty() ? "" : "; ") + pair.name + '=' + token(pair.value);
    }
    return made + std::string(value.substr(pairs.size()));
  }
  if (!is_secret_name(name) && !equals_ignoring_case(name, "Proxy-Authorization")) {
    return text(value);
  }
  const std::size_t blank = value.find(' ');
  const std::string scheme(blank == std::string_view::npos ? "" : value.substr(0, blank + 1));
  return scheme + token(value.substr(scheme.size()));
}

spec::http::Headers Redactor::redact_headers(const spec::http::Headers& headers) const {
  spec::http::Headers made;
  for (const auto& [name, value] : headers.lines()) {
    made.add(name, redact_field(name, value));
  }
  return made;
}

spec::Result<bool, std::string> Redactor::redact_request(spec::har::Call& call,
                                                         const Operation* operation) {
  auto& request = call.request;
  const BodyForm form = form_of(request.headers, request.body);
  if (form == BodyForm::kJson) {
    auto made = redact_json(request.body, request_schema(operation, request), Direction::kRequest);
    if (!made) {
      return spec::Unexpected{"request: " + made.error()};
    }
    request.body = *made;
  } else if (form == BodyForm::kForm) {
    request.body = redact_form(request.body, nullptr);
  } else if (form == BodyForm::kText) {
    request.body = text(request.body);
  } else if (form == BodyForm::kBytes) {
    request.body.clear();
    call.has_request_body = false;
  }
  request.target = redact_target(request.target, operation);
  request.headers = redact_headers(request.headers);
  return true;
}

spec::Result<bool, std::string> Redactor::redact_response(spec::har::Call& call,
                                                          const Operation* operation) {
  auto& response = *call.response;
  const BodyForm form = form_of(response.headers, response.body);
  if (form == BodyForm::kJson && call.has_response_body) {
    auto made = redact_json(response.body, response_schema(contract_, operation, response.status),
                            Direction::kResponse);
    if (!made) {
      return spec::Unexpected{"response: " + made.error()};
    }
    response.body = *made;
  } else if (form == BodyForm::kForm || form == BodyForm::kText) {
    response.body = text(response.body);
  } else if (form != BodyForm::kNone) {
    response.body.clear();
    call.has_response_body = false;
  }
  response.headers = redact_headers(response.headers);
  response.reason = text(response.reason);
  return true;
}

spec::Result<spec::har::Call, std::string> Redactor::redact(const spec::har::Call& call,
                                                            const Operation* operation) {
  spec::har::Call made = call;
  if (options_.is_off) {
    return made;
  }
  if (auto done = redact_request(made, operation); !done) {
    return spec::Unexpected{done.error()};
  }
  if (made.response) {
    if (auto done = redact_response(made, operation); !done) {
      return spec::Unexpected{done.error()};
    }
  }
  made.failure = text(made.failure);
  made.url = made.origin + made.request.target;
  return made;
}

}  // namespace mock_server::record
