#pragma once

// The calls in files of three kinds: HAR 1.2, JSON lines (call_lines.hpp), Postman collections.
// The content says of which kind a file is.

#include "mock_server/record/call_lines.hpp"
#include "spec/contract/contract.hpp"
#include "spec/load_error.hpp"
#include "spec/net/base_url.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::record {

struct Source {
  std::vector<LineCall> calls;          // sealed only in lines
  std::vector<spec::Problem> problems;  // what was left out, and why
};

// `key` is that of sealed lines. Throws LoadError for a file that cannot be read, is cut, or is of
// no known kind.
Source read_calls(const std::vector<std::filesystem::path>& files, const Key& key);

// Leaves out preflights, calls without a response, and calls to other servers than that of `base`,
// whose path goes from the targets; without a base, than the one that has most operations of the
// contract; and where some are for an operation, those that are for none. Each is said once in
// `problems`. Returns what to do where there are calls, but none
// that is left is for an operation; else "".
std::string choose_calls(const spec::contract::Contract& contract,
                         const std::optional<spec::net::BaseUrl>& base, Source& source);

}  // namespace mock_server::record
