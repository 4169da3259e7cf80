#pragma once

// A program as a child process, run to its end.

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace contract_tests::support {

struct Ended {
  int exit_code = -1;  // -1: a signal ended it, or it was killed for taking too long
  std::string out;
  std::string err;
  std::size_t peak_kilobytes = 0;  // of memory
};

// Means "" as the value of a variable that is set.
inline constexpr const char* kEmptyValue = "(empty)";

// Changes to this process's environment for a child: less what is set for these tests themselves
// (GTEST_*, proxies, a key, a server), and `given` over it ("" takes a variable out).
std::vector<std::pair<std::string, std::optional<std::string>>> environment_for(
    const std::map<std::string, std::string>& given);

// Runs `program` with the environment that environment_for() makes. Kills it after `timeout`.
Ended run_child(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment = {},
                std::chrono::seconds timeout = std::chrono::seconds(240));

}  // namespace contract_tests::support
