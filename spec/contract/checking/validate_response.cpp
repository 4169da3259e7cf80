#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/checking/message_value.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/http/header_field.hpp"
#include "spec/text/ascii.hpp"

#include <cassert>
#include <string_view>

namespace spec::contract {

namespace {

using checking::Form;
using checking::ValueReading;
using checking::ValueRules;
using checking::Violations;

class ResponseReader {
 public:
  ResponseReader(const Contract& contract, const Operation& operation,
                 const http::Response& response, const ResponseOptions& options)
      : state_(contract.state()),
        operation_(operation),
        response_(response),
        options_(options),
        violations_(contract, operation) {}

  std::vector<Violation> run() {
    const Response* declared = operation_.response(response_.status);
    const auto& status_gap = operation_.status_gap;
    if (status_gap && (declared == nullptr || declared->status != response_.status)) {
      violations_.add(*status_gap);
      return violations_.take();
    }
    if (declared == nullptr) {
      report_status();
      return violations_.take();
    }
    for (const Gap& gap : declared->gaps) {
      violations_.add(gap);
    }
    validate_content(*declared);
    for (const Parameter& header : declared->headers) {
      validate_header(header);
    }
    return violations_.take();
  }

 private:
  void report_status() {
    std::vector<std::string> keys;
    for (const Response& declared : operation_.responses) {
      keys.push_back(response_key(declared));
    }
    const document::Node responses = operation_.node.find("responses");
    violations_.add(
        {Part::kStatus, ""},
        responses ? violations_.contract().statement_at(responses) : operation_.statement,
        "undeclared",
        {keys.empty() ? "must be a declared status"
                      : "must be a declared status (" + checking::join_alternatives(keys) + ')',
         "is " + std::to_string(response_.status)});
  }

  bool is_bodiless() const {
    return options_.head || response_.status < 200 || response_.status == 204 ||
           response_.status == 205 || response_.status == 304;
  }

  void validate_content(const Response& declared) {
    const std::string_view body = response_.body;
    if (is_bodiless()) {
      if (!body.empty()) {
        violations_.add({Part::kFraming, ""},
                        statement_of(options_.head ? Standard::kHead : Standard::kNoContent),
                        "undeclared",
                        {"must have no content", "has " + std::to_string(body.size()) + " bytes"});
      }
      if (!options_.head || !response_.headers.has("Content-Type")) {
        return;
      }
    }
    if (declared.contents.empty() && !declared.content_gap) {
      return;  // its body is undeclared
    }
    const checking::ContentType type = checking::read_content_type(violations_, response_.headers);
    if (!type.media_type) {
      if (type.is_sound && declared.content_gap) {
        violations_.add(*declared.content_gap);
      } else if (type.is_sound) {
        report_missing(declared);
      }
      return;
    }
    const auto* content = checking::select_content(declared.contents, *type.media_type);
    if (content == nullptr && declared.content_gap) {
      violations_.add(*declared.content_gap);
      return;
    }
    if (content == nullptr) {
      violations_.add({Part::kMediaType, ""}, declared.statement, "undeclared",
                      {"must be " + checking::list_media_types(declared.contents),
                       "is " + type.media_type->essence()});
      return;
    }
    if (options_.head) {
      return;
    }
    validate_body(*content, *type.media_type);
  }

  void report_missing(const Response& declared) {
    const std::string promised = checking::list_media_types(declared.contents);
    if (response_.body.empty()) {
      violations_.add({Part::kBody, ""}, declared.contents.front().statement, "missing",
                      {"must be " + promised, "is empty"});
      return;
    }
    violations_.add({Part::kMediaType, ""}, declared.statement, "missing",
                    {"must be " + promised, "none is given"});
  }

  void validate_body(const MediaTypeObject& content, const http::MediaType& media_type) {
    const bool is_json = content.kind == BodyKind::kJson ||
                         (content.kind == BodyKind::kByMediaType && media_type.is_json());
    if (is_json && response_.body.empty()) {
      violations_.add({Part::kBody, ""}, content.statement, "missing",
                      {"must be JSON", "is empty"});
      return;
    }
    checking::read_body(violations_, response_.body,
                        {.media_type = media_type,
                         .content = content,
                         .shapes = state_.shapes,
                         .direction = schema::Direction::kResponse,
                         .json = options_.body,
                         .goes_on = options_.goes_on});
  }

  void validate_header(const Parameter& header) {
    const ValueReading reading =
        checking::read_response_header(violations_, header, response_.headers);
    // The connection, or the media types and codings that a client accepts, decide these headers,
    // not the service. Source: RFC 9110 §7.6.1, §8.4, §8.6, §12.5.3.
    if (!reading.is_given && header.required && !http::is_of_transfer(header.name)) {
      violations_.add({Part::kHeader, checking::pointer_to(header.name)}, header.required_statement,
                      "missing", {"must be given", "is not"});
    }
  }

  const Contract::State& state_;
  const Operation& operation_;
  const http::Response& response_;
  const ResponseOptions& options_;
  Violations violations_;
};

}  // namespace

namespace checking {

ValueReading read_response_header(Violations& violations, const Parameter& header,
                                  const http::Headers& headers) {
  const Contract::State& state = violations.contract().state();
  const ValueRules rules = rules_of(header, state.shapes, {Part::kHeader, pointer_to(header.name)},
                                    schema::Direction::kResponse);
  const std::vector<std::string_view> lines = headers.all(header.name);
  const bool is_cookie = text::equals_ignoring_case(header.name, "Set-Cookie");
  const bool has_lines = is_cookie && state.version >= Version::k32;
  std::string all;
  for (const std::string_view line : lines) {
    all.append(all.empty() ? "" : "\n").append(line);
  }
  return read_value(violations, rules, [&](Form form) {
    if (form != Form::kScalar) {
      return has_lines ? take_lines(lines, header.explode, form)
                       : take_header(lines, header.explode, form);
    }
    // Each Set-Cookie line is a field of its own (RFC 9110 §5.3): one is enough to validate, but
    // for a text that is all lines, since 3.2.
    const bool is_text = has_lines && header.content_type;
    const bool is_one = is_cookie && !lines.empty();
    return take_header(
        is_one ? std::vector<std::string_view>{is_text ? all : lines.front()} : lines,
        header.explode, form);
  });
}

}  // namespace checking

std::vector<Violation> validate_response(const Contract& contract, const Operation& operation,
                                         const http::Response& response,
                                         const ResponseOptions& options) {
  assert(operation.index < contract.operations().size());
  return ResponseReader(contract, operation, response, options).run();
}

}  // namespace spec::contract
