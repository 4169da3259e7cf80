#include "spec/contract/checking/message_body.hpp"

#include "spec/contract/checking/form_body.hpp"
#include "spec/contract/checking/message_value.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/charset.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

// Validates the other members of a form some of whose members could not be read, and reports
// missing ones.
void validate_the_rest(Violations& violations, FormReading form, const BodyRules& rules) {
  if (!rules.content.schema) {
    return;
  }
  const bool has_nameless = form.faulty.contains("");
  for (const std::string& name : form.faulty) {
    form.value[name] = nullptr;  // it was given
  }
  for (const schema::Violation& violation :
       schema::validate(violations.contract().schemas(), *rules.content.schema, form.value,
                        {.direction = rules.direction})) {
    const auto tokens = spec::json::split_pointer(violation.instance);
    const bool is_missing =
        violation.instance.empty() && violation.keyword == "required" && !has_nameless;
    const bool is_inside = tokens && !tokens->empty() && !form.faulty.contains(tokens->front());
    if (is_missing || is_inside) {
      violations.add({Part::kBody, ""}, violation);
    }
  }
}

void validate(Violations& violations, const Json& value, const BodyRules& rules) {
  if (!rules.content.schema) {
    return;
  }
  for (const schema::Violation& violation :
       schema::validate(violations.contract().schemas(), *rules.content.schema, value,
                        {.direction = rules.direction})) {
    violations.add({Part::kBody, ""}, violation);
  }
}

std::optional<Json> read_json(Violations& violations, std::string_view body,
                              const BodyRules& rules) {
  if (rules.json != nullptr) {
    validate(violations, *rules.json, rules);
    return std::nullopt;
  }
  auto value = spec::json::read(body);
  if (!value) {
    const Standard standard = spec::text::is_utf8(body) && !body.starts_with("\xEF\xBB\xBF")
                                  ? Standard::kJsonText
                                  : Standard::kJsonUtf8;
    violations.add({Part::kBody, ""}, statement_of(standard), "malformed",
                   json_error(value.error()));
    return std::nullopt;
  }
  validate(violations, *value, rules);
  return std::move(*value);
}

std::optional<Json> read_text(Violations& violations, std::string_view body,
                              const BodyRules& rules) {
  const auto text = decoded_text(violations, {Part::kBody, ""}, body, rules.media_type, rules);
  if (!text) {
    return std::nullopt;
  }
  const ValueRules value_rules{.schema = rules.content.schema,
                               .shape = rules.content.shape,
                               .statement = rules.content.statement,
                               .shapes = rules.shapes,
                               .where = {Part::kBody, ""},
                               .direction = rules.direction};
  ValueReading reading = read_value(violations, value_rules, [&text](Form) {
    return SplitResult(std::optional(one_piece(*text)));
  });
  return std::move(reading.value);
}

// An array of small integers describes the bytes themselves: they are counted and compared without
// building the array.
void validate_bytes(Violations& violations, std::string_view body, const BodyRules& rules) {
  for (const BytesBound& bound : rules.content.bounds) {
    if (bound.allows(body)) {
      continue;
    }
    const bool counts =
        bound.kind == BytesBound::Kind::kMinCount || bound.kind == BytesBound::Kind::kMaxCount;
    const bool is_minimum =
        bound.kind == BytesBound::Kind::kMinCount || bound.kind == BytesBound::Kind::kMinByte;
    const std::string limit = (is_minimum ? "at least " : "at most ") + std::to_string(bound.value);
    violations.add({Part::kBody, ""}, bound.statement, bound.keyword,
                   counts
                       ? text::ViolationMessage("must be " + limit + " bytes",
                                                "is " + std::to_string(body.size()))
                       : text::ViolationMessage("must have only bytes of " + limit, "has others"));
  }
}

}  // namespace

std::optional<std::string> decoded_text(Violations& violations, const MessagePlace& where,
                                        std::string_view bytes, const http::MediaType& media_type,
                                        const BodyRules& rules) {
  const std::string_view label = media_type.parameter("charset").value_or("utf-8");
  auto decoded = text::decode_charset(bytes, label);
  if (decoded) {
    return std::move(*decoded);
  }
  const auto& [set, byte] = decoded.error();
  if (set.empty()) {
    violations.add({where.part, rules.content.statement,
                    "undecided: the character set " + in_quotes(label) + " is not known here",
                    false});
    violations.last().instance = where.instance;
  } else {
    violations.add(where, rules.content.statement, "encoding",
                   {"must be " + set, "is not at byte " + std::to_string(byte)});
  }
  return std::nullopt;
}

ContentType read_content_type(Violations& violations, const http::Headers& headers) {
  const std::vector<std::string_view> lines = headers.all("Content-Type");
  ContentType result;
  result.is_given = !lines.empty();
  const StatementId statement = statement_of(Standard::kMediaTypeField);
  if (lines.size() > 1) {
    result.is_sound = false;
    const DecodeError error = repeated_error(lines.size());
    violations.add({Part::kMediaType, ""}, statement, error.rule, error.message);
    return result;
  }
  if (lines.empty()) {
    return result;
  }
  result.media_type = http::parse_media_type(lines.front());
  if (!result.media_type || result.media_type->subtype == "*") {
    result.media_type.reset();
    result.is_sound = false;
    violations.add({Part::kMediaType, ""}, statement, "malformed",
                   {"must be a media type (type/subtype)", "is " + in_quotes(lines.front())});
    return result;
  }
  return result;
}

const MediaTypeObject* select_content(std::span<const MediaTypeObject> contents,
                                      const http::MediaType& media_type) {
  const auto closeness = [](const http::MediaType& range) {
    return range.type == "*" ? 0 : range.subtype == "*" ? 1 : 2 + range.parameters.size();
  };
  const MediaTypeObject* best = nullptr;
  for (const MediaTypeObject& content : contents) {
    if (http::includes(content.media_type, media_type) &&
        (best == nullptr || closeness(content.media_type) > closeness(best->media_type))) {
      best = &content;
    }
  }
  return best;
}

const MediaTypeObject* select_content(std::span<const MediaTypeObject> contents,
                                      const http::Headers& headers) {
  const auto field = headers.find("Content-Type");
  const auto type = field ? http::parse_media_type(*field) : std::nullopt;
  return type ? select_content(contents, *type) : nullptr;
}

std::string list_media_types(std::span<const MediaTypeObject> contents) {
  std::vector<std::string> names;
  for (const MediaTypeObject& content : contents) {
    std::string name = content.media_type.essence();
    for (const auto& [parameter, value] : content.media_type.parameters) {
      name.append(";").append(parameter).append("=").append(value);
    }
    names.push_back(std::move(name));
  }
  return join_alternatives(names);
}

namespace {

BodyKind kind_of(const MediaTypeObject& content, const http::MediaType& media_type,
                 const Shapes& shapes) {
  return content.kind == BodyKind::kByMediaType
             ? body_kind(media_type, shapes.find(content.shape), shapes)
             : content.kind;
}

// Since 3.2, `schema` is about the array of all parts, `itemSchema` about each.
std::optional<Json> read_array_of_parts(Violations& violations, std::string_view body,
                                        const BodyRules& rules) {
  auto parts = read_parts(violations, body, rules);
  if (!parts) {
    return std::nullopt;
  }
  validate(violations, *parts, rules);
  for (std::size_t i = 0; rules.content.item_schema && i < parts->size(); ++i) {
    for (const schema::Violation& violation :
         schema::validate(violations.contract().schemas(), *rules.content.item_schema, (*parts)[i],
                          {.direction = rules.direction})) {
      violations.add({Part::kBody, '/' + std::to_string(i)}, violation);
    }
  }
  return parts;
}

}  // namespace

std::optional<Json> read_body(Violations& violations, std::string_view body,
                              const BodyRules& rules) {
  switch (kind_of(rules.content, rules.media_type, rules.shapes)) {
    case BodyKind::kJson: return read_json(violations, body, rules);
    case BodyKind::kText: return read_text(violations, body, rules);
    case BodyKind::kBytes: validate_bytes(violations, body, rules); return std::nullopt;
    case BodyKind::kItems: validate_items(violations, body, rules); return std::nullopt;
    case BodyKind::kParts: return read_array_of_parts(violations, body, rules);
    case BodyKind::kForm:
    case BodyKind::kMultipart: {
      auto form = rules.media_type.type == "multipart"
                      ? read_multipart_form(violations, body, rules)
                      : read_form(violations, body, rules);
      if (!form) {
        return std::nullopt;
      }
      if (!form->faulty.empty()) {
        validate_the_rest(violations, std::move(*form), rules);
        return std::nullopt;
      }
      validate(violations, form->value, rules);
      return std::move(form->value);
    }
    case BodyKind::kUnchecked:
    case BodyKind::kByMediaType: break;
  }
  return std::nullopt;
}

}  // namespace spec::contract::checking

namespace spec::contract {

bool is_decoded(const Contract& contract, const MediaTypeObject& content,
                const http::MediaType& media_type) {
  return checking::kind_of(content, media_type, contract.state().shapes) != BodyKind::kUnchecked;
}

}  // namespace spec::contract
