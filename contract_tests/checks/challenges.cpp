#include "contract_tests/checks/challenges.hpp"

#include "spec/contract/checking/request_credentials.hpp"
#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"

namespace contract_tests::checks {

using spec::http::FieldReader;

namespace {

// True when a token68 was read, one that ends its list element. A bearer token is one (RFC 6750
// §2.1, RFC 9110 §11.2).
bool take_token68(FieldReader& reader) {
  FieldReader after = reader;
  const bool read = spec::contract::is_bearer_token(after.before_any_of(" \t,"));
  after.blanks();
  const bool whole = read && (after.at_end() || after.is_at(','));
  reader = whole ? after : reader;
  return whole;
}

// True when `name BWS "=" BWS value` was read.
bool take_parameter(FieldReader& reader) {
  FieldReader after = reader;
  const bool named = !after.token().empty();
  after.blanks();
  bool whole = named && after.take('=');
  if (whole) {
    after.blanks();
    whole = after.quoted() || !after.token().empty();
  }
  reader = whole ? after : reader;
  return whole;
}

// One element of the list: a challenge's start, or a further parameter of the challenge before.
bool read_element(FieldReader& reader, std::vector<std::string>& schemes) {
  if (!schemes.empty() && take_parameter(reader)) {
    return true;
  }
  const auto scheme = reader.token();
  if (scheme.empty()) {
    return false;
  }
  schemes.push_back(spec::text::to_lower(scheme));
  if (reader.blanks() && !take_token68(reader)) {
    take_parameter(reader);
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> challenge_schemes(std::string_view field) {
  FieldReader reader(field);
  std::vector<std::string> schemes;
  while (true) {
    reader.blanks();
    if (reader.take(',')) {
      continue;  // an empty element
    }
    if (reader.at_end()) {
      break;
    }
    if (!read_element(reader, schemes)) {
      return std::nullopt;
    }
    reader.blanks();
    if (!reader.at_end() && !reader.take(',')) {
      return std::nullopt;
    }
  }
  return schemes.empty() ? std::nullopt : std::optional(schemes);
}

std::map<std::string, std::string> cache_directives(std::string_view field) {
  FieldReader reader(field);
  std::map<std::string, std::string> directives;
  while (!reader.at_end()) {
    reader.blanks();
    const auto name = spec::text::to_lower(reader.token());
    std::string argument;
    if (!name.empty() && reader.take('=')) {
      const auto text = reader.quoted();
      argument = text ? *text : std::string(reader.token());
    }
    if (!name.empty()) {
      directives.emplace(name, std::move(argument));
    }
    reader.blanks();
    if (!reader.take(',') && !reader.at_end()) {
      break;  // no list any more
    }
  }
  return directives;
}

}  // namespace contract_tests::checks
