#include "mock_server/api/loading/edit_fixtures.hpp"
#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace mock_server::api::loading {
namespace {

using nlohmann::json;

constexpr std::string_view kBlanks = " \t\r\n";

// A member of an object or an element of an array, as places in the text.
struct JsonPart {
  std::string key;        // "" of an element
  std::size_t begin = 0;  // of the key, or of the element
  std::size_t value = 0;
  std::size_t end = 0;
};

// Changes a text that is known to be JSON.
class JsonEditor {
 public:
  explicit JsonEditor(std::string_view text)
      : text_(text), is_minified_(text.find(": ") == std::string_view::npos && !has_lines(text)) {
    const std::size_t end = end_of(root());
    is_one_line_ = end > root() + 2 && !has_lines(between(root(), end));
    const std::size_t first = behind_blanks(root() + 1);
    const std::string_view gap = text_.substr(root() + 1, first - root() - 1);
    unit_ = has_lines(gap) ? std::string(last_line(gap)) : "  ";
  }

  // The text with `value` as its value.
  std::string with(const json& value) const {
    const std::size_t end = end_of(root());
    return std::string(text_.substr(0, root())) + edited(root(), end, value, "") +
           std::string(text_.substr(end));
  }

 private:
  static bool has_lines(std::string_view text) { return text.find('\n') != std::string_view::npos; }

  static std::string_view last_line(std::string_view text) {
    return text.substr(text.rfind('\n') + 1);
  }

  std::size_t root() const { return behind_blanks(0); }

  std::size_t behind_blanks(std::size_t at) const {
    return std::min(text_.find_first_not_of(kBlanks, at), text_.size());
  }

  std::size_t end_of_text(std::size_t at) const {
    for (++at; text_[at] != '"'; ++at) {
      at += text_[at] == '\\' ? 1 : 0;
    }
    return at + 1;
  }

  // Behind the value that begins at `at`.
  std::size_t end_of(std::size_t at) const {
    if (text_[at] == '"') {
      return end_of_text(at);
    }
    if (text_[at] != '{' && text_[at] != '[') {
      return std::min(text_.find_first_of(",]} \t\r\n", at), text_.size());
    }
    for (std::size_t depth = 0;;) {
      const char c = text_[at];
      depth += c == '{' || c == '[' ? 1U : 0U;
      depth -= c == '}' || c == ']' ? 1U : 0U;
      at = c == '"' ? end_of_text(at) : at + 1;
      if (depth == 0) {
        return at;
      }
    }
  }

  // Of the object or array that begins at `at`.
  std::vector<JsonPart> parts_of(std::size_t at) const {
    const bool is_object = text_[at] == '{';
    std::vector<JsonPart> parts;
    for (at = behind_blanks(at + 1); text_[at] != '}' && text_[at] != ']';) {
      JsonPart part;
      part.begin = part.value = at;
      if (is_object) {
        const std::size_t behind_key = end_of_text(at);
        part.key = spec::json::read(text_.substr(at, behind_key - at))->get<std::string>();
        part.value = behind_blanks(text_.find(':', behind_key) + 1);
      }
      part.end = end_of(part.value);
      at = behind_blanks(part.end);
      at = text_[at] == ',' ? behind_blanks(at + 1) : at;
      parts.push_back(std::move(part));
    }
    return parts;
  }

  std::string between(std::size_t from, std::size_t to) const {
    return std::string(text_.substr(from, to - from));
  }

  // The text of `value` in the place of what is there; `base` is what its line begins with.
  std::string edited(std::size_t at, std::size_t end, const json& value,
                     const std::string& base) const {
    std::string old = between(at, end);
    if (spec::json::equal(*spec::json::read(old), value)) {
      return old;
    }
    const bool has_same_kind =
        (old[0] == '{' && value.is_object()) || (old[0] == '[' && value.is_array());
    const auto parts = has_same_kind && !value.empty() ? parts_of(at) : std::vector<JsonPart>();
    if (!parts.empty()) {
      return edited_parts(at, end, parts, value, base);
    }
    const bool is_in_line = is_one_line_ || (has_same_kind && !has_lines(old) && old.size() > 2);
    return written(value, base, is_in_line);
  }

  std::string edited_parts(std::size_t at, std::size_t end, const std::vector<JsonPart>& parts,
                           const json& value, const std::string& base) const {
    const std::string gap = between(at + 1, parts.front().begin);
    const std::string line = has_lines(gap) ? std::string(last_line(gap)) : base;
    std::string out;
    for (std::size_t index = 0; index < parts.size(); ++index) {
      const JsonPart& part = parts[index];
      if (const json* const one = find(value, part.key, index)) {
        out += out.empty() ? gap : between(parts[index - 1].end, part.begin);
        out += between(part.begin, part.value) + edited(part.value, part.end, *one, line);
      }
    }
    const auto add = [&](const std::string& start, const json& one) {
      out += (out.empty() ? gap : ',' + (gap.empty() && !is_minified_ ? " " : gap)) + start +
             written(one, line, !has_lines(gap));
    };
    if (value.is_array()) {
      for (std::size_t index = parts.size(); index < value.size(); ++index) {
        add("", value[index]);
      }
    } else {
      add_members(parts, value, add);
    }
    return text_[at] + out + between(parts.back().end, end);
  }

  template <typename Add>
  void add_members(const std::vector<JsonPart>& parts, const json& value, const Add& add) const {
    for (const auto& [key, one] : value.items()) {
      const std::string& name = key;
      if (std::ranges::find(parts, name, &JsonPart::key) == parts.end()) {
        add(spec::json::write(json(name)) + (is_minified_ ? ":" : ": "), one);
      }
    }
  }

  static const json* find(const json& value, const std::string& key, std::size_t index) {
    if (value.is_array()) {
      return index < value.size() ? &value[index] : nullptr;
    }
    const auto found = value.find(key);
    return found == value.end() ? nullptr : &*found;
  }

  // A new value: in lines that begin with `base`, or in one.
  std::string written(const json& value, const std::string& base, bool is_in_line) const {
    if (is_minified_) {
      return spec::json::write(value);
    }
    const std::string end_of_line = text_.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
    std::string out;
    std::string text = spec::json::write_pretty(value, 1);
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t end = std::min(text.find('\n', from), text.size());
      const std::size_t first = std::min(text.find_first_not_of(' ', from), end);
      if (from > 0 && is_in_line) {
        out += out.back() == ',' ? " " : "";
      } else if (from > 0) {
        out += end_of_line + base;
        for (std::size_t depth = from; depth < first; ++depth) {
          out += unit_;
        }
      }
      out += text.substr(first, end - first);
      from = end + 1;
    }
    return out;
  }

  std::string_view text_;
  bool is_minified_;
  bool is_one_line_ = false;
  std::string unit_;  // of indentation
};

}  // namespace

spec::Result<std::string, std::string> edit_json(std::string_view text, std::string_view name,
                                                 std::string_view key,
                                                 const std::optional<json>& value) {
  try {
    spec::document::Library library;
    const json before =
        library.add("counterpart:edit", std::string(name), text, spec::document::Format::kJson)
            .value();
    const json after = changed_value(before, key, value);
    std::string edited = JsonEditor(text).with(after);
    const auto read = spec::json::read(edited);
    if (!before.is_object() || !read || !spec::json::equal(*read, after)) {
      return spec::Unexpected{std::string(name) +
                              ": this cannot be changed in place; change the file by hand"};
    }
    return edited;
  } catch (const spec::LoadError& error) {
    return spec::Unexpected{to_line(error.problems().front())};
  }
}

}  // namespace mock_server::api::loading
