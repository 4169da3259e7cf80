#pragma once

// Splits the text of a parameter or form field by its style (OpenAPI 3.1.0 §4.8.12.2 to §4.8.12.4,
// RFC 6570): one value, a list, or names and values. Encoded delimiters are data. message_value.hpp
// makes values of the pieces.

#include "spec/contract/checking/violation_list.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/form.hpp"
#include "spec/result.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract::checking {

// The form in which a text is read.
enum class Form : std::uint8_t { kScalar, kList, kObject };

struct Pieces {
  Form form = Form::kScalar;
  // Decoded: names are "" but for an object; a scalar has one.
  std::vector<std::pair<std::string, std::string>> items;
  bool has_plus = false;  // a "+" was read as a blank
  // Names are the part behind the parameter's own: "[a][b]", "[]", "[0]", or "". They may make a
  // value of any type.
  bool is_deep = false;
};

// One value.
Pieces one_piece(std::string text);

// None if the value was not given.
using SplitResult = Result<std::optional<Pieces>, DecodeError>;

// The fields of a query or form that belong to an object which is spread over them.
struct ObjectFields {
  std::vector<std::string_view> names;  // of its properties
  std::vector<std::string_view> taken;  // by other parameters
  bool takes_others = false;            // any name that no other parameter takes
};

// The fields of a query, a form or cookies. `plus_is_blank` as in urlencoded forms.
struct FieldSource {
  std::span<const http::FormPair> pairs;
  bool plus_is_blank = true;
  bool is_lenient = false;  // an invalid triplet is text (cookies)
  bool is_encoded = true;   // percent-encoded; the parts of a multipart form are not
};

// "filter[a]" and "filter[]" belong to the deep object "filter"; "filter[a" does not.
bool is_deep_field(std::string_view object, std::string_view name);

SplitResult take_field(const FieldSource& source, const FieldStyle& field, Form form,
                       const ObjectFields& spread);

// Splits a path segment's raw value.
SplitResult take_path_value(std::string_view raw, const Parameter& parameter, Form form,
                            Version version);

// Splits the lines of a header field, which are not percent-encoded.
SplitResult take_header(const std::vector<std::string_view>& lines, bool explode, Form form);

// The same for a field that has one value on each line (Set-Cookie): a comma is part of it.
SplitResult take_lines(const std::vector<std::string_view>& lines, bool explode, Form form);

}  // namespace spec::contract::checking
