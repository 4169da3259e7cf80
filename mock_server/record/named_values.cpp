#include "mock_server/record/named_values.hpp"

#include "mock_server/record/forms.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace mock_server::record {
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

// Whether the attribute says what the value of its element is.
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
