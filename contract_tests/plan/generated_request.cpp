#include "contract_tests/plan/generated_request.hpp"

#include "contract_tests/plan/request_plan.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/random.hpp"

#include <algorithm>

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

  // Of the part at `index`: a parameter, or the body behind them.
  bool is_wanted(bool required, unsigned tries, std::size_t index) const {
    return required || (is_chosen(index) && tries < kTriesOfOptional);
  }

  bool is_chosen(std::size_t index) const {
    switch (options_.optional) {
      case Optional::kAll: break;
      case Optional::kSome: return spec::text::derive(options_.values.seed, index) % 2 == 0;
      case Optional::kBody: return index == tries_.size();
    }
    return true;
  }

  void add(ParameterParts& parts, const Parameter& parameter, std::size_t index) {
    // A value that its style cannot carry is drawn again.
    for (unsigned i = 0; i < kTriesOfOptional; ++i, ++tries_[index]) {
      const auto value = generate_value(generator_, parameter, drawn(tries_[index]));
      if (value && add_value(parts, parameter, *value, contract_.state().version)) {
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
    auto body = write::generate_body(
        write::form_of(contract_, contents[index]), generator_, options,
        {.example = options.use_examples && !examples.empty() ? &*examples.front().value : nullptr,
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

bool add_value(ParameterParts& parts, const Parameter& parameter, const json& value,
               spec::contract::Version version) {
  if (parameter.location == Location::kPath) {
    const auto text = write::write_path(parameter, value, version);
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
  const auto fields = write::write_fields(parameter, value);
  if (fields) {
    auto& into = parameter.location == Location::kQuery ? parts.query : parts.cookies;
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

}  // namespace contract_tests::plan
