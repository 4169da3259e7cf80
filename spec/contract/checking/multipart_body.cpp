#include "spec/contract/checking/assemble.hpp"
#include "spec/contract/checking/form_body.hpp"
#include "spec/contract/checking/value.hpp"
#include "spec/http/multipart.hpp"
#include "spec/json/read.hpp"
#include "spec/json/utf8.hpp"

#include <algorithm>

namespace spec::contract::checking {

namespace {

using nlohmann::json;

const http::MediaType kPlainText{.type = "text", .subtype = "plain", .parameters = {}};

// Bytes as a JSON string: UTF-8 as it is, else one character for each byte, so that lengths count
// bytes.
std::string text_of_bytes(std::string_view bytes) {
  if (spec::json::is_utf8(bytes)) {
    return std::string(bytes);
  }
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    spec::json::append_utf8(text, static_cast<unsigned char>(byte));
  }
  return text;
}

class MultipartReader {
 public:
  MultipartReader(Complaints& complaints, const BodyRules& rules)
      : complaints_(complaints),
        rules_(rules),
        shape_(rules.plan.value.shape ? &rules.shapes[*rules.plan.value.shape] : nullptr) {}

  std::optional<FormReading> run(std::string_view body) {
    const std::string boundary(rules_.media_type.parameter("boundary").value_or(""));
    const auto parts = http::read_multipart(body, boundary);
    if (!parts) {
      complaints_.add(
          {Part::kBody, ""}, statement_of(Standard::kMultipart), "malformed",
          parts.error().message + " at byte " + std::to_string(parts.error().byte_offset));
      return std::nullopt;
    }
    for (const http::MultipartPart& part : *parts) {
      read_part(part);
    }
    return std::move(reading_);
  }

 private:
  void read_part(const http::MultipartPart& part) {
    if (const auto fault = fault_of_name(part.name)) {
      reading_.faulty.insert(part.name);
      complaints_.add({Part::kBody, pointer_to(part.name)}, statement_of(Standard::kMultipart),
                      fault->rule, fault->message);
      return;
    }
    const ShapeId* property = shape_ != nullptr ? shape_->property(part.name) : nullptr;
    std::optional<ShapeId> id = property != nullptr ? std::optional(*property)
                                : shape_ != nullptr ? shape_->additional
                                                    : std::nullopt;
    const Shape* shape = id ? &rules_.shapes[*id] : nullptr;
    const bool is_list = shape != nullptr && shape->is_typed && shape->allows(kArrayBit) &&
                         !shape->allows(kScalarBits);
    if (is_list) {
      id = shape->items;
    }
    const http::MediaType media_type = type_of(part);
    check_encoding(part, media_type);
    auto value = read_content(part, media_type, id);
    if (!value) {
      reading_.faulty.insert(part.name);
    } else if (is_list && media_type.is_json() && value->is_array()) {
      reading_.value[part.name] = std::move(*value);  // the whole list as one part of JSON
    } else if (is_list) {
      reading_.value.emplace(part.name, json::array()).first.value().push_back(std::move(*value));
    } else if (!reading_.value.emplace(part.name, std::move(*value)).second) {
      reading_.faulty.insert(part.name);
      complaints_.add({Part::kBody, pointer_to(part.name)}, rules_.content.statement, "repeated",
                      "must be given once but is given again");
    }
  }

  static http::MediaType type_of(const http::MultipartPart& part) {
    const auto field = part.headers.find("Content-Type");
    return field ? http::parse_media_type(*field).value_or(kPlainText) : kPlainText;
  }

  void check_encoding(const http::MultipartPart& part, const http::MediaType& media_type) {
    const auto& encodings = rules_.plan.encodings;
    const auto encoding =
        std::find_if(encodings.begin(), encodings.end(),
                     [&part](const EncodingPlan& one) { return one.property == part.name; });
    if (encoding == encodings.end()) {
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
      complaints_.add({Part::kBody, pointer_to(part.name)}, encoding->statement, "contentType",
                      "must be " + join_alternatives(names) + " but is " + media_type.essence());
    }
    check_headers(part, *encoding);
  }

  void check_headers(const http::MultipartPart& part, const EncodingPlan& encoding) {
    for (std::size_t i = 0; i < encoding.headers.size(); ++i) {
      const Parameter& header = encoding.headers[i];
      const ValueRules rules{.plan = encoding.header_values[i],
                             .shapes = rules_.shapes,
                             .where = {Part::kBody, pointer_to(part.name)},
                             .direction = rules_.direction};
      Complaints of_header(complaints_.contract(), complaints_.operation());
      const ValueReading reading = read_value(of_header, rules, [&part, &header](Form form) {
        return take_header(part.headers.all(header.name), header.explode, form);
      });
      for (Violation& violation : of_header.take()) {
        violation.message = "header " + header.name + ' ' + violation.message;
        complaints_.add(std::move(violation));
      }
      if (header.required && !reading.is_given) {
        complaints_.add({Part::kBody, pointer_to(part.name)}, header.required_statement, "missing",
                        "must have the header " + header.name + " but has not");
      }
    }
  }

  std::optional<json> read_content(const http::MultipartPart& part,
                                   const http::MediaType& media_type, std::optional<ShapeId> id) {
    const Shape* shape = id ? &rules_.shapes[*id] : nullptr;
    const bool is_file = part.filename || (shape != nullptr && shape->is_binary);
    const bool wants_json = shape != nullptr && shape->is_typed && !shape->allows(kScalarBits);
    if (media_type.is_json() || (wants_json && !is_file)) {
      auto parsed = spec::json::read(part.content);
      if (!parsed) {
        complaints_.add({Part::kBody, pointer_to(part.name)}, statement_of(Standard::kJsonText),
                        "malformed", json_fault(parsed.error()));
        return std::nullopt;
      }
      return std::move(*parsed);
    }
    std::string text = text_of_bytes(part.content);
    if (is_file) {
      return text;
    }
    Pieces pieces;
    pieces.items.emplace_back("", std::move(text));
    return assemble(rules_.shapes, id, pieces, Preference::kTyped).value;
  }

  Complaints& complaints_;
  const BodyRules& rules_;
  const Shape* shape_;
  FormReading reading_;
};

}  // namespace

std::optional<FormReading> read_multipart_form(Complaints& complaints, std::string_view body,
                                               const BodyRules& rules) {
  return MultipartReader(complaints, rules).run(body);
}

}  // namespace spec::contract::checking
