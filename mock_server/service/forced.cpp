#include "mock_server/service/forced.hpp"

#include "mock_server/fixtures/shape.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/rates.hpp"
#include "mock_server/service/refusal.hpp"
#include "mock_server/service/seed.hpp"
#include "spec/http/media_type.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::service {
namespace {

using fixtures::ErrorKind;
using spec::contract::Answer;
using spec::contract::Content;
using spec::contract::Example;

bool has_body(int status) {
  return status >= 200 && status != 204 && status != 205 && status != 304;
}

std::string status_word(const Answer& answer) {
  if (answer.status != 0) {
    return std::to_string(answer.status);
  }
  return answer.range != 0 ? std::to_string(answer.range) + "XX" : "default";
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text.empty() ? "none" : text;
}

std::vector<std::string> declared_codes(const Call& call) {
  std::vector<std::string> codes;
  for (const Answer& answer : call.operation->answers) {
    codes.push_back(status_word(answer));
  }
  return codes;
}

const Example* find_example(const Content& content, const std::optional<std::string>& name) {
  const auto found = std::ranges::find_if(
      content.examples, [&](const Example& example) { return !name || example.name == *name; });
  return found == content.examples.end() ? nullptr : &*found;
}

struct Pick {
  int status = 200;
  const Answer* answer = nullptr;
  const Content* content = nullptr;
  const Example* example = nullptr;
};

spec::http::Response value_response(const Pick& pick, const nlohmann::json& value) {
  spec::http::Response response;
  response.status = pick.status;
  const auto& type = pick.content->media_type;
  const bool any = type.type == "*" || type.subtype == "*";
  response.headers.add("Content-Type", any ? "application/json" : type.essence());
  response.body = value.is_string() && !type.is_json() && !any ? value.get<std::string>()
                                                               : spec::json::write(value);
  return response;
}

Outcome send(Call& call, const Pick& pick) {
  const auto place = pick.example->node.place();
  call.chosen_by = std::string(place.file) + ':' + std::to_string(place.line) + ": example" +
                   (pick.example->name.empty() ? "" : " " + pick.example->name);
  return {value_response(pick, *pick.example->value), false};
}

// Fills content and example: of the media types that Accept takes, the liked one first, then any
// other that has the example. False when Accept takes none.
bool pick_content(const Call& call, const std::optional<std::string>& name, Pick& pick) {
  std::vector<spec::http::MediaType> offered;
  for (const Content& content : pick.answer->contents) {
    offered.push_back(content.media_type);
  }
  const auto liked = spec::http::negotiate(call.request.headers.find("Accept"), offered);
  if (!liked) {
    return offered.empty();
  }
  pick.content = &pick.answer->contents[*liked];
  pick.example = find_example(*pick.content, name);
  for (const Content& content : pick.answer->contents) {
    if (pick.example == nullptr && (name || pick.content->media_type.type == "*")) {
      pick.content = &content;
      pick.example = find_example(content, name);
    }
  }
  return true;
}

void append_names(std::vector<std::string>& names, const Answer& answer, const Content& content) {
  for (const Example& example : content.examples) {
    if (!example.name.empty()) {
      names.push_back(example.name + " (" + status_word(answer) + ')');
    }
  }
}

Outcome no_such_example(Call& call) {
  std::vector<std::string> names;
  for (const Answer& answer : call.operation->answers) {
    for (const Content& content : answer.contents) {
      append_names(names, answer, content);
    }
  }
  return refuse(call, ErrorKind::kUnknownPreference,
                "preference example: must be the name of an example of " + call.operation->name +
                    " but is \"" + call.wishes.example->substr(0, 60) +
                    "\"; there are: " + join(names));
}

// The answer that holds the named example: the success answers first.
const Answer* answer_with_example(const Call& call, const std::string& name) {
  const Answer* found = nullptr;
  for (const Answer& answer : call.operation->answers) {
    const bool has = std::ranges::any_of(answer.contents, [&](const Content& content) {
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

int status_of(const Answer& answer) {
  if (answer.status != 0) {
    return answer.status;
  }
  return answer.range != 0 ? answer.range * 100 : 200;
}

// The path's values, for members of the same names: as texts, and as numbers where they spell one.
std::vector<spec::schema::samples::Given> given_values(const Call& call) {
  std::vector<spec::schema::samples::Given> given;
  for (const auto& [name, value] : call.path_values) {
    given.emplace_back(name, value);
    if (spec::json::is_number_text(value)) {
      given.emplace_back(name, spec::json::make_number(value));
    }
  }
  return given;
}

// True when a value of the media type can be made from a schema.
bool can_be_made(const Content& content) {
  return content.schema && (content.media_type.is_json() || content.media_type.type == "text" ||
                            content.media_type.type == "*");
}

Outcome send_sample(Call& call, const Pick& pick) {
  const auto given = given_values(call);
  const std::string key = given.empty() ? std::string{} : given.back().second.dump();
  spec::schema::samples::SampleOptions options;
  options.seed = call.wishes.seed.value_or(seed_of(call));
  options.key = key;
  options.direction = spec::schema::Direction::kResponse;
  options.use_examples = !call.wishes.dynamic;
  options.given = &given;
  const auto value = call.samples.sampler().sample(*pick.content->schema, options);
  if (!value) {
    const auto place = value.error().schema.place();
    return refuse(call, ErrorKind::kNotImplemented,
                  "no sample could be made: " + value.error().message + " (" +
                      std::string(place.file) + ':' + std::to_string(place.line) + ')');
  }
  call.chosen_by = "sample of seed " + std::to_string(options.seed);
  return {value_response(pick, *value), false};
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
    return refuse(call, call.errors().for_status(pick.status), "this answer was asked for");
  }
  if (auto shown = any_record(call); shown && shown->response.status == pick.status) {
    return std::move(*shown);
  }
  if (pick.content != nullptr && can_be_made(*pick.content)) {
    return send_sample(call, pick);
  }
  return refuse(call, ErrorKind::kNotImplemented, missing_words(call, pick));
}

void add_http_headers(Call& call, spec::http::Response& response) {
  constexpr int kUnauthorized = 401;
  constexpr int kTooManyRequests = 429;
  if (response.status == kUnauthorized) {
    response.headers.set("WWW-Authenticate", "Bearer");
  } else if (response.status == kTooManyRequests) {
    call.rate = exhausted(call);  // its headers are added with those of every answer
  }
}

}  // namespace

Outcome forced_answer(Call& call) {
  const Wishes& wishes = call.wishes;
  Pick pick;
  if (wishes.code) {
    pick.status = *wishes.code;
    pick.answer = call.operation->answer(pick.status);
    if (pick.answer == nullptr) {
      return refuse(call, ErrorKind::kUnknownPreference,
                    "preference code: must be a status that " + call.operation->name +
                        " declares but is " + std::to_string(pick.status) +
                        "; there are: " + join(declared_codes(call)));
    }
  } else if (wishes.example) {
    pick.answer = answer_with_example(call, *wishes.example);
    if (pick.answer == nullptr) {
      return no_such_example(call);
    }
    pick.status = status_of(*pick.answer);
  } else {
    pick.status = fixtures::success_status(*call.operation);
    pick.answer = call.operation->answer(pick.status);
  }
  if (pick.answer == nullptr) {
    return refuse(call, ErrorKind::kNotImplemented,
                  call.operation->name + " declares no answer of success");
  }
  if (!pick_content(call, wishes.example, pick)) {
    // What was asked for by name is sent, whatever Accept says.
    pick.content = &pick.answer->contents.front();
    pick.example = find_example(*pick.content, wishes.example);
  }
  if (wishes.example && pick.example == nullptr) {
    return no_such_example(call);
  }
  const bool sampled = wishes.dynamic && !wishes.example && has_body(pick.status) &&
                       pick.content != nullptr && can_be_made(*pick.content);
  Outcome outcome = sampled ? send_sample(call, pick)
                    : pick.example != nullptr && has_body(pick.status)
                        ? send(call, pick)
                        : without_example(call, pick);
  add_http_headers(call, outcome.response);
  return outcome;
}

Outcome example_answer(Call& call) {
  Pick pick;
  pick.status = fixtures::success_status(*call.operation);
  pick.answer = call.operation->answer(pick.status);
  if (pick.answer == nullptr) {
    return refuse(call, ErrorKind::kNotImplemented,
                  call.operation->name + " declares no answer of success and has no fixtures");
  }
  if (!pick_content(call, std::nullopt, pick)) {
    std::vector<std::string> types;
    for (const Content& content : pick.answer->contents) {
      types.push_back(content.media_type.essence());
    }
    return refuse(call, ErrorKind::kNotAcceptable,
                  "header/Accept: must take one of " + join(types) + " but takes none");
  }
  return pick.example != nullptr && has_body(pick.status) ? send(call, pick)
                                                          : without_example(call, pick);
}

}  // namespace mock_server::service
