#pragma once

// Errors of documents, fixtures and flags at start. Loaders collect every problem and throw once;
// `main` prints them all and exits 2.

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace spec {

// One problem with its place. `line` and `column` count from 1; 0 means that there is none (a
// missing file, a flag). `pointer` is a JSON pointer (RFC 6901); "" is the whole document.
struct Problem {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string pointer;
  std::string message;

  friend bool operator==(const Problem&, const Problem&) = default;
};

// "file:line:column: message [pointer]", without empty parts.
std::string to_line(const Problem& problem);

// One line for each problem, but one line for more than three with the same message: the first of
// them, their number and the next places.
std::vector<std::string> to_lines(const std::vector<Problem>& problems);

// Never empty: at least one problem.
class LoadError : public std::exception {
 public:
  explicit LoadError(std::vector<Problem> problems,
                     std::vector<std::filesystem::path> missing_files = {});
  explicit LoadError(Problem problem);
  // One problem of a file or a flag as a whole.
  LoadError(std::string file, std::string message);

  const std::vector<Problem>& problems() const { return problems_; }

  // Referenced files that could not be read, for watchers.
  const std::vector<std::filesystem::path>& missing_files() const { return missing_files_; }

  // Every problem: to_lines().
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::vector<Problem> problems_;
  std::vector<std::filesystem::path> missing_files_;
  std::string what_;
};

}  // namespace spec
