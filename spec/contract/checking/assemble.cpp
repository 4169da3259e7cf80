#include "spec/contract/checking/assemble.hpp"

#include "spec/contract/checking/violations.hpp"
#include "spec/json/number.hpp"

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 16;  // of brackets in "a[b][c]"

constexpr std::uint8_t kOtherScalars = kScalarBits & ~schema::kStringType;

// The names in "[a][b][]"; nothing if the brackets do not match.
std::optional<std::vector<std::string_view>> split_brackets(std::string_view text) {
  std::vector<std::string_view> names;
  while (!text.empty()) {
    const std::size_t close = text.find(']');
    if (text.front() != '[' || close == std::string_view::npos) {
      return std::nullopt;
    }
    names.push_back(text.substr(1, close - 1));
    text.remove_prefix(close + 1);
  }
  return names;
}

bool spells_integer(std::string_view text) {
  return json::is_number_text(text) && text.find_first_of(".eE") == std::string_view::npos;
}

std::optional<Json> read_typed(std::uint8_t types, std::string_view text) {
  if ((types & schema::kBooleanType) != 0 && (text == "true" || text == "false")) {
    return text == "true";
  }
  const bool is_number = ((types & schema::kFractionType) != 0 && json::is_number_text(text)) ||
                         ((types & schema::kIntegerType) != 0 && spells_integer(text));
  return is_number ? std::optional(json::make_number(text)) : std::nullopt;
}

// Nothing when the text spells no value of `types`.
std::optional<Json> read_scalar(std::uint8_t types, const std::string& text,
                                Preference preference) {
  const bool may_be_text = (types & schema::kStringType) != 0;
  if (may_be_text && (preference == Preference::kText || (types & kOtherScalars) == 0)) {
    return text;
  }
  auto value = read_typed(types, text);
  return value || !may_be_text ? std::move(value) : std::optional<Json>(text);
}

class Assembler {
 public:
  Assembler(const Shapes& shapes, Preference preference)
      : shapes_(shapes), preference_(preference) {}

  Assembled run(std::optional<ShapeId> shape, const Pieces& pieces) {
    switch (pieces.form) {
      case Form::kScalar: result_.value = scalar(shape, pieces.items.front().second); break;
      case Form::kList: result_.value = list(shape, pieces); break;
      case Form::kObject: result_.value = object(shape, pieces); break;
    }
    return std::move(result_);
  }

 private:
  Json scalar(std::optional<ShapeId> id, const std::string& text) {
    const Shape* shape = shapes_.find(id);
    const std::uint8_t types = shape == nullptr ? std::uint8_t{schema::kStringType} : shape->types;
    result_.is_ambiguous = result_.is_ambiguous ||
                           ((types & schema::kStringType) != 0 && (types & kOtherScalars) != 0);
    auto value = read_scalar(types, text, preference_);
    result_.is_undecodable = result_.is_undecodable || !value;
    return value ? std::move(*value) : Json(text);
  }

  Json list(std::optional<ShapeId> id, const Pieces& pieces) {
    const Shape* shape = shapes_.find(id);
    Json array = Json::array();
    for (std::size_t i = 0; i < pieces.items.size(); ++i) {
      const bool is_of_prefix = shape != nullptr && i < shape->prefix_items.size();
      array.push_back(is_of_prefix       ? scalar(shape->prefix_items[i], pieces.items[i].second)
                      : shape != nullptr ? scalar(shape->items, pieces.items[i].second)
                                         : scalar(std::nullopt, pieces.items[i].second));
    }
    return array;
  }

  Json object(std::optional<ShapeId> id, const Pieces& pieces) {
    Json value = Json::object();
    for (const auto& [name, text] : pieces.items) {
      if (!name.starts_with('[')) {
        put(value, shapes_.member(id, name), name, text);
        continue;
      }
      const auto names = split_brackets(name);
      if (!names || names->size() > kMaxDepth) {
        fail("malformed", "must have matching brackets in its name, at most 16 levels, but is " +
                              in_quotes(name));
        continue;
      }
      put_deep(value, id, *names, text);
    }
    return value;
  }

  // Sets a member, or adds to it if it is a list.
  void put(Json& object, std::optional<ShapeId> id, std::string_view name,
           const std::string& text) {
    const std::string key(name);
    const Shape* shape = shapes_.find(id);
    if (shape != nullptr && shape->is_list()) {
      Json& array = object.emplace(key, Json::array()).first.value();
      if (array.is_array()) {
        array.push_back(scalar(shape->items, text));
      }
    } else if (!object.emplace(key, scalar(id, text)).second) {
      fail("repeated", "must be given once, but " + in_quotes(name) + " is given again");
    }
  }

  void put_deep(Json& object, std::optional<ShapeId> id, std::span<const std::string_view> names,
                const std::string& text) {
    const std::optional<ShapeId> shape = shapes_.member(id, names.front());
    const bool is_last = names.size() == 1 || (names.size() == 2 && names[1].empty());
    if (is_last) {
      put(object, shape, names.front(), text);
      return;
    }
    Json& inner = object.emplace(std::string(names.front()), Json::object()).first.value();
    if (!inner.is_object()) {
      fail("repeated", "must be given once, but " + in_quotes(names.front()) + " is given again");
      return;
    }
    put_deep(inner, shape, names.subspan(1), text);
  }

  void fail(std::string_view rule, std::string message) {
    if (!result_.fault) {
      result_.fault = Fault{rule, std::move(message)};
    }
  }

  const Shapes& shapes_;
  Preference preference_;
  Assembled result_;
};

}  // namespace

Assembled assemble(const Shapes& shapes, std::optional<ShapeId> shape, const Pieces& pieces,
                   Preference preference) {
  return Assembler(shapes, preference).run(shape, pieces);
}

}  // namespace spec::contract::checking
