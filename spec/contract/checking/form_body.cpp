#include "spec/contract/checking/form_body.hpp"

#include "spec/contract/checking/message_value.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/form.hpp"
#include "spec/json/read.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

class FormReader {
 public:
  FormReader(Violations& violations, std::string_view body, const BodyRules& rules)
      : violations_(violations),
        rules_(rules),
        pairs_(http::split_form(body)),
        shape_(rules.shapes.find(rules.content.shape)) {
    for (const http::FormPair& pair : pairs_) {
      by_name_[pair.name].push_back(pair);
    }
  }

  FormReading run() {
    for (const auto& [name, id] : shape_ != nullptr ? shape_->properties : no_properties_) {
      read_property(name, id);
    }
    for (const http::FormPair& pair : pairs_) {
      const std::string name = property_of(pair.name);
      if (!known_.contains(name)) {
        read_property(name, shape_ == nullptr ? std::nullopt : shape_->additional);
      }
    }
    return std::move(reading_);
  }

 private:
  // The property that a field is of: "filter" for "filter[a]" if it is a deepObject.
  std::string property_of(const std::string& field) const {
    const std::string object = field.substr(0, field.find('['));
    const Encoding* encoding =
        is_deep_field(object, field) ? rules_.content.encoding(object) : nullptr;
    const bool is_deep = encoding != nullptr && encoding->style == Style::kDeepObject;
    return is_deep ? object : field;
  }

  void read_property(const std::string& name, std::optional<ShapeId> id) {
    known_.insert(name);
    if (const auto error = name_error(name)) {
      reject(name, *error);
      return;
    }
    const Shape* shape = rules_.shapes.find(id);
    const Encoding* encoding = rules_.content.encoding(name);
    const bool is_styled = encoding != nullptr && encoding->is_styled;
    const http::MediaType* type = encoding == nullptr ? nullptr : encoding->content_type();
    Form form = form_of(shape);
    // Without a style an object is one field of JSON text.
    const bool is_json = form == Form::kObject && !is_styled;
    if (is_json) {
      form = Form::kScalar;
    } else if (shape == nullptr || !shape->is_typed) {
      form = fields_of(name).size() > 1 ? Form::kList : Form::kScalar;
    }
    const FieldStyle field{.name = name,
                           .style = is_styled ? encoding->style : Style::kForm,
                           .explode = is_styled ? encoding->explode : true,
                           .takes_plain = true};
    // Only an object is spread over fields of other names; the rest need not look at all fields.
    const bool is_deep = field.style == Style::kDeepObject;
    const bool is_spread = !is_deep && field.explode && form == Form::kObject;
    SplitResult taken = take_field(
        {.pairs = is_spread || is_deep ? std::span<const http::FormPair>(pairs_) : fields_of(name)},
        field, form, is_spread ? know_members(shape) : ObjectFields{});
    if (!taken) {
      reject(name, taken.error());
    } else if (*taken && type != nullptr) {
      put_by_type(name, id, **taken, *type);
    } else if (*taken && is_json) {
      put_json(name, (*taken)->items.front().second);
    } else if (*taken && form == Form::kList && !is_styled && has_json_items(shape)) {
      put_json_items(name, **taken);
    } else if (*taken) {
      put(name, assemble(rules_.shapes, id, **taken, Preference::kTyped));
    }
  }

  std::span<const http::FormPair> fields_of(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::span<const http::FormPair>() : std::span(found->second);
  }

  ObjectFields know_members(const Shape* shape) {
    ObjectFields spread = members_of(shape);
    known_.insert(spread.names.begin(), spread.names.end());
    return spread;
  }

  void put_by_type(const std::string& name, std::optional<ShapeId> id, const Pieces& pieces,
                   const http::MediaType& type) {
    const bool is_list = pieces.form == Form::kList;
    const Shape* shape = rules_.shapes.find(id);
    const auto of_each = is_list && shape != nullptr ? shape->items : id;
    Json list = Json::array();
    for (const auto& [key, text] : pieces.items) {
      auto value = read_field(violations_, rules_,
                              {.name = name, .media_type = type, .text = text, .shape = of_each});
      if (!value) {
        reading_.faulty.insert(name);
        return;
      }
      list.push_back(std::move(*value));
    }
    reading_.value[name] = is_list ? std::move(list) : std::move(list.front());
  }

  // Each object of a list is a field of JSON text, like an object by itself.
  // Source: OpenAPI 3.1.0 §4.8.14.4, the default contentType.
  bool has_json_items(const Shape* shape) const {
    return shape != nullptr && shape->items &&
           form_of(rules_.shapes.find(shape->items)) == Form::kObject;
  }

  void put_json_items(const std::string& name, const Pieces& pieces) {
    Json list = Json::array();
    for (const auto& [key, text] : pieces.items) {
      auto parsed = spec::json::read(text);
      if (!parsed) {
        reading_.faulty.insert(name);
        violations_.add({Part::kBody, pointer_to(name) + '/' + std::to_string(list.size())},
                        statement_of(Standard::kForm), "malformed", json_error(parsed.error()));
        return;
      }
      list.push_back(std::move(*parsed));
    }
    reading_.value[name] = std::move(list);
  }

  void put_json(const std::string& name, const std::string& text) {
    auto parsed = spec::json::read(text);
    if (!parsed) {
      reject(name, {"malformed", json_error(parsed.error())});
      return;
    }
    reading_.value[name] = std::move(*parsed);
  }

  void put(const std::string& name, AssembledValue assembled) {
    if (assembled.error) {
      reject(name, *assembled.error);
      return;
    }
    reading_.value[name] = std::move(assembled.value);
  }

  void reject(std::string_view name, const DecodeError& error) {
    reading_.faulty.emplace(name);
    violations_.add({Part::kBody, pointer_to(name)}, statement_of(Standard::kForm), error.rule,
                    error.message);
  }

  Violations& violations_;
  const BodyRules& rules_;
  std::vector<http::FormPair> pairs_;
  std::map<std::string_view, std::vector<http::FormPair>> by_name_;
  const Shape* shape_;
  const std::vector<std::pair<std::string, ShapeId>> no_properties_;
  std::set<std::string, std::less<>> known_;
  FormReading reading_;
};

// A form inside of a field.
std::optional<Json> read_inner_form(Violations& violations, const BodyRules& rules,
                                    const FieldText& field) {
  MediaTypeObject content;
  content.kind = BodyKind::kForm;
  content.shape = field.shape;
  Violations inner(violations.contract(), violations.operation());
  FormReading reading = FormReader(inner, field.text,
                                   {.media_type = field.media_type,
                                    .content = content,
                                    .shapes = rules.shapes,
                                    .direction = rules.direction})
                            .run();
  for (Violation& violation : inner.take()) {
    violation.instance = pointer_to(field.name) + violation.instance;
    violations.add(std::move(violation));
  }
  return reading.faulty.empty() ? std::optional(std::move(reading.value)) : std::nullopt;
}

}  // namespace

Form form_of(const Shape* shape) {
  if (shape == nullptr || !shape->is_structured()) {
    return Form::kScalar;
  }
  return shape->is_list() ? Form::kList : Form::kObject;
}

ObjectFields members_of(const Shape* shape) {
  ObjectFields spread;
  if (shape != nullptr) {
    for (const auto& [name, id] : shape->properties) {
      spread.names.push_back(name);
    }
  }
  return spread;
}

std::optional<Json> read_field(Violations& violations, const BodyRules& rules,
                               const FieldText& field) {
  if (field.media_type.is_json()) {
    auto parsed = spec::json::read(field.text);
    if (!parsed) {
      violations.add({Part::kBody, pointer_to(field.name)}, statement_of(Standard::kJsonText),
                     "malformed", json_error(parsed.error()));
      return std::nullopt;
    }
    return std::move(*parsed);
  }
  const Shape* shape = rules.shapes.find(field.shape);
  if (shape == nullptr || !shape->is_structured()) {
    const Pieces text = one_piece(std::string(field.text));
    return assemble(rules.shapes, field.shape, text, Preference::kTyped).value;
  }
  return body_kind(field.media_type, shape, rules.shapes) == BodyKind::kForm
             ? read_inner_form(violations, rules, field)
             : std::nullopt;
}

std::optional<FormReading> read_form(Violations& violations, std::string_view body,
                                     const BodyRules& rules) {
  return FormReader(violations, body, rules).run();
}

}  // namespace spec::contract::checking
