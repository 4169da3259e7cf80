#include "mock_server/api/loading/edit_fixtures.hpp"
#include "mock_server/api/loading/write_yaml.hpp"
#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
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
using spec::document::Member;
using spec::document::Node;

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
  Lines lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (!text.empty()) {
    lines.emplace_back(text);
  }
  return lines;
}

// Where the comment of the line begins, seen from a column at which no quotes are open; the line's
// end if it has none.
std::size_t comment_at(std::string_view line, std::size_t from) {
  char quote = 0;
  for (std::size_t at = from; at < line.size(); ++at) {
    const char c = line[at];
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool is_at_start = std::string_view(" \t[{,:").find(before) != std::string_view::npos;
    if (quote == '"' && c == '\\') {
      ++at;
    } else if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if ((c == '"' || c == '\'') && is_at_start) {
      quote = c;
    } else if (c == '#' && (before == ' ' || before == '\t' || at == 0)) {
      return at;
    }
  }
  return line.size();
}

// Empty, or a comment alone.
bool is_filler(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos || line[first] == '#';
}

class Editor {
 public:
  Editor(std::string_view text, std::string_view name) : lines_(lines_of(text)), name_(name) {}

  // Changes `node`, which the lines from `begin` to `end` hold, from what it is to `value`.
  void change_object(const Node& node, std::size_t begin, std::size_t end, const json& value) {
    const auto members = node.members();
    for (std::size_t at = members.size(); at-- > 0;) {  // from the end: places before it stay true
      const std::size_t first = members[at].key_place.line - 1;
      const std::size_t next =
          at + 1 < members.size() ? members[at + 1].key_place.line - 1 : end_of(begin, end);
      const auto found = value.find(members[at].key);
      change_member(members[at], first, end_of(first, next),
                    found == value.end() ? nullptr : &*found);
    }
    add_members(node, begin, value);
  }

  void change_member(const Member& member, std::size_t first, std::size_t end, const json* value) {
    if (value == nullptr) {
      if (keeps_comments(member.value, first, end)) {
        replace(first, end, "");
      }
      return;
    }
    if (spec::json::equal(member.value.value(), *value)) {
      return;
    }
    if (is_block(member.value) && member.value.place().line - 1 > first && value->is_object() &&
        !value->empty()) {
      change_object(member.value, first + 1, end, *value);
      return;
    }
    replace_member(member, first, end, *value);
  }

  // Members that the text does not have yet, behind the last one.
  void add_members(const Node& node, std::size_t begin, const json& value) {
    std::string added;
    const std::size_t indent = node.size() == 0 ? 0 : node.members().front().key_place.column - 1;
    for (const auto& [key, one] : value.items()) {
      if (!node.find(key)) {
        added += yaml_member(key, one, indent);
      }
    }
    if (added.empty()) {
      return;
    }
    std::size_t at = std::min(begin, lines_.size());
    for (const Member& member : node.members()) {
      at = std::max(at, end_of_member(member.key_place.line - 1, indent));
    }
    replace(at, at, added);
  }

  // True for an object in which each member begins a line of its own.
  bool is_block(const Node& node) const {
    const auto members = node.members();
    return node.is_object() && !members.empty() &&
           std::ranges::all_of(members, [&](const Member& member) {
             const auto place = member.key_place;
             return place.column == members.front().key_place.column &&
                    place.line <= lines_.size() &&
                    lines_[place.line - 1].find_first_not_of(' ') == place.column - 1;
           });
  }

  const std::string& problem() const { return problem_; }

  Lines take() { return std::move(lines_); }

 private:
  // Lines of `begin` to `end` without the empty ones and comments at their end.
  std::size_t end_of(std::size_t begin, std::size_t end) const {
    end = std::min(end, lines_.size());
    while (end > begin + 1 && is_filler(lines_[end - 1])) {
      --end;
    }
    return end;
  }

  // Behind the member that begins at `first`, in the lines as they are now.
  std::size_t end_of_member(std::size_t first, std::size_t indent) const {
    std::size_t end = std::min(first + 1, lines_.size());
    const auto is_below = [&](const std::string& line) {
      const std::size_t blanks = line.find_first_not_of(' ');
      return is_filler(line) || blanks > indent || line.compare(indent, 2, "- ") == 0;
    };
    while (end < lines_.size() && is_below(lines_[end])) {
      ++end;
    }
    return end_of(first, end);
  }

  // False, with a problem, if a comment is between the lines of the value.
  bool keeps_comments(const Node& value, std::size_t first, std::size_t end) {
    if (value.is_string() && end > first + 1) {
      return true;  // a text of several lines has none
    }
    for (std::size_t at = first; at < end; ++at) {
      if (comment_at(lines_[at], 0) < lines_[at].size()) {
        problem_ = name_ + ':' + std::to_string(at + 1) +
                   ": the comment in this line would be lost; change the file by hand";
        return false;
      }
    }
    return true;
  }

  void replace_member(const Member& member, std::size_t first, std::size_t end, const json& value) {
    const std::size_t indent = member.key_place.column - 1;
    std::string text = yaml_member(std::string(member.key), value, indent);
    const bool is_one_line = end == first + 1;
    const std::string& line = lines_[first];
    const std::size_t comment = comment_at(line, 0);
    if (is_one_line && comment < line.size()) {
      const std::size_t blanks = line.find_last_not_of(" \t", comment - 1) + 1;
      text.insert(text.find('\n'), line.substr(blanks));
    } else if (!is_one_line && !keeps_comments(member.value, first, end)) {
      return;
    }
    replace(first, end, text);
  }

  void replace(std::size_t first, std::size_t end, const std::string& text) {
    const Lines fresh = lines_of(text);
    const auto at = lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(first),
                                 lines_.begin() + static_cast<std::ptrdiff_t>(end));
    lines_.insert(at, fresh.begin(), fresh.end());
  }

  Lines lines_;
  std::string name_;
  std::string problem_;
};

Node read_yaml(spec::document::Library& library, std::string_view text, std::string_view name) {
  return library.add("counterpart:edit", std::string(name), text, spec::document::Format::kYaml);
}

std::string joined(const Lines& lines, std::string_view end_of_line) {
  std::string text;
  for (const std::string& line : lines) {
    text.append(line).append(end_of_line);
  }
  return text;
}

// Text with "\n" alone at the ends of lines; nothing if the ends differ.
std::optional<std::string> with_plain_ends(std::string_view text, bool has_returns) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_return = text[at] == '\r';
    const bool is_pair = is_return && at + 1 < text.size() && text[at + 1] == '\n';
    if ((is_return && !is_pair) ||
        (has_returns && text[at] == '\n' && (at == 0 || text[at - 1] != '\r'))) {
      return std::nullopt;
    }
    if (!is_return) {
      plain += text[at];
    }
  }
  return plain;
}

bool means(std::string_view text, std::string_view name, const json& value) {
  try {
    spec::document::Library library;
    const json read = read_yaml(library, text, name).value();
    return spec::json::equal(read.is_null() ? json::object() : read, value);
  } catch (const spec::LoadError&) {
    return false;
  }
}

}  // namespace

json changed_value(const json& before, std::string_view key, const std::optional<json>& value) {
  if (key.empty()) {
    return value.value_or(json::object());
  }
  json after = before.is_object() ? before : json::object();
  if (value) {
    after[std::string(key)] = *value;
  } else {
    after.erase(std::string(key));
  }
  return after;
}

spec::Result<std::string, std::string> edit_yaml(std::string_view text, std::string_view name,
                                                 std::string_view key,
                                                 const std::optional<json>& value) {
  const bool has_returns = text.find("\r\n") != std::string_view::npos;
  const auto plain = with_plain_ends(text, has_returns);
  const std::string by_hand =
      std::string(name) + ": this cannot be changed in place; change the file by hand";
  if (!plain) {
    return spec::Unexpected{by_hand + ": its lines end differently"};
  }
  const Lines before = lines_of(*plain);
  if (std::ranges::all_of(before, is_filler)) {  // no document yet
    const json whole = changed_value(json::object(), key, value);
    return joined(before, has_returns ? "\r\n" : "\n") + yaml_block(whole);
  }
  try {
    spec::document::Library library;
    const Node root = read_yaml(library, *plain, name);
    const json after = changed_value(root.value(), key, value);
    Editor editor(*plain, name);
    if (!editor.is_block(root)) {
      return spec::Unexpected{by_hand};
    }
    editor.change_object(root, 0, before.size(), after);
    if (!editor.problem().empty()) {
      return spec::Unexpected{editor.problem()};
    }
    const Lines lines = editor.take();
    if (!means(joined(lines, "\n"), name, after)) {
      return spec::Unexpected{by_hand};
    }
    return joined(lines, has_returns ? "\r\n" : "\n");
  } catch (const spec::LoadError& error) {
    return spec::Unexpected{to_line(error.problems().front())};
  }
}

}  // namespace mock_server::api::loading
