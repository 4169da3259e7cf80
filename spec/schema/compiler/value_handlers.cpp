// Keywords about a value itself. Source: JSON Schema 2020-12 Validation §6.1 to §6.4, §7.

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/handlers.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace spec::schema::compiler {
namespace {

using document::Node;

constexpr std::uint64_t kMaxCount = kNoId - 1;

std::optional<TypeSet> type_named(std::string_view name) {
  using Name = std::pair<std::string_view, TypeSet>;
  constexpr std::array kNames = std::to_array<Name>({{"null", kNullType},
                                                     {"boolean", kBooleanType},
                                                     {"integer", kIntegerType},
                                                     {"number", kNumberType},
                                                     {"string", kStringType},
                                                     {"array", kArrayType},
                                                     {"object", kObjectType}});
  for (const auto& [known, types] : kNames) {
    if (known == name) {
      return types;
    }
  }
  return std::nullopt;
}

// The set for one name; 0, and a problem, if it is none.
TypeSet read_type(Draft& draft, const Node& value) {
  if (!value.is_string()) {
    draft.compiler.report(value, wrong_kind("the name of a type", value));
    return 0;
  }
  const auto types = type_named(value.string());
  const bool known = types && !(draft.rules.open_api_30 && *types == kNullType);
  if (!known) {
    std::vector<std::string_view> names{"array",  "boolean", "integer", "null",
                                        "number", "object",  "string"};
    std::erase(names, draft.rules.open_api_30 ? "null" : "");
    draft.compiler.report(value, "must be " + text::join_alternatives(names) + ", but is \"" +
                                     std::string(value.string()) + '"' +
                                     text::did_you_mean(value.string(), names));
    return 0;
  }
  return *types;
}

std::optional<nlohmann::json> read_number(Draft& draft, const Node& value) {
  if (!value.is_number()) {
    draft.compiler.report(value, wrong_kind("a number", value));
    return std::nullopt;
  }
  return value.value();
}

std::uint32_t add_bound(Draft& draft, nlohmann::json limit) {
  auto whole = json::to_int64(limit);
  return append(draft.program().bounds, Bound{.value = std::move(limit), .whole = whole});
}

// A whole number that is not negative, cut to 64 bits; none, and a problem, if it is none.
std::optional<std::uint64_t> read_count(Draft& draft, const Node& value) {
  if (value.is_number()) {
    const nlohmann::json number = value.value();
    if (json::is_integer(number) && json::compare_numbers(number, 0) >= 0) {
      const auto count = json::to_int64(number);
      return count && static_cast<std::uint64_t>(*count) < kMaxCount
                 ? static_cast<std::uint64_t>(*count)
                 : kMaxCount;
    }
  }
  draft.compiler.report(value, wrong_kind("a whole number of at least 0", value));
  return std::nullopt;
}

}  // namespace

std::string wrong_kind(std::string_view wanted, const Node& value) {
  return "must be " + std::string(wanted) + ", but is " +
         text::shortened(json::write(value.value()));
}

void compile_type(Draft& draft, const Node& value) {
  TypeSet types = 0;
  const std::size_t before = draft.compiler.problem_count();
  if (value.is_array() && !draft.rules.open_api_30) {
    if (value.size() == 0) {
      draft.compiler.report(value, "\"type\" is empty: name at least one type");
    }
    for (const Node& element : value.elements()) {
      types |= read_type(draft, element);
    }
  } else {
    types = read_type(draft, value);
  }
  if (draft.compiler.problem_count() != before) {
    return;
  }
  // OpenAPI 3.0.3 §4.7.24.1, `nullable`: adds null to the type beside it, and to nothing else.
  const Node nullable = draft.sibling("nullable");
  if (nullable.is_boolean() && nullable.boolean()) {
    types |= kNullType;
  }
  draft.schema.types = types;
  draft.add(types, value);
}

void compile_enum(Draft& draft, const Node& value) {
  if (!value.is_array()) {
    draft.compiler.report(value, wrong_kind("an array", value));
    return;
  }
  std::vector<nlohmann::json> values;
  for (const Node& element : value.elements()) {
    values.push_back(element.value());
  }
  draft.add(append(draft.program().constants, ConstantSet(std::move(values))), value);
}

void compile_const(Draft& draft, const Node& value) {
  std::vector<nlohmann::json> values;
  values.push_back(value.value());
  draft.add(append(draft.program().constants, ConstantSet(std::move(values))), value);
}

void compile_multiple_of(Draft& draft, const Node& value) {
  auto divisor = read_number(draft, value);
  if (!divisor) {
    return;
  }
  if (json::compare_numbers(*divisor, 0) <= 0) {
    draft.compiler.report(value, wrong_kind("more than 0", value));
    return;
  }
  draft.add(add_bound(draft, *std::move(divisor)), value);
}

void compile_bound(Draft& draft, const Node& value) {
  auto limit = read_number(draft, value);
  if (!limit) {
    return;
  }
  const bool is_upper = draft.row->keyword == Keyword::kMaximum;
  Keyword keyword = draft.row->keyword;
  if (draft.rules.open_api_30) {
    const Node exclusive = draft.node.find(is_upper ? "exclusiveMaximum" : "exclusiveMinimum");
    if (exclusive.is_boolean() && exclusive.boolean()) {
      keyword = is_upper ? Keyword::kExclusiveMaximum : Keyword::kExclusiveMinimum;
    }
  }
  draft.add(keyword, kNumberType, add_bound(draft, *std::move(limit)), value);
}

void compile_exclusive_bound(Draft& draft, const Node& value) {
  if (draft.rules.open_api_30) {
    if (!value.is_boolean()) {
      draft.compiler.report(value, wrong_kind("true or false in OpenAPI 3.0", value));
    }
    return;
  }
  if (auto limit = read_number(draft, value)) {
    draft.add(add_bound(draft, *std::move(limit)), value);
  }
}

void compile_count(Draft& draft, const Node& value) {
  if (const auto count = read_count(draft, value)) {
    draft.add(static_cast<std::uint32_t>(*count), value);
  }
}

void compile_pattern(Draft& draft, const Node& value) {
  if (!value.is_string()) {
    draft.compiler.report(value, wrong_kind("a pattern", value));
    return;
  }
  const std::uint32_t pattern = draft.compiler.pattern(value, value.string());
  if (pattern != kNoId) {
    draft.add(pattern, value);
  }
}

void compile_format(Draft& draft, const Node& value) {
  if (!value.is_string()) {
    draft.compiler.report(value, wrong_kind("a string", value));
    return;
  }
  const formats::Format* format = formats::find_format(value.string(), draft.rules.open_api);
  if (format == nullptr || !draft.rules.assert_format) {
    return;
  }
  draft.add(Keyword::kFormat, format->test_string != nullptr ? kStringType : kNumberType,
            append(draft.program().formats, format), value);
}

void compile_unique_items(Draft& draft, const Node& value) {
  if (!value.is_boolean()) {
    draft.compiler.report(value, wrong_kind("true or false", value));
  } else if (value.boolean()) {
    draft.add(0, value);
  }
}

// minContains and maxContains, which compile_contains reads.
void check_contains_bound(Draft& draft, const Node& value) {
  read_count(draft, value);
}

}  // namespace spec::schema::compiler
