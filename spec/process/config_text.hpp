#pragma once

// The text of a file of flags: lines `NAME = VALUE`, where a value is a word, a text in quotes, or
// a list of these, as in TOML. It knows no flags. Pure.

#include "spec/load_error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spec::process {

struct ConfigLine {
  std::string name;
  std::vector<std::string> values;  // one, unless it is a list
  bool is_list = false;
  std::size_t line = 0;    // from 1
  std::size_t column = 0;  // of the name, from 1

  friend bool operator==(const ConfigLine&, const ConfigLine&) = default;
};

struct ConfigText {
  std::vector<ConfigLine> lines;
  std::vector<Problem> problems;  // of the text; each names `file`, line and column
};

// Comments begin with "#". In double quotes, escapes are those of TOML 1.0 ("Basic strings"); in
// single quotes there are none.
ConfigText read_config_text(std::string_view text, const std::string& file);

}  // namespace spec::process
