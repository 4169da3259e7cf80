// Texts in the character set that a media type names.

#include "spec/contract/body_kind.hpp"
#include "spec/contract/write/body.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <iconv.h>

namespace spec::contract::write {

namespace {

// By the C library's tables; nothing for a set that it does not know or that lacks a character.
std::optional<std::string> convert(std::string text, const char* to, const char* from) {
  const iconv_t converter = iconv_open(to, from);
  if (converter == reinterpret_cast<iconv_t>(-1)) {
    return std::nullopt;
  }
  std::string converted(4 * text.size() + 16, '\0');  // no set needs more for a byte of UTF-8
  char* in = text.data();
  char* out = converted.data();
  std::size_t in_left = text.size();
  std::size_t out_left = converted.size();
  constexpr auto kFailed = static_cast<std::size_t>(-1);
  const std::size_t changed = iconv(converter, &in, &in_left, &out, &out_left);
  const bool is_whole =
      changed == 0 && iconv(converter, nullptr, nullptr, &out, &out_left) != kFailed;
  iconv_close(converter);
  if (!is_whole) {
    return std::nullopt;
  }
  converted.resize(converted.size() - out_left);
  return converted;
}

// The declaration that write_xml begins with must not name another set than the media type does.
std::string with_declaration(std::string text, std::string_view charset) {
  constexpr std::string_view kUtf8 = "encoding=\"UTF-8\"";
  const std::size_t at = text.find(kUtf8);
  if (text.starts_with("<?xml") && at < text.find("?>")) {
    text.replace(at, kUtf8.size(), "encoding=\"" + std::string(charset) + '"');
  }
  return text;
}

}  // namespace

std::optional<std::string> encode_text(const BodyForm& form, const std::string& bytes) {
  const auto charset = form.media_type.parameter("charset");
  // JSON is UTF-8, whatever it is labelled with (RFC 8259 §8.1, §11).
  const bool is_text = charset && !form.media_type.is_json() &&
                       !is_binary_format(form.media_type) && form.media_type.type != "multipart" &&
                       spec::text::is_utf8(bytes);
  if (!is_text || text::equals_ignoring_case(*charset, "utf-8")) {
    return bytes;
  }
  std::string text = is_xml(form.media_type) ? with_declaration(bytes, *charset) : bytes;
  return convert(std::move(text), std::string(*charset).c_str(), "UTF-8");
}

}  // namespace spec::contract::write
