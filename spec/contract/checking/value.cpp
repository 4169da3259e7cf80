#include "spec/contract/checking/value.hpp"

#include "spec/contract/checking/assemble.hpp"
#include "spec/contract/state.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/validator/validate.hpp"

#include <array>

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kPlusHint = "; a \"+\" in a query must be sent as %2B";

// All forms, the likeliest first.
constexpr std::array kForms{Form::kScalar, Form::kList, Form::kObject};

// Whether a value of this shape may come in that form.
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
        fault_ = fault_ ? fault_ : std::optional(taken.error());
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
      Assembled assembled = assemble(rules_.shapes, rules_.shape, pieces, preference);
      if (assembled.fault) {
        fault_ = fault_ ? fault_ : assembled.fault;
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
    if (!rejected_ && !fault_) {
      return {};
    }
    if (!rejected_) {
      violations_.add(rules_.where, rules_.statement, fault_->rule, fault_->message);
      return {.is_given = true, .value = {}};
    }
    return report(std::move(*rejected_));
  }

  // Reports how a value violates its schema; keeps it if it was decoded at least.
  ValueReading report(Assembled rejected) {
    bool is_decoded = !rejected.is_undecodable;
    for (const schema::Violation& broken_keyword :
         schema::validate(violations_.contract().schemas(), *rules_.schema, rejected.value,
                          {.direction = rules_.direction})) {
      violations_.add(rules_.where, broken_keyword);
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

  // Source: OpenAPI 3.1.0 §4.8.12.1, `content`: the value is a text of that media type.
  ValueReading read_content(const Take& take) {
    SplitResult taken = take(Form::kScalar);
    if (!taken) {
      violations_.add(rules_.where, rules_.statement, taken.error().rule, taken.error().message);
      return {.is_given = true, .value = {}};
    }
    if (!*taken) {
      return {};
    }
    Assembled assembled;
    const std::string& text = (*taken)->items.front().second;
    if (rules_.content_type->is_json()) {
      auto parsed = spec::json::read(text);
      if (!parsed) {
        violations_.add(rules_.where, rules_.statement, "malformed", json_fault(parsed.error()));
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
  std::optional<Assembled> rejected_;
  std::optional<Fault> fault_;
  bool has_plus_ = false;
};

}  // namespace

ValueRules rules_of(const Parameter& parameter, const Shapes& shapes, Where where,
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
