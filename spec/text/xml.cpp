#include "spec/text/xml.hpp"

#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace spec::text {
namespace {

void add_escaped(std::string& out, char letter) {
  switch (letter) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\n': out += "&#10;"; break;
    case '\t': out += "&#9;"; break;
    default: out += static_cast<unsigned char>(letter) < 0x20U ? '?' : letter;
  }
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = utf8_sequence(text, 0);
    const bool is_no_character =
        text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
    if (size > 1 && !is_no_character) {
      out += without_controls(text.substr(0, size));
    } else if (size == 1) {
      add_escaped(out, text.front());
    } else {
      out += '?';
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string json_in_script(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 8);
  for (const char letter : json) {
    if (letter == '<') {
      out += "\\u003c";
    } else {
      out += letter;
    }
  }
  return out;
}

void fill_hole(std::string& page, std::string_view hole, std::string_view with) {
  page.replace(page.find(hole), hole.size(), with);
}

}  // namespace spec::text
