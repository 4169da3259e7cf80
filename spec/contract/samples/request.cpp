#include "spec/contract/check.hpp"
#include "spec/contract/samples/compose.hpp"
#include "spec/contract/samples/message.hpp"
#include "spec/contract/state.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/samples/random.hpp"

#include <algorithm>

namespace spec::contract::samples {

namespace {

using Json = nlohmann::json;
using schema::samples::derive;

constexpr unsigned kRounds = 24;
constexpr unsigned kTriesOfOptional = 6;  // after them an optional value is left out

class RequestSampler {
 public:
  RequestSampler(const Contract& contract, const Sampler& sampler, const Operation& operation,
                 const RequestOptions& options)
      : contract_(contract),
        sampler_(sampler),
        operation_(operation),
        options_(options),
        tries_(operation.parameters.size()) {
    options_.sample.direction = schema::Direction::kRequest;
  }

  Result<Drawn, Failure> run() {
    for (unsigned round = 0; round < kRounds; ++round) {
      Drawn drawn = draw();
      if (failure_) {
        return Unexpected{*failure_};
      }
      const http::Request request = compose(operation_, drawn, options_).request;
      const Match match = contract_.route(request.method, http::path_of(request.target));
      if (match.kind != Match::Kind::kFound || match.operation != &operation_) {
        complaint_ = "must be routed to its operation but " + request.target + " is not";
        retry_path();
        continue;
      }
      const auto reading = check_request(contract_, operation_, request, match.path_values);
      if (reading.violations.empty()) {
        return drawn;
      }
      complaint_ = to_line(contract_, reading.violations.front());
      for (const Violation& violation : reading.violations) {
        retry(violation);
      }
    }
    return Unexpected{
        Failure{operation_.node, "must have a request but none was found: " + complaint_}};
  }

 private:
  Drawn draw() {
    Drawn drawn;
    drawn.parameters.resize(tries_.size());
    for (std::size_t i = 0; i < operation_.parameters.size(); ++i) {
      const Parameter& parameter = operation_.parameters[i];
      if (is_wanted(parameter.required || parameter.location == Location::kPath, tries_[i], i)) {
        add(drawn.parameters[i], parameter, i);
      }
    }
    if (operation_.body && is_wanted(operation_.body->required, body_tries_, tries_.size())) {
      drawn.body = make_body();
    }
    return drawn;
  }

  // Of the part at `index`: a parameter, or the body behind them.
  bool is_wanted(bool required, unsigned tries, std::size_t index) const {
    return required || (is_chosen(index) && tries < kTriesOfOptional);
  }

  bool is_chosen(std::size_t index) const {
    switch (options_.optional) {
      case Optional::kAll: break;
      case Optional::kSome: return derive(options_.sample.seed, std::uint64_t{index}) % 2 == 0;
      case Optional::kBody: return index == tries_.size();
      case Optional::kNone: return false;
    }
    return true;
  }

  void add(Parts& parts, const Parameter& parameter, std::size_t index) {
    const auto given = options_.given.find(parameter.name);
    // A value that its style cannot carry is drawn again.
    for (unsigned i = 0; i < kTriesOfOptional; ++i, ++tries_[index]) {
      const auto value = given != options_.given.end() ? std::optional(given->second)
                                                       : value_of(parameter, tries_[index]);
      if (value && add_value(parts, parameter, *value, contract_.state().version)) {
        return;
      }
    }
    if (parameter.required || parameter.location == Location::kPath) {
      failure_ = Failure{parameter.node,
                         "must have a value that its style can carry but none was "
                         "found for " +
                             parameter.name};
    }
  }

  std::optional<Json> value_of(const Parameter& parameter, unsigned tries) {
    SampleOptions sample = options_.sample;
    sample.seed = derive(sample.seed, std::uint64_t{tries});
    sample.use_examples = sample.use_examples && tries == 0;
    return sample_value(sampler_, parameter, sample);
  }

  std::optional<Body> make_body() {
    const auto& contents = operation_.body->contents;
    const std::size_t index = contents.empty() ? 0 : (body_tries_ / 4) % contents.size();
    if (contents.empty()) {
      return std::nullopt;
    }
    SampleOptions sample = options_.sample;
    sample.seed = derive(sample.seed, std::uint64_t{body_tries_});
    sample.use_examples = sample.use_examples && body_tries_ == 0;
    auto body = sample_body(
        {contract_, contents[index], contract_.state().plans[operation_.index].contents[index]},
        sampler_, sample, body_tries_);
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

  void retry(const Violation& violation) {
    if (violation.part == Part::kBody || violation.part == Part::kMediaType) {
      ++body_tries_;
      return;
    }
    const std::string name = first_token(violation.instance);
    for (std::size_t i = 0; i < tries_.size(); ++i) {
      tries_[i] += operation_.parameters[i].name == name ? 1U : 0U;
    }
  }

  // Of a pointer: the parameter it is about.
  static std::string first_token(const std::string& pointer) {
    const auto tokens = spec::json::split_pointer(pointer);
    return tokens && !tokens->empty() ? tokens->front() : std::string{};
  }

  const Contract& contract_;
  const Sampler& sampler_;
  const Operation& operation_;
  RequestOptions options_;
  std::vector<unsigned> tries_;  // by parameter
  unsigned body_tries_ = 0;
  std::string complaint_;
  std::optional<Failure> failure_;
};

}  // namespace

Result<http::Request, Failure> sample_request(const Contract& contract, const Sampler& sampler,
                                              const Operation& operation,
                                              const RequestOptions& options) {
  auto written = write_request(contract, sampler, operation, options);
  return written ? Result<http::Request, Failure>(std::move(written->request))
                 : Unexpected{written.error()};
}

Result<WrittenRequest, Failure> write_request(const Contract& contract, const Sampler& sampler,
                                              const Operation& operation,
                                              const RequestOptions& options) {
  const auto drawn = draw_request(contract, sampler, operation, options);
  return drawn ? Result<WrittenRequest, Failure>(compose(operation, *drawn, options))
               : Unexpected{drawn.error()};
}

Result<Drawn, Failure> draw_request(const Contract& contract, const Sampler& sampler,
                                    const Operation& operation, const RequestOptions& options) {
  return RequestSampler(contract, sampler, operation, options).run();
}

std::optional<Json> sample_value(const Sampler& sampler, const Parameter& parameter,
                                 const SampleOptions& options) {
  if (options.use_examples && !parameter.examples.empty()) {
    return *parameter.examples.front().value;
  }
  if (!parameter.schema) {
    return Json("sample");
  }
  SampleOptions named = options;
  named.name = parameter.name;
  auto value = sampler.sample(*parameter.schema, named);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

}  // namespace spec::contract::samples
