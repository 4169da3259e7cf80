#include "spec/contract/checking/message_value.hpp"

#include "spec/contract/checking/violation_list.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/validator/validate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 16;  // of brackets in "a[b][c]"

constexpr std::uint8_t kOtherScalars = kScalarBits & ~schema::kStringType;

// The value that fields with brackets in their names make together: "a[b]=1", "a[]=2", "a[0][c]=3".
// Indices are names like others, so that no memory is reserved for elements that are not given.
struct BracketNode {
  struct IndexOrder {  // indices in the order of their numbers

    bool operator()(std::string_view left, std::string_view right) const {
      return left.size() != right.size() ? left.size() < right.size() : left < right;
    }
  };

  std::vector<std::string_view> texts;                          // under this very name, or as "[]"
  std::map<std::string_view, BracketNode, IndexOrder> members;  // "[b]", "[0]"
  std::vector<BracketNode> appended;                            // "[][c]"
  bool is_list = false;                                         // has "[]"
};

using Names = std::span<const std::string_view>;

bool is_given(const BracketNode& node, Names names) {
  if (names.empty()) {
    return !node.texts.empty();
  }
  const auto found = node.members.find(names.front());
  return found != node.members.end() && is_given(found->second, names.subspan(1));
}

// "[][c]" begins another element if the last one has that member, as Rails reads and sends it.
void insert(BracketNode& node, Names names, std::string_view text) {
  if (names.empty() || (names.size() == 1 && names.front().empty())) {
    node.is_list = node.is_list || !names.empty();
    node.texts.push_back(text);
    return;
  }
  const Names rest = names.subspan(1);
  if (!names.front().empty()) {
    insert(node.members[names.front()], rest, text);
    return;
  }
  if (node.appended.empty() || is_given(node.appended.back(), rest)) {
    node.appended.emplace_back();
  }
  insert(node.appended.back(), rest, text);
}

bool is_index(std::string_view name) {
  return name.find_first_not_of("0123456789") == std::string_view::npos &&
         (name.size() == 1 || name.front() != '0');
}

bool makes_list(const Shape* shape, const BracketNode& node) {
  if (!std::ranges::all_of(node.members, [](const auto& each) { return is_index(each.first); })) {
    return false;
  }
  const bool may_be = shape != nullptr && shape->is_typed && shape->allows(schema::kArrayType);
  return node.is_list || !node.appended.empty() ||
         (may_be &&
          (!node.members.empty() || node.texts.size() > 1 || !shape->allows(kScalarBits)));
}

// The shape of an element of a list.
std::optional<ShapeId> element_shape(const Shape* shape, std::size_t index) {
  return shape == nullptr                     ? std::nullopt
         : index < shape->prefix_items.size() ? std::optional(shape->prefix_items[index])
                                              : shape->items;
}

// The names in "[a][b][]"; none if the brackets do not match.
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

// None if the text spells no value of `types`.
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

  AssembledValue run(std::optional<ShapeId> shape, const Pieces& pieces) {
    switch (pieces.form) {
      case Form::kScalar: result_.value = scalar(shape, pieces.items.front().second); break;
      case Form::kList: result_.value = list(shape, pieces); break;
      case Form::kObject:
        result_.value = pieces.is_deep ? deep(shape, pieces) : object(shape, pieces);
        break;
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
    for (const auto& [name, text] : pieces.items) {
      array.push_back(scalar(element_shape(shape, array.size()), text));
    }
    return array;
  }

  Json object(std::optional<ShapeId> id, const Pieces& pieces) {
    Json value = Json::object();
    for (const auto& [name, text] : pieces.items) {
      put(value, shapes_.member(id, name), name, text);
    }
    return value;
  }

  Json deep(std::optional<ShapeId> id, const Pieces& pieces) {
    BracketNode root;
    for (const auto& [name, text] : pieces.items) {
      const auto names = split_brackets(name);
      if (!names || names->size() > kMaxDepth) {
        fail("malformed", {"must have matching brackets in its name, at most 16 levels",
                           "is " + in_quotes(name)});
        continue;
      }
      insert(root, *names, text);
    }
    return deep_value(id, root, "");
  }

  Json deep_value(std::optional<ShapeId> id, const BracketNode& node, std::string_view name) {
    const Shape* shape = shapes_.find(id);
    if (makes_list(shape, node)) {
      return deep_list(shape, node);
    }
    const std::string subject = name.empty() ? "is" : in_quotes(name) + " is";
    if (node.members.empty()) {
      if (node.texts.size() > 1) {
        fail("repeated", {"must be given once", subject + " given again"});
      }
      return node.texts.empty() ? Json() : scalar(id, std::string(node.texts.front()));
    }
    if (!node.texts.empty() || !node.appended.empty()) {
      fail("malformed", {"must be one value or its members", subject + " given as both"});
    }
    Json object = Json::object();
    for (const auto& [key, member] : node.members) {
      object[std::string(key)] = deep_value(shapes_.member(id, key), member, key);
    }
    return object;
  }

  Json deep_list(const Shape* shape, const BracketNode& node) {
    Json list = Json::array();
    for (const std::string_view text : node.texts) {
      list.push_back(scalar(element_shape(shape, list.size()), std::string(text)));
    }
    for (const auto& [index, member] : node.members) {
      list.push_back(deep_value(element_shape(shape, list.size()), member, index));
    }
    for (const BracketNode& member : node.appended) {
      list.push_back(deep_value(element_shape(shape, list.size()), member, "[]"));
    }
    return list;
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
      fail("repeated", {"must be given once", in_quotes(name) + " is given again"});
    }
  }

  void fail(std::string_view rule, text::ViolationMessage message) {
    if (!result_.error) {
      result_.error = DecodeError{rule, std::move(message)};
    }
  }

  const Shapes& shapes_;
  Preference preference_;
  AssembledValue result_;
};

}  // namespace

AssembledValue assemble(const Shapes& shapes, std::optional<ShapeId> shape, const Pieces& pieces,
                        Preference preference) {
  return Assembler(shapes, preference).run(shape, pieces);
}

namespace {

constexpr std::string_view kPlusHint = "; a \"+\" in a query must be sent as %2B";

// All forms, the likeliest first.
constexpr std::array kForms{Form::kScalar, Form::kList, Form::kObject};

// True if a value of this shape may come in that form.
bool may_come_as(Form form, const Shape* shape, bool is_deep) {
  if (is_deep) {
    return form == Form::kObject;
  }
  if (shape == nullptr || !shape->is_typed) {
    return form == Form::kScalar;
  }
  switch (form) {
    case Form::kList: return shape->allows(schema::kArrayType);
    case Form::kObject: return shape->allows(schema::kObjectType);
    case Form::kScalar: break;
  }
  return shape->allows(kScalarBits) || !shape->allows(schema::kArrayType | schema::kObjectType);
}

bool is_decoding_rule(std::string_view keyword) {
  return keyword == "type" || keyword == "format";
}

class ValueReader {
 public:
  ValueReader(Violations& violations, const ValueRules& rules)
      : violations_(violations), rules_(rules), shape_(rules.shapes.find(rules.shape)) {}

  ValueReading run(const Take& take) {
    if (rules_.content_type != nullptr) {
      return read_content(take);
    }
    for (const Form form : kForms) {
      if (!may_come_as(form, shape_, rules_.is_deep)) {
        continue;
      }
      SplitResult taken = take(form);
      if (!taken) {
        error_ = error_ ? error_ : std::optional(taken.error());
      } else if (*taken && try_pieces(**taken)) {
        return {.is_given = true, .value = std::move(kept_)};
      }
    }
    return reject();
  }

 private:
  bool is_valid(const Json& value) const {
    return !rules_.schema ||
           schema::check(violations_.contract().schemas(), *rules_.schema, value,
                         {.direction = rules_.direction}) == schema::Verdict::kValid;
  }

  bool try_pieces(const Pieces& pieces) {
    const bool is_known = shape_ == nullptr || shape_->is_typed;
    std::array preferences{Preference::kTyped, Preference::kText};
    if (!is_known) {
      std::swap(preferences[0], preferences[1]);
    }
    for (const Preference preference : preferences) {
      AssembledValue assembled = assemble(rules_.shapes, rules_.shape, pieces, preference);
      if (assembled.error) {
        error_ = error_ ? error_ : assembled.error;
        return false;
      }
      if (is_valid(assembled.value)) {
        kept_ = std::move(assembled.value);
        return true;
      }
      const bool is_ambiguous = assembled.is_ambiguous;
      if (!rejected_) {
        rejected_ = std::move(assembled);
        has_plus_ = pieces.has_plus;
      }
      if (!is_ambiguous) {
        return false;
      }
    }
    return false;
  }

  ValueReading reject() {
    if (!rejected_ && !error_) {
      return {};
    }
    if (!rejected_) {
      violations_.add(rules_.where, rules_.statement, error_->rule, error_->message);
      return {.is_given = true, .value = {}};
    }
    return report(std::move(*rejected_));
  }

  // Reports how a value violates its schema; keeps the value if it was decoded.
  ValueReading report(AssembledValue rejected) {
    bool is_decoded = !rejected.is_undecodable;
    for (const schema::Violation& keyword_violation :
         schema::validate(violations_.contract().schemas(), *rules_.schema, rejected.value,
                          {.direction = rules_.direction})) {
      violations_.add(rules_.where, keyword_violation);
      Violation& violation = violations_.last();
      if (rejected.is_undecodable && !is_decoding_rule(violation.rule)) {
        violation.rule = "type";
      }
      is_decoded = is_decoded && !is_decoding_rule(violation.rule);
      if (has_plus_ && (is_decoding_rule(violation.rule) || violation.rule == "pattern")) {
        violation.message += kPlusHint;
      }
    }
    return {.is_given = true,
            .value = is_decoded ? std::optional(std::move(rejected.value)) : std::nullopt};
  }

  // Reads a value as a text of its `content` media type. Source: OpenAPI 3.1.0 §4.8.12.1,
  // `content`.
  ValueReading read_content(const Take& take) {
    SplitResult taken = take(Form::kScalar);
    if (!taken) {
      violations_.add(rules_.where, rules_.statement, taken.error().rule, taken.error().message);
      return {.is_given = true, .value = {}};
    }
    if (!*taken) {
      return {};
    }
    AssembledValue assembled;
    const std::string& text = (*taken)->items.front().second;
    if (rules_.content_type->is_json()) {
      auto parsed = spec::json::read(text);
      if (!parsed) {
        violations_.add(rules_.where, rules_.statement, "malformed", json_error(parsed.error()));
        return {.is_given = true, .value = {}};
      }
      assembled.value = std::move(*parsed);
    } else {
      assembled = assemble(rules_.shapes, rules_.shape, **taken, Preference::kTyped);
    }
    if (is_valid(assembled.value)) {
      return {.is_given = true, .value = std::move(assembled.value)};
    }
    return report(std::move(assembled));
  }

  Violations& violations_;
  const ValueRules& rules_;
  const Shape* shape_;
  std::optional<Json> kept_;
  std::optional<AssembledValue> rejected_;
  std::optional<DecodeError> error_;
  bool has_plus_ = false;
};

}  // namespace

ValueRules rules_of(const Parameter& parameter, const Shapes& shapes, MessagePlace where,
                    schema::Direction direction) {
  return {.schema = parameter.schema,
          .shape = parameter.shape,
          .statement = parameter.statement,
          .shapes = shapes,
          .where = std::move(where),
          .direction = direction,
          .is_deep = parameter.style == Style::kDeepObject,
          .content_type = parameter.content_type ? &*parameter.content_type : nullptr};
}

ValueReading read_value(Violations& violations, const ValueRules& rules, const Take& take) {
  return ValueReader(violations, rules).run(take);
}

}  // namespace spec::contract::checking
