#include "spec/contract/checking/form_body.hpp"
#include "spec/contract/checking/message_value.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/form.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

const http::MediaType kPlainText{.type = "text", .subtype = "plain", .parameters = {}};
const http::MediaType kJson{.type = "application", .subtype = "json", .parameters = {}};

// Bytes as a JSON string: UTF-8 as it is, else one character for each byte, so that lengths count
// bytes.
std::string text_of_bytes(std::string_view bytes) {
  if (spec::text::is_utf8(bytes)) {
    return std::string(bytes);
  }
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    spec::text::append_utf8(text, static_cast<unsigned char>(byte));
  }
  return text;
}

class MultipartReader {
 public:
  MultipartReader(Violations& violations, const BodyRules& rules)
      : violations_(violations), rules_(rules) {}

  std::optional<FormReading> run(std::string_view body) {
    const auto parts = separate(body);
    if (!parts) {
      return std::nullopt;
    }
    read_all_styled(*parts);
    for (std::size_t i = 0; i < parts->size(); ++i) {
      if (is_named((*parts)[i], i + 1)) {
        read_part((*parts)[i]);
      }
    }
    return std::move(reading_);
  }

  // Each part goes by its index, whatever it is named.
  std::optional<Json> run_by_position(std::string_view body) {
    auto parts = separate(body);
    if (!parts) {
      return std::nullopt;
    }
    std::optional<Json> values = Json::array();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      http::MultipartPart& part = (*parts)[i];
      part.name = std::to_string(i);
      const Encoding* encoding = rules_.content.encoding(i);
      check_encoding(part, type_of(part), encoding);
      auto value = read_content(part, part_shape(rules_.content, i, rules_.shapes), encoding);
      if (value && values) {
        values->push_back(std::move(*value));
      } else {
        values.reset();
      }
    }
    return values;
  }

 private:
  std::optional<std::vector<http::MultipartPart>> separate(std::string_view body) {
    const std::string boundary(rules_.media_type.parameter("boundary").value_or(""));
    auto parts = http::read_multipart(body, boundary);
    if (!parts) {
      violations_.add(
          {Part::kBody, ""}, statement_of(Standard::kMultipart), "malformed",
          parts.error().message.text() + " at byte " + std::to_string(parts.error().byte_offset));
      return std::nullopt;
    }
    return std::move(*parts);
  }

  // Source: RFC 7578 §4.2.
  bool is_named(const http::MultipartPart& part, std::size_t number) {
    const std::string_view field = part.headers.find("Content-Disposition").value_or("");
    const std::string_view type = http::trimmed(field.substr(0, field.find(';')));
    if (text::equals_ignoring_case(type, "form-data") && !part.name.empty()) {
      return true;
    }
    reading_.faulty.emplace();
    violations_.add({Part::kBody, ""}, statement_of(Standard::kMultipart), "malformed",
                    {"must name each part (Content-Disposition: form-data; name=\"...\")",
                     "part " + std::to_string(number) + " has no name"});
    return false;
  }

  // Reads the properties that parts spell as the fields of a query do, though without
  // percent-encoding. Source: OpenAPI 3.1.1 §4.8.15.1.2.
  void read_all_styled(const std::vector<http::MultipartPart>& parts) {
    std::vector<std::string> texts;  // viewed by the pairs
    texts.reserve(parts.size());
    std::vector<http::FormPair> pairs;
    for (const Encoding& encoding : rules_.content.encodings) {
      if (!encoding.is_styled) {
        continue;
      }
      for (std::size_t i = pairs.size(); i < parts.size(); ++i) {
        pairs.push_back({parts[i].name, texts.emplace_back(text_of_bytes(parts[i].content)), true});
      }
      read_styled(encoding, parts, pairs);
    }
  }

  void read_styled(const Encoding& encoding, const std::vector<http::MultipartPart>& parts,
                   const std::vector<http::FormPair>& pairs) {
    const auto id = shape_of(encoding.property);
    const Shape* shape = rules_.shapes.find(id);
    const Form form = form_of(shape);
    const ObjectFields spread = members_of(shape);
    for (const http::MultipartPart& part : parts) {
      const bool is_member = form == Form::kObject && encoding.explode &&
                             std::ranges::find(spread.names, part.name) != spread.names.end();
      const bool is_deep =
          encoding.style == Style::kDeepObject && part.name.starts_with(encoding.property + '[');
      if (part.name == encoding.property || is_member || is_deep) {
        styled_.insert(part.name);
        check_headers(part, encoding);
      }
    }
    const SplitResult taken =
        take_field({.pairs = pairs, .plus_is_blank = false, .is_encoded = false},
                   {.name = encoding.property,
                    .style = encoding.style,
                    .explode = encoding.explode,
                    .takes_plain = true},
                   form, spread);
    if (!taken) {
      reject(encoding.property, taken.error());
      return;
    }
    if (!*taken) {
      return;
    }
    AssembledValue assembled = assemble(rules_.shapes, id, **taken, Preference::kTyped);
    if (assembled.error) {
      reject(encoding.property, *assembled.error);
    } else {
      reading_.value[encoding.property] = std::move(assembled.value);
    }
  }

  void reject(const std::string& name, const DecodeError& error) {
    reading_.faulty.insert(name);
    violations_.add({Part::kBody, pointer_to(name)}, statement_of(Standard::kMultipart), error.rule,
                    error.message);
  }

  std::optional<ShapeId> shape_of(std::string_view name) const {
    return rules_.shapes.member(rules_.content.shape, name);
  }

  void read_part(const http::MultipartPart& part) {
    if (styled_.contains(part.name)) {
      return;
    }
    if (const auto error = name_error(part.name)) {
      reject(part.name, *error);
      return;
    }
    std::optional<ShapeId> id = shape_of(part.name);
    const Shape* shape = rules_.shapes.find(id);
    const bool is_list = shape != nullptr && shape->is_list();
    if (is_list) {
      id = shape->items;
    }
    const http::MediaType media_type = type_of(part);
    const Encoding* encoding = rules_.content.encoding(part.name);
    check_encoding(part, media_type, encoding);
    auto value = read_content(part, id, encoding);
    if (!value) {
      reading_.faulty.insert(part.name);
    } else if (is_list && media_type.is_json() && value->is_array()) {
      reading_.value[part.name] = std::move(*value);  // the whole list as one part of JSON
    } else if (is_list) {
      reading_.value.emplace(part.name, Json::array()).first.value().push_back(std::move(*value));
    } else if (!reading_.value.emplace(part.name, std::move(*value)).second) {
      reading_.faulty.insert(part.name);
      violations_.add({Part::kBody, pointer_to(part.name)}, rules_.content.statement, "repeated",
                      {"must be given once", "is given again"});
    }
  }

  static http::MediaType type_of(const http::MultipartPart& part) {
    const auto field = part.headers.find("Content-Type");
    return field ? http::parse_media_type(*field).value_or(kPlainText) : kPlainText;
  }

  void check_encoding(const http::MultipartPart& part, const http::MediaType& media_type,
                      const Encoding* encoding) {
    if (encoding == nullptr) {
      return;
    }
    const auto& allowed = encoding->content_types;
    const bool fits = allowed.empty() ||
                      std::any_of(allowed.begin(), allowed.end(), [&](const http::MediaType& one) {
                        return http::includes(one, media_type);
                      });
    if (!fits) {
      std::vector<std::string> names;
      for (const http::MediaType& one : allowed) {
        names.push_back(one.essence());
      }
      violations_.add({Part::kBody, pointer_to(part.name)}, encoding->statement, "contentType",
                      {"must be " + join_alternatives(names), "is " + media_type.essence()});
    }
    check_headers(part, *encoding);
  }

  void check_headers(const http::MultipartPart& part, const Encoding& encoding) {
    for (const Parameter& header : encoding.headers) {
      const ValueRules rules =
          rules_of(header, rules_.shapes, {Part::kBody, pointer_to(part.name)}, rules_.direction);
      Violations of_header(violations_.contract(), violations_.operation());
      const ValueReading reading = read_value(of_header, rules, [&part, &header](Form form) {
        return take_header(part.headers.all(header.name), header.explode, form);
      });
      for (Violation& violation : of_header.take()) {
        violation.message.must.insert(0, "header " + header.name + ' ');
        violations_.add(std::move(violation));
      }
      if (header.required && !reading.is_given) {
        violations_.add({Part::kBody, pointer_to(part.name)}, header.required_statement, "missing",
                        {"must have the header " + header.name, "has not"});
      }
    }
  }

  // Arrays and objects are JSON text unless the part, or its Encoding, says otherwise.
  // Source: OpenAPI 3.1.0 §4.8.15.1, `contentType`.
  std::optional<Json> read_content(const http::MultipartPart& part, std::optional<ShapeId> id,
                                   const Encoding* encoding) {
    const Shape* shape = rules_.shapes.find(id);
    http::MediaType type = type_of(part);
    if (shape != nullptr && shape->is_structured() && type.essence() == kPlainText.essence()) {
      const auto* declared = encoding == nullptr ? nullptr : encoding->content_type();
      type = declared != nullptr ? *declared : kJson;
    }
    const bool is_file = part.filename || (shape != nullptr && shape->is_binary);
    if (is_file && !type.is_json()) {
      return text_of_bytes(part.content);
    }
    std::string text = type.is_json() ? std::string(part.content) : text_of_bytes(part.content);
    if (!type.is_json() && type.parameter("charset")) {
      auto decoded = decoded_text(violations_, {Part::kBody, pointer_to(part.name)}, part.content,
                                  type, rules_);
      if (!decoded) {
        return std::nullopt;
      }
      text = std::move(*decoded);
    }
    return read_field(violations_, rules_,
                      {.name = part.name, .media_type = type, .text = text, .shape = id});
  }

  Violations& violations_;
  const BodyRules& rules_;
  FormReading reading_;
  std::set<std::string, std::less<>> styled_;  // parts of properties that have a style
};

}  // namespace

std::optional<FormReading> read_multipart_form(Violations& violations, std::string_view body,
                                               const BodyRules& rules) {
  return MultipartReader(violations, rules).run(body);
}

std::optional<Json> read_parts(Violations& violations, std::string_view body,
                               const BodyRules& rules) {
  return MultipartReader(violations, rules).run_by_position(body);
}

}  // namespace spec::contract::checking
