#include "mock_server/record/forms.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>

namespace mock_server::record {
namespace {

using spec::text::is_letter_or_digit;

bool is_of_key(char c) {
  return is_letter_or_digit(c) || c == '_' || c == '-';
}

bool is_of_token(char c) {
  return is_of_key(c) || c == '+' || c == '/' || c == '=';
}

bool is_of_credential(char c) {
  return is_letter_or_digit(c) || std::string_view("._~+/-").find(c) != std::string_view::npos;
}

bool is_of_local_part(char c) {
  return std::string_view(" \t\r\n\f\v@\"'<>(),;:\\/=").find(c) == std::string_view::npos;
}

bool is_of_domain(char c) {
  return is_letter_or_digit(c) || c == '-';
}

// JSON writes line breaks with a backslash.
bool is_of_private_key(char c) {
  return is_letter_or_digit(c) ||
         std::string_view("+/= \t\r\n\\").find(c) != std::string_view::npos;
}

template <typename IsIn>
std::size_t run(std::string_view text, IsIn is_in) {
  const auto* const end = std::ranges::find_if_not(text, is_in);
  return static_cast<std::size_t>(end - text.begin());
}

// Backwards from the end of `text`.
template <typename IsIn>
std::size_t run_before(std::string_view text, IsIn is_in) {
  std::size_t count = 0;
  while (count < text.size() && is_in(text[text.size() - 1 - count])) {
    ++count;
  }
  return count;
}

// How long the labels of a domain with a dot are; 0 for none.
std::size_t domain(std::string_view text) {
  std::size_t size = run(text, is_of_domain);
  std::size_t whole = 0;
  while (size > whole && size < text.size() && text[size] == '.') {
    const std::size_t label = run(text.substr(size + 1), is_of_domain);
    if (label == 0) {
      break;
    }
    size += 1 + label;
    whole = size;
  }
  return whole;
}

// "sk_live_...": what begins with the letters before the mark.
std::optional<std::string_view> keyed_by_environment(std::string_view text, std::size_t at,
                                                     std::size_t from) {
  constexpr std::size_t kMarkBytes = 6;
  constexpr std::size_t kMinKey = 8;
  const std::string_view rest = text.substr(at);
  if (!rest.starts_with("_live_") && !rest.starts_with("_test_")) {
    return std::nullopt;
  }
  const std::size_t before = run_before(text.substr(from, at - from), spec::text::is_letter);
  // Not measured without need: many marks in one run would take quadratic time.
  const std::size_t key = before == 0 ? 0 : run(rest.substr(kMarkBytes), is_of_key);
  return key < kMinKey ? std::nullopt
                       : std::optional(text.substr(at - before, before + kMarkBytes + key));
}

std::optional<std::string_view> keyed_by_maker(std::string_view rest) {
  constexpr std::array<std::string_view, 17> kBegins{
      "gho_",  "ghp_",  "ghr_",  "ghs_",  "ghu_",   "github_pat_", "glpat-", "xoxa-", "xoxb-",
      "xoxr-", "xoxs-", "xoxp-", "xoxe-", "whsec_", "sk-",         "AKIA",   "AIza"};
  constexpr std::size_t kMinKey = 12;
  const auto* const begin = std::ranges::find_if(
      kBegins, [&rest](std::string_view one) { return rest.starts_with(one); });
  if (begin == kBegins.end()) {
    return std::nullopt;
  }
  const std::size_t key = run(rest.substr(begin->size()), is_of_token);
  return key < kMinKey ? std::nullopt : std::optional(rest.substr(0, begin->size() + key));
}

// Source: RFC 7519 §3: three parts in base64url; "eyJ" is the beginning of a JSON object.
std::optional<std::string_view> web_token(std::string_view rest) {
  constexpr std::size_t kMinPart = 5;
  const std::size_t head = run(rest, is_of_key);
  if (!rest.starts_with("eyJ") || head < kMinPart || !rest.substr(head).starts_with('.')) {
    return std::nullopt;
  }
  const std::size_t claims = run(rest.substr(head + 1), is_of_key);
  if (claims < kMinPart || !rest.substr(head + 1 + claims).starts_with('.')) {
    return std::nullopt;
  }
  const std::size_t before = head + 1 + claims + 1;
  return rest.substr(0, before + run(rest.substr(before), is_of_key));
}

// Source: RFC 7468 §10.
std::optional<std::string_view> private_key(std::string_view rest) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kLabel = "PRIVATE KEY-----";
  constexpr std::string_view kEnd = "-----END ";
  constexpr std::size_t kMaxLabel = 40;
  if (!rest.starts_with(kBegin)) {
    return std::nullopt;
  }
  const std::size_t label = rest.substr(0, kBegin.size() + kMaxLabel).find(kLabel);
  if (label == std::string_view::npos) {
    return std::nullopt;
  }
  std::size_t end = label + kLabel.size();
  end += run(rest.substr(end), is_of_private_key);
  if (rest.substr(end).starts_with(kEnd)) {
    const std::size_t last = rest.substr(0, end + 2 * kMaxLabel).find("-----", end + kEnd.size());
    end = last == std::string_view::npos ? end + kEnd.size() : last + 5;
  }
  return rest.substr(0, end);
}

std::optional<std::string_view> credential(std::string_view rest) {
  constexpr std::string_view kScheme = "bearer ";
  constexpr std::size_t kMinCredential = 8;
  if (!spec::text::equals_ignoring_case(rest.substr(0, kScheme.size()), kScheme)) {
    return std::nullopt;
  }
  const std::size_t size = run(rest.substr(kScheme.size()), is_of_credential);
  return size < kMinCredential ? std::nullopt : std::optional(rest.substr(kScheme.size(), size));
}

std::optional<std::string_view> mail(std::string_view text, std::size_t at, std::size_t from) {
  const std::size_t local = run_before(text.substr(from, at - from), is_of_local_part);
  const std::size_t host = domain(text.substr(at + 1));
  return local == 0 || host == 0 ? std::nullopt
                                 : std::optional(text.substr(at - local, local + 1 + host));
}

// "user:password" of a URL, whose "://" begins at `at`. Source: RFC 3986 §3.2.1.
std::optional<std::string_view> user_of_url(std::string_view text, std::size_t at) {
  constexpr std::string_view kAuthority = "://";
  std::string_view rest = text.substr(at);
  if (at == 0 || !spec::text::is_letter_or_digit(text[at - 1]) || !rest.starts_with(kAuthority)) {
    return std::nullopt;
  }
  rest.remove_prefix(kAuthority.size());
  rest = rest.substr(0, rest.find_first_of("/?#\"'<> \t\r\n\\"));
  const std::size_t end = rest.rfind('@');
  return end == std::string_view::npos || end == 0 ? std::nullopt
                                                   : std::optional(rest.substr(0, end));
}

// What begins at `at`, or has its mark there; `from`: what was there before is done with.
std::optional<std::string_view> form_at(std::string_view text, std::size_t at, std::size_t from) {
  const char c = text[at];
  const std::string_view rest = text.substr(at);
  const bool begins_word = at == 0 || !is_of_key(text[at - 1]);
  switch (c) {
    case '@': return mail(text, at, from);
    case ':': return user_of_url(text, at);
    case '_': return keyed_by_environment(text, at, from);
    case '-': return private_key(rest);
    case 'B':
    case 'b': return begins_word ? credential(rest) : std::nullopt;
    case 'e': return begins_word ? web_token(rest) : std::nullopt;
    case 'g':
    case 'x':
    case 'w':
    case 's':
    case 'A': return begins_word ? keyed_by_maker(rest) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::string_view> find_url_user(std::string_view text) {
  for (std::size_t at = text.find("://"); at != std::string_view::npos;
       at = text.find("://", at + 1)) {
    const auto found = user_of_url(text, at);
    if (found && !found->starts_with(kReplaced)) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> find_secret_form(std::string_view text) {
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto found = form_at(text, at, from);
    if (found && !found->starts_with(kReplaced)) {
      return found;
    }
    if (found) {
      from = static_cast<std::size_t>(found->data() - text.data()) + found->size();
      at = from - 1;
    }
  }
  return std::nullopt;
}

bool is_mail_address(std::string_view text) {
  const std::size_t at = text.find('@');
  const auto found = at == std::string_view::npos ? std::nullopt : mail(text, at, 0);
  return found && found->size() == text.size();
}

}  // namespace mock_server::record
