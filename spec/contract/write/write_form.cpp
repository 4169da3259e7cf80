#include "spec/contract/contract.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/write/write_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/http/form.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace spec::contract::write {

namespace {

using Json = nlohmann::json;

// The shape of a member of the form; none if nothing is known of it.
std::optional<ShapeId> member_shape(const BodyForm& form, std::string_view name) {
  return form.contract.state().shapes.member(form.content.shape, name);
}

std::string quote_name(std::string_view text) {
  std::string safe = "\"";
  for (const char letter : text) {
    switch (letter) {
      case '"': safe += "%22"; break;
      case '\r': safe += "%0D"; break;
      case '\n': safe += "%0A"; break;
      case '\\': safe += "\\\\"; break;
      default: safe += letter;
    }
  }
  return safe + '"';
}

// A field of a form, or an element of one, that is written under a media type of its own.
struct TypedField {
  std::string_view name;
  const http::MediaType& media_type;
  std::optional<ShapeId> shape;
  bool is_element = false;
};

// The first schema that describes the values of the field.
std::optional<schema::SchemaId> field_schema(const BodyForm& form, const TypedField& field) {
  const schema::Summaries& summaries = form.contract.possible_summaries();
  const auto& whole = form.content.schema;
  const schema::Schemas* found =
      whole ? summaries.summary_of(*whole).property(field.name) : nullptr;
  if (found != nullptr && field.is_element) {
    found = &summaries.summary_of(*found).elements;
  }
  return found == nullptr || found->empty() ? std::nullopt : std::optional(found->front());
}

// `value` written as a body of the field's media type.
std::optional<std::string> field_text(const BodyForm& form, const TypedField& field,
                                      const Json& value) {
  if (field.media_type.is_json()) {
    return spec::json::write(value);
  }
  if (!value.is_structured()) {
    return scalar_text(value);
  }
  MediaTypeObject content;
  content.media_type = field.media_type;
  content.schema = field_schema(form, field);
  content.shape = field.shape;
  const BodyForm inner{form.contract, content, field.media_type};
  const Shapes& shapes = form.contract.state().shapes;
  return body_kind(field.media_type, shapes.find(field.shape), shapes) == BodyKind::kForm
             ? write_form(inner, value)
             : write_other(inner, value);
}

class MultipartWriter {
 public:
  MultipartWriter(const BodyForm& form, const MakeHeader& make_header)
      : form_(form),
        shapes_(form.contract.state().shapes),
        make_header_(make_header),
        boundary_(form.media_type.parameter("boundary").value_or(kBoundary)) {}

  std::optional<std::string> run(const Json& value) {
    for (const auto& [name, member] : value.items()) {
      const Encoding* encoding = form_.content.encoding(name);
      const bool is_written = encoding != nullptr && encoding->is_styled
                                  ? write_styled(name, member, *encoding)
                                  : write_member(name, member);
      if (!is_written) {
        return std::nullopt;
      }
    }
    return whole();
  }

  // A part for each element, by position. Source: OpenAPI 3.2.0 §4.14, Encoding By Position.
  std::optional<std::string> run_by_position(const Json& value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      text_ += "--" + boundary_ + "\r\n";
      if (value[i].is_null() || !write_content("", value[i], part_shape(form_.content, i, shapes_),
                                               form_.content.encoding(i), true)) {
        return std::nullopt;
      }
    }
    return whole();
  }

 private:
  std::string whole() const { return text_ + "--" + boundary_ + "--\r\n"; }

  bool write_member(const std::string& name, const Json& member) {
    const auto id = member_shape(form_, name);
    const Shape* shape = shapes_.find(id);
    const bool is_spread = member.is_array() && shape != nullptr && shape->is_list();
    const auto own = is_spread && shape->items ? shape->items : id;
    for (const Json& each : is_spread ? member : Json::array({member})) {
      if (!write_part(name, each, own, is_spread)) {
        return false;
      }
    }
    return true;
  }

  // One part for each field, as in a query, but not percent-encoded. Source: OpenAPI 3.1.1
  // §4.8.15.1.2.
  bool write_styled(const std::string& name, const Json& value, const Encoding& encoding) {
    const bool is_plain = takes_plain(shapes_.find(member_shape(form_, name)));
    const auto fields =
        write_fields(FieldStyle{name, encoding.style, encoding.explode, is_plain}, value);
    for (const auto& [field, text] : fields.value_or(Fields())) {
      start_part(text::percent_decode(field).value_or(field));
      if (!write_headers(encoding)) {
        return false;
      }
      text_ += "\r\n" + text::percent_decode(text).value_or(text) + "\r\n";
    }
    return fields.has_value();
  }

  void start_part(std::string_view name) {
    // Only in form-data do names identify parts; elsewhere they are for readers.
    const std::string kind = form_.media_type.subtype == "form-data" ? "form-data" : "inline";
    text_ += "--" + boundary_ + "\r\nContent-Disposition: " + kind + "; name=" + quote_name(name);
    text_ += "\r\n";
  }

  bool write_part(const std::string& name, const Json& value, std::optional<ShapeId> id,
                  bool is_element) {
    if (value.is_null()) {
      return false;
    }
    const Shape* shape = shapes_.find(id);
    start_part(name);
    if (shape != nullptr && shape->is_binary) {
      text_.insert(text_.size() - 2, "; filename=\"sample\"");
    }
    return write_content(name, value, id, form_.content.encoding(name), is_element);
  }

  bool write_content(const std::string& name, const Json& value, std::optional<ShapeId> id,
                     const Encoding* encoding, bool is_element) {
    const Shape* shape = shapes_.find(id);
    const std::string type = type_of(value, encoding, shape != nullptr && shape->is_binary);
    text_ += "Content-Type: " + type + "\r\n";
    if (encoding != nullptr && !write_headers(*encoding)) {
      return false;
    }
    const auto media_type = http::parse_media_type(type).value_or(form_.media_type);
    const auto text = field_text(form_, {name, media_type, id, is_element}, value);
    text_ += "\r\n" + text.value_or("") + "\r\n";
    return text.has_value();
  }

  static std::string type_of(const Json& value, const Encoding* encoding, bool is_binary) {
    if (encoding != nullptr && !encoding->content_types.empty()) {
      if (const auto* exact = encoding->content_type()) {
        return exact->essence();
      }
      const std::string& type = encoding->content_types.front().type;
      return type == "image"                        ? "image/png"
             : type == "text"                       ? "text/plain"
             : type == "*" || type == "application" ? "application/octet-stream"
                                                    : type + "/mpeg";
    }
    return is_binary               ? "application/octet-stream"
           : value.is_structured() ? "application/json"
                                   : "text/plain";
  }

  bool write_headers(const Encoding& encoding) {
    for (const Parameter& header : encoding.headers) {
      const auto value = make_header_(header);
      const auto text = value ? write_header(header, *value) : std::nullopt;
      if (text) {
        text_ += header.name + ": " + *text + "\r\n";
      } else if (header.required) {
        return false;
      }
    }
    return true;
  }

  const BodyForm& form_;
  const Shapes& shapes_;
  const MakeHeader& make_header_;
  std::string boundary_;
  std::string text_;
};

struct WrittenParts {
  std::string boundary;
  std::string bytes;
};

// Parts that were written out, the boundary in the first line; lines may end without a carriage
// return, as those of YAML do. None for any other text.
std::optional<WrittenParts> parts_as_written(std::string_view text) {
  const std::size_t end = text.find_first_of("\r\n");
  if (!text.starts_with("--") || end == std::string_view::npos) {
    return std::nullopt;
  }
  WrittenParts parts{.boundary = std::string(text.substr(2, end - 2)), .bytes = {}};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_bare = text[i] == '\n' && (i == 0 || text[i - 1] != '\r');
    parts.bytes += is_bare ? "\r\n" : std::string(1, text[i]);
  }
  const bool is_read = http::read_multipart(parts.bytes, parts.boundary).has_value();
  return is_read ? std::optional(std::move(parts)) : std::nullopt;
}

// Without a style each value is one text: of the media type that is declared for it, else an object
// is JSON text. False when a value has no such text.
bool set_field_texts(const BodyForm& form, std::string_view name, const Encoding* encoding,
                     Json& content) {
  const Shapes& shapes = form.contract.state().shapes;
  const http::MediaType* type = encoding == nullptr ? nullptr : encoding->content_type();
  const auto id = member_shape(form, name);
  const bool is_spread = content.is_array() && (type == nullptr || !id || shapes[*id].is_list());
  Json whole = Json::array({content});
  for (Json& value : is_spread ? content : whole) {
    if (type != nullptr) {
      const auto own = is_spread && id ? shapes[*id].items : id;
      auto text = field_text(form, {name, *type, own, is_spread}, value);
      if (!text) {
        return false;
      }
      value = std::move(*text);
    } else if (value.is_object()) {
      value = spec::json::write(value);
    }
  }
  if (!is_spread) {
    content = std::move(whole.front());
  }
  return true;
}

}  // namespace

std::optional<std::string> write_form(const BodyForm& form, const Json& value) {
  if (!value.is_object()) {
    return std::nullopt;
  }
  const Shapes& shapes = form.contract.state().shapes;
  Fields all;
  for (const auto& [name, member] : value.items()) {
    const Encoding* encoding = form.content.encoding(name);
    const bool is_styled = encoding != nullptr && encoding->is_styled;
    Json content = member;
    if (!is_styled && !set_field_texts(form, name, encoding, content)) {
      return std::nullopt;
    }
    const auto fields = write_fields(FieldStyle{name, is_styled ? encoding->style : Style::kForm,
                                                is_styled ? encoding->explode : true,
                                                takes_plain(shapes.find(member_shape(form, name)))},
                                     content);
    if (!fields) {
      return std::nullopt;
    }
    all.insert(all.end(), fields->begin(), fields->end());
  }
  return join_fields(all, "&");
}

std::optional<Body> written_multipart(BodyForm form, std::string_view text,
                                      const MakeHeader& make_header) {
  if (auto parts = parts_as_written(text)) {
    auto& parameters = form.media_type.parameters;
    std::erase_if(parameters, [](const auto& known) { return known.first == "boundary"; });
    parameters.emplace_back("boundary", parts->boundary);
    return Body{type_text(form), std::move(parts->bytes)};
  }
  const auto value = spec::json::read(text);
  auto bytes = value ? write_multipart(form, *value, make_header) : std::nullopt;
  return bytes ? std::optional(Body{type_text(form), std::move(*bytes)}) : std::nullopt;
}

std::optional<std::string> write_multipart(const BodyForm& form, const Json& value,
                                           const MakeHeader& make_header) {
  if (kind_of(form) == BodyKind::kParts) {
    return value.is_array() ? MultipartWriter(form, make_header).run_by_position(value)
                            : std::nullopt;
  }
  return value.is_object() ? MultipartWriter(form, make_header).run(value) : std::nullopt;
}

}  // namespace spec::contract::write
