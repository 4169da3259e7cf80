#include "contract_tests/plan/boundary_request.hpp"

#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/http/header_field.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/generate/boundary.hpp"
#include "spec/text/ascii.hpp"

#include <vector>

namespace contract_tests::plan {

namespace write = spec::contract::write;
using spec::contract::Contract;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Part;
using spec::schema::generate::Generator;

namespace {

class BoundaryMaker {
 public:
  BoundaryMaker(const Contract& contract, const Generator& generator, const Operation& operation,
                const RequestOptions& options, const BoundaryVisitor& visitor)
      : contract_(contract),
        generator_(generator),
        operation_(operation),
        options_(options),
        visitor_(visitor) {
    options_.values.direction = spec::schema::Direction::kRequest;
  }

  void run() {
    auto parts = generate_parts(contract_, generator_, operation_, options_);
    if (!parts) {
      return;
    }
    valid_ = std::move(*parts);
    for (std::size_t i = 0; i < operation_.parameters.size(); ++i) {
      change_parameter(i);
    }
    if (operation_.body) {
      change_body(*operation_.body);
    }
  }

 private:
  // Passes a changed request on if the validator says just what it is meant to.
  void offer(const RequestParts& parts, Boundary change) {
    auto written = put_together(operation_, parts);
    const auto& request = written.request;
    const auto match = contract_.route(request.method, spec::http::path_of(request.target));
    if (match.operation != &operation_) {
      return;
    }
    const auto violations =
        validate_request(contract_, operation_, request, match.path_values).violations;
    if (change.valid ? violations.empty()
                     : violations.size() == 1 && is_meant(violations[0], change)) {
      if (!change.valid) {
        change.keyword = violations.front().rule;
      }
      visitor_.take({std::move(change), std::move(written.request), std::move(written.path)});
    }
  }

  static bool is_meant(const spec::contract::Violation& violation, const Boundary& change) {
    return violation.part == change.part &&
           (change.part == Part::kBody || violation.instance.starts_with(change.place)) &&
           (violation.rule == change.keyword ||
            (change.part != Part::kBody && cannot_be_decoded(violation)));
  }

  // The members of such an object are parameters of their own ("?id=1&text=T"): any other value
  // would be written as one that the contract does not have.
  bool is_spread(const spec::contract::Parameter& parameter) const {
    return parameter.location == Location::kQuery && parameter.explode &&
           parameter.style == spec::contract::Style::kForm && parameter.schema &&
           contract_.summaries().of(*parameter.schema).is_object();
  }

  // A text that no identifier has, though it is valid.
  static bool is_beyond_ascii(const spec::schema::generate::BoundaryCase& each) {
    return each.valid && each.instance.is_string() &&
           !spec::text::is_ascii(each.instance.get_ref<const std::string&>());
  }

  void change_parameter(std::size_t index) {
    const auto& parameter = operation_.parameters[index];
    const Part part = part_of(parameter.location);
    const auto place = spec::json::pointer_of({parameter.name});
    Boundary missing{part, place, "missing", false, "is not given"};
    if (parameter.required && parameter.location != Location::kPath && visitor_.wants(missing)) {
      RequestParts changed = valid_;
      changed.parameters[index] = {};
      offer(changed, std::move(missing));
    }
    auto options = options_.values;
    options.name = parameter.name;
    const bool may_be_ignored = parameter.location == Location::kHeader &&
                                spec::http::is_ignored_where_invalid(parameter.name);
    for (const auto& each : cases_of(parameter.schema, options)) {
      Boundary change{part, place, each.keyword, each.valid, each.change};
      if ((is_spread(parameter) && !each.instance.is_object()) || (may_be_ignored && !each.valid) ||
          (parameter.location == Location::kPath && is_beyond_ascii(each)) ||
          !visitor_.wants(change)) {
        continue;
      }
      offer_value(index, each.instance, std::move(change));
    }
    const bool is_divided = parameter.location == Location::kQuery && !parameter.explode &&
                            parameter.style == spec::contract::Style::kForm;
    Boundary commas{part, place, "items", true, "of items with a comma"};
    if (is_divided && parameter.schema && visitor_.wants(commas)) {
      offer_value(index, with_commas(*parameter.schema, options), std::move(commas));
    }
  }

  void offer_value(std::size_t index, const nlohmann::json& value, Boundary change) {
    RequestParts changed = valid_;
    changed.parameters[index] = {};
    if (add_value(changed.parameters[index], operation_.parameters[index], value,
                  contract_.state().version)) {
      offer(changed, std::move(change));
    }
  }

  // The longest list of the boundary cases, with a comma in each item: a service that decodes the
  // list before it divides it reads more items. Null for what is no list.
  // Source: RFC 6570 §3.2.8, OpenAPI 3.1.0 §4.8.12.4.
  nlohmann::json with_commas(spec::schema::SchemaId schema,
                             const spec::schema::generate::GenerateOptions& options) const {
    nlohmann::json longest;
    if (auto plain = generator_.generate(schema, options); plain && plain->is_array()) {
      longest = std::move(*plain);
    }
    for (const auto& each : cases_of(schema, options)) {
      if (each.valid && each.instance.is_array() && each.instance.size() > longest.size()) {
        longest = each.instance;
      }
    }
    for (auto& item : longest) {
      if (item.is_string()) {
        item = "a," + item.get<std::string>();
      }
    }
    return longest;
  }

  // A media type that cannot carry a changed value has none of its cases.
  void change_body(const spec::contract::RequestBody& body) {
    Boundary missing{Part::kBody, "", "missing", false, "is not given"};
    if (body.required && visitor_.wants(missing)) {
      RequestParts changed = valid_;
      changed.body.reset();
      offer(changed, std::move(missing));
    }
    const auto make_header = write::header_maker(generator_, options_.values);
    for (const auto& content : body.contents) {
      const auto form = write::form_of(contract_, content);
      for (const auto& each : cases_of(content.schema, options_.values)) {
        Boundary change{Part::kBody, each.place, each.keyword, each.valid, each.change};
        if (is_text_of_form(content, each) || !visitor_.wants(change)) {
          continue;
        }
        RequestParts changed = valid_;
        changed.body = write::write_body(form, each.instance, make_header);
        if (changed.body) {
          offer(changed, std::move(change));
        }
      }
    }
  }

  // A field of a multipart form that is a string is text, whatever its part is named: a list or an
  // object in it is text too. Source: RFC 7578 §4.4.
  bool is_text_of_form(const spec::contract::MediaTypeObject& content,
                       const spec::schema::generate::BoundaryCase& each) const {
    const auto tokens = spec::json::split_pointer(each.place);
    if (content.media_type.type != "multipart" || !content.schema || !tokens ||
        tokens->size() != 1) {
      return false;
    }
    const auto* value = spec::json::find(each.instance, each.place);
    const auto* field = contract_.summaries().of(*content.schema).property(tokens->front());
    return value != nullptr && value->is_structured() && field != nullptr &&
           contract_.summaries().of(*field).is_string();
  }

  std::vector<spec::schema::generate::BoundaryCase> cases_of(
      const std::optional<spec::schema::SchemaId>& schema,
      const spec::schema::generate::GenerateOptions& options) const {
    return schema ? boundary_cases(contract_.schemas(), generator_, *schema, options)
                  : std::vector<spec::schema::generate::BoundaryCase>{};
  }

  const Contract& contract_;
  const Generator& generator_;
  const Operation& operation_;
  RequestOptions options_;
  RequestParts valid_;
  const BoundaryVisitor& visitor_;
};

}  // namespace

void each_boundary_request(const Contract& contract, const Generator& generator,
                           const Operation& operation, const RequestOptions& options,
                           const BoundaryVisitor& visitor) {
  BoundaryMaker(contract, generator, operation, options, visitor).run();
}

}  // namespace contract_tests::plan
