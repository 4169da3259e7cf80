#include "mock_server/service/responses/preconditions.hpp"

#include "mock_server/reply/entity.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "spec/http/header_field.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace mock_server::service::responses {
namespace {

using api::Behaviour;
using api::Tag;
using reply::TagComparison;

ChosenResponse precondition_failed(RequestContext& context, std::string_view why) {
  constexpr int kPreconditionFailed = 412;
  ChosenResponse rejection =
      checks::reject(context, context.errors().for_status(kPreconditionFailed), why);
  rejection.validated = true;
  return rejection;
}

ChosenResponse not_modified(const spec::http::Response& whole) {
  spec::http::Response response;
  response.status = 304;
  response.headers = whole.headers;
  response.headers.remove("Content-Type");
  response.headers.remove("Content-Disposition");
  return {std::move(response), true};
}

const spec::contract::Parameter* declared_tag(const spec::contract::Operation& operation,
                                              int status) {
  const auto* const response = operation.response(status);
  return response != nullptr ? response->header("ETag") : nullptr;
}

// Adds the tag of the body: a weak one where the contract allows no other.
void add_tag(const RequestContext& context, const spec::contract::Parameter& header,
             spec::http::Response& response) {
  const std::string tag = reply::make_entity_tag(response.body);
  for (const std::string& text : {tag, "W/" + tag}) {
    if (!header.schema ||
        spec::schema::fits(context.api.contract.schemas(), *header.schema, text)) {
      response.headers.set("ETag", text);
      return;
    }
  }
}

// The response of a read of the record that the request names, with its ETag; nothing if no
// operation reads it with one.
std::optional<spec::http::Response> read_with_tag(const RequestContext& context,
                                                  const FoundRecord* found) {
  const auto& bindings = context.api.fixtures.bindings();
  const auto read = std::ranges::find_if(bindings, [&](const api::Binding& binding) {
    return binding.behaviour == Behaviour::kRead &&
           binding.collection == context.binding->collection &&
           binding.operation->path == context.operation->path &&
           declared_tag(*binding.operation, binding.operation->success_status()) != nullptr;
  });
  if (read == bindings.end()) {
    return std::nullopt;
  }
  RequestContext reading = context;
  reading.binding = &*read;
  reading.operation = read->operation;
  const bool is_stored = found != nullptr && (found->fixture != nullptr || found->version != 0);
  auto response = read_now(reading, is_stored ? *found : find_record(reading)).response;
  if (const auto* const header = declared_tag(*read->operation, response.status)) {
    add_tag(reading, *header, response);
  }
  return response;
}

}  // namespace

std::optional<ChosenResponse> check_preconditions(RequestContext& context,
                                                  const spec::http::Response& whole,
                                                  std::string_view what) {
  const auto& headers = context.request.headers;
  const std::string shown(whole.headers.find("ETag").value_or(""));
  const bool is_weak = shown.starts_with("W/");
  const std::string tag = shown.substr(is_weak ? 2 : 0);
  const auto if_match = spec::http::list_field(headers, "If-Match");
  // A contract that allows weak tags alone means them to be compared.
  if (if_match && !reply::matches_any_tag(
                      *if_match, tag, is_weak ? TagComparison::kWeak : TagComparison::kStrong)) {
    return precondition_failed(context, "header/If-Match: must have the " + std::string(what) +
                                            "'s ETag " + shown + ", but is " +
                                            spec::text::shortened(*if_match));
  }
  const auto if_none_match = spec::http::list_field(headers, "If-None-Match");
  if (!if_none_match || !reply::matches_any_tag(*if_none_match, tag, TagComparison::kWeak)) {
    return std::nullopt;
  }
  if (context.request.method == "GET" || context.is_head()) {
    return not_modified(whole);
  }
  return precondition_failed(context, "header/If-None-Match: must not have the " +
                                          std::string(what) + "'s ETag " + shown + ", but is " +
                                          spec::text::shortened(*if_none_match));
}

std::optional<ChosenResponse> reject_other_version(RequestContext& context,
                                                   const FoundRecord& found) {
  const auto& headers = context.request.headers;
  const bool has_match = headers.has("If-Match");
  if (!has_match && !headers.has("If-None-Match")) {
    return std::nullopt;
  }
  const auto current = read_with_tag(context, &found);
  if (current && current->headers.has("ETag")) {
    return check_preconditions(context, *current, "record");
  }
  // A missing record has no version; a change of it is 404, unless it creates it.
  if (current && has_match && found.value == nullptr && context.binding->creates) {
    return precondition_failed(
        context, "header/If-Match: there is no record " + spec::text::in_quotes(found.key, 200) +
                     ", so that no ETag matches; leave If-Match out to create it");
  }
  return std::nullopt;
}

ChosenResponse with_version(RequestContext& context, ChosenResponse chosen) {
  const auto* const header = declared_tag(*context.operation, chosen.response.status);
  if (header == nullptr || is_rejection(chosen)) {
    return chosen;
  }
  switch (api::row_of(context.binding->behaviour).tag) {
    case Tag::kOwn: {
      add_tag(context, *header, chosen.response);
      const bool has_tag = chosen.response.headers.has("ETag");
      auto other = has_tag ? check_preconditions(context, chosen.response, "record") : std::nullopt;
      return other ? std::move(*other) : std::move(chosen);
    }
    case Tag::kOfRead: {
      const auto current = read_with_tag(context, nullptr);
      const auto tag = current ? current->headers.find("ETag") : std::nullopt;
      if (tag) {
        chosen.response.headers.set("ETag", std::string(*tag));
      }
      return chosen;
    }
    case Tag::kNone: break;
  }
  return chosen;
}

}  // namespace mock_server::service::responses
