#include "mock_server/api/loading/write_yaml.hpp"

#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace mock_server::api::loading {
namespace {

using nlohmann::json;

bool is_word_of_yaml(std::string_view text) {
  constexpr std::array<std::string_view, 8> kWords{"true", "false", "null", "yes",
                                                   "no",   "on",    "off",  "y"};
  return std::ranges::find(kWords, spec::text::to_lower(text)) != kWords.end();
}

// YAML reads such a text as itself; others are written as JSON, which YAML reads, too.
bool is_plain_text(std::string_view text) {
  static constexpr std::string_view kMore = " _-./@+()";
  const auto is_usual = [](char c) {
    return spec::text::is_letter_or_digit(c) || kMore.find(c) != std::string_view::npos;
  };
  return !text.empty() && spec::text::is_letter(text.front()) && text.back() != ' ' &&
         !is_word_of_yaml(text) && std::ranges::all_of(text, is_usual);
}

std::string written_text(const std::string& text) {
  return is_plain_text(text) ? text : spec::json::write(json(text));
}

std::string written_scalar(const json& value) {
  return value.is_string() ? written_text(value.get_ref<const std::string&>())
                           : spec::json::write(value);
}

// A list or object in one line, where that is short and has only scalars; otherwise nothing.
std::optional<std::string> in_one_line(const json& value) {
  constexpr std::size_t kMaxLine = 80;
  if (!value.is_structured()) {
    return written_scalar(value);
  }
  if (value.empty()) {
    return value.is_array() ? "[]" : "{}";
  }
  const bool has_scalars =
      std::ranges::none_of(value, [](const json& one) { return one.is_structured(); });
  if (value.is_object() || !has_scalars) {
    return std::nullopt;
  }
  std::string line;
  for (const json& one : value) {
    line += (line.empty() ? "[" : ", ") + written_scalar(one);
  }
  return line.size() < kMaxLine ? std::optional(line + ']') : std::nullopt;
}

// The elements of a list, each behind a dash.
std::string yaml_list(const json& list, std::size_t indent) {
  std::string text;
  const std::string blanks(indent, ' ');
  for (const json& one : list) {
    if (const auto line = in_one_line(one)) {
      text += blanks + "- " + *line + '\n';
    } else if (one.is_object()) {
      text += blanks + "- " + yaml_block(one, indent + 2).substr(indent + 2);
    } else {
      text += blanks + "-\n" + yaml_list(one, indent + 2);
    }
  }
  return text;
}

}  // namespace

std::string yaml_member(const std::string& key, const json& value, std::size_t indent) {
  std::string text = std::string(indent, ' ') + written_text(key) + ':';
  if (const auto line = in_one_line(value)) {
    return text + ' ' + *line + '\n';
  }
  return text + '\n' +
         (value.is_object() ? yaml_block(value, indent + 2) : yaml_list(value, indent + 2));
}

std::string yaml_block(const json& object, std::size_t indent) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += yaml_member(key, value, indent);
  }
  return text;
}

}  // namespace mock_server::api::loading
