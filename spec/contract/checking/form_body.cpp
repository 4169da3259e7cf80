#include "spec/contract/checking/form_body.hpp"

#include "spec/contract/checking/assemble.hpp"
#include "spec/http/form.hpp"
#include "spec/json/read.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace spec::contract::checking {

namespace {

using nlohmann::json;

const EncodingPlan* find_encoding(const ContentPlan& plan, std::string_view property) {
  const auto found =
      std::find_if(plan.encodings.begin(), plan.encodings.end(),
                   [property](const EncodingPlan& one) { return one.property == property; });
  return found == plan.encodings.end() ? nullptr : &*found;
}

Form form_of(const Shape* shape) {
  if (shape == nullptr || !shape->is_typed || shape->allows(kScalarBits)) {
    return Form::kScalar;
  }
  return shape->allows(kArrayBit) ? Form::kList : Form::kObject;
}

class FormReader {
 public:
  FormReader(Complaints& complaints, std::string_view body, const BodyRules& rules)
      : complaints_(complaints),
        rules_(rules),
        pairs_(http::split_form(body)),
        shape_(rules.plan.value.shape ? &rules.shapes[*rules.plan.value.shape] : nullptr) {
    for (const http::FormPair& pair : pairs_) {
      by_name_[pair.name].push_back(pair);
    }
  }

  FormReading run() {
    for (const auto& [name, id] : shape_ != nullptr ? shape_->properties : no_properties_) {
      read_property(name, id);
    }
    for (const http::FormPair& pair : pairs_) {
      if (!known_.contains(pair.name) && !is_deep(pair.name)) {
        read_property(pair.name, shape_ == nullptr ? std::nullopt : shape_->additional);
      }
    }
    return std::move(reading_);
  }

 private:
  // "filter[a]" belongs to the deepObject property "filter".
  bool is_deep(std::string_view name) const {
    const std::size_t bracket = name.find('[');
    const EncodingPlan* encoding = bracket == std::string_view::npos
                                       ? nullptr
                                       : find_encoding(rules_.plan, name.substr(0, bracket));
    return encoding != nullptr && encoding->style == Style::kDeepObject;
  }

  void read_property(const std::string& name, std::optional<ShapeId> id) {
    known_.insert(name);
    if (const auto fault = fault_of_name(name)) {
      refuse(name, *fault);
      return;
    }
    const Shape* shape = id ? &rules_.shapes[*id] : nullptr;
    const EncodingPlan* encoding = find_encoding(rules_.plan, name);
    const bool is_styled = encoding != nullptr && encoding->is_styled;
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
                           .keeps_empty = true};
    // Only an object is spread over fields of other names: the rest need not look at them all.
    const bool is_spread = field.style == Style::kDeepObject || form == Form::kObject;
    Taken taken =
        take_field({.pairs = is_spread ? std::span<const http::FormPair>(pairs_) : fields_of(name)},
                   field, form, spread_of(shape));
    if (!taken) {
      refuse(name, taken.error());
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

  Spread spread_of(const Shape* shape) {
    Spread spread;
    for (const auto& [name, id] : shape != nullptr ? shape->properties : no_properties_) {
      spread.names.push_back(name);
      known_.insert(name);
    }
    return spread;
  }

  // Each object of a list is a field of JSON text, like an object by itself.
  // Source: OpenAPI 3.1.0 §4.8.14.4, the default contentType.
  bool has_json_items(const Shape* shape) const {
    return shape != nullptr && shape->items &&
           form_of(&rules_.shapes[*shape->items]) == Form::kObject;
  }

  void put_json_items(const std::string& name, const Pieces& pieces) {
    json list = json::array();
    for (const auto& [key, text] : pieces.items) {
      auto parsed = spec::json::read(text);
      if (!parsed) {
        reading_.faulty.insert(name);
        complaints_.add({Part::kBody, pointer_to(name) + '/' + std::to_string(list.size())},
                        statement_of(Standard::kForm), "malformed", json_fault(parsed.error()));
        return;
      }
      list.push_back(std::move(*parsed));
    }
    reading_.value[name] = std::move(list);
  }

  void put_json(const std::string& name, const std::string& text) {
    auto parsed = spec::json::read(text);
    if (!parsed) {
      refuse(name, {"malformed", json_fault(parsed.error())});
      return;
    }
    reading_.value[name] = std::move(*parsed);
  }

  void put(const std::string& name, Assembled assembled) {
    if (assembled.fault) {
      refuse(name, *assembled.fault);
      return;
    }
    reading_.value[name] = std::move(assembled.value);
  }

  void refuse(std::string_view name, const Fault& fault) {
    reading_.faulty.emplace(name);
    complaints_.add({Part::kBody, pointer_to(name)}, statement_of(Standard::kForm), fault.rule,
                    fault.message);
  }

  Complaints& complaints_;
  const BodyRules& rules_;
  std::vector<http::FormPair> pairs_;
  std::map<std::string_view, std::vector<http::FormPair>> by_name_;
  const Shape* shape_;
  const std::vector<std::pair<std::string, ShapeId>> no_properties_;
  std::set<std::string, std::less<>> known_;
  FormReading reading_;
};

}  // namespace

std::optional<FormReading> read_form(Complaints& complaints, std::string_view body,
                                     const BodyRules& rules) {
  return FormReader(complaints, body, rules).run();
}

}  // namespace spec::contract::checking
