#include "spec/http/tests/wire_cases.hpp"

#include "spec/http/bytes.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace spec::http::wire_cases {

namespace {

struct Place {
  std::string file;
  int line = 0;

  std::string text() const { return file + ":" + std::to_string(line); }
};

[[noreturn]] void fail(const Place& place, const std::string& what) {
  throw std::runtime_error(place.text() + ": " + what);
}

char unescape_one(std::string_view& rest, const Place& place) {
  const char kind = rest.size() > 1 ? rest[1] : '\0';
  rest.remove_prefix(std::min<std::size_t>(2, rest.size()));
  switch (kind) {
    case 'r': return '\r';
    case 'n': return '\n';
    case 't': return '\t';
    case '0': return '\0';
    case '\\': return '\\';
    case 'x':
      if (rest.size() >= 2 && is_all(rest.substr(0, 2), kHexByte)) {
        const unsigned code = hex_digit_value(rest[0]) * 16 + hex_digit_value(rest[1]);
        rest.remove_prefix(2);
        return static_cast<char>(code);
      }
      [[fallthrough]];
    default: fail(place, "unknown escape");
  }
}

std::string unescaped(std::string_view text, const Place& place) {
  std::string bytes;
  while (!text.empty()) {
    if (text.front() == '\\') {
      bytes.push_back(unescape_one(text, place));
    } else {
      bytes.push_back(text.front());
      text.remove_prefix(1);
    }
  }
  return bytes;
}

// Reads the text behind ">": " bytes" or "*N bytes".
void add_bytes(WireCase& wire_case, std::string_view text, const Place& place) {
  std::size_t times = 1;
  if (text.starts_with('*')) {
    const std::size_t blank = text.find(' ');
    times = std::stoul(std::string(text.substr(1, blank - 1)));
    text.remove_prefix(blank);
  }
  if (!text.starts_with(' ')) {
    fail(place, "a blank must follow \">\"");
  }
  const std::string bytes = unescaped(text.substr(1), place);
  for (; times > 0; --times) {
    wire_case.bytes += bytes;
  }
}

void add_line(std::vector<WireCase>& cases, std::string_view line, const Place& place) {
  const std::size_t blank = line.find(' ');
  const std::string word(line.substr(0, blank));
  const std::string_view rest = blank == line.npos ? std::string_view() : line.substr(blank + 1);
  if (word == "case") {
    cases.push_back({.place = place.text(),
                     .name = std::string(rest),
                     .bytes = {},
                     .expected = {},
                     .words = {}});
    return;
  }
  if (cases.empty()) {
    fail(place, "the first line must begin a case");
  }
  if (line.starts_with('>')) {
    add_bytes(cases.back(), line.substr(1), place);
  } else if (word == "=") {
    cases.back().expected.emplace_back(rest);
  } else {
    cases.back().words[word] = rest;
  }
}

void read_file(std::vector<WireCase>& cases, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Place place{path.parent_path().filename().string() + "/" + path.filename().string(), 0};
  for (std::string line; std::getline(file, line);) {
    ++place.line;
    if (!line.empty() && line.front() != '#') {
      add_line(cases, line, place);
    }
  }
}

}  // namespace

std::vector<WireCase> read_wire_cases(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<WireCase> cases;
  for (const auto& path : paths) {
    read_file(cases, path);
  }
  return cases;
}

std::string escaped(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '\\') {
      text += "\\\\";
    } else if (byte == '\r') {
      text += "\\r";
    } else if (byte == '\n') {
      text += "\\n";
    } else if (byte == '\t') {
      text += "\\t";
    } else if (code < 0x20 || code >= 0x7f) {
      text.append("\\x").append(1, kHex[code >> 4U]).append(1, kHex[code & 15U]);
    } else {
      text.push_back(byte);
    }
  }
  return text;
}

std::string slug(std::string_view sentence) {
  std::string name;
  for (const char letter : sentence) {
    if (text::is_letter_or_digit(letter)) {
      name.push_back(letter);
    } else if (!name.empty() && name.back() != '_') {
      name.push_back('_');
    }
  }
  while (name.ends_with('_')) {
    name.pop_back();
  }
  return name;
}

}  // namespace spec::http::wire_cases
