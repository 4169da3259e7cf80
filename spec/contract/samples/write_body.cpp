#include "spec/contract/samples/write_body.hpp"

#include "spec/contract/body_kind.hpp"
#include "spec/contract/samples/files.hpp"
#include "spec/contract/samples/known_texts.hpp"
#include "spec/contract/samples/text_forms.hpp"
#include "spec/contract/samples/write_parts.hpp"
#include "spec/contract/samples/write_value.hpp"
#include "spec/contract/state.hpp"
#include "spec/http/bytes.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/validate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace spec::contract::samples {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr std::int64_t kUsualBytes = 16;

const Shape* shape_of(const BodyForm& form) {
  const auto& shape = form.plan.value.shape;
  return shape ? &form.contract.state().shapes[*shape] : nullptr;
}

bool is_csv(const http::MediaType& type) {
  return type.subtype == "csv";
}

// Source: RFC 7464 §4, RFC 8091.
bool is_json_sequence(const http::MediaType& type) {
  return type.subtype == "json-seq" || type.subtype.ends_with("+json-seq");
}

bool is_json_lines(const http::MediaType& type) {
  return type.subtype == "x-ndjson" || type.subtype == "jsonl" || is_json_sequence(type);
}

// The type of a range that messages of it usually have.
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
    const auto number = each.is_number_integer() ? each.get<std::int64_t>() : -1;
    if (number < 0 || number > 255) {
      return std::nullopt;
    }
    bytes += static_cast<char>(number);
  }
  return bytes;
}

struct Limits {
  std::int64_t least = 0;
  std::int64_t most = kMostBytes;
  std::int64_t lowest = 0;
  std::int64_t highest = 255;
};

Limits limits_of(const std::vector<BytesBound>& bounds) {
  Limits limits;
  for (const BytesBound& bound : bounds) {
    switch (bound.kind) {
      case BytesBound::Kind::kMinCount: limits.least = std::max(limits.least, bound.value); break;
      case BytesBound::Kind::kMaxCount: limits.most = std::min(limits.most, bound.value); break;
      case BytesBound::Kind::kMinByte: limits.lowest = std::max(limits.lowest, bound.value); break;
      case BytesBound::Kind::kMaxByte:
        limits.highest = std::min(limits.highest, bound.value);
        break;
    }
  }
  return limits;
}

bool keeps(const Limits& limits, std::string_view bytes) {
  const auto count = static_cast<std::int64_t>(bytes.size());
  return count >= limits.least && count <= limits.most &&
         std::all_of(bytes.begin(), bytes.end(), [&limits](char byte) {
           const auto value = std::int64_t{static_cast<unsigned char>(byte)};
           return value >= limits.lowest && value <= limits.highest;
         });
}

}  // namespace

document::Node followed(const Contract& contract, document::Node schema) {
  for (document::Node next = schema; next; next = contract.state().referred(schema)) {
    schema = next;
  }
  return schema;
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
  // Bytes of no format in particular may be anything, so JSON is no lie there.
  const bool is_any = form.media_type.subtype == "octet-stream";
  if (is_binary_format(form.media_type) && !is_any) {
    return std::nullopt;
  }
  if (is_csv(form.media_type)) {
    return write_csv(value);
  }
  if (is_json_lines(form.media_type)) {
    return write_json_lines(value, is_json_sequence(form.media_type) ? "\x1e" : "");
  }
  if (is_xml(form.media_type)) {
    const auto& schema = form.content.schema;
    return write_xml(value, schema ? form.contract.schemas().source(*schema) : document::Node(),
                     [&form](const document::Node& node) { return followed(form.contract, node); });
  }
  // JSON text is YAML too, and what text/plain and the types of vendors mostly mean.
  return spec::json::write(value);
}

namespace {

bool keeps_schema(const BodyForm& form, const std::string& text) {
  return keeps(limits_of(form.plan.bounds), text) &&
         (!form.content.schema || check(form.contract.schemas(), *form.content.schema, Json(text),
                                        {}) == schema::Verdict::kValid);
}

// The media type as the contract writes it, which clients may compare as text; nothing where it is
// one of a range.
std::optional<std::string> declared_text(const BodyForm& form) {
  if (!form.content.node) {
    return std::nullopt;
  }
  std::string text = form.content.node.key();
  const auto declared = http::parse_media_type(text);
  const bool is_same = declared && declared->essence() == form.media_type.essence() &&
                       declared->parameters == form.media_type.parameters;
  return is_same ? std::optional(std::move(text)) : std::nullopt;
}

// Source: RFC 9110 §5.6.6: what is no token is quoted.
std::string spelled_out(const http::MediaType& type) {
  std::string text = type.essence();
  for (const auto& [name, value] : type.parameters) {
    const bool is_token = !value.empty() && http::is_all(value, http::kTokenByte);
    std::string quoted;
    for (const char letter : value) {
      quoted += letter == '"' || letter == '\\' ? "\\" : "";
      quoted += letter;
    }
    text += ';' + name + '=' + (is_token ? value : '"' + quoted + '"');
  }
  return text;
}

}  // namespace

BodyForm form_of(const Contract& contract, const Content& content, const ContentPlan& plan) {
  return {contract, content, plan, member_of(content.media_type)};
}

BodyKind kind_of(const BodyForm& form) {
  return form.plan.kind == BodyKind::kByMediaType
             ? body_kind(form.media_type, shape_of(form), form.contract.state().shapes)
             : form.plan.kind;
}

std::string type_text(const BodyForm& form) {
  const bool needs_boundary =
      form.media_type.type == "multipart" && !form.media_type.parameter("boundary");
  std::string text = declared_text(form).value_or(spelled_out(form.media_type));
  return needs_boundary ? text + ";boundary=" + std::string(kBoundary) : text;
}

std::optional<std::string> write_body(const BodyForm& form, const Json& value,
                                      const MakeHeader& make_header) {
  switch (kind_of(form)) {
    case BodyKind::kJson: return spec::json::write(value);
    case BodyKind::kForm:
      return value.is_string() ? std::optional(value.get<std::string>()) : write_form(form, value);
    case BodyKind::kMultipart: return write_multipart(form, value, make_header);
    case BodyKind::kText:
      return value.is_structured() ? write_other(form, value) : scalar_text(value);
    case BodyKind::kBytes:
      if (const auto bytes = bytes_of(value)) {
        return bytes;
      }
      return write_other(form, value);
    case BodyKind::kUnchecked:
    case BodyKind::kByMediaType: break;
  }
  return write_other(form, value);
}

bool is_xml(const http::MediaType& type) {
  return type.subtype == "xml" || type.subtype.ends_with("+xml");
}

bool can_be_written(const BodyForm& form) {
  const http::MediaType& type = form.media_type;
  const Shape* shape = shape_of(form);
  const bool is_known = is_csv(type) || is_json_lines(type) || is_xml(type) ||
                        type.subtype == "yaml" || sample_file(type).has_value();
  switch (kind_of(form)) {
    case BodyKind::kJson: return true;
    case BodyKind::kText: return is_known || (shape != nullptr && shape->is_typed);
    case BodyKind::kBytes: return is_known || shape != nullptr;
    case BodyKind::kForm:
    case BodyKind::kMultipart: return shape != nullptr && shape->allows(kObjectBit);
    case BodyKind::kUnchecked: return is_known;
    case BodyKind::kByMediaType: return false;
  }
  return false;
}

std::optional<std::string> usual_body(const BodyForm& form) {
  const auto file = sample_file(form.media_type);
  if (file && keeps(limits_of(form.plan.bounds), *file)) {
    return file;
  }
  const BodyKind kind = kind_of(form);
  const Shape* shape = shape_of(form);
  const bool is_any_text = shape == nullptr || !shape->is_typed || shape->allows(kStringBit);
  if (is_csv(form.media_type) && is_any_text) {
    return "id,name,amount\r\n1,copper lantern,12.50\r\n2,quiet harbour,7.00\r\n";
  }
  if (is_xml(form.media_type) && is_any_text) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root/>\n";
  }
  if (kind == BodyKind::kBytes && is_any_text) {
    if (auto text = known_text(form.media_type); text && keeps_schema(form, *text)) {
      return text;
    }
  }
  // A schema of plain text under a type that is no binary format asks for a text.
  const bool is_text = shape != nullptr && shape->is_typed && shape->allows(kStringBit) &&
                       !shape->is_binary && !is_binary_format(form.media_type);
  const bool is_file = kind == BodyKind::kUnchecked && is_opaque_format(form.media_type);
  if ((kind == BodyKind::kBytes && !is_text && !is_json_lines(form.media_type) &&
       !is_csv(form.media_type)) ||
      is_file) {
    return bytes_within(form.plan.bounds);
  }
  return std::nullopt;
}

std::string bytes_within(const std::vector<BytesBound>& bounds) {
  const Limits limits = limits_of(bounds);
  const std::int64_t count = std::min(std::max(kUsualBytes, limits.least), limits.most);
  const std::int64_t span = std::max<std::int64_t>(limits.highest - limits.lowest + 1, 1);
  std::string bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    bytes += static_cast<char>(limits.lowest + (i * 37) % span);
  }
  return bytes;
}

}  // namespace spec::contract::samples
