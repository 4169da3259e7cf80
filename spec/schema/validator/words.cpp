#include "spec/schema/validator/words.hpp"

#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace spec::schema::validator {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kEnoughBytes = text::kMaxQuotedCharacters * 4 + 1;

void append_string(std::string& out, std::string_view text) {
  // The cut may fall inside a sequence; what is left of it is beyond the 60 characters.
  json::write_to(out, Json(std::string(text.substr(0, kEnoughBytes))));
}

// Stops when enough is written; the rest needs no closing.
void append_value(std::string& out, const Json& value) {
  if (const auto* text = value.get_ptr<const std::string*>()) {
    append_string(out, *text);
  } else if (const auto* object = value.get_ptr<const Json::object_t*>()) {
    out += '{';
    for (const auto& [name, member] : *object) {
      if (out.size() > kEnoughBytes) {
        return;
      }
      out += out.back() == '{' ? "" : ",";
      append_string(out, name);
      out += ':';
      append_value(out, member);
    }
    out += '}';
  } else if (const auto* array = value.get_ptr<const Json::array_t*>()) {
    out += '[';
    for (const Json& element : *array) {
      if (out.size() > kEnoughBytes) {
        return;
      }
      out += &element == array->data() ? "" : ",";
      append_value(out, element);
    }
    out += ']';
  } else {
    json::write_to(out, value);
  }
}

}  // namespace

std::string short_text(const Json& value) {
  std::string out;
  append_value(out, value);
  return text::shortened(out);
}

std::string in_quotes(std::string_view text) {
  std::string out;
  append_string(out, text);
  return text::shortened(out);
}

std::string in_plain_quotes(std::string_view text) {
  return '"' + text::shortened(text::one_line(text, kEnoughBytes)) + '"';
}

std::string type_words(TypeSet types) {
  using Word = std::pair<TypeSet, std::string_view>;
  constexpr std::array kWords = std::to_array<Word>({{kNumberType, "a number"},
                                                     {kIntegerType, "an integer"},
                                                     {kStringType, "a string"},
                                                     {kBooleanType, "a boolean"},
                                                     {kArrayType, "an array"},
                                                     {kObjectType, "an object"},
                                                     {kNullType, "null"}});
  std::vector<std::string_view> found;
  for (const auto& [type, word] : kWords) {
    if ((types & type) == type) {
      found.push_back(word);
      types &= static_cast<TypeSet>(~type);
    }
  }
  return text::join_alternatives(found);
}

std::string choice(const std::vector<Json>& values) {
  std::string words = values.size() > 1 ? "one of " : "";
  for (const Json& value : values) {
    const std::string text = short_text(value);
    const bool first = &value == &values.front();
    if (!first && words.size() + text.size() > text::kMaxQuotedCharacters) {
      return words + ", ... (" + std::to_string(values.size()) + " values)";
    }
    words += first ? "" : &value == &values.back() ? " or " : ", ";
    words += text;
  }
  return values.empty() ? "a listed value" : words;
}

}  // namespace spec::schema::validator
