#include "spec/contract/write/write_parameter.hpp"

#include "spec/contract/write/write_body.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace spec::contract::write {

namespace {

using text::join;
using text::percent_encode;
using Json = nlohmann::json;

using Texts = std::vector<std::string>;

// The spelling of scalars: percent-encoded, or as they are for headers.
enum class Coding : std::uint8_t { kEncoded, kPlain };

// In a header a comma or "=" inside an element would be read as a delimiter.
std::optional<std::string> element(const Json& value, Coding coding) {
  auto text = scalar_text(value);
  if (!text) {
    return std::nullopt;
  }
  if (coding == Coding::kEncoded) {
    return percent_encode(*text);
  }
  const bool is_cut = text->find_first_of(",=") != std::string::npos || text->starts_with(' ') ||
                      text->ends_with(' ');
  return is_cut ? std::nullopt : text;
}

std::optional<Texts> elements(const Json& list, Coding coding) {
  Texts texts;
  for (const Json& each : list) {
    auto text = element(each, coding);
    if (!text) {
      return std::nullopt;
    }
    texts.push_back(std::move(*text));
  }
  return texts.empty() ? std::nullopt : std::optional(std::move(texts));
}

// The members of an object, name and value joined by `between`.
std::optional<Texts> members(const Json& object, std::string_view between, Coding coding) {
  Texts texts;
  for (const auto& [name, value] : object.items()) {
    const auto key = element(name, coding);
    const auto text = element(value, coding);
    if (!key || key->empty() || !text) {
      return std::nullopt;
    }
    texts.push_back(*key + std::string(between) + *text);
  }
  return texts.empty() ? std::nullopt : std::optional(std::move(texts));
}

std::optional<std::string> joined(const std::optional<Texts>& texts, std::string_view delimiter) {
  return texts ? std::optional(join(*texts, delimiter)) : std::nullopt;
}

std::string_view delimiter_of(Style style) {
  return style == Style::kSpaceDelimited ? "%20" : style == Style::kPipeDelimited ? "%7C" : ",";
}

// A list or object in one text, with `delimiter` between all of its parts.
std::optional<std::string> in_one(const Json& value, std::string_view delimiter, Coding coding) {
  if (value.is_array()) {
    return joined(elements(value, coding), delimiter);
  }
  return value.is_object() ? joined(members(value, delimiter, coding), delimiter)
                           : element(value, coding);
}

std::optional<std::string> write_matrix(const Parameter& parameter, const Json& value) {
  const std::string start = ';' + parameter.name;
  if (value.is_object() && parameter.explode) {
    const auto texts = members(value, "=", Coding::kEncoded);
    return texts ? std::optional(';' + join(*texts, ";")) : std::nullopt;
  }
  if (value.is_array() && parameter.explode) {
    const auto texts = elements(value, Coding::kEncoded);
    return texts ? std::optional(start + '=' + join(*texts, start + '=')) : std::nullopt;
  }
  const auto text = in_one(value, ",", Coding::kEncoded);
  return text ? std::optional(start + '=' + *text) : std::nullopt;
}

std::optional<std::string> write_simple(const Parameter& parameter, const Json& value,
                                        Coding coding) {
  return value.is_object() && parameter.explode ? joined(members(value, "=", coding), ",")
                                                : in_one(value, ",", coding);
}

std::optional<std::string> write_label(const Parameter& parameter, const Json& value,
                                       Version version) {
  const bool has_dots = parameter.explode || version == Version::k30;
  const bool has_equations = value.is_object() && parameter.explode;
  auto text = has_equations ? joined(members(value, "=", Coding::kEncoded), ".")
                            : in_one(value, has_dots ? "." : ",", Coding::kEncoded);
  // A dot is never encoded, so one inside an element would cut it.
  const std::size_t count = value.size() * (value.is_object() && !has_equations ? 2 : 1);
  const bool is_cut =
      value.is_structured() && has_dots && text &&
      static_cast<std::size_t>(std::count(text->begin(), text->end(), '.')) + 1 != count;
  return text && !is_cut ? std::optional('.' + *text) : std::nullopt;
}

// Elements have indices: a list of one is a list too, and objects in it keep their members.
bool write_deep(const std::string& name, const Json& value, Fields& fields) {
  if (value.is_object()) {
    return std::all_of(value.items().begin(), value.items().end(), [&](const auto& member) {
      return write_deep(name + percent_encode('[' + member.key() + ']'), member.value(), fields);
    });
  }
  if (value.is_array()) {
    return std::all_of(value.begin(), value.end(), [&, index = 0](const Json& each) mutable {
      const std::string place = '[' + std::to_string(index++) + ']';
      return write_deep(name + percent_encode(place), each, fields);
    });
  }
  const auto text = element(value, Coding::kEncoded);
  if (text) {
    fields.emplace_back(name, *text);
  }
  return text.has_value();
}

std::optional<Fields> one_field(std::string_view name, std::optional<std::string> text) {
  return text ? std::optional(Fields{{percent_encode(name), std::move(*text)}}) : std::nullopt;
}

// Every member of an object as a field of its own.
std::optional<Fields> spread(const Json& object) {
  Fields fields;
  for (const auto& [name, value] : object.items()) {
    if (value.is_array()) {
      const auto texts = elements(value, Coding::kEncoded);
      if (!texts) {
        return std::nullopt;
      }
      for (const std::string& text : *texts) {
        fields.emplace_back(percent_encode(name), text);
      }
      continue;
    }
    auto text = element(value, Coding::kEncoded);
    if (!text) {
      return std::nullopt;
    }
    fields.emplace_back(percent_encode(name), std::move(*text));
  }
  return fields.empty() ? std::nullopt : std::optional(std::move(fields));
}

// A parameter with `content` is one text of that media type.
std::optional<std::string> content_text(const Parameter& parameter, const Json& value) {
  return parameter.content_type->is_json() ? std::optional(spec::json::write(value))
                                           : scalar_text(value);
}

// The fields of cookies as they are; none if a value has a byte that no cookie has. Source: RFC
// 6265 §4.1.1.
std::optional<Fields> unencoded(std::optional<Fields> fields) {
  const auto is_of_cookie = [](char letter) {
    return letter > ' ' && letter < 0x7F && letter != ';' && letter != ',' && letter != '"' &&
           letter != '\\';
  };
  Fields none;
  for (auto& [name, value] : fields ? *fields : none) {
    name = text::percent_decode(name).value_or(name);
    value = text::percent_decode(value).value_or(value);
    if (!std::ranges::all_of(name + value, is_of_cookie)) {
      return std::nullopt;
    }
  }
  return fields;
}

// A form is a query already. Source: OpenAPI 3.2.0, URL Percent-Encoding.
std::optional<Fields> whole_query(const BodyForm& form, const Json& value) {
  const auto body = write_body(form, value, [](const Parameter&) { return std::nullopt; });
  if (!body) {
    return std::nullopt;
  }
  return Fields{{"", kind_of(form) == BodyKind::kForm ? body->bytes : percent_encode(body->bytes)}};
}

}  // namespace

std::optional<std::string> scalar_text(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_structured() || value.is_null() ? std::nullopt
                                                  : std::optional(spec::json::write(value));
}

std::optional<Fields> write_fields(const FieldStyle& field, const Json& value) {
  if (field.style == Style::kDeepObject) {
    Fields fields;
    const bool done = (value.is_structured() || field.takes_plain) &&
                      write_deep(percent_encode(field.name), value, fields) && !fields.empty();
    return done ? std::optional(std::move(fields)) : std::nullopt;
  }
  if (value.is_object() && field.explode) {
    return spread(value);
  }
  if (value.is_array() && field.explode) {
    const auto texts = elements(value, Coding::kEncoded);
    if (!texts) {
      return std::nullopt;
    }
    Fields fields;
    for (const std::string& text : *texts) {
      fields.emplace_back(percent_encode(field.name), text);
    }
    return fields;
  }
  return one_field(field.name, in_one(value, delimiter_of(field.style), Coding::kEncoded));
}

std::optional<std::string> write_path(const Parameter& parameter, const Json& value,
                                      Version version) {
  if (parameter.content_type) {
    const auto text = content_text(parameter, value);
    return text && !text->empty() ? std::optional(percent_encode(*text)) : std::nullopt;
  }
  auto text = parameter.style == Style::kLabel ? write_label(parameter, value, version)
              : parameter.style == Style::kMatrix
                  ? write_matrix(parameter, value)
                  : write_simple(parameter, value, Coding::kEncoded);
  // "." and ".." would be read as steps of the path.
  const bool is_usable = text && !text->empty() && *text != "." && *text != "..";
  return is_usable ? text : std::nullopt;
}

std::optional<Fields> write_fields(const Contract& contract, const Parameter& parameter,
                                   const Json& value) {
  if (parameter.querystring) {
    return whole_query(form_of(contract, *parameter.querystring), value);
  }
  if (parameter.content_type) {
    const auto text = content_text(parameter, value);
    return one_field(parameter.name, text ? std::optional(percent_encode(*text)) : std::nullopt);
  }
  auto fields = write_fields(
      FieldStyle{parameter.name, parameter.style, parameter.explode, parameter.takes_plain}, value);
  return parameter.is_unencoded ? unencoded(std::move(fields)) : fields;
}

std::optional<std::string> write_header(const Parameter& parameter, const Json& value) {
  auto text = parameter.content_type  ? content_text(parameter, value)
              : value.is_structured() ? write_simple(parameter, value, Coding::kPlain)
                                      : scalar_text(value);
  const auto is_control = [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20U || letter == 0x7F;
  };
  const bool is_usable = text && !text->empty() && text->front() != ' ' && text->back() != ' ' &&
                         std::none_of(text->begin(), text->end(), is_control);
  return is_usable ? text : std::nullopt;
}

std::string write_literal(std::string_view text) {
  constexpr std::string_view kOfPaths = "!$&'()*+,;=:@/%";
  return text::percent_encode(text, kOfPaths);
}

std::string join_fields(const Fields& fields, std::string_view delimiter) {
  std::string joined;
  for (const auto& [name, value] : fields) {
    text::append_to_list(joined, name.empty() ? value : name + '=' + value, delimiter);
  }
  return joined;
}

}  // namespace spec::contract::write
