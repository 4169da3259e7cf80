// Media types and Accept values from any bytes: what is read is read again from its own text.

#include "spec/http/media_type.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

std::string write(const spec::http::MediaType& type) {
  std::string text = type.essence();
  for (const auto& [name, value] : type.parameters) {
    text += ';' + name + "=\"";
    for (const char letter : value) {
      text += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string{letter};
    }
    text += '"';
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto type = spec::http::parse_media_type(text);
  if (type) {
    const auto again = spec::http::parse_media_type(write(*type));
    const bool same = again && again->essence() == type->essence() &&
                      again->parameters == type->parameters && spec::http::includes(*type, *again);
    if (!same) {
      std::abort();
    }
  }
  const auto chosen = spec::http::negotiate(
      text, {{"application", "json", {}}, {"text", "csv", {{"charset", "utf-8"}}}});
  if (chosen && *chosen > 1) {
    std::abort();
  }
  return 0;
}
