#include "spec/contract/samples/request_corners.hpp"

#include "spec/contract/check.hpp"
#include "spec/contract/samples/compose.hpp"
#include "spec/contract/state.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/samples/corners.hpp"

#include <algorithm>

namespace spec::contract::samples {

namespace {

using schema::samples::Corner;

Part part_of(Location location) {
  switch (location) {
    case Location::kPath: return Part::kPath;
    case Location::kQuery: return Part::kQuery;
    case Location::kHeader: return Part::kHeader;
    case Location::kCookie: break;
  }
  return Part::kCookie;
}

class CornerMaker {
 public:
  CornerMaker(const Contract& contract, const Sampler& sampler, const Operation& operation,
              const RequestOptions& options)
      : contract_(contract), sampler_(sampler), operation_(operation), options_(options) {
    options_.sample.direction = schema::Direction::kRequest;
  }

  std::vector<RequestCorner> run() {
    auto drawn = draw_request(contract_, sampler_, operation_, options_);
    if (!drawn) {
      return {};
    }
    base_ = std::move(*drawn);
    for (std::size_t i = 0; i < operation_.parameters.size(); ++i) {
      break_parameter(i);
    }
    if (operation_.body) {
      break_body(*operation_.body);
    }
    return std::move(found_);
  }

 private:
  // Keeps a changed request if the judge says just what it is meant to.
  void offer(const Drawn& changed, RequestCorner corner) {
    auto written = compose(operation_, changed, options_);
    corner.request = std::move(written.request);
    corner.path = std::move(written.path);
    const Match match =
        contract_.route(corner.request.method, http::path_of(corner.request.target));
    if (match.kind != Match::Kind::kFound || match.operation != &operation_) {
      return;
    }
    const auto violations =
        check_request(contract_, operation_, corner.request, match.path_values).violations;
    const bool is_meant =
        corner.valid ? violations.empty()
                     : violations.size() == 1 && violations.front().part == corner.part &&
                           violations.front().instance.starts_with(corner.place) &&
                           (violations.front().rule == corner.keyword ||
                            (corner.part != Part::kBody && cannot_be_decoded(violations.front())));
    if (is_meant) {
      corner.keyword = corner.valid ? corner.keyword : violations.front().rule;
      corner.change = std::string(to_text(corner.part)) + corner.change;
      found_.push_back(std::move(corner));
    }
  }

  void break_parameter(std::size_t index) {
    const Parameter& parameter = operation_.parameters[index];
    std::string place;
    json::append_token(place, parameter.name);
    const Part part = part_of(parameter.location);
    if (parameter.required && parameter.location != Location::kPath) {
      Drawn changed = base_;
      changed.parameters[index] = {};
      offer(changed, {.request = {},
                      .path = {},
                      .part = part,
                      .place = place,
                      .keyword = "missing",
                      .statement = parameter.node,
                      .change = place + " is not given"});
    }
    if (!parameter.schema) {
      return;
    }
    SampleOptions sample = options_.sample;
    sample.name = parameter.name;
    for (const Corner& corner :
         schema::samples::corners(contract_.schemas(), sampler_, *parameter.schema, sample)) {
      Drawn changed = base_;
      changed.parameters[index] = {};
      if (add_value(changed.parameters[index], parameter, corner.instance,
                    contract_.state().version)) {
        offer(changed, {.request = {},
                        .path = {},
                        .part = part,
                        .place = place,
                        .keyword = corner.keyword,
                        .statement = corner.statement,
                        .valid = corner.valid,
                        .change = place + ' ' + corner.change});
      }
    }
  }

  void break_body(const RequestBody& body) {
    if (body.required) {
      Drawn changed = base_;
      changed.body.reset();
      offer(changed, {.request = {},
                      .path = {},
                      .part = Part::kBody,
                      .place = "",
                      .keyword = "missing",
                      .statement = body.node,
                      .change = " is not given"});
    }
    for (std::size_t i = 0; i < body.contents.size(); ++i) {
      if (body.contents[i].schema) {
        break_content(body.contents[i], i);
      }
    }
  }

  // Media types that cannot carry a corner's instance have none; the judge drops what it cannot
  // read.
  void break_content(const Content& content, std::size_t index) {
    const PlannedContent planned{contract_, content,
                                 contract_.state().plans[operation_.index].contents[index]};
    const MakeHeader make_header = header_maker(sampler_, options_.sample);
    for (const Corner& corner : schema::samples::corners(contract_.schemas(), sampler_,
                                                         *content.schema, options_.sample)) {
      Drawn changed = base_;
      changed.body = body_of(planned, corner.instance, make_header);
      if (changed.body) {
        offer(changed, {.request = {},
                        .path = {},
                        .part = Part::kBody,
                        .place = "",
                        .keyword = corner.keyword,
                        .statement = corner.statement,
                        .valid = corner.valid,
                        .change = ": " + corner.change});
      }
    }
  }

  const Contract& contract_;
  const Sampler& sampler_;
  const Operation& operation_;
  RequestOptions options_;
  Drawn base_;
  std::vector<RequestCorner> found_;
};

}  // namespace

std::vector<RequestCorner> request_corners(const Contract& contract, const Sampler& sampler,
                                           const Operation& operation,
                                           const RequestOptions& options) {
  return CornerMaker(contract, sampler, operation, options).run();
}

}  // namespace spec::contract::samples
