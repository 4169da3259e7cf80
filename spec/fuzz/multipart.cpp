// Multipart bodies from any bytes: every part lies inside the body, in order.

#include "spec/http/form.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

// Input: the boundary up to the first line feed, then the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const std::string_view boundary = text.substr(0, line);
  const std::string_view body =
      line == std::string_view::npos ? std::string_view() : text.substr(line + 1);
  const auto parts = spec::http::read_multipart(body, boundary);
  if (!parts) {
    if (parts.error().byte_offset > body.size() || parts.error().message.must.empty()) {
      std::abort();
    }
    return 0;
  }
  const char* last = body.data();
  for (const spec::http::MultipartPart& part : *parts) {
    const bool lies_inside = part.content.data() >= last &&
                             part.content.data() + part.content.size() <= body.data() + body.size();
    if (!lies_inside) {
      std::abort();
    }
    last = part.content.data() + part.content.size();
  }
  return 0;
}
