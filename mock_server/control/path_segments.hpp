#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace mock_server::control {

// "a", "b" and "" of "/a/b/", still encoded.
inline std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> all;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    all.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return all;
}

}  // namespace mock_server::control
