#include "spec/contract/samples/write_parts.hpp"

#include "spec/contract/samples/files.hpp"
#include "spec/contract/samples/write_value.hpp"
#include "spec/contract/state.hpp"
#include "spec/http/multipart.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace spec::contract::samples {

namespace {

using nlohmann::json;

const EncodingPlan* encoding_of(const BodyForm& form, std::string_view property) {
  const auto& all = form.plan.encodings;
  const auto found = std::find_if(all.begin(), all.end(), [property](const EncodingPlan& one) {
    return one.property == property;
  });
  return found == all.end() ? nullptr : &*found;
}

// The shape of a member of the form; null when nothing is known of it.
const Shape* member_shape(const BodyForm& form, std::string_view name) {
  const Shapes& shapes = form.contract.state().shapes;
  const auto& whole = form.plan.value.shape;
  if (!whole) {
    return nullptr;
  }
  const ShapeId* property = shapes[*whole].property(name);
  const auto id = property != nullptr ? std::optional(*property) : shapes[*whole].additional;
  return id ? &shapes[*id] : nullptr;
}

bool is_list(const Shape* shape) {
  return shape != nullptr && shape->is_typed && shape->allows(kArrayBit) &&
         !shape->allows(kScalarBits);
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

class MultipartWriter {
 public:
  MultipartWriter(const BodyForm& form, const MakeHeader& make_header)
      : form_(form),
        make_header_(make_header),
        boundary_(form.media_type.parameter("boundary").value_or(kBoundary)) {}

  std::optional<std::string> run(const json& value) {
    for (const auto& [name, member] : value.items()) {
      const Shape* shape = member_shape(form_, name);
      const bool is_spread = member.is_array() && is_list(shape);
      for (const json& each : is_spread ? member : json::array({member})) {
        const Shape* own =
            is_spread && shape->items ? &form_.contract.state().shapes[*shape->items] : shape;
        if (!write_part(name, each, own)) {
          return std::nullopt;
        }
      }
    }
    return text_ + "--" + boundary_ + "--\r\n";
  }

 private:
  bool write_part(const std::string& name, const json& value, const Shape* shape) {
    if (value.is_null()) {
      return false;
    }
    const EncodingPlan* encoding = encoding_of(form_, name);
    const bool is_binary = shape != nullptr && shape->is_binary;
    const std::string type = type_of(value, encoding, is_binary);
    const auto media_type = http::parse_media_type(type);
    // Only of a form are parts known by their names; elsewhere a name is for who reads it.
    const std::string kind = form_.media_type.subtype == "form-data" ? "form-data" : "inline";
    text_ += "--" + boundary_ + "\r\nContent-Disposition: " + kind + "; name=" + quote_name(name);
    text_ += is_binary ? "; filename=\"sample\"\r\n" : "\r\n";
    text_ += "Content-Type: " + type + "\r\n";
    if (encoding != nullptr && !write_headers(*encoding)) {
      return false;
    }
    const bool is_json = value.is_structured() || (media_type && media_type->is_json());
    const auto text = is_json ? std::optional(spec::json::write(value)) : scalar_text(value);
    text_ += "\r\n" + text.value_or("") + "\r\n";
    return text.has_value();
  }

  static std::string type_of(const json& value, const EncodingPlan* encoding, bool is_binary) {
    if (encoding != nullptr && !encoding->content_types.empty()) {
      const auto& types = encoding->content_types;
      const auto exact = std::find_if(types.begin(), types.end(), [](const http::MediaType& type) {
        return type.subtype != "*";
      });
      if (exact != types.end()) {
        return exact->essence();
      }
      const std::string& type = types.front().type;
      return type == "image"                        ? "image/png"
             : type == "text"                       ? "text/plain"
             : type == "*" || type == "application" ? "application/octet-stream"
                                                    : type + "/mpeg";
    }
    return is_binary               ? "application/octet-stream"
           : value.is_structured() ? "application/json"
                                   : "text/plain";
  }

  bool write_headers(const EncodingPlan& encoding) {
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
  const MakeHeader& make_header_;
  std::string boundary_;
  std::string text_;
};

}  // namespace

namespace {

struct WrittenParts {
  std::string boundary;
  std::string bytes;
};

// Parts that were written out, the boundary in the first line; lines may end without a carriage
// return, as those of YAML do. Nothing for a text that is no such thing.
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

// Without a style an object is a field of JSON text.
json as_json_text(const json& value) {
  return value.is_object() ? json(spec::json::write(value)) : value;
}

}  // namespace

std::optional<std::string> write_form(const BodyForm& form, const json& value) {
  if (!value.is_object()) {
    return std::nullopt;
  }
  Fields all;
  json no_elements = json::array();
  for (const auto& [name, member] : value.items()) {
    const EncodingPlan* encoding = encoding_of(form, name);
    const bool is_styled = encoding != nullptr && encoding->is_styled;
    json content = is_styled ? member : as_json_text(member);
    for (json& element : content.is_array() && !is_styled ? content : no_elements) {
      element = as_json_text(element);
    }
    const auto fields = write_fields(FieldForm{name, is_styled ? encoding->style : Style::kForm,
                                               is_styled ? encoding->explode : true},
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

std::optional<std::string> write_multipart(const BodyForm& form, const json& value,
                                           const MakeHeader& make_header) {
  return value.is_object() ? MultipartWriter(form, make_header).run(value) : std::nullopt;
}

}  // namespace spec::contract::samples
