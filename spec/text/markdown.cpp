#include "spec/text/markdown.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

namespace spec::text {

namespace {

std::string row_of(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view kPlain = " .,:;/()='\"?!-";
  constexpr std::string_view kWithoutBackslash = "&<>@$";  // hosts and HTML interpret these later
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7f) {
      out += ' ';
    } else if (kWithoutBackslash.find(letter) != std::string_view::npos) {
      out += "&#" + std::to_string(byte) + ';';
    } else {
      const bool plain = byte >= 0x80 || is_letter_or_digit(letter) ||
                         kPlain.find(letter) != std::string_view::npos;
      out += plain ? "" : "\\";
      out += letter;
    }
  }
  return out;
}

MarkdownTable markdown_table(const std::vector<std::string>& names,
                             const std::vector<std::vector<std::string>>& rows,
                             std::size_t max_rows, std::size_t max_bytes) {
  MarkdownTable table{.text = row_of(names) + row_of(std::vector<std::string>(names.size(), "---")),
                      .left_out = rows.size()};
  for (const auto& cells : rows) {
    const auto row = row_of(cells);
    if (rows.size() - table.left_out == max_rows || table.text.size() + row.size() > max_bytes) {
      break;
    }
    table.text += row;
    --table.left_out;
  }
  return table;
}

}  // namespace spec::text
