#include "contract_tests/checks/challenges.hpp"

#include "spec/contract/checking/credentials.hpp"
#include "spec/http/bytes.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>

namespace contract_tests::checks {

namespace {

// Reads one piece after another; a piece that is not there leaves the place as it is.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool blanks() { return !run(std::min(rest_.find_first_not_of(" \t"), rest_.size())).empty(); }

  bool take(char letter) {
    const bool there = rest_.starts_with(letter);
    rest_.remove_prefix(there ? 1 : 0);
    return there;
  }

  std::string_view token() { return run(spec::http::run_of(rest_, spec::http::kTokenByte)); }

  // True when a token68 was read, one that ends its list element. A bearer token is one (RFC 6750
  // §2.1, RFC 9110 §11.2).
  bool token68() {
    const auto before = rest_;
    const bool read =
        spec::contract::is_bearer_token(run(std::min(rest_.find_first_of(" \t,"), rest_.size())));
    const auto after = rest_;
    blanks();
    const bool whole = read && (at_end() || rest_.front() == ',');
    rest_ = whole ? after : before;
    return whole;
  }

  std::optional<std::string> quoted() {
    if (!take('"')) {
      return std::nullopt;
    }
    std::string text;
    while (!at_end() && rest_.front() != '"') {
      if (take('\\') && at_end()) {
        return std::nullopt;
      }
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    return take('"') ? std::optional(text) : std::nullopt;
  }

  // True when `name BWS "=" BWS value` was read.
  bool parameter() {
    const auto before = rest_;
    const bool named = !token().empty();
    blanks();
    if (named && take('=')) {
      blanks();
      if (quoted() || !token().empty()) {
        return true;
      }
    }
    rest_ = before;
    return false;
  }

 private:
  std::string_view run(std::size_t size) {
    const auto text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  std::string_view rest_;
};

// One element of the list: a challenge's start, or a further parameter of the challenge before.
bool read_element(Reader& reader, std::vector<std::string>& schemes) {
  if (!schemes.empty() && reader.parameter()) {
    return true;
  }
  const auto scheme = reader.token();
  if (scheme.empty()) {
    return false;
  }
  schemes.push_back(spec::text::to_lower(scheme));
  if (reader.blanks() && !reader.token68()) {
    reader.parameter();
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> challenge_schemes(std::string_view field) {
  Reader reader(field);
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
  Reader reader(field);
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
