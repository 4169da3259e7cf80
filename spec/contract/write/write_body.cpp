#include "spec/contract/write/write_body.hpp"

#include "spec/contract/contract.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/stream_items.hpp"
#include "spec/contract/write/example_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/items.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iconv.h>
#include <string_view>

namespace spec::contract::write {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMaxBytes = 1 << 20;
constexpr std::int64_t kUsualBytes = 16;

const Shape* shape_of(const BodyForm& form) {
  return form.contract.state().shapes.find(form.content.shape);
}

bool is_csv(const http::MediaType& type) {
  return type.subtype == "csv";
}

// True if a text is written as events already: it begins with a field or a comment.
bool has_events(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kStarts{"data:", "event:", "id:", "retry:", ":"};
  return std::ranges::any_of(kStarts, [text](auto start) { return text.starts_with(start); });
}

// The events of a value. A text stays as it is if it has some, but for the empty line that the last
// one may lack in a file, or if its schema, which is that of the whole body, allows only text.
std::string write_events(const BodyForm& form, const Json& value) {
  std::string text = write_items(form.content, http::ItemForm::kEvents, value);
  if (!value.is_string()) {
    return text;
  }
  const auto& plain = value.get_ref<const std::string&>();
  const bool is_whole_body = kind_of(form) != BodyKind::kItems;
  const bool is_rejected = is_whole_body && form.content.schema &&
                           check(form.contract.schemas(), *form.content.schema, Json(text), {}) ==
                               schema::Verdict::kInvalid;
  if (is_whole_body || !has_events(plain)) {
    return has_events(plain) || is_rejected ? plain : text;
  }
  text = plain;
  while (http::whole_items(http::ItemForm::kEvents, text) < text.size()) {
    text += '\n';
  }
  return text;
}

// The usual type of messages under a range.
http::MediaType member_of(const http::MediaType& range) {
  if (range.subtype != "*") {
    return range;
  }
  http::MediaType type = range;
  if (range.type == "*" || range.type == "application") {
    type.type = "application";
    type.subtype = "json";
  } else {
    type.subtype = range.type == "image" ? "png" : range.type == "text" ? "plain" : "mpeg";
  }
  return type;
}

// An array of small integers as the bytes that they are.
std::optional<std::string> bytes_of(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  std::string bytes;
  for (const Json& each : value.is_array() ? value : Json::array({nullptr})) {
    const auto number = json::to_int64(each);
    if (!number || *number < 0 || *number > 255) {
      return std::nullopt;
    }
    bytes += static_cast<char>(*number);
  }
  return bytes;
}

struct Limits {
  std::int64_t min = 0;
  std::int64_t max = kMaxBytes;
  std::int64_t lowest = 0;  // of a byte
  std::int64_t highest = 255;
};

Limits limits_of(const BodyForm& form) {
  Limits limits;
  for (const BytesBound& bound : form.content.bounds) {
    switch (bound.kind) {
      case BytesBound::Kind::kMinCount: limits.min = std::max(limits.min, bound.value); break;
      case BytesBound::Kind::kMaxCount: limits.max = std::min(limits.max, bound.value); break;
      case BytesBound::Kind::kMinByte: limits.lowest = std::max(limits.lowest, bound.value); break;
      case BytesBound::Kind::kMaxByte:
        limits.highest = std::min(limits.highest, bound.value);
        break;
    }
  }
  return limits;
}

// True if a file's or text's bytes are within the bounds; a text that is no file is validated by
// its schema, too.
bool fits(const BodyForm& form, const std::string& bytes) {
  const bool is_within = std::ranges::all_of(
      form.content.bounds, [&bytes](const BytesBound& bound) { return bound.allows(bytes); });
  const Shape* shape = shape_of(form);
  const bool is_text = shape != nullptr && shape->allows(schema::kStringType) && !shape->is_binary;
  return is_within && (!is_text || check(form.contract.schemas(), *form.content.schema, Json(bytes),
                                         {}) == schema::Verdict::kValid);
}

std::string bytes_within(const Limits& limits) {
  const std::int64_t count = std::min(std::max(kUsualBytes, limits.min), limits.max);
  const std::int64_t span = std::max<std::int64_t>(limits.highest - limits.lowest + 1, 1);
  std::string bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    bytes += static_cast<char>(limits.lowest + (i * 37) % span);
  }
  return bytes;
}

}  // namespace

bool is_sequence(const http::MediaType& type) {
  return http::item_form(type).has_value();
}

bool is_xml(const http::MediaType& type) {
  return type.subtype == "xml" || type.subtype.ends_with("+xml");
}

std::optional<std::string> write_other(const BodyForm& form, const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (form.media_type.type == "multipart") {
    return write_multipart(form, value, [](const Parameter& header) {
      return header.examples.empty() ? std::nullopt : std::optional(*header.examples.front().value);
    });
  }
  // application/octet-stream may hold anything, so JSON is correct there.
  const bool is_any = form.media_type.subtype == "octet-stream";
  if (is_binary_format(form.media_type) && !is_any) {
    return std::nullopt;
  }
  if (is_csv(form.media_type)) {
    return write_csv(value);
  }
  if (is_sequence(form.media_type)) {
    return write_items(form.content, *http::item_form(form.media_type), value);
  }
  if (is_xml(form.media_type)) {
    return write_xml(form, value);
  }
  // JSON text is YAML too, and what text/plain and the types of vendors mostly mean.
  return spec::json::write(value);
}

namespace {

// The media type as the contract writes it, which clients may compare as text; none if it is one of
// a range.
std::optional<std::string> declared_text(const BodyForm& form) {
  if (!form.content.place) {
    return std::nullopt;
  }
  std::string text = form.content.place.key();
  const auto declared = http::parse_media_type(text);
  const bool is_same = declared && declared->essence() == form.media_type.essence() &&
                       declared->parameters == form.media_type.parameters;
  return is_same ? std::optional(std::move(text)) : std::nullopt;
}

// Source: RFC 9110 §5.6.6.
std::string spelled_out(const http::MediaType& type) {
  std::string text = type.essence();
  for (const auto& [name, value] : type.parameters) {
    text += ';' + name + '=' + http::token_or_quoted(value);
  }
  return text;
}

// The value's bytes, in UTF-8 where they are text.
std::optional<std::string> write_bytes(const BodyForm& form, const Json& value,
                                       const MakeHeader& make_header) {
  if (http::item_form(form.media_type) == http::ItemForm::kEvents) {
    return write_events(form, value);
  }
  switch (kind_of(form)) {
    case BodyKind::kJson: return spec::json::write(value);
    case BodyKind::kForm:
      return value.is_string() ? std::optional(value.get<std::string>()) : write_form(form, value);
    case BodyKind::kMultipart:
    case BodyKind::kParts: return write_multipart(form, value, make_header);
    case BodyKind::kText:
      return value.is_structured() ? write_other(form, value) : scalar_text(value);
    case BodyKind::kBytes:
      if (auto bytes = bytes_of(value)) {
        return bytes;
      }
      break;
    case BodyKind::kItems:
    case BodyKind::kUnchecked:
    case BodyKind::kByMediaType: break;
  }
  return write_other(form, value);
}

Body in_charset(const BodyForm& form, std::string bytes) {
  if (auto encoded = encode_text(form, bytes)) {
    return {type_text(form), std::move(*encoded)};
  }
  BodyForm in_utf8 = form;
  for (auto& [name, value] : in_utf8.media_type.parameters) {
    value = name == "charset" ? "utf-8" : value;
  }
  return {type_text(in_utf8), std::move(bytes)};
}

// The bytes of a body that needs no value.
std::optional<std::string> usual_bytes(const BodyForm& form) {
  auto file = small_file(form.media_type);
  if (file && fits(form, *file)) {
    return file;
  }
  const Shape* shape = shape_of(form);
  const bool is_any_text =
      shape == nullptr || !shape->is_typed || shape->allows(schema::kStringType);
  if (is_csv(form.media_type) && is_any_text) {
    return "id,name,amount\r\n1,copper lantern,12.50\r\n2,quiet harbour,7.00\r\n";
  }
  if (is_xml(form.media_type) && is_any_text) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root/>\n";
  }
  // A schema of plain text under a type that is no binary format means a text.
  const bool is_text = shape != nullptr && shape->is_typed && shape->allows(schema::kStringType) &&
                       !shape->is_binary && !is_binary_format(form.media_type);
  const BodyKind kind = kind_of(form);
  const bool is_bytes = kind == BodyKind::kBytes && !is_text && !is_sequence(form.media_type) &&
                        !is_csv(form.media_type);
  const bool is_file = kind == BodyKind::kUnchecked && is_opaque_format(form.media_type);
  return is_bytes || is_file ? std::optional(bytes_within(limits_of(form))) : std::nullopt;
}

}  // namespace

BodyForm form_of(const Contract& contract, const MediaTypeObject& content,
                 const std::optional<http::MediaType>& sent_as) {
  return {contract, content, sent_as.value_or(member_of(content.media_type))};
}

BodyKind kind_of(const BodyForm& form) {
  return form.content.kind == BodyKind::kByMediaType
             ? body_kind(form.media_type, shape_of(form), form.contract.state().shapes)
             : form.content.kind;
}

std::string type_text(const BodyForm& form) {
  const bool needs_boundary =
      form.media_type.type == "multipart" && !form.media_type.parameter("boundary");
  std::string text = declared_text(form).value_or(spelled_out(form.media_type));
  return needs_boundary ? text + ";boundary=" + std::string(kBoundary) : text;
}

bool can_be_written(const BodyForm& form) {
  const http::MediaType& type = form.media_type;
  const Shape* shape = shape_of(form);
  const bool is_known = is_csv(type) || is_sequence(type) || is_xml(type) ||
                        type.subtype == "yaml" || small_file(type).has_value();
  switch (kind_of(form)) {
    case BodyKind::kJson: return true;
    case BodyKind::kText: return is_known || (shape != nullptr && shape->is_typed);
    case BodyKind::kBytes: return is_known || shape != nullptr;
    case BodyKind::kParts: return form.content.schema || form.content.item_schema;
    case BodyKind::kForm:
    case BodyKind::kMultipart: return shape != nullptr && shape->allows(schema::kObjectType);
    case BodyKind::kItems:
    case BodyKind::kUnchecked: return is_known;
    case BodyKind::kByMediaType: return false;
  }
  return false;
}

std::optional<Body> write_body(const BodyForm& form, const Json& value,
                               const MakeHeader& make_header) {
  if (form.media_type.type == "multipart" && value.is_string()) {
    return written_multipart(form, value.get_ref<const std::string&>(), make_header);
  }
  auto bytes = write_bytes(form, value, make_header);
  return bytes ? std::optional(in_charset(form, std::move(*bytes))) : std::nullopt;
}

std::optional<Body> serialized_body(const BodyForm& form, const std::string& text,
                                    const MakeHeader& make_header) {
  if (form.media_type.type == "multipart") {
    return written_multipart(form, text, make_header);
  }
  auto bytes = encode_text(form, text);
  return bytes ? std::optional(Body{type_text(form), std::move(*bytes)}) : std::nullopt;
}

std::optional<Body> usual_body(const BodyForm& form) {
  auto bytes = usual_bytes(form);
  return bytes ? std::optional(in_charset(form, std::move(*bytes))) : std::nullopt;
}

namespace {

// Converts by the C library's tables; none for a set that it does not know or that lacks a
// character.
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

// Names the media type's character set in the declaration that write_xml begins with.
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
