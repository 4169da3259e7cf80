#include "mock_server/record/secret_key.hpp"

#include "spec/document/text_file.hpp"
#include "spec/load_error.hpp"
#include "spec/text/encoding.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace mock_server::record {

std::string Key::digits(std::string_view text, std::size_t count) const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  if (HMAC(EVP_sha256(), bytes_.data(), static_cast<int>(bytes_.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), bytes.data(),
           &size) == nullptr) {
    throw std::runtime_error("HMAC-SHA-256 is not available in OpenSSL; nothing was recorded");
  }
  return spec::text::to_hex({reinterpret_cast<const char*>(bytes.data()), size}).substr(0, count);
}

std::uint64_t Key::number(std::string_view text) const {
  constexpr int kHexadecimal = 16;
  return std::stoull(digits(text, kHexadecimal), nullptr, kHexadecimal);
}

Key read_key(const std::filesystem::path& file) {
  constexpr std::size_t kMinBytes = 16;
  const auto text = spec::document::read_file(file, spec::document::kMebibyte);
  if (!text || text->size() < kMinBytes) {
    throw spec::LoadError(file, text ? "must have at least 16 bytes to be the key of a redaction"
                                     : "cannot be read as the key of a redaction: " + text.error());
  }
  return Key(*text);
}

std::string make_key_text() {
  std::array<unsigned char, 32> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw std::runtime_error("OpenSSL has no random bytes for a key; nothing was recorded");
  }
  return spec::text::to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) + '\n';
}

}  // namespace mock_server::record
