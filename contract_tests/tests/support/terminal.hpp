#pragma once

// A program on a pseudo terminal, as a person starts it.

#include "spec/process/child.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::support {

class Terminal {
 public:
  // Starts `program` with the environment of run_child(), on a terminal of so many columns.
  Terminal(const std::string& program, const std::vector<std::string>& arguments,
           const std::map<std::string, std::string>& environment, unsigned short columns);
  ~Terminal();

  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void resize(unsigned short columns) const;
  void signal(int number) const;

  // Reads until the program has written `words` from `from` on; false if it ends before, or takes
  // too long.
  bool wait_for(std::string_view words, std::size_t from = 0);
  // Reads what is left. The exit code, 128 + n when signal n ended the program; -1 after too long.
  int end();
  // The same, with `number` sent again and again until then.
  int end_by_repeating(int number);

  // Every byte so far.
  const std::string& written() const { return written_; }

 private:
  enum class Read { kSome, kNothing, kEnd };

  Read read(std::chrono::milliseconds timeout);

  int end_ = -1;  // of the terminal that is ours
  std::optional<spec::process::Child> child_;
  std::string written_;
};

}  // namespace contract_tests::support
