#include "mock_server/service/contract_examples.hpp"

#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/generated/response_body.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/error_response.hpp"
#include "mock_server/service/generation_options.hpp"
#include "mock_server/service/rates.hpp"
#include "mock_server/service/request_steps.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/write_only.hpp"
#include "spec/http/list_field.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::service {
namespace {

using fixtures::ErrorKind;
using DeclaredResponse = spec::contract::Response;
using spec::contract::Example;
using spec::contract::MediaTypeObject;

bool has_body(int status) {
  return status >= 200 && status != 204 && status != 205 && status != 304;
}

std::vector<std::string> declared_codes(const Call& call) {
  std::vector<std::string> codes;
  for (const DeclaredResponse& answer : call.operation->answers) {
    codes.push_back(spec::contract::response_key(answer));
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
  const DeclaredResponse* answer = nullptr;
  const MediaTypeObject* content = nullptr;
  const Example* example = nullptr;
  std::optional<spec::http::MediaType> media_type;  // of the content's range, what Accept takes
};

Outcome send_body(const Pick& pick, spec::contract::write::Body body) {
  spec::http::Response response;
  response.status = pick.status;
  response.headers.add("Content-Type", std::move(body.media_type));
  response.body = std::move(body.bytes);
  return {std::move(response), false};
}

// Of the content's range the type that Accept takes; false when it takes none that can be sent.
bool pick_media_type(Call& call, Pick& pick) {
  pick.media_type.reset();
  if (pick.content == nullptr || pick.content->media_type.subtype != "*") {
    return true;
  }
  call.chose_by_accept = true;
  pick.media_type =
      generated::accepted_type(call.api.contract, *call.operation, *pick.content,
                               spec::http::list_field(call.request.headers, "Accept"));
  return pick.media_type.has_value();
}

// Fills content and example: of the media types that Accept takes, the liked one first, then any
// other that has the example. False when Accept takes none.
bool pick_content(Call& call, const std::optional<std::string>& name, Pick& pick) {
  std::vector<spec::http::MediaType> offered;
  for (const MediaTypeObject& content : pick.answer->contents) {
    offered.push_back(content.media_type);
  }
  call.chose_by_accept = offered.size() > 1;
  const auto liked =
      spec::http::negotiate(spec::http::list_field(call.request.headers, "Accept"), offered);
  if (!liked) {
    return offered.empty();
  }
  pick.content = &pick.answer->contents[*liked];
  pick.example = find_example(*pick.content, name);
  for (const MediaTypeObject& content : pick.answer->contents) {
    if (pick.example == nullptr && (name || pick.content->media_type.type == "*")) {
      pick.content = &content;
      pick.example = find_example(content, name);
    }
  }
  return pick_media_type(call, pick);
}

void append_names(std::vector<std::string>& names, const DeclaredResponse& answer,
                  const MediaTypeObject& content) {
  for (const Example& example : content.examples) {
    if (!example.name.empty()) {
      names.push_back(example.name + " (" + spec::contract::response_key(answer) + ')');
    }
  }
}

// What was asked for is not declared: asks for a response are not applied, those for its delivery
// are.
Outcome undeclared(Call& call, std::string_view violation) {
  call.preferences.applied_choice.clear();
  return reject(call, ErrorKind::kUnknownPreference, violation);
}

Outcome no_such_example(Call& call) {
  std::vector<std::string> names;
  for (const DeclaredResponse& answer : call.operation->answers) {
    for (const MediaTypeObject& content : answer.contents) {
      append_names(names, answer, content);
    }
  }
  const std::string of =
      call.operation->name +
      (call.preferences.code ? "'s " + std::to_string(*call.preferences.code) : std::string());
  return undeclared(call, "preference example: must be the name of an example of " + of +
                              ", but is " + spec::text::in_quotes(*call.preferences.example) +
                              "; there are: " + spec::text::names_listed(names));
}

// The response that holds the named example: the success answers first.
const DeclaredResponse* response_with_example(const Call& call, const std::string& name) {
  const DeclaredResponse* found = nullptr;
  for (const DeclaredResponse& answer : call.operation->answers) {
    const bool has = std::ranges::any_of(answer.contents, [&](const MediaTypeObject& content) {
      return find_example(content, name) != nullptr;
    });
    const bool success = answer.status / 100 == 2 || answer.range == 2;
    if (has && (success || found == nullptr)) {
      found = &answer;
      if (success) {
        break;
      }
    }
  }
  return found;
}

int status_of(const DeclaredResponse& answer) {
  if (answer.status != 0) {
    return answer.status;
  }
  return answer.range != 0 ? answer.range * 100 : 200;
}

// Nothing, with the reason in `why`, when no sample can be made.
std::optional<Outcome> try_sample(Call& call, const Pick& pick, std::string& why) {
  const GenerationOptions generation(call);
  auto body = generated::generate_response_body(call.api.contract, call.lazy_generator.generator(),
                                                {*call.operation, *pick.content, pick.media_type},
                                                generation.options());
  if (!body) {
    const auto place = body.error().schema.place();
    why = "no sample could be made: " + body.error().message + " (" + std::string(place.file) +
          ':' + std::to_string(place.line) + ')';
    return std::nullopt;
  }
  call.chosen_by = "sample of seed " + std::to_string(generation.options().seed);
  if (call.binding != nullptr && call.binding->list.paging) {
    if (auto value = spec::json::read(body->bytes)) {
      cut_to_page(call, *value);
      body->bytes = spec::json::write(*value);
    }
  }
  return send_body(pick, std::move(*body));
}

Outcome send_sample(Call& call, const Pick& pick) {
  std::string why;
  auto made = try_sample(call, pick, why);
  return made ? std::move(*made) : reject(call, ErrorKind::kNotImplemented, why);
}

bool satisfies_schema(const Call& call, const Pick& pick, const nlohmann::json& value) {
  return !pick.content->schema ||
         fits(call.api.contract.schemas(), *pick.content->schema,
              without_write_only(call.api.contract, pick.content->schema, value),
              {spec::schema::Direction::kResponse});
}

// The example with the key of the record that was asked for, where it is a response about one, and
// as its page; as it is written where the schema does not take it so.
nlohmann::json fitted_example(Call& call, const Pick& pick) {
  const nlohmann::json& example = *pick.example->value;
  const bool stands_in = call.unknown_records_are_samples;
  constexpr int kLowestError = 400;
  if (!stands_in && (call.examples_as_written || pick.status >= kLowestError)) {
    return example;
  }
  nlohmann::json value = example;
  GenerationOptions(call).echo(value);
  if (stands_in) {
    if (call.binding != nullptr && call.binding->behaviour == fixtures::Behaviour::kUpdate) {
      value = changed_record(call, value);
    }
    cut_to_page(call, value);
  }
  return value == example || satisfies_schema(call, pick, value) ? value : example;
}

// A sample in the place of an example that violates its schema; nothing for a sound example, one
// that was asked for by name, and where no sample can be made.
std::optional<Outcome> replace_wrong_example(Call& call, const Pick& pick) {
  if (call.preferences.example || !must_replace(call, *pick.content, *pick.example)) {
    return std::nullopt;
  }
  std::string why;
  auto made = try_sample(call, pick, why);
  if (made) {
    warn_of_replaced(call, *pick.example);
  }
  return made;
}

Outcome send(Call& call, const Pick& pick) {
  if (auto replaced = replace_wrong_example(call, pick)) {
    return std::move(*replaced);
  }
  const auto place = pick.example->node.place();
  call.chosen_by = std::string(place.file) + ':' + std::to_string(place.line) + ": example" +
                   (pick.example->name.empty() ? "" : " " + pick.example->name);
  auto body = generated::write_response_body(call.api.contract,
                                             {*call.operation, *pick.content, pick.media_type},
                                             fitted_example(call, pick));
  return body ? send_body(pick, std::move(*body))
              : reject(call, ErrorKind::kNotImplemented,
                       "the example at " + std::string(place.file) + ':' +
                           std::to_string(place.line) + " cannot be written as " +
                           pick.content->media_type.essence());
}

std::string missing_words(const Call& call, const Pick& pick) {
  const auto& node = pick.content != nullptr ? pick.content->node : pick.answer->node;
  const auto place = node.place();
  return call.operation->name +
         " has neither fixtures nor an example, nor a schema to make one from, for " +
         std::to_string(pick.status) +
         (pick.content != nullptr ? ' ' + pick.content->media_type.essence() : std::string{}) +
         "; write an example at " + std::string(place.file) + ':' + std::to_string(place.line) +
         ", or bind the operation in operations.yaml";
}

// What there is without an example: nothing to send, the service's error, a record, or 501.
Outcome without_example(Call& call, const Pick& pick) {
  if (!has_body(pick.status) || (pick.answer->contents.empty() && pick.status < 400)) {
    call.chosen_by = "contract " + std::to_string(pick.status);
    spec::http::Response bare;
    bare.status = pick.status;
    return {std::move(bare), false};
  }
  if (pick.status >= 400) {
    return reject(call, call.errors().for_status(pick.status),
                  call.preferences.code ? "this response was asked for"
                                        : "the contract declares no better answer");
  }
  if (auto shown = any_record(call); shown && shown->response.status == pick.status) {
    return std::move(*shown);
  }
  if (pick.content != nullptr) {
    return send_sample(call, pick);
  }
  return reject(call, ErrorKind::kNotImplemented, missing_words(call, pick));
}

}  // namespace

Outcome forced_response(Call& call) {
  const Preferences& preferences = call.preferences;
  // For the record's key alone: a request whose response is chosen is not validated.
  read_request(call);
  Pick pick;
  if (preferences.code) {
    pick.status = *preferences.code;
    pick.answer = call.operation->answer(pick.status);
    if (pick.answer == nullptr) {
      return undeclared(call, "preference code: must be a status that " + call.operation->name +
                                  " declares, but is " + std::to_string(pick.status) +
                                  "; there are: " + spec::text::names_listed(declared_codes(call)));
    }
  } else if (preferences.example) {
    pick.answer = response_with_example(call, *preferences.example);
    if (pick.answer == nullptr) {
      return no_such_example(call);
    }
    pick.status = status_of(*pick.answer);
  } else {
    pick.status = fixtures::success_status(*call.operation);
    pick.answer = call.operation->answer(pick.status);
  }
  if (pick.answer == nullptr) {
    return reject(call, ErrorKind::kNotImplemented, call.operation->name + " declares no response");
  }
  if (!pick_content(call, preferences.example, pick)) {
    // What was asked for by name is sent, whatever Accept says.
    pick.content = &pick.answer->contents.front();
    pick.example = find_example(*pick.content, preferences.example);
  }
  if (preferences.example && pick.example == nullptr) {
    return no_such_example(call);
  }
  const bool sampled = preferences.dynamic && !preferences.example && has_body(pick.status) &&
                       pick.content != nullptr;
  Outcome outcome = sampled ? send_sample(call, pick)
                    : pick.example != nullptr && has_body(pick.status)
                        ? send(call, pick)
                        : without_example(call, pick);
  constexpr int kTooManyRequests = 429;
  if (outcome.response.status == kTooManyRequests) {
    call.rate = exhausted(call);  // its headers are added with those of every response
  }
  return outcome;
}

Outcome example_response(Call& call) {
  Pick pick;
  pick.status = fixtures::success_status(*call.operation);
  pick.answer = call.operation->answer(pick.status);
  if (pick.answer == nullptr) {
    return reject(call, ErrorKind::kNotImplemented,
                  call.operation->name + " declares no response and has no fixtures");
  }
  if (!pick_content(call, std::nullopt, pick)) {
    std::vector<std::string> types;
    for (const MediaTypeObject& content : pick.answer->contents) {
      types.push_back(content.node.key());
    }
    return reject(
        call, ErrorKind::kNotAcceptable,
        "header/Accept: must take one of " + spec::text::names_listed(types) + ", but takes none");
  }
  return pick.example != nullptr && has_body(pick.status) ? send(call, pick)
                                                          : without_example(call, pick);
}

}  // namespace mock_server::service
