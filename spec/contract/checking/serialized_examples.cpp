#include "spec/contract/checking/serialized_examples.hpp"

#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/checking/message_value.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

struct SerializedReading {
  std::optional<Json> value;
  std::vector<Violation> violations;
};

// The template with `value` for the parameter `name`, and any text for the others.
std::string filled_path(const Operation& operation, std::string_view name,
                        const std::string& value) {
  std::string path;
  for (const Segment& segment : operation.segments) {
    path += '/';
    for (const SegmentPart& part : segment) {
      path += !part.is_parameter ? part.text : part.text == name ? value : "x";
    }
  }
  return path;
}

class SerializedExamples {
 public:
  SerializedExamples(const Contract& contract, Contract::State& state)
      : contract_(contract), state_(state) {}

  std::vector<Problem> run() {
    for (Operation& operation : state_.operations) {
      for (Parameter& parameter : operation.parameters) {
        settle_all(parameter.examples, [&](const std::string& text) {
          return read_parameter(operation, parameter, text);
        });
      }
      if (operation.body) {
        read_contents(operation, operation.body->contents, schema::Direction::kRequest);
      }
      for (Response& response : operation.responses) {
        read_contents(operation, response.contents, schema::Direction::kResponse);
        for (Parameter& header : response.headers) {
          settle_all(header.examples,
                     [&](const std::string& text) { return read_header(operation, header, text); });
        }
      }
    }
    return std::move(problems_);
  }

 private:
  template <typename Read>
  void settle_all(std::vector<Example>& examples, const Read& read) {
    for (Example& example : examples) {
      if (example.serialized) {
        settle(example, read(*example.serialized));
      }
    }
  }

  void settle(Example& example, SerializedReading reading) {
    for (const Violation& violation : reading.violations) {
      const std::string where = violation.instance.empty() ? "" : violation.instance + ' ';
      problems_.push_back(example.node.problem(
          "the serialized example violates its schema: " + where + violation.message.text()));
    }
    if (!reading.value || !reading.violations.empty()) {
      return;
    }
    if (!example.has_data) {
      example.value = std::make_shared<const Json>(std::move(*reading.value));
    } else if (!json::equal(*reading.value, *example.value)) {
      constexpr std::size_t kMaxShown = 60;
      problems_.push_back(
          example.node.problem("the serialized example is not this data, but " +
                               text::one_line(json::write(*reading.value), kMaxShown)));
    }
  }

  void read_contents(const Operation& operation, std::vector<MediaTypeObject>& contents,
                     schema::Direction direction) {
    for (MediaTypeObject& content : contents) {
      // Parts need a boundary, and a range a type, which only a message names.
      if (content.media_type.type == "multipart" || content.media_type.subtype == "*") {
        continue;
      }
      settle_all(content.examples, [&](const std::string& text) {
        Violations found(contract_, operation);
        auto value = read_body(found, text,
                               {.media_type = content.media_type,
                                .content = content,
                                .shapes = state_.shapes,
                                .direction = direction});
        return SerializedReading{std::move(value), found.take()};
      });
    }
  }

  SerializedReading read_parameter(const Operation& operation, const Parameter& parameter,
                                   const std::string& text) const {
    http::Request request{.method = operation.method, .target = "/"};
    std::vector<std::pair<std::string, std::string>> path_values;
    switch (parameter.location) {
      case Location::kQuery:
      case Location::kQuerystring: request.target += '?' + text; break;
      case Location::kHeader: request.headers.add(parameter.name, text); break;
      case Location::kCookie: request.headers.add("Cookie", text); break;
      case Location::kPath:
        request.target = filled_path(operation, parameter.name, text);
        for (const std::string& name : parameter_names(operation.segments)) {
          path_values.emplace_back(
              name, name == parameter.name ? text::percent_decode(text).value_or(text) : "x");
        }
    }
    RequestReading reading = validate_request(contract_, operation, request, path_values);
    const std::string pointer = pointer_to(parameter.name);
    std::erase_if(reading.violations, [&](const Violation& violation) {
      return violation.part != part_of(parameter.location) ||
             (violation.instance != pointer && !violation.instance.starts_with(pointer + '/'));
    });
    const Json& values = reading.*parameters_in(parameter.location);
    const auto value = values.find(parameter.name);
    return {value == values.end() ? std::nullopt : std::optional<Json>(*value),
            std::move(reading.violations)};
  }

  SerializedReading read_header(const Operation& operation, const Parameter& header,
                                const std::string& text) const {
    http::Response response;
    for (const std::string& line : header_lines(header, text)) {
      response.headers.add(header.name, line);
    }
    Violations found(contract_, operation);
    ValueReading reading = read_response_header(found, header, response.headers);
    return {std::move(reading.value), found.take()};
  }

  const Contract& contract_;
  Contract::State& state_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> read_serialized_examples(const Contract& contract, Contract::State& state) {
  return SerializedExamples(contract, state).run();
}

}  // namespace spec::contract::checking
