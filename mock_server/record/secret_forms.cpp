#include "mock_server/record/secret_forms.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <string>

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

// The length of the labels of a domain with a dot; 0 for none.
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

// The form that begins at `at`, or has its mark there; `from`: everything before is done.
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

namespace {

constexpr std::size_t kMaxNameBytes = 64;  // so that no text takes more than linear time
constexpr std::size_t kMaxBlanks = 8;

bool is_of_member_name(char c) {
  return spec::text::is_letter_or_digit(c) ||
         std::string_view("_-.[]%$").find(c) != std::string_view::npos;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

template <std::size_t kCount>
bool is_among(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::ranges::any_of(
      names, [name](std::string_view one) { return spec::text::equals_ignoring_case(one, name); });
}

bool is_quote(char c) {
  return c == '"' || c == '\'';
}

// The name at the end of `text`, perhaps in quotes; "" for none.
std::string_view name_at_end(std::string_view text) {
  for (std::size_t blanks = 0; blanks < kMaxBlanks && !text.empty() && is_blank(text.back());
       ++blanks) {
    text.remove_suffix(1);
  }
  if (!text.empty() && is_quote(text.back())) {
    text.remove_suffix(1);
  }
  std::size_t size = 0;
  while (size < text.size() && size <= kMaxNameBytes &&
         is_of_member_name(text[text.size() - 1 - size])) {
    ++size;
  }
  return size > kMaxNameBytes ? "" : text.substr(text.size() - size);
}

bool is_replaced(std::string_view value) {
  return value.starts_with(kReplaced);
}

// Precondition: `text` begins with the quote.
std::string_view in_quotes(std::string_view text) {
  const char quote = text.front();
  text.remove_prefix(1);
  if (is_replaced(text)) {
    return "";
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == quote) {
      return text.substr(0, at);
    }
    at += text[at] == '\\' ? 1 : 0;
  }
  return text;
}

// The value behind "=" or ":"; without quotes only behind "=", because prose has colons.
std::string_view value_at(std::string_view text, char separator) {
  for (std::size_t blanks = 0; blanks < kMaxBlanks && !text.empty() && is_blank(text.front());
       ++blanks) {
    text.remove_prefix(1);
  }
  if (!text.empty() && is_quote(text.front())) {
    return in_quotes(text);
  }
  const bool is_bare = separator == '=' && !text.starts_with('=') && !is_replaced(text);
  return is_bare ? text.substr(0, text.find_first_of(" \t\r\n&#\"'<>")) : "";
}

// The content of the element whose tag `text` is behind the "<" of; "" for none.
std::string_view content_at(std::string_view text, const IsName& is_name) {
  std::size_t size = 0;
  while (size < text.size() && size <= kMaxNameBytes &&
         (is_of_member_name(text[size]) || text[size] == ':')) {
    ++size;
  }
  const std::string_view name = text.substr(0, size);
  const std::size_t end = text.find_first_of("<>", size);
  if (size == 0 || size > kMaxNameBytes || end == std::string_view::npos || text[end] == '<' ||
      text[end - 1] == '/' || !is_name(name.substr(name.rfind(':') + 1))) {
    return "";
  }
  text.remove_prefix(end + 1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return is_replaced(text) ? "" : text.substr(0, text.find("</" + std::string(name)));
}

struct Attribute {
  std::string_view name;
  std::string_view value;
};

constexpr const char* kXmlBlanks = " \t\r\n";

// Takes the next attribute of a tag; nothing at its end. A value in quotes that does not end
// reaches to the end of `tag`. Source: XML 1.0 §3.1; HTML §13.1.2.3, which allows values without
// quotes.
std::optional<Attribute> take_attribute(std::string_view& tag) {
  const auto take = [&tag](std::size_t size) {
    const std::string_view taken = tag.substr(0, size);
    tag.remove_prefix(taken.size());
    return taken;
  };
  take(tag.find_first_not_of(" \t\r\n/"));
  Attribute one{take(tag.find_first_of(" \t\r\n/=>")), ""};
  take(tag.find_first_not_of(kXmlBlanks));
  if (one.name.empty() || !tag.starts_with('=')) {
    return one.name.empty() ? std::nullopt : std::optional(one);
  }
  take(1);
  take(tag.find_first_not_of(kXmlBlanks));
  if (tag.empty() || !is_quote(tag.front())) {
    one.value = take(tag.find_first_of(" \t\r\n>"));
  } else {
    const char quote = take(1).front();
    one.value = take(tag.find(quote));
    take(1);
  }
  return one;
}

// True if the attribute names the value of its element.
bool names_value(const Attribute& one, const IsName& is_name) {
  constexpr std::array<std::string_view, 4> kNaming{"name", "id", "key", "type"};
  return one.value.size() <= kMaxNameBytes && is_name(one.value) && is_among(kNaming, one.name);
}

// The label of a button, or what a check box sends: no input.
bool is_no_input(const Attribute& one) {
  constexpr std::array<std::string_view, 6> kTypes{"submit", "button",   "reset",
                                                   "image",  "checkbox", "radio"};
  return spec::text::equals_ignoring_case(one.name, "type") && is_among(kTypes, one.value);
}

// The value of the element whose tag `text` is behind the "<" of, where another attribute has a
// secret name: <input name="password" value="...">; "" for none.
std::string_view named_attribute_at(std::string_view text, const IsName& is_name) {
  constexpr std::array<std::string_view, 2> kOfValue{"value", "content"};
  std::string_view tag = text.substr(0, text.find('<'));
  tag.remove_prefix(std::min(tag.find_first_of(" \t\r\n/>"), tag.size()));
  const auto* const end = tag.data() + tag.size();
  std::string_view value;
  bool is_secret = false;
  bool is_input = true;
  while (const auto one = take_attribute(tag)) {
    is_secret = is_secret || names_value(*one, is_name);
    is_input = is_input && !is_no_input(*one);
    value = is_among(kOfValue, one->name) ? one->value : value;
  }
  if (!is_secret || !is_input || value.empty() || is_replaced(value)) {
    return "";
  }
  if (const char quote = *(value.data() - 1);
      value.data() + value.size() == end && is_quote(quote)) {
    const auto rest = text.substr(static_cast<std::size_t>(value.data() - text.data()));
    return rest.substr(0, rest.find(quote));  // a "<" is in it
  }
  return value;
}

bool is_mark(char c) {
  return c == '=' || c == ':' || c == '<';
}

}  // namespace

std::optional<std::string_view> find_named_value(std::string_view text, const IsName& is_name) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_mark(text[at])) {
      continue;
    }
    const std::string_view rest = text.substr(at + 1);
    std::string_view value;
    if (text[at] == '<') {
      value = content_at(rest, is_name);
      value = value.empty() ? named_attribute_at(rest, is_name) : value;
    } else {
      const std::string_view name = name_at_end(text.substr(0, at));
      value = name.empty() || !is_name(name) ? "" : value_at(rest, text[at]);
    }
    if (!value.empty()) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace mock_server::record
