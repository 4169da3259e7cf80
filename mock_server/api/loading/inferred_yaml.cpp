#include "mock_server/api/loading/fixture_readers.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>

namespace mock_server::api::loading {
namespace {

using nlohmann::ordered_json;

bool is_reserved_word(const std::string& text) {
  constexpr std::array<std::string_view, 5> kWords{"true", "false", "null", "yes", "no"};
  return std::ranges::find(kWords, std::string_view(text)) != kWords.end();
}

// Texts that YAML reads as themselves; others are written as JSON, which YAML reads, too.
bool is_plain(const std::string& text) {
  const bool starts = !text.empty() && (spec::text::is_letter(text.front()) || text.front() == '/');
  return starts && !is_reserved_word(spec::text::to_lower(text)) &&
         std::ranges::all_of(text, [](char c) {
           return spec::text::is_letter_or_digit(c) || c == '/' || c == '_' || c == '-' || c == '.';
         });
}

void write_text(std::string& out, const std::string& text) {
  out += is_plain(text) ? text : ordered_json(text).dump();
}

void write_value(std::string& out, const ordered_json& value) {
  if (value.is_string()) {
    return write_text(out, value.get_ref<const std::string&>());
  }
  if (!value.is_structured()) {
    out += value.dump();
    return;
  }
  out += value.is_array() ? '[' : '{';
  bool is_first = true;
  for (const auto& [name, inner] : value.items()) {
    out += is_first ? "" : ", ";
    is_first = false;
    if (value.is_object()) {
      write_text(out, name);
      out += ": ";
    }
    write_value(out, inner);
  }
  out += value.is_array() ? ']' : '}';
}

// "name: {behaviour: read, ...}", in one line.
std::string yaml_entry(const std::string& name, const ordered_json& value) {
  std::string line;
  write_text(line, name);
  line += ": ";
  write_value(line, value);
  return line;
}

}  // namespace

std::string operations_yaml(const spec::contract::resources::Inference& inference) {
  std::string text;
  if (!inference.collections.empty()) {
    text += "collections:\n";
  }
  for (const auto& [name, entry] : inference.collections) {
    text += "  " + yaml_entry(name, entry) + '\n';
  }
  if (!inference.bindings.empty()) {
    text += "operations:\n";
  }
  for (const spec::contract::resources::InferredBinding& binding : inference.bindings) {
    text += "  " + yaml_entry(binding.operation->id, binding.entry) + '\n';
  }
  return text;
}

std::string yaml_members(const ordered_json& object, const std::string& indent) {
  std::string text;
  for (const auto& [name, value] : object.items()) {
    const bool is_in_lines = value.is_object() && !value.empty();
    text += indent;
    write_text(text, name);
    text += is_in_lines ? ":\n" + yaml_members(value, indent + "  ") : ": ";
    if (!is_in_lines) {
      write_value(text, value);
      text += '\n';
    }
  }
  return text;
}

}  // namespace mock_server::api::loading
