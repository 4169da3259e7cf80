#pragma once

// Cases of bytes on the wire, read from text files, for the tests of both parsers and of the
// double's transport. A file is a list of
//
//   case a bare LF ends the request line
//   probe COMP-BARE-LF-REQUEST-LINE
//   > GET / HTTP/1.1\n
//   >*3 Host: a\r\n
//   = rejected 400
//
// ">" adds bytes (\r \n \t \0 \\ and \xNN are escapes; ">*N" repeats them), "=" is one line of what
// must come out, any other word is kept by its name. "#" begins a comment; an empty line ends a
// case.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace spec::http::wire_cases {

struct WireCase {
  std::string place;  // "requests/framing.txt:12"
  std::string name;
  std::string bytes;
  std::vector<std::string> expected;
  std::map<std::string, std::string> words;

  bool has(const std::string& word) const { return words.count(word) > 0; }
};

// All cases of all .txt files of a folder, by file name. Throws std::runtime_error with the place
// of what it cannot read.
std::vector<WireCase> read_wire_cases(const std::filesystem::path& folder);

// The bytes as the files write them.
std::string escaped(std::string_view bytes);

// A test's name from a sentence: letters, digits, single underscores.
std::string slug(std::string_view sentence);

}  // namespace spec::http::wire_cases
