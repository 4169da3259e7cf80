#pragma once

// Text and tables in Markdown, as GitHub and GitLab show it. Pure functions.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace spec::text {

// `text` on one line: no character of it is markup, a mention or mathematics.
std::string escape_markdown(std::string_view text);

struct MarkdownTable {
  std::string text;
  std::size_t left_out = 0;  // rows beyond the limits
};

// A table of the first rows, as many as the limits allow. Cells are Markdown already.
MarkdownTable markdown_table(const std::vector<std::string>& names,
                             const std::vector<std::vector<std::string>>& rows,
                             std::size_t max_rows = std::numeric_limits<std::size_t>::max(),
                             std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace spec::text
