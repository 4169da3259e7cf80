#include "mock_server/record/secret_values.hpp"

#include "mock_server/journal/journal_query.hpp"
#include "mock_server/record/secret_forms.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/contract/checking/request_credentials.hpp"
#include "spec/http/form.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/instance_schemas.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace mock_server::record {
namespace {

using nlohmann::json;
using spec::contract::Operation;
using spec::schema::SchemaId;
using spec::text::equals_ignoring_case;

constexpr std::array<const char*, 33> kSecretNames{"password",
                                                   "passwd",
                                                   "pwd",
                                                   "passphrase",
                                                   "secret",
                                                   "clientsecret",
                                                   "token",
                                                   "accesstoken",
                                                   "refreshtoken",
                                                   "idtoken",
                                                   "apikey",
                                                   "xapikey",
                                                   "apisecret",
                                                   "privatekey",
                                                   "secretkey",
                                                   "authtoken",
                                                   "xauthtoken",
                                                   "sessiontoken",
                                                   "signingsecret",
                                                   "webhooksecret",
                                                   "authorization",
                                                   "cardnumber",
                                                   "cvv",
                                                   "cvc",
                                                   "sessionid",
                                                   "passcode",
                                                   "codeverifier",
                                                   "sig",
                                                   "xamzsignature",
                                                   "xamzcredential",
                                                   "xgoogsignature",
                                                   "xgoogcredential",
                                                   "clientassertion"};
constexpr std::array<std::string_view, 14> kSecretEndings{
    "token",      "secret",     "password",        "passwd",      "passphrase",
    "accesskey",  "apikey",     "secretkey",       "privatekey",  "authkey",
    "accountkey", "signingkey", "subscriptionkey", "functionskey"};
// Members with the next page of a list or a feed; requests repeat them.
constexpr std::array<std::string_view, 12> kPageEndings{
    "pagetoken",         "nexttoken",       "prevtoken",     "previoustoken",
    "continuationtoken", "cursortoken",     "skiptoken",     "synctoken",
    "resumptiontoken",   "paginationtoken", "startingtoken", "deltatoken"};

template <std::size_t kCount>
bool ends_with_one(std::string_view name, const std::array<std::string_view, kCount>& endings) {
  return std::ranges::any_of(endings, [name](std::string_view one) { return name.ends_with(one); });
}

std::string decoded(std::string_view value) {
  return spec::text::percent_decode(value, true).value_or(std::string(value));
}

// Shorter ones come up by chance.
constexpr std::size_t kMinSecretBytes = 8;

// Calls `visit` for each text that `find` finds, in what is behind the one before. Returns the
// rest.
template <typename Find, typename Visit>
std::string_view for_each_found(std::string_view text, Find find, Visit visit) {
  for (auto found = find(text); found; found = find(text)) {
    visit(*found);
    text.remove_prefix(static_cast<std::size_t>(found->data() - text.data()) + found->size());
  }
  return text;
}

// The text with what `make` makes of it in the place of each text that `find` finds.
template <typename Find, typename Make>
std::string with_replaced(std::string_view text, Find find, Make make) {
  std::string made;
  const char* done = text.data();
  const std::string_view rest = for_each_found(text, find, [&](std::string_view found) {
    made.append(done, found.data()).append(make(found));
    done = found.data() + found.size();
  });
  return made.append(rest);
}

// Precondition: it has eight bytes.
std::uint64_t first_bytes(std::string_view text) {
  std::uint64_t number = 0;
  std::memcpy(&number, text.data(), sizeof number);
  return number;
}

std::size_t first_two(std::string_view text) {
  constexpr std::size_t kByte = 256;
  return static_cast<unsigned char>(text[0]) * kByte + static_cast<unsigned char>(text[1]);
}

// All that may apply to an instance of `root` or to a part of it.
std::vector<SchemaId> schemas_of_parts(const spec::schema::Program& program, SchemaId root) {
  std::vector<SchemaId> all{root};
  std::set<SchemaId> seen{root};
  const auto add = [&](SchemaId one) {
    if (seen.insert(one).second) {
      all.push_back(one);
    }
  };
  for (std::size_t at = 0; at < all.size(); ++at) {
    const SchemaId id = all[at];
    std::ranges::for_each(spec::schema::applicable(program, id, spec::schema::Reach::kPossible),
                          add);
    const spec::schema::Inner inner = spec::schema::inner_schemas(program, id);
    std::ranges::for_each(inner.properties, add, &spec::schema::NamedSchema::schema);
    std::ranges::for_each(inner.patterns, add, &spec::schema::NamedSchema::schema);
    std::ranges::for_each(inner.prefix, add);
    for (const auto& one : {inner.additional, inner.unevaluated_members, inner.elements,
                            inner.unevaluated_elements}) {
      if (one) {
        add(*one);
      }
    }
  }
  return all;
}

}  // namespace

Secrets::Secrets(const spec::contract::Contract& contract, Key key,
                 std::span<const std::string> names)
    : contract_(contract), key_(std::move(key)) {
  names_.insert(kSecretNames.begin(), kSecretNames.end());
  for (const auto& name : names) {
    names_.insert(spec::text::plain_name(name));
  }
  for (const auto& one : spec::contract::api_keys(contract)) {
    names_.insert(spec::text::plain_name(one.second));
  }
}

Secrets::Secrets(const spec::contract::Contract& contract, const Secrets& before)
    : Secrets(contract, before.key_, {}) {
  names_.insert(before.names_.begin(), before.names_.end());
  replacements_ = before.replacements_;
  count_ = before.count_;
  known_ = before.known_;
  starts_ = before.starts_;
}

bool Secrets::is_name(std::string_view name) const {
  return is_name_.of(name, [this](std::string_view one) { return is_secret_name(one); });
}

bool Secrets::is_secret_name(std::string_view name) const {
  const std::string plain = spec::text::plain_name(name);
  return names_.contains(plain) ||
         (ends_with_one(plain, kSecretEndings) && !ends_with_one(plain, kPageEndings));
}

// "max_tokens" is a number and "tokens" may be those of a parser: only texts can be secret.
bool Secrets::is_list_name(std::string_view name, const json& value) const {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const json& one) { return one.is_string(); }) &&
         is_name(spec::text::singular(spec::text::plain_name(name)));
}

bool Secrets::is_member(std::string_view name, const json& value) const {
  if (value.is_boolean()) {
    return names_.contains(spec::text::plain_name(name));  // "has_password" is not a secret
  }
  return is_name(name) || is_list_name(name, value);
}

bool Secrets::is_pair(std::string_view name, std::string_view form) const {
  // The code of OAuth, which may be used once; other codes are of all kinds. Source: RFC 6749
  // §4.1.3.
  return is_name(name) || (name == "code" && form.find("grant_type=") != std::string_view::npos);
}

bool Secrets::is_schema(spec::schema::SchemaId schema) const {
  const auto& program = contract_.schemas().program();
  const auto format = spec::schema::keyword_value(program, schema, "format");
  const auto write_only = spec::schema::keyword_value(program, schema, "writeOnly");
  return (format && format.is_string() && format.string() == "password") ||
         (write_only && write_only.is_boolean() && write_only.boolean());
}

std::vector<Secrets::PathValue> Secrets::in_path(std::string_view target,
                                                 const Operation* operation) const {
  std::vector<PathValue> found;
  const auto may_be_secret = [this](const spec::contract::Parameter& one) {
    return one.location == spec::contract::Location::kPath &&
           (is_name(one.name) || (one.schema && is_schema(*one.schema)));
  };
  if (operation == nullptr || std::ranges::none_of(operation->parameters, may_be_secret)) {
    return found;
  }
  const auto match = contract_.route(operation->method, journal::path_of_entry(target));
  for (const auto& [name, value] : match.path_values) {
    const auto* const parameter = operation->parameter(spec::contract::Location::kPath, name);
    const bool has_schema = parameter != nullptr && parameter->schema;
    if (is_name(name) || (has_schema && is_schema(*parameter->schema))) {
      found.push_back({value, {}});
      if (has_schema) {
        found.back().schemas.push_back(*parameter->schema);
      }
    }
  }
  return found;
}

// A secret may come up encoded, too.
void Secrets::learn_value(std::string_view value) {
  if (value.size() < kMinSecretBytes || value.starts_with(kReplaced) || value == state::kHidden) {
    return;
  }
  const std::string in_json = spec::json::write(json(value));
  learn_one(value);
  learn_one(spec::text::percent_encode(value));
  learn_one(std::string_view(in_json).substr(1, in_json.size() - 2));
}

void Secrets::learn_one(std::string_view value) {
  auto& same_start = known_[first_bytes(value)];
  if (std::ranges::find(same_start, value) != same_start.end()) {
    return;
  }
  const auto place = std::ranges::find_if(
      same_start, [&](const std::string& other) { return other.size() < value.size(); });
  same_start.emplace(place, value);
  starts_.set(first_two(value));
  ++count_;
}

void Secrets::learn_form(std::string_view form) {
  for (const auto& pair : spec::http::split_form(form)) {
    const std::string value = decoded(pair.value);
    if (is_pair(pair.name, form)) {
      learn_value(value);
    }
    learn_text(value);
  }
}

// True if the schema of a part of an instance of `root` may say that it is secret.
bool Secrets::may_have_secret(SchemaId root) {
  const auto [known, is_new] = may_have_secret_.try_emplace(root);
  if (is_new) {
    const auto all = schemas_of_parts(contract_.schemas().program(), root);
    known->second = std::ranges::any_of(all, [this](SchemaId one) { return is_schema(one); });
  }
  return known->second;
}

void Secrets::learn_by_schema(const std::string& body, SchemaId schema,
                              spec::schema::Direction direction) {
  if (body.empty() || !may_have_secret(schema)) {
    return;
  }
  const auto read = spec::json::read(body);
  if (!read) {
    return;
  }
  spec::schema::visit_applied(contract_.schemas(), schema, *read, {.direction = direction},
                              [this](auto id, const json& value, const auto* /*path*/) {
                                if (is_schema(id)) {
                                  learn_json(value, true);
                                }
                                return true;
                              });
}

std::optional<std::string_view> Secrets::find_named(std::string_view text) const {
  return find_named_value(text, [this](std::string_view name) { return is_name(decoded(name)); });
}

void Secrets::learn_text(std::string_view text) {
  static constexpr std::string_view kCdata = "<![CDATA[";
  for_each_found(text, find_url_user, [this](std::string_view user) {
    // The name of a user with a password is in many texts.
    const std::size_t colon = user.find(':');
    const auto credential = user.substr(colon == std::string_view::npos ? 0 : colon + 1);
    learn_value(spec::text::percent_decode(credential).value_or(std::string(credential)));
  });
  const auto find = [this](std::string_view rest) { return find_named(rest); };
  for_each_found(text, find, [this](std::string_view value) {
    learn_value(value);
    learn_value(decoded(value));
    if (value.starts_with(kCdata)) {
      const std::string_view inner = value.substr(kCdata.size());
      learn_value(inner.substr(0, inner.find("]]>")));
    }
  });
}

// The part between two texts of JSON has a colon only at its start, behind a name in quotes.
bool may_be_between_texts(std::string_view text) {
  const std::size_t colon = text.find_last_of(':');
  return text.find_first_of("=<'") == std::string_view::npos &&
         (colon == std::string_view::npos || colon == text.find_first_not_of(" \t\r\n"));
}

// False of JSON in which no member has a secret name and no text has a named secret in it.
bool Secrets::may_name_secret(std::string_view body) const {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto starts_with = [&](char c, std::size_t at) {
    const std::size_t first = body.find_first_not_of(kBlanks, at);
    return first != std::string_view::npos && body[first] == c;
  };
  if ((!starts_with('{', 0) && !starts_with('[', 0)) || body.find('\\') != std::string_view::npos) {
    return true;
  }
  for (std::size_t at = 0;;) {
    const std::size_t begin = body.find('"', at);
    if (!may_be_between_texts(body.substr(at, begin - at))) {
      return true;  // no JSON
    }
    const std::size_t end = body.find('"', std::min(begin, body.size() - 1) + 1);
    if (begin == std::string_view::npos || end == std::string_view::npos) {
      return begin != end;
    }
    const std::string_view text = body.substr(begin + 1, end - begin - 1);
    at = end + 1;
    if (!starts_with(':', at)) {
      if (find_url_user(text) || find_named(text)) {
        return true;
      }
    } else if (is_name(text) || (starts_with('[', body.find(':', at) + 1) &&
                                 is_name(spec::text::singular(spec::text::plain_name(text))))) {
      return true;
    }
  }
}

void Secrets::learn_body(const std::string& body) {
  if (body.empty() || !may_name_secret(body)) {
    return;
  }
  if (const auto read = spec::json::read(body)) {
    learn_json(*read, false);
  } else {
    learn_form(body);
    learn_text(body);
  }
}

// All of its texts if it is secret, else those of secret members and those named in other texts.
void Secrets::learn_json(const json& root, bool is_root_secret) {
  std::vector<std::pair<const json*, bool>> open{{&root, is_root_secret}};
  while (!open.empty()) {
    const auto [value, is_secret] = open.back();
    open.pop_back();
    if (value->is_string()) {
      const auto& text = value->get_ref<const std::string&>();
      is_secret ? learn_value(text) : learn_text(text);
    } else if (spec::json::type_of(*value) == spec::json::Type::kObject) {
      for (const auto& [name, inner] : value->items()) {
        open.emplace_back(&inner, is_secret || is_member(name, inner));
      }
    } else if (value->is_array()) {
      for (const json& inner : *value) {
        open.emplace_back(&inner, is_secret);
      }
    }
  }
}

std::vector<std::string_view> Secrets::in_field(std::string_view name,
                                                std::string_view value) const {
  const bool is_set = equals_ignoring_case(name, "Set-Cookie");
  std::vector<std::string_view> parts;
  if (is_set || equals_ignoring_case(name, "Cookie")) {
    for (const auto& pair :
         spec::http::split_cookies(is_set ? value.substr(0, value.find(';')) : value)) {
      parts.push_back(pair.value);
    }
  } else if (is_name(name) || equals_ignoring_case(name, "Proxy-Authorization")) {
    const std::size_t blank = value.find(' ');
    parts.push_back(value.substr(blank == std::string_view::npos ? 0 : blank + 1));
  }
  std::erase_if(parts, [](std::string_view part) { return part.empty(); });
  return parts;
}

void Secrets::learn_field(const std::string& name, const std::string& value) {
  constexpr std::string_view kBasic = "Basic ";
  const auto parts = in_field(name, value);
  for (const std::string_view part : parts) {
    learn_value(part);
  }
  if (parts.empty()) {
    learn_text(value);
  } else if (equals_ignoring_case(std::string_view(value).substr(0, kBasic.size()), kBasic)) {
    const std::string pair = spec::text::from_base64(parts.front()).value_or("");
    learn_value(pair);
    learn_value(std::string_view(pair).substr(std::min(pair.find(':') + 1, pair.size())));
  }
}

void Secrets::learn(const spec::http::Request& request, const spec::http::Response* response) {
  for (const auto& [name, value] : request.headers.lines()) {
    learn_field(name, value);
  }
  learn_form(spec::http::query_of(request.target));
  learn_body(request.body);
  if (response != nullptr) {
    learn_body(response->body);
    for (const auto& [name, value] : response->headers.lines()) {
      learn_field(name, value);
    }
  }
}

std::string Secrets::token(std::string_view value) const {
  constexpr std::size_t kDigits = 12;
  return tokens_.of(value, [this](std::string_view one) {
    return std::string(kReplaced) + key_.digits(one, kDigits);
  });
}

void Secrets::replace_by(const std::string& value, const std::string& other) {
  replacements_.try_emplace(value, other);
}

std::string Secrets::replacement(std::string_view value) const {
  if (const auto found = replacements_.find(value); found != replacements_.end()) {
    return found->second;
  }
  return is_mail_address(value) ? token(value) + "@example.com" : token(value);
}

// The first one that is remembered; of several there the longest.
std::optional<std::string_view> Secrets::find_known(std::string_view text) const {
  for (; text.size() >= kMinSecretBytes; text.remove_prefix(1)) {
    const auto same_start =
        starts_.test(first_two(text)) ? known_.find(first_bytes(text)) : known_.end();
    if (same_start == known_.end()) {
      continue;
    }
    const auto longest = std::ranges::find_if(
        same_start->second, [&](const std::string& one) { return text.starts_with(one); });
    if (longest != same_start->second.end()) {
      return text.substr(0, longest->size());
    }
  }
  return std::nullopt;
}

std::string Secrets::text(std::string_view value) const {
  const auto make = [this](std::string_view found) { return replacement(found); };
  const std::string known = with_replaced(
      value, [this](std::string_view rest) { return find_known(rest); }, make);
  return with_replaced(known, find_secret_form, make);
}

std::string Secrets::first_text(std::string_view value) const {
  return text(with_replaced(
      value, [this](std::string_view rest) { return find_named(rest); },
      [this](std::string_view found) { return token(decoded(found)); }));
}

}  // namespace mock_server::record
