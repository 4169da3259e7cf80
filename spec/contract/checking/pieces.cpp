#include "spec/contract/checking/pieces.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>

namespace spec::contract::checking {

namespace {

using Texts = std::vector<std::string_view>;

Unexpected<DecodeError> malformed(text::ViolationMessage message) {
  return Unexpected{DecodeError{"malformed", std::move(message)}};
}

Texts split(std::string_view text, std::string_view delimiter) {
  Texts parts;
  for (std::size_t at = text.find(delimiter); at != std::string_view::npos;
       at = text.find(delimiter)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + delimiter.size());
  }
  parts.push_back(text);
  return parts;
}

// Cuts at each of several spellings of one delimiter.
Texts split_any(std::string_view text, std::span<const std::string_view> delimiters) {
  Texts parts{text};
  for (const std::string_view delimiter : delimiters) {
    Texts finer;
    for (const std::string_view part : parts) {
      const Texts pieces = split(part, delimiter);
      finer.insert(finer.end(), pieces.begin(), pieces.end());
    }
    parts = std::move(finer);
  }
  return parts;
}

// The parts of a value that is not spread over several fields.
Texts split_by_style(std::string_view raw, Style style, bool is_encoded) {
  static constexpr std::array<std::string_view, 3> kBlanks{"%20", "+", " "};
  static constexpr std::array<std::string_view, 3> kPipes{"|", "%7C", "%7c"};
  if (style == Style::kSpaceDelimited) {
    return is_encoded ? split_any(raw, kBlanks) : split(raw, " ");
  }
  if (style == Style::kPipeDelimited) {
    return is_encoded ? split_any(raw, kPipes) : split(raw, "|");
  }
  return split(raw, ",");
}

// Percent-decodes into UTF-8.
Result<std::string, DecodeError> decode_text(std::string_view raw, bool plus_is_blank) {
  auto decoded = text::percent_decode(raw, plus_is_blank);
  if (!decoded) {
    return Unexpected{DecodeError{
        "encoding", {"must have two hexadecimal digits behind each %", "is " + in_quotes(raw)}}};
  }
  if (!text::is_utf8(*decoded)) {
    return Unexpected{
        DecodeError{"encoding", {"must be percent-encoded UTF-8", "is " + in_quotes(raw)}}};
  }
  return std::move(*decoded);
}

// Decodes raw texts as the source of a value asks.
class Decoder {
 public:
  Decoder(bool is_encoded, bool plus_is_blank, bool is_lenient)
      : is_encoded_(is_encoded), plus_is_blank_(plus_is_blank), is_lenient_(is_lenient) {}

  Result<std::string, DecodeError> operator()(std::string_view raw) const {
    if (!is_encoded_) {
      return text::is_utf8(raw)
                 ? Result<std::string, DecodeError>(std::string(raw))
                 : Unexpected{DecodeError{"encoding", {"must be UTF-8", "is " + in_quotes(raw)}}};
    }
    auto decoded = decode_text(raw, plus_is_blank_);
    if (!decoded && is_lenient_ && text::is_utf8(raw)) {
      return std::string(raw);
    }
    return decoded;
  }

  bool is_encoded() const { return is_encoded_; }

  bool reads_plus(std::string_view raw) const {
    return plus_is_blank_ && raw.find('+') != std::string_view::npos;
  }

 private:
  bool is_encoded_;
  bool plus_is_blank_;
  bool is_lenient_;
};

// One value.
SplitResult take_scalar(std::string_view raw, const Decoder& decode) {
  auto text = decode(raw);
  if (!text) {
    return Unexpected{text.error()};
  }
  Pieces pieces = one_piece(std::move(*text));
  pieces.has_plus = decode.reads_plus(raw);
  return std::optional(std::move(pieces));
}

SplitResult take_list(const Texts& parts, const Decoder& decode) {
  Pieces pieces{.form = Form::kList, .items = {}};
  for (const std::string_view part : parts) {
    auto text = decode(part);
    if (!text) {
      return Unexpected{text.error()};
    }
    pieces.items.emplace_back("", std::move(*text));
    pieces.has_plus = pieces.has_plus || decode.reads_plus(part);
  }
  return std::optional(std::move(pieces));
}

// Names and values in turn: "R,100,G,200".
SplitResult take_turns(const Texts& parts, const Decoder& decode) {
  if (parts.size() % 2 != 0) {
    return malformed(
        {"must be pairs of names and values", "has " + std::to_string(parts.size()) + " parts"});
  }
  auto list = take_list(parts, decode);
  if (!list) {
    return list;
  }
  Pieces pieces{.form = Form::kObject, .items = {}, .has_plus = (*list)->has_plus};
  auto& items = (*list)->items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    pieces.items.emplace_back(std::move(items[i].second), std::move(items[i + 1].second));
  }
  return std::optional(std::move(pieces));
}

// Names with values: "R=100", "G=200".
SplitResult take_equations(const Texts& parts, const Decoder& decode) {
  Texts turns;
  for (const std::string_view part : parts) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      return malformed({"must be names with values (\"name=value\")", "has " + in_quotes(part)});
    }
    turns.push_back(part.substr(0, equals));
    turns.push_back(part.substr(equals + 1));
  }
  return take_turns(turns, decode);
}

SplitResult take_joined(std::string_view raw, Style style, Form form, const Decoder& decode) {
  switch (form) {
    case Form::kScalar: return take_scalar(raw, decode);
    case Form::kList: return take_list(split_by_style(raw, style, decode.is_encoded()), decode);
    case Form::kObject: return take_turns(split_by_style(raw, style, decode.is_encoded()), decode);
  }
  return std::optional<Pieces>();
}

// The values of every field of that name.
Texts values_of(const FieldSource& source, std::string_view name) {
  Texts values;
  for (const http::FormPair& pair : source.pairs) {
    if (pair.name == name) {
      values.push_back(pair.value);
    }
  }
  return values;
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Adds a field as a member of an object.
std::optional<DecodeError> take_member(Pieces& pieces, std::string_view name, std::string_view raw,
                                       const Decoder& decode) {
  if (auto error = name_error(name)) {
    return error;
  }
  auto text = decode(raw);
  if (!text) {
    return text.error();
  }
  pieces.items.emplace_back(name, std::move(*text));
  pieces.has_plus = pieces.has_plus || decode.reads_plus(raw);
  return std::nullopt;
}

// An object spread over fields that are named as its properties.
SplitResult take_spread(const FieldSource& source, const ObjectFields& spread,
                        const Decoder& decode) {
  Pieces pieces{.form = Form::kObject, .items = {}};
  for (const http::FormPair& pair : source.pairs) {
    const bool is_own = contains(spread.names, pair.name) ||
                        (spread.takes_others && !contains(spread.taken, pair.name));
    if (!is_own) {
      continue;
    }
    if (auto error = take_member(pieces, pair.name, pair.value, decode)) {
      return Unexpected{std::move(*error)};
    }
  }
  return pieces.items.empty() ? std::optional<Pieces>() : std::optional(std::move(pieces));
}

// "filter[a][b]" for "filter": the names keep their brackets without the first name, "[a][b]".
SplitResult take_deep(const FieldSource& source, const FieldStyle& field, const Decoder& decode) {
  Pieces pieces{.form = Form::kObject, .items = {}, .is_deep = true};
  for (const http::FormPair& pair : source.pairs) {
    const std::string_view key = pair.name;
    const bool is_plain = field.takes_plain && key == field.name;
    if (!is_plain && !is_deep_field(field.name, key)) {
      continue;
    }
    if (auto error = take_member(pieces, key.substr(field.name.size()), pair.value, decode)) {
      return Unexpected{std::move(*error)};
    }
  }
  return pieces.items.empty() ? std::optional<Pieces>() : std::optional(std::move(pieces));
}

// Without explode, parts are between commas (RFC 6570 §3.2.5), or dots in the table of OpenAPI
// 3.0.3 §4.7.12.4.
SplitResult take_label(std::string_view raw, bool explode, Form form, bool may_have_dots,
                       const Decoder& decode) {
  if (!raw.starts_with('.')) {
    return malformed({"must start with \".\"", "is " + in_quotes(raw)});
  }
  const bool has_dots = explode || (may_have_dots && raw.find(',') == std::string_view::npos);
  const Texts parts = split(raw.substr(1), has_dots ? "." : ",");
  switch (form) {
    case Form::kScalar: return take_scalar(raw.substr(1), decode);
    case Form::kList: return take_list(parts, decode);
    case Form::kObject: return explode ? take_equations(parts, decode) : take_turns(parts, decode);
  }
  return std::optional<Pieces>();
}

// ";color=blue;color=black", ";color=R,100", ";R=100;G=200".
SplitResult take_matrix(std::string_view raw, const Parameter& parameter, Form form,
                        const Decoder& decode) {
  if (!raw.starts_with(';')) {
    return malformed({"must start with \";\"", "is " + in_quotes(raw)});
  }
  Texts parts = split(raw.substr(1), ";");
  if (form == Form::kObject && parameter.explode) {
    return take_equations(parts, decode);
  }
  for (std::string_view& part : parts) {
    const std::string_view name = part.substr(0, part.find('='));
    if (name != parameter.name) {
      return malformed({"must be \";" + parameter.name + "=...\"", "is " + in_quotes(raw)});
    }
    part.remove_prefix(std::min(name.size() + 1, part.size()));
  }
  if (form == Form::kList && parameter.explode) {
    return take_list(parts, decode);
  }
  if (parts.size() != 1) {
    return Unexpected{repeated_error(parts.size())};
  }
  return take_joined(parts[0], Style::kSimple, form, decode);
}

}  // namespace

bool is_deep_field(std::string_view object, std::string_view name) {
  return name.size() > object.size() + 1 && name.starts_with(object) &&
         name[object.size()] == '[' && name.ends_with(']');
}

Pieces one_piece(std::string text) {
  Pieces pieces;
  pieces.items.emplace_back("", std::move(text));
  return pieces;
}

SplitResult take_field(const FieldSource& source, const FieldStyle& field, Form form,
                       const ObjectFields& spread) {
  const Decoder decode(source.is_encoded, source.plus_is_blank, source.is_lenient);
  if (field.style == Style::kDeepObject) {
    return take_deep(source, field, decode);
  }
  if (form == Form::kObject && field.explode) {
    return take_spread(source, spread, decode);
  }
  const Texts values = values_of(source, field.name);
  if (values.empty()) {
    return std::optional<Pieces>();
  }
  if (form == Form::kList && field.explode) {
    return take_list(values, decode);
  }
  if (values.size() > 1) {
    return Unexpected{repeated_error(values.size())};
  }
  return take_joined(values.front(), field.style, form, decode);
}

SplitResult take_path_value(std::string_view raw, const Parameter& parameter, Form form,
                            Version version) {
  const Decoder decode(true, false, false);
  if (parameter.style == Style::kLabel) {
    return take_label(raw, parameter.explode, form, version == Version::k30, decode);
  }
  if (parameter.style == Style::kMatrix) {
    return take_matrix(raw, parameter, form, decode);
  }
  return form == Form::kObject && parameter.explode
             ? take_equations(split(raw, ","), decode)
             : take_joined(raw, Style::kSimple, form, decode);
}

SplitResult take_header(const std::vector<std::string_view>& lines, bool explode, Form form) {
  const Decoder decode(false, false, false);
  if (lines.empty()) {
    return std::optional<Pieces>();
  }
  if (form == Form::kScalar) {
    return lines.size() == 1 ? take_scalar(lines.front(), decode)
                             : Unexpected{repeated_error(lines.size())};
  }
  Texts parts;
  for (const std::string_view line : lines) {
    for (const std::string_view part : split(line, ",")) {
      parts.push_back(http::trimmed(part));
    }
  }
  return take_lines(parts, explode, form);
}

SplitResult take_lines(const std::vector<std::string_view>& lines, bool explode, Form form) {
  const Decoder decode(false, false, false);
  if (lines.empty()) {
    return std::optional<Pieces>();
  }
  if (form == Form::kList) {
    return take_list(lines, decode);
  }
  return explode ? take_equations(lines, decode) : take_turns(lines, decode);
}

}  // namespace spec::contract::checking
