#include "spec/contract/checking/form_body.hpp"

#include "spec/contract/checking/assemble.hpp"
#include "spec/http/form.hpp"
#include "spec/json/read.hpp"

#include <algorithm>
#include <set>

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
        shape_(rules.plan.value.shape ? &rules.shapes[*rules.plan.value.shape] : nullptr) {}

  std::optional<json> run() {
    for (const auto& [name, id] : shape_ != nullptr ? shape_->properties : no_properties_) {
      read_property(name, id);
    }
    for (const http::FormPair& pair : pairs_) {
      if (!known_.contains(pair.name) && !is_deep(pair.name)) {
        read_property(pair.name, shape_ == nullptr ? std::nullopt : shape_->additional);
      }
    }
    return is_sound_ ? std::optional(std::move(value_)) : std::nullopt;
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
      form = count(name) > 1 ? Form::kList : Form::kScalar;
    }
    const FieldStyle field{.name = name,
                           .style = is_styled ? encoding->style : Style::kForm,
                           .explode = is_styled ? encoding->explode : true,
                           .keeps_empty = true};
    Taken taken = take_field({.pairs = pairs_}, field, form, spread_of(shape));
    if (!taken) {
      refuse(name, taken.error());
    } else if (*taken && is_json) {
      put_json(name, (*taken)->items.front().second);
    } else if (*taken) {
      put(name, assemble(rules_.shapes, id, **taken, Preference::kTyped));
    }
  }

  std::size_t count(std::string_view name) const {
    return static_cast<std::size_t>(
        std::count_if(pairs_.begin(), pairs_.end(),
                      [name](const http::FormPair& pair) { return pair.name == name; }));
  }

  Spread spread_of(const Shape* shape) {
    Spread spread;
    for (const auto& [name, id] : shape != nullptr ? shape->properties : no_properties_) {
      spread.names.push_back(name);
      known_.insert(name);
    }
    return spread;
  }

  void put_json(const std::string& name, const std::string& text) {
    auto parsed = spec::json::read(text);
    if (!parsed) {
      refuse(name, {"malformed", json_fault(parsed.error())});
      return;
    }
    value_[name] = std::move(*parsed);
  }

  void put(const std::string& name, Assembled assembled) {
    if (assembled.fault) {
      refuse(name, *assembled.fault);
      return;
    }
    value_[name] = std::move(assembled.value);
  }

  void refuse(std::string_view name, const Fault& fault) {
    is_sound_ = false;
    complaints_.add({Part::kBody, pointer_to(name)}, statement_of(Standard::kForm), fault.rule,
                    fault.message);
  }

  Complaints& complaints_;
  const BodyRules& rules_;
  std::vector<http::FormPair> pairs_;
  const Shape* shape_;
  const std::vector<std::pair<std::string, ShapeId>> no_properties_;
  std::set<std::string, std::less<>> known_;
  json value_ = json::object();
  bool is_sound_ = true;
};

}  // namespace

std::optional<json> read_form(Complaints& complaints, std::string_view body,
                              const BodyRules& rules) {
  return FormReader(complaints, body, rules).run();
}

}  // namespace spec::contract::checking
