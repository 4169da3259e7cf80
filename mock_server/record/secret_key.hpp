#pragma once

// The key of a recording's replacements: equal secrets get equal replacements, and without the
// key it cannot be found out which secret it was by trying. Kept beside the recording, mode 0600.

#include <filesystem>
#include <string>
#include <string_view>

namespace mock_server::record {

class Key {
 public:
  // Precondition: `bytes` is not empty.
  explicit Key(std::string bytes) : bytes_(std::move(bytes)) {}

  // So many hexadecimal digits, at most 64, of the text's HMAC-SHA-256. Source: RFC 2104.
  std::string digits(std::string_view text, std::size_t count) const;
  // A number for generators.
  std::uint64_t number(std::string_view text) const;

 private:
  std::string bytes_;
};

// The name of the key's file in the folder of a recording.
inline constexpr std::string_view kKeyFile = ".recording-key";

// The key in `file`. Throws LoadError if it cannot be read or has fewer than 16 bytes.
Key read_key(const std::filesystem::path& file);

// 32 random bytes as text.
std::string make_key_text();

}  // namespace mock_server::record
