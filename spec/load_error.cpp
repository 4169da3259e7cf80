#include "spec/load_error.hpp"

#include <utility>

namespace spec {

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

LoadError::LoadError(std::vector<Problem> problems,
                     std::vector<std::filesystem::path> missing_files)
    : problems_(std::move(problems)), missing_files_(std::move(missing_files)) {
  for (const Problem& problem : problems_) {
    what_ += (what_.empty() ? "" : "\n") + to_line(problem);
  }
}

LoadError::LoadError(Problem problem) : LoadError(std::vector<Problem>{std::move(problem)}) {}

LoadError::LoadError(std::string file, std::string message)
    : LoadError(Problem{std::move(file), 0, 0, "", std::move(message)}) {}

}  // namespace spec
