#pragma once

// Calls that do not fail a run: those of --allow, and what browsers ask every server for.

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::run {

class AllowedCalls {
 public:
  AllowedCalls() = default;

  // Each is "METHOD /path" as why_no_call() accepts it.
  explicit AllowedCalls(std::vector<std::string> calls) : calls_(std::move(calls)) {}

  // `target` as on the wire; its query does not count.
  bool contains(std::string_view method, std::string_view target) const;

 private:
  std::vector<std::string> calls_;
};

// Whether browsers send this by themselves, for no page that asks for it.
bool is_of_browsers(std::string_view method, std::string_view target);

// Why `text` is not "METHOD /path", where "*" at the end of the path means any text; "" if it is.
std::string why_no_call(const std::string& text);

}  // namespace mock_server::run
