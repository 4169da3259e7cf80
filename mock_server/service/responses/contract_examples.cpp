#include "mock_server/service/responses/contract_examples.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/examples/response_example.hpp"
#include "mock_server/service/checks/content_choice.hpp"
#include "mock_server/service/checks/request_steps.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/referred_records.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::service::responses {
namespace {

using checks::accepted_content;
using checks::exhausted;
using checks::offered_contents;
using checks::read_request;
using checks::reject;
using checks::reject_undeclared;
using DeclaredResponse = spec::contract::Response;
using api::ErrorKind;
using request::GenerationOptions;
using request::Preferences;
using spec::contract::Example;
using spec::contract::MediaTypeObject;

bool has_body(int status) {
  return status >= 200 && status != 204 && status != 205 && status != 304;
}

std::vector<std::string> declared_codes(const RequestContext& context) {
  std::vector<std::string> codes;
  for (const DeclaredResponse& declared : context.operation->responses) {
    codes.push_back(spec::contract::response_key(declared));
  }
  return codes;
}

const Example* find_example(const MediaTypeObject& content,
                            const std::optional<std::string>& name) {
  const auto found = std::ranges::find_if(
      content.examples, [&](const Example& example) { return !name || example.name == *name; });
  return found == content.examples.end() ? nullptr : &*found;
}

struct Pick {
  int status = 200;
  const DeclaredResponse* declared = nullptr;
  const MediaTypeObject* content = nullptr;
  const Example* example = nullptr;
  std::optional<spec::http::MediaType> media_type;  // of the content, what Accept takes
  std::string_view reason = "the contract declares no success response";  // of an error
};

examples::ResponseContent to_send(const Pick& pick) {
  return {*pick.content, pick.media_type};
}

ChosenResponse send_body(const Pick& pick, spec::contract::write::Body body) {
  spec::http::Response response;
  response.status = pick.status;
  response.headers.add("Content-Type", std::move(body.media_type));
  response.body = std::move(body.bytes);
  return {std::move(response), false};
}

// Sets content, media type and example: what Accept prefers, else, for a `name`, any content that
// has the example. False if Accept takes none.
bool pick_content(RequestContext& context, const std::optional<std::string>& name, Pick& pick) {
  auto accepted = accepted_content(context, offered_contents(context, *pick.declared));
  if (accepted) {
    pick.content = accepted->content;
    pick.media_type = std::move(accepted->sent_as);
    pick.example = find_example(*pick.content, name);
  }
  for (const MediaTypeObject& content : pick.declared->contents) {
    if (name && pick.example == nullptr) {
      pick.content = &content;
      pick.media_type.reset();
      pick.example = find_example(content, name);
    }
  }
  return accepted || pick.declared->contents.empty();
}

void append_names(std::vector<std::string>& names, const DeclaredResponse& declared,
                  const MediaTypeObject& content) {
  for (const Example& example : content.examples) {
    if (!example.name.empty()) {
      names.push_back(example.name + " (" + spec::contract::response_key(declared) + ')');
    }
  }
}

// The preferred response is not declared: only the preferences for its delivery are applied.
ChosenResponse undeclared(RequestContext& context, std::string_view violation) {
  context.preferences.applied_choice.clear();
  return reject(context, ErrorKind::kUnknownPreference, violation);
}

ChosenResponse no_such_example(RequestContext& context) {
  std::vector<std::string> names;
  for (const DeclaredResponse& declared : context.operation->responses) {
    for (const MediaTypeObject& content : declared.contents) {
      append_names(names, declared, content);
    }
  }
  const std::string of =
      context.operation->name + (context.preferences.code
                                     ? "'s " + std::to_string(*context.preferences.code)
                                     : std::string());
  return undeclared(context, "preference example: " + of + " has no example " +
                                 spec::text::in_quotes(*context.preferences.example) +
                                 "; declared: " + spec::text::names_listed(names));
}

// The response that has the named example; a success response before others.
const DeclaredResponse* response_with_example(const RequestContext& context,
                                              const std::string& name) {
  const DeclaredResponse* found = nullptr;
  for (const DeclaredResponse& declared : context.operation->responses) {
    const bool has = std::ranges::any_of(declared.contents, [&](const MediaTypeObject& content) {
      return find_example(content, name) != nullptr;
    });
    const bool success = declared.is_success();
    if (has && (success || found == nullptr)) {
      found = &declared;
      if (success) {
        break;
      }
    }
  }
  return found;
}

int status_of(const DeclaredResponse& declared) {
  const int lowest = declared.lowest_status();
  return lowest != 0 ? lowest : 200;
}

// What a generated response depends on, besides the contract.
std::string sample_name(const RequestContext& context, const Pick& pick,
                        const spec::schema::generate::GenerateOptions& options) {
  const auto& type = pick.media_type ? *pick.media_type : pick.content->media_type;
  return "sample " + context.operation->id + ' ' + std::string(context.prefix) +
         std::string(context.path) + ' ' + std::to_string(pick.status) + ' ' +
         pick.content->place.key() + ' ' + type.essence() + ' ' + std::to_string(options.seed) +
         ' ' + std::to_string(options.later.count()) + (options.use_examples ? "" : " dynamic");
}

// Keeps a generated response that is valid as it is sent, without a warning, for the next request.
ChosenResponse kept_sample(RequestContext& context, const std::string& name, ChosenResponse made) {
  const std::size_t warnings = context.warnings.size();
  ChosenResponse whole = made;
  add_declared_headers(context, whole.response);
  whole.validated = context.warnings.size() == warnings && context.validate(whole.response);
  context.warnings.resize(warnings);
  context.response_violations.clear();
  if (!whole.validated) {
    return made;
  }
  context.cache.put(name, std::make_shared<const api::PreparedResponse>(
                              api::PreparedResponse{whole.response, context.chosen_by}));
  return whole;
}

// Nothing, with the reason in `why`, if no response can be generated.
std::optional<ChosenResponse> try_sample(RequestContext& context, const Pick& pick,
                                         std::string& why) {
  constexpr int kLowestError = 400;
  const GenerationOptions generation(context);
  auto options = generation.options();
  options.is_success = pick.status < kLowestError;
  const bool is_paged = context.binding != nullptr && context.binding->list.paging &&
                        context.binding->shows() == api::Shows::kElements;
  const std::string name = is_paged ? "" : sample_name(context, pick, options);
  if (const auto kept = is_paged ? nullptr : context.cache.find(name)) {
    context.chosen_by = kept->chosen_by;
    return ChosenResponse{kept->response, true};
  }
  auto body = examples::generate_response_body(
      context.api.contract, context.lazy_generator.generator(), to_send(pick), options);
  if (!body) {
    why = "cannot generate an example: " + body.error().message + " (" +
          body.error().schema.file_and_line() + ')';
    return std::nullopt;
  }
  if (options.is_success && pick.content->schema &&
      pick.media_type.value_or(pick.content->media_type).is_json() &&
      (context.binding == nullptr || context.binding->collection == nullptr)) {
    refer_body(context, {*pick.content->schema}, body->bytes);
  }
  context.chosen_by = "generated example of seed " + std::to_string(generation.options().seed);
  if (is_paged) {
    if (auto value = spec::json::read(body->bytes)) {
      cut_to_page(context, *value);
      body->bytes = spec::json::write(*value);
    }
    return send_body(pick, std::move(*body));
  }
  return kept_sample(context, name, send_body(pick, std::move(*body)));
}

ChosenResponse send_sample(RequestContext& context, const Pick& pick) {
  std::string why;
  auto made = try_sample(context, pick, why);
  return made ? std::move(*made) : reject(context, ErrorKind::kNotImplemented, why);
}

// The example with the key of the requested record, if it is a response about one, and cut to the
// requested page; as written if its schema does not allow that.
nlohmann::json fitted_example(RequestContext& context, const Pick& pick) {
  const nlohmann::json& example = *pick.example->value;
  const bool stands_in = context.unknown_records_are_samples;
  constexpr int kLowestError = 400;
  if (!stands_in && (context.examples_as_written || pick.status >= kLowestError)) {
    return example;
  }
  nlohmann::json value = example;
  GenerationOptions(context).echo(value);
  if (stands_in) {
    if (context.binding != nullptr && context.binding->behaviour == api::Behaviour::kUpdate) {
      value = changed_record(context, value);
    }
    cut_to_page(context, value);
  }
  return value == example || satisfies_schema(context, *pick.content, value) ? value : example;
}

// All examples, where a body of the media type holds one value after another and each is one.
nlohmann::json examples_in_turn(RequestContext& context, Pick pick) {
  nlohmann::json all = nlohmann::json::array();
  for (const Example& example : pick.content->examples) {
    pick.example = &example;
    if (!must_replace(context, to_send(pick), example)) {
      all.push_back(spec::contract::without_write_only(context.api.contract, pick.content->schema,
                                                       fitted_example(context, pick)));
    }
  }
  return all;
}

bool sends_all_examples(const RequestContext& context, const Pick& pick) {
  const auto& type = pick.media_type ? *pick.media_type : pick.content->media_type;
  return !context.preferences.example && pick.content->examples.size() > 1 &&
         spec::contract::write::is_sequence(type) &&
         std::ranges::all_of(pick.content->examples, [](const Example& example) {
           return !example.value->is_array() && !example.value->is_string();
         });
}

// A generated response instead of an example that violates its schema; nothing for a valid example,
// for a preferred one, and if no response can be generated.
std::optional<ChosenResponse> replace_wrong_example(RequestContext& context, const Pick& pick) {
  if (context.preferences.example || !must_replace(context, to_send(pick), *pick.example)) {
    return std::nullopt;
  }
  std::string why;
  auto made = try_sample(context, pick, why);
  if (made) {
    warn_of_replaced(context, *pick.example);
  }
  return made;
}

std::optional<spec::contract::write::Body> body_of_example(RequestContext& context,
                                                           const Pick& pick) {
  const spec::contract::Contract& contract = context.api.contract;
  if (sends_all_examples(context, pick)) {
    return examples::write_response_body(contract, to_send(pick), examples_in_turn(context, pick));
  }
  return pick.example->serialized ? examples::serialized_response_body(contract, to_send(pick),
                                                                       *pick.example->serialized)
                                  : examples::write_response_body(contract, to_send(pick),
                                                                  fitted_example(context, pick));
}

ChosenResponse send(RequestContext& context, const Pick& pick) {
  if (auto replaced = replace_wrong_example(context, pick)) {
    return std::move(*replaced);
  }
  context.chosen_by = pick.example->node.file_and_line() + ": example" +
                      (pick.example->name.empty() ? "" : " " + pick.example->name);
  auto body = body_of_example(context, pick);
  return body ? send_body(pick, std::move(*body))
              : reject(context, ErrorKind::kNotImplemented,
                       "the example at " + pick.example->node.file_and_line() +
                           " cannot be written as " +
                           pick.media_type.value_or(pick.content->media_type).essence());
}

std::string missing_words(const RequestContext& context, const Pick& pick) {
  const auto& node = pick.content != nullptr ? pick.content->node : pick.declared->node;
  return context.operation->name +
         " has neither fixtures nor an example, nor a schema to make one from, for " +
         std::to_string(pick.status) +
         (pick.content != nullptr ? ' ' + pick.content->media_type.essence() : std::string{}) +
         "; write an example at " + node.file_and_line() +
         ", or bind the operation in operations.yaml";
}

// A response without an example: no body, the service's error, a record, a generated body, or 501.
ChosenResponse without_example(RequestContext& context, const Pick& pick) {
  if (!has_body(pick.status) || (pick.declared->contents.empty() && pick.status < 400)) {
    context.chosen_by = "contract " + std::to_string(pick.status);
    spec::http::Response bare;
    bare.status = pick.status;
    return {std::move(bare), false};
  }
  if (pick.status >= 400) {
    return reject(context, context.errors().for_status(pick.status), pick.reason);
  }
  if (auto shown = any_record(context); shown && shown->response.status == pick.status) {
    return std::move(*shown);
  }
  if (pick.content != nullptr) {
    return send_sample(context, pick);
  }
  return reject(context, ErrorKind::kNotImplemented, missing_words(context, pick));
}

// `GET /a declares no status 418; declared: 200, 404`.
std::string not_declared(const RequestContext& context, int status) {
  return context.operation->name + " declares no status " + std::to_string(status) +
         "; declared: " + spec::text::names_listed(declared_codes(context));
}

// The response of an undeclared status: an error in a shape that the caller knows, else no body.
ChosenResponse undeclared_status(RequestContext& context, const StatusDemand& demand) {
  constexpr int kFirstError = 400;
  context.warnings.push_back(std::string(demand.by) + ": " + not_declared(context, demand.status) +
                             "; sent all the same");
  context.chosen_by = "undeclared status " + std::to_string(demand.status);
  if (demand.status >= kFirstError) {
    return reject_undeclared(context, context.errors().for_status(demand.status), demand.reason);
  }
  spec::http::Response bare;
  bare.status = demand.status;
  return {std::move(bare), true};
}

// The declared response: a preferred example is sent whatever Accept says.
ChosenResponse send_declared(RequestContext& context, Pick& pick) {
  const Preferences& preferences = context.preferences;
  if (!pick_content(context, preferences.example, pick) && pick.content == nullptr) {
    pick.content = &pick.declared->contents.front();
    pick.example = find_example(*pick.content, preferences.example);
  }
  if (preferences.example && pick.example == nullptr) {
    return no_such_example(context);
  }
  if (!has_body(pick.status) || pick.content == nullptr) {
    return without_example(context, pick);
  }
  if (preferences.dynamic && !preferences.example) {
    return send_sample(context, pick);
  }
  return pick.example != nullptr ? send(context, pick) : without_example(context, pick);
}

constexpr std::string_view kPreferred = "the request asked for this response";

// Status and response that the preferences choose; the rejection if they cannot.
std::optional<ChosenResponse> pick_preferred(RequestContext& context, Pick& pick) {
  const Preferences& preferences = context.preferences;
  if (preferences.code) {
    pick.status = *preferences.code;
    pick.reason = kPreferred;
    pick.declared = context.operation->response(pick.status);
    if (pick.declared != nullptr) {
      return std::nullopt;
    }
    if (context.strict_preferences) {
      return undeclared(context, "preference code: " + not_declared(context, pick.status));
    }
    return preferences.example
               ? no_such_example(context)
               : undeclared_status(context, {pick.status, "preference code", kPreferred});
  }
  if (preferences.example) {
    pick.declared = response_with_example(context, *preferences.example);
    if (pick.declared == nullptr) {
      return no_such_example(context);
    }
    pick.status = status_of(*pick.declared);
    return std::nullopt;
  }
  pick.status = context.operation->success_status();
  pick.declared = context.operation->response(pick.status);
  return pick.declared != nullptr
             ? std::nullopt
             : std::optional(reject(context, ErrorKind::kNotImplemented,
                                    context.operation->name + " declares no response"));
}

}  // namespace

ChosenResponse forced_response(RequestContext& context) {
  // Only for the record's key: a request with a preferred response is not validated.
  read_request(context);
  Pick pick;
  auto instead = pick_preferred(context, pick);
  ChosenResponse chosen = instead ? std::move(*instead) : send_declared(context, pick);
  constexpr int kTooManyRequests = 429;
  if (chosen.response.status == kTooManyRequests) {
    context.rate = exhausted(context);  // its headers are added with those of every response
  }
  return chosen;
}

ChosenResponse status_response(RequestContext& context, const StatusDemand& demand) {
  Pick pick;
  pick.status = demand.status;
  pick.reason = demand.reason;
  pick.declared = context.operation->response(demand.status);
  return pick.declared != nullptr ? send_declared(context, pick)
                                  : undeclared_status(context, demand);
}

ChosenResponse example_response(RequestContext& context) {
  Pick pick;
  pick.status = context.operation->success_status();
  pick.declared = context.operation->response(pick.status);
  if (pick.declared == nullptr) {
    return reject(context, ErrorKind::kNotImplemented,
                  context.operation->name + " declares no response and has no binding");
  }
  if (!pick_content(context, std::nullopt, pick)) {
    std::vector<std::string> types;
    for (const auto& [content, type] : offered_contents(context, *pick.declared)) {
      types.push_back(content->media_type.subtype == "*" ? type.essence() : content->place.key());
    }
    return reject(context, ErrorKind::kNotAcceptable,
                  "header/Accept: must accept one of " + spec::text::names_listed(types) +
                      ", but accepts none");
  }
  return pick.example != nullptr && has_body(pick.status) ? send(context, pick)
                                                          : without_example(context, pick);
}

}  // namespace mock_server::service::responses
