#pragma once

#include <string>
#include <string_view>

namespace contract_tests::support {

// The text that bytes written to a terminal leave visible: line breaks, carriage returns and "erase
// to the end of the line" in effect.
inline std::string screen(std::string_view written) {
  constexpr std::string_view kEraseLine = "\x1b[K";
  std::string seen;
  std::size_t line = 0;  // where the last line begins
  std::size_t at = 0;    // the cursor
  while (!written.empty()) {
    if (written.starts_with(kEraseLine)) {
      seen.resize(at);
      written.remove_prefix(kEraseLine.size());
      continue;
    }
    const char byte = written.front();
    written.remove_prefix(1);
    if (byte == '\r') {
      at = line;
    } else if (byte == '\n') {
      seen += '\n';
      at = line = seen.size();
    } else {
      seen.replace(at, at < seen.size() ? 1 : 0, 1, byte);
      ++at;
    }
  }
  return seen;
}

}  // namespace contract_tests::support
