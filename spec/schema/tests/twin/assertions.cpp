#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/formats/format.hpp"
#include "spec/schema/tests/twin/outcome.hpp"

#include <algorithm>

namespace spec::schema::twin {

namespace {

using nlohmann::json;
using spec::json::Type;

bool is_number(const json& value) {
  return spec::json::type_of(value) == Type::kNumber;
}

// Source: Validation §6.1.1.
bool has_type(const json& instance, const std::string& name) {
  switch (spec::json::type_of(instance)) {
    case Type::kNull: return name == "null";
    case Type::kBoolean: return name == "boolean";
    case Type::kString: return name == "string";
    case Type::kArray: return name == "array";
    case Type::kObject: return name == "object";
    case Type::kNumber:
      return name == "number" || (name == "integer" && spec::json::is_integer(instance));
  }
  return false;
}

bool satisfies_type(const json& keyword, const json& instance) {
  if (keyword.is_string()) {
    return has_type(instance, keyword.get<std::string>());
  }
  return std::any_of(keyword.begin(), keyword.end(),
                     [&](const json& name) { return has_type(instance, name.get<std::string>()); });
}

std::size_t code_points(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

json size_value(std::size_t size) {
  return json(static_cast<std::uint64_t>(size));
}

// Compares `size` with the value of `name`, if the schema has it.
bool satisfies_size(const json& schema, const char* low, const char* high, std::size_t size) {
  const json value = size_value(size);
  return (!schema.contains(low) || spec::json::compare_numbers(value, schema[low]) >= 0) &&
         (!schema.contains(high) || spec::json::compare_numbers(value, schema[high]) <= 0);
}

// Source: Validation §6.2.
bool satisfies_number(const json& schema, const json& instance) {
  const auto order = [&](const char* name) {
    return spec::json::compare_numbers(instance, schema[name]);
  };
  return (!schema.contains("multipleOf") ||
          spec::json::is_multiple_of(instance, schema["multipleOf"])) &&
         (!schema.contains("maximum") || order("maximum") <= 0) &&
         (!schema.contains("exclusiveMaximum") || order("exclusiveMaximum") < 0) &&
         (!schema.contains("minimum") || order("minimum") >= 0) &&
         (!schema.contains("exclusiveMinimum") || order("exclusiveMinimum") > 0);
}

// Source: Validation §6.3.
bool satisfies_string(const json& schema, const json& instance) {
  const auto text = instance.get<std::string>();
  if (!satisfies_size(schema, "minLength", "maxLength", code_points(text))) {
    return false;
  }
  return !schema.contains("pattern") || matches(schema["pattern"].get<std::string>(), text);
}

bool all_differ(const json& array) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (spec::json::equal(array[i], array[j])) {
        return false;
      }
    }
  }
  return true;
}

// Source: Validation §6.4, without minContains and maxContains, which `contains` asks for.
bool satisfies_array(const json& schema, const json& instance) {
  return satisfies_size(schema, "minItems", "maxItems", instance.size()) &&
         (!schema.value("uniqueItems", false) || all_differ(instance));
}

bool has_all(const json& instance, const json& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const json& name) { return instance.contains(name.get<std::string>()); });
}

// Source: Validation §6.5.
bool satisfies_object(const json& schema, const json& instance) {
  if (!satisfies_size(schema, "minProperties", "maxProperties", instance.size()) ||
      (schema.contains("required") && !has_all(instance, schema["required"]))) {
    return false;
  }
  if (!schema.contains("dependentRequired")) {
    return true;
  }
  const json& dependent = schema["dependentRequired"];
  return std::all_of(dependent.items().begin(), dependent.items().end(), [&](const auto& each) {
    return !instance.contains(each.key()) || has_all(instance, each.value());
  });
}

bool satisfies_format(const json& schema, const json& instance) {
  const auto* const format = schema.contains("format")
                                 ? formats::find_format(schema["format"].get<std::string>(), false)
                                 : nullptr;
  return format == nullptr || !instance.is_string() || format->test_string == nullptr ||
         format->test_string(instance.get<std::string>());
}

bool satisfies_values(const json& schema, const json& instance) {
  if (schema.contains("const") && !spec::json::equal(instance, schema["const"])) {
    return false;
  }
  if (!schema.contains("enum")) {
    return true;
  }
  const json& allowed = schema["enum"];
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const json& each) { return spec::json::equal(instance, each); });
}

}  // namespace

bool satisfies_assertions(const Evaluation& evaluation, const json& schema, const std::string& base,
                          const json& instance) {
  if (evaluation.assert_format && !satisfies_format(schema, instance)) {
    return false;
  }
  if (!evaluation.documents.uses_vocabulary(base, "validation")) {
    return true;
  }
  return (!schema.contains("type") || satisfies_type(schema["type"], instance)) &&
         satisfies_values(schema, instance) &&
         (!is_number(instance) || satisfies_number(schema, instance)) &&
         (!instance.is_string() || satisfies_string(schema, instance)) &&
         (!instance.is_array() || satisfies_array(schema, instance)) &&
         (!instance.is_object() || satisfies_object(schema, instance));
}

}  // namespace spec::schema::twin
