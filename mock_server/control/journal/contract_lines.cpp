#include "mock_server/control/journal/contract_lines.hpp"

#include "spec/document/file.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace mock_server::control::journal {
namespace {

using nlohmann::json;

constexpr std::size_t kAround = 3;
constexpr std::size_t kMaxCharacters = 200;
constexpr std::uintmax_t kMaxBytes = 64 * spec::document::kMebibyte;

// The file that statements call `name`: relative to the folder of the first file or, outside of it,
// with the name of its own folder.
std::filesystem::path file_called(const std::vector<std::filesystem::path>& files,
                                  const std::string& name) {
  const auto near = files.empty() ? std::filesystem::path()
                                  : (files.front().parent_path() / name).lexically_normal();
  for (const auto& file : files) {
    if (file == near) {
      return file;
    }
  }
  const auto found = std::ranges::find_if(files, [&name](const std::filesystem::path& file) {
    return file.generic_string().ends_with('/' + name);
  });
  return found == files.end() ? std::filesystem::path() : *found;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line =
        spec::text::shortened(spec::text::as_utf8(text.substr(at, end - at)), kMaxCharacters);
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

}  // namespace

const std::vector<std::string>& ContractLines::lines_of(const std::string& file) {
  const auto [entry, is_new] = read_.try_emplace(file);
  if (is_new) {
    const auto path = file_called(contract_.files(), file);
    if (const auto text = spec::document::read_file(path, kMaxBytes)) {
      entry->second = split(*text);
    }
  }
  return entry->second;
}

json ContractLines::around(const json& statement) {
  const auto file = statement.is_object() ? statement.value("file", "") : std::string{};
  const auto line = file.empty() ? std::size_t{0} : statement.value("line", std::size_t{0});
  if (line == 0) {
    return nullptr;
  }
  const auto& lines = lines_of(file);
  if (line > lines.size()) {
    return nullptr;
  }
  const std::size_t first = line > kAround ? line - kAround : 1;
  const std::size_t last = std::min(line + kAround, lines.size());
  json text = json::array();
  for (std::size_t at = first; at <= last; ++at) {
    text.push_back(lines[at - 1]);
  }
  return {{"file", file}, {"first", first}, {"line", line}, {"text", std::move(text)}};
}

}  // namespace mock_server::control::journal
