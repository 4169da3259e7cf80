#include "spec/load_error.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace spec {
namespace {

using Equal = std::vector<const Problem*>;  // with one message

constexpr std::size_t kShown = 3;

std::string to_line(const Equal& equal) {
  std::string line = to_line(*equal.front()) + "; " + std::to_string(equal.size()) + " times, next";
  for (std::size_t i = 1; i < kShown; ++i) {
    const Problem& other = *equal[i];
    line += (i == 1 ? " at " : " and ") +
            (other.file == equal.front()->file ? "" : other.file + ':') +
            std::to_string(other.line) + ':' + std::to_string(other.column);
  }
  return line;
}

}  // namespace

std::string to_line(const Problem& problem) {
  std::string line = problem.file;
  if (problem.line != 0) {
    line += ':' + std::to_string(problem.line) + ':' + std::to_string(problem.column);
  }
  if (!line.empty()) {
    line += ": ";
  }
  line += problem.message;
  if (!problem.pointer.empty()) {
    line += " [" + problem.pointer + ']';
  }
  return line;
}

std::vector<std::string> to_lines(const std::vector<Problem>& problems) {
  std::map<std::string_view, Equal> by_message;
  for (const Problem& problem : problems) {
    by_message[problem.message].push_back(&problem);
  }
  std::vector<std::string> lines;
  for (const Problem& problem : problems) {
    const Equal& equal = by_message[problem.message];
    if (equal.size() <= kShown) {
      lines.push_back(to_line(problem));
    } else if (equal.front() == &problem) {
      lines.push_back(to_line(equal));
    }
  }
  return lines;
}

LoadError::LoadError(std::vector<Problem> problems,
                     std::vector<std::filesystem::path> missing_files)
    : problems_(std::move(problems)), missing_files_(std::move(missing_files)) {
  for (const std::string& line : to_lines(problems_)) {
    what_ += (what_.empty() ? "" : "\n") + line;
  }
}

LoadError::LoadError(Problem problem) : LoadError(std::vector<Problem>{std::move(problem)}) {}

LoadError::LoadError(std::string file, std::string message)
    : LoadError(Problem{std::move(file), 0, 0, "", std::move(message)}) {}

}  // namespace spec
