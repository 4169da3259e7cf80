#pragma once

// The index for people and for the console: operations with URLs to click, tokens,
// records, scenarios, and where to read more. At "/_mock/", and at "/" where the contract has no
// operation there; in short at the start, on a terminal.

#include "mock_server/control/control_request.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::control {

struct IndexOperation {
  std::string id;
  std::string method;
  std::string path;
  std::string summary;
  bool needs_credentials = false;
  std::string url;  // a path that works at once
};

struct IndexScenario {
  std::string name;
  std::string description;
  bool armed = false;
};

struct Index {
  std::string version;  // of the program
  std::string title;
  std::string contract_version;
  std::string file;
  std::string prefix;  // "/_s/NAME", or nothing: before every path
  std::vector<IndexOperation> operations;
  std::size_t operation_count = 0;  // also of those that are not in the list
  // Tokens that may be sent; those of flags are not shown. Nothing: any token.
  std::optional<std::vector<std::string>> tokens;
  std::vector<std::pair<std::string, std::size_t>> collections;  // and their records
  std::vector<IndexScenario> scenarios;
};

struct IndexSource {
  const api::LoadedApi& api;
  const state::Session& session;
  std::string_view version;
  bool names_tokens = false;  // flags name tokens
  std::string_view prefix{};
};

// With at most so many operations; GET comes first where they are not all in it.
Index make_index(const IndexSource& source, std::size_t max_operations);

nlohmann::json to_json(const Index& index);

// At most 40 lines. `address` is "http://127.0.0.1:4010".
std::string to_text(const Index& index, std::string_view address);

// About ten lines.
std::string start_lines(const Index& index, std::string_view address);

// The console to browsers, else JSON or text.
spec::http::Response show_index(const ControlRequest& request);

}  // namespace mock_server::control
