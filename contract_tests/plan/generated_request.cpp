#include "contract_tests/plan/generated_request.hpp"

#include "contract_tests/plan/request_plan.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/http/header_field.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/generate/boundary.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <vector>

namespace contract_tests::plan {

namespace write = spec::contract::write;
using nlohmann::json;
using spec::Result;
using spec::contract::Contract;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Parameter;
using spec::contract::Part;
using spec::contract::write::Body;
using spec::contract::write::generate_value;
using spec::schema::generate::GenerateFailure;
using spec::schema::generate::GenerateOptions;
using spec::schema::generate::Generator;
using spec::text::percent_encode;

namespace {

constexpr unsigned kRounds = 24;
constexpr unsigned kTriesOfOptional = 6;  // after them an optional value is left out

class RequestGenerator {
 public:
  RequestGenerator(const Contract& contract, const Generator& generator, const Operation& operation,
                   const RequestOptions& options)
      : contract_(contract),
        generator_(generator),
        operation_(operation),
        options_(options),
        tries_(operation.parameters.size()) {
    options_.values.direction = spec::schema::Direction::kRequest;
  }

  Result<RequestParts, GenerateFailure> run() {
    std::string reason;
    for (unsigned round = 0; round < kRounds; ++round) {
      RequestParts parts = draw();
      if (failure_) {
        return spec::Unexpected{*failure_};
      }
      const auto request = put_together(operation_, parts).request;
      const auto match = contract_.route(request.method, spec::http::path_of(request.target));
      if (match.operation != &operation_) {
        reason = request.target + " belongs to another operation";
        retry_path();
        continue;
      }
      const auto reading = validate_request(contract_, operation_, request, match.path_values);
      if (reading.violations.empty()) {
        return parts;
      }
      reason = to_line(contract_, reading.violations.front());
      std::ranges::for_each(reading.violations, [this](const auto& each) { retry(each); });
    }
    return spec::Unexpected{
        GenerateFailure{operation_.node, "no valid request was found: " + reason}};
  }

 private:
  RequestParts draw() {
    RequestParts parts;
    parts.parameters.resize(tries_.size());
    for (std::size_t i = 0; i < tries_.size(); ++i) {
      if (is_wanted(is_required(operation_.parameters[i]), tries_[i], i)) {
        add(parts.parameters[i], operation_.parameters[i], i);
      }
    }
    if (operation_.body && is_wanted(operation_.body->required, body_tries_, tries_.size())) {
      parts.body = make_body();
    }
    return parts;
  }

  static bool is_required(const Parameter& parameter) {
    return parameter.required || parameter.location == Location::kPath;
  }

  // True if the request gets the part at `index`: a parameter, or the body behind them.
  bool is_wanted(bool required, unsigned tries, std::size_t index) const {
    return required || (is_chosen(index) && tries < kTriesOfOptional);
  }

  bool is_chosen(std::size_t index) const {
    switch (options_.optional) {
      case OptionalParts::kAll: break;
      case OptionalParts::kSome: return spec::text::derive(options_.values.seed, index) % 2 == 0;
      case OptionalParts::kBody: return index == tries_.size();
    }
    return true;
  }

  void add(ParameterParts& parts, const Parameter& parameter, std::size_t index) {
    // A value that its style cannot carry is drawn again.
    for (unsigned i = 0; i < kTriesOfOptional; ++i, ++tries_[index]) {
      if (drawn(tries_[index]).use_examples && add_serialized(parts, parameter)) {
        return;
      }
      const auto value = generate_value(generator_, parameter, drawn(tries_[index]));
      if (value && add_value(parts, contract_, parameter, *value)) {
        return;
      }
    }
    if (is_required(parameter)) {
      const auto made = parameter.schema ? generator_.generate(*parameter.schema, drawn(0))
                                         : Result<json, GenerateFailure>(json());
      failure_ = GenerateFailure{parameter.node, (made ? "no value found that its style can carry"
                                                       : made.error().message) +
                                                     ", for " + parameter.name};
    }
  }

  // Adds the first example as it goes over the wire; false if the contract does not say how.
  static bool add_serialized(ParameterParts& parts, const Parameter& parameter) {
    if (parameter.examples.empty() || !parameter.examples.front().serialized) {
      return false;
    }
    const std::string& text = *parameter.examples.front().serialized;
    switch (parameter.location) {
      case Location::kPath: parts.path[parameter.name] = text; break;
      case Location::kHeader: parts.headers.set(parameter.name, text); break;
      case Location::kCookie: parts.cookies.emplace_back("", text); break;
      case Location::kQuery:
      case Location::kQuerystring: parts.query.emplace_back("", text); break;
    }
    return true;
  }

  GenerateOptions drawn(unsigned tries) const {
    GenerateOptions options = options_.values;
    options.seed = spec::text::derive(options.seed, std::uint64_t{tries});
    options.use_examples = options.use_examples && tries == 0;
    return options;
  }

  std::optional<Body> make_body() {
    const auto& contents = operation_.body->contents;
    if (contents.empty()) {
      return std::nullopt;
    }
    const std::size_t index = (body_tries_ / 4) % contents.size();
    const auto& examples = contents[index].examples;
    const GenerateOptions options = drawn(body_tries_);
    const auto* example = options.use_examples && !examples.empty() ? &examples.front() : nullptr;
    auto body = write::generate_body(
        write::form_of(contract_, contents[index]), generator_, options,
        {.example = example != nullptr ? &*example->value : nullptr,
         .serialized = example != nullptr && example->serialized ? &*example->serialized : nullptr,
         .takes_usual = body_tries_ < 2});
    if (body) {
      return std::move(*body);
    }
    if (operation_.body->required && contents.size() == 1) {
      failure_ = body.error();
    }
    return std::nullopt;
  }

  void retry_path() {
    for (std::size_t i = 0; i < tries_.size(); ++i) {
      tries_[i] += operation_.parameters[i].location == Location::kPath ? 1U : 0U;
    }
  }

  void retry(const spec::contract::Violation& violation) {
    if (violation.part == Part::kBody || violation.part == Part::kMediaType) {
      ++body_tries_;
      return;
    }
    const auto tokens = spec::json::split_pointer(violation.instance);
    for (std::size_t i = 0; tokens && !tokens->empty() && i < tries_.size(); ++i) {
      tries_[i] += operation_.parameters[i].name == tokens->front() ? 1U : 0U;
    }
  }

  const Contract& contract_;
  const Generator& generator_;
  const Operation& operation_;
  RequestOptions options_;
  std::vector<unsigned> tries_;  // by parameter
  unsigned body_tries_ = 0;
  std::optional<GenerateFailure> failure_;
};

}  // namespace

Result<RequestParts, GenerateFailure> generate_parts(const Contract& contract,
                                                     const Generator& generator,
                                                     const Operation& operation,
                                                     const RequestOptions& options) {
  return RequestGenerator(contract, generator, operation, options).run();
}

Result<WrittenRequest, GenerateFailure> generate_request(const Contract& contract,
                                                         const Generator& generator,
                                                         const Operation& operation,
                                                         const RequestOptions& options) {
  const auto parts = generate_parts(contract, generator, operation, options);
  return parts ? Result<WrittenRequest, GenerateFailure>(put_together(operation, *parts))
               : spec::Unexpected{parts.error()};
}

bool add_value(ParameterParts& parts, const Contract& contract, const Parameter& parameter,
               const json& value) {
  if (parameter.location == Location::kPath) {
    const auto text = write::write_path(parameter, value, contract.state().version);
    if (text) {
      parts.path[parameter.name] = *text;
    }
    return text.has_value();
  }
  if (parameter.location == Location::kHeader) {
    const auto text = write::write_header(parameter, value);
    if (text) {
      parts.headers.set(parameter.name, *text);
    }
    return text.has_value();
  }
  const auto fields = write::write_fields(contract, parameter, value);
  if (fields) {
    auto& into = parameter.location == Location::kCookie ? parts.cookies : parts.query;
    into.insert(into.end(), fields->begin(), fields->end());
  }
  return fields.has_value();
}

WrittenRequest put_together(const Operation& operation, const RequestParts& parts) {
  ParameterParts all;
  for (const ParameterParts& each : parts.parameters) {
    all.path.insert(each.path.begin(), each.path.end());
    all.query.insert(all.query.end(), each.query.begin(), each.query.end());
    all.cookies.insert(all.cookies.end(), each.cookies.begin(), each.cookies.end());
    for (const auto& [name, value] : each.headers.lines()) {
      all.headers.add(name, value);
    }
  }
  const auto value_of = [&all](const std::string& name) {
    const auto value = all.path.find(name);
    return value == all.path.end() ? "sample" : value->second;
  };
  spec::http::Request request{.method = operation.method,
                              .target = fill_path(operation.path, value_of),
                              .headers = std::move(all.headers),
                              .body = {}};
  if (!all.query.empty()) {
    request.target += '?' + write::join_fields(all.query, "&");
  }
  if (!all.cookies.empty()) {
    request.headers.set("Cookie", write::join_fields(all.cookies, "; "));
  }
  if (parts.body) {
    request.headers.set("Content-Type", parts.body->media_type);
    request.body = parts.body->bytes;
  }
  return {std::move(request), std::move(all.path)};
}

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
           contract_.summaries().summary_of(*parameter.schema).is_object();
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
    if (add_value(changed.parameters[index], contract_, operation_.parameters[index], value)) {
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
    const auto* field = contract_.summaries().summary_of(*content.schema).property(tokens->front());
    return value != nullptr && value->is_structured() && field != nullptr &&
           contract_.summaries().summary_of(*field).is_string();
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
