#pragma once

// Stories as data. README.md in this folder says what may be in a file of them.

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::tests {

// Where a request has the length of its body, in bytes, when names are filled in.
inline constexpr std::string_view kBodySize = "{body size}";

struct StoryExchange {
  std::string method;
  std::string bytes;  // the whole request, "{name}" still to be replaced
  int repeat = 1;
  nlohmann::json response = nlohmann::json::object();
  std::map<std::string, std::string> keep;  // name -> "header ETag" or "body /pointer"
  std::string place;                        // "file:line", for messages
};

struct StoryExit {
  int code = 0;
  std::vector<std::string> errors;
  std::vector<std::string> output;
};

struct Story {
  std::string sentence;
  std::string file;
  int line = 0;
  std::vector<std::string> flags;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::pair<std::string, std::string>> files;  // path below "{dir}" -> text
  std::vector<StoryExchange> exchanges;
  std::vector<std::string> log;
  bool must_exit = false;
  StoryExit exit;
};

// The stories of every file of the folder, in order of names. Throws spec::LoadError for a file
// that is no list of stories.
std::vector<Story> load_stories(const std::filesystem::path& folder);

}  // namespace mock_server::tests
