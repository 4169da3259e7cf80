#include "spec/contract/checking/body.hpp"
#include "spec/contract/checking/check.hpp"
#include "spec/contract/checking/value.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/state.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

namespace spec::contract {

namespace {

using checking::Complaints;
using checking::Form;
using checking::ValueReading;
using checking::ValueRules;

class ResponseReader {
 public:
  ResponseReader(const Contract& contract, const Operation& operation,
                 const http::Response& response, const ResponseOptions& options)
      : state_(contract.state()),
        operation_(operation),
        response_(response),
        options_(options),
        complaints_(contract, operation) {}

  std::vector<Violation> run() {
    const Answer* answer = operation_.answer(response_.status);
    const OperationPlan& all = state_.plans[operation_.index];
    if (all.status_gap && (answer == nullptr || answer->status != response_.status)) {
      complaints_.add(*all.status_gap);
      return complaints_.take();
    }
    if (answer == nullptr) {
      complain_of_status();
      return complaints_.take();
    }
    const auto index = static_cast<std::size_t>(answer - operation_.answers.data());
    const AnswerPlan& plan = all.answers[index];
    for (const Gap& gap : plan.gaps) {
      complaints_.add(gap);
    }
    judge_content(*answer, plan);
    for (std::size_t i = 0; i < answer->headers.size(); ++i) {
      judge_header(answer->headers[i], plan.headers[i]);
    }
    return complaints_.take();
  }

 private:
  void complain_of_status() {
    std::vector<std::string> declared;
    for (const Answer& answer : operation_.answers) {
      declared.push_back(response_key(answer));
    }
    const document::Node responses = operation_.node.find("responses");
    complaints_.add(
        {Part::kStatus, ""},
        responses ? complaints_.contract().statement_at(responses) : operation_.statement,
        "undeclared",
        "must be " + (declared.empty() ? "declared" : checking::join_alternatives(declared)) +
            " but is " + std::to_string(response_.status));
  }

  bool is_bodiless() const {
    return options_.head || response_.status < 200 || response_.status == 204 ||
           response_.status == 205 || response_.status == 304;
  }

  void judge_content(const Answer& answer, const AnswerPlan& plan) {
    const std::string_view body = response_.body;
    if (is_bodiless()) {
      if (!body.empty()) {
        complaints_.add({Part::kFraming, ""},
                        statement_of(options_.head ? Standard::kHead : Standard::kNoContent),
                        "undeclared",
                        "must have no content but has " + std::to_string(body.size()) + " bytes");
      }
      if (!options_.head || !response_.headers.has("Content-Type")) {
        return;
      }
    }
    if (answer.contents.empty() && !plan.content_gap) {
      return;  // nothing is promised of its body
    }
    const checking::ContentType type = checking::read_content_type(complaints_, response_.headers);
    if (!type.media_type) {
      if (type.is_sound && plan.content_gap) {
        complaints_.add(*plan.content_gap);
      } else if (type.is_sound) {
        complain_of_missing(answer);
      }
      return;
    }
    const auto selected = checking::select_content(answer.contents, *type.media_type);
    if (!selected && plan.content_gap) {
      complaints_.add(*plan.content_gap);
      return;
    }
    if (!selected) {
      complaints_.add({Part::kMediaType, ""}, answer.statement, "undeclared",
                      "must be " + checking::list_media_types(answer.contents) + " but is " +
                          type.media_type->essence());
      return;
    }
    if (options_.head) {
      return;
    }
    judge_body(answer.contents[*selected], plan.contents[*selected], *type.media_type);
  }

  void complain_of_missing(const Answer& answer) {
    const std::string promised = checking::list_media_types(answer.contents);
    if (response_.body.empty()) {
      complaints_.add({Part::kBody, ""}, answer.contents.front().statement, "missing",
                      "must be " + promised + " but is empty");
      return;
    }
    complaints_.add({Part::kMediaType, ""}, answer.statement, "missing",
                    "must be " + promised + " but none is given");
  }

  void judge_body(const Content& content, const ContentPlan& plan,
                  const http::MediaType& media_type) {
    const bool is_json = plan.kind == BodyKind::kJson ||
                         (plan.kind == BodyKind::kByMediaType && media_type.is_json());
    if (is_json && response_.body.empty()) {
      complaints_.add({Part::kBody, ""}, content.statement, "missing",
                      "must be JSON text but is empty");
      return;
    }
    checking::read_body(complaints_, response_.body,
                        {.media_type = media_type,
                         .content = content,
                         .plan = plan,
                         .shapes = state_.shapes,
                         .direction = schema::Direction::kResponse});
  }

  void judge_header(const Parameter& header, const ValuePlan& plan) {
    const ValueRules rules{.plan = plan,
                           .shapes = state_.shapes,
                           .where = {Part::kHeader, checking::pointer_to(header.name)},
                           .direction = schema::Direction::kResponse,
                           .is_object_only = false,
                           .content_type = header.content_type ? &*header.content_type : nullptr};
    const std::vector<std::string_view> lines = response_.headers.all(header.name);
    const ValueReading reading = checking::read_value(complaints_, rules, [&](Form form) {
      // Each Set-Cookie line is a field of its own (RFC 9110 §5.3): one is enough to judge.
      return checking::take_header(is_set_cookie(header) && form == Form::kScalar && !lines.empty()
                                       ? std::vector<std::string_view>{lines.front()}
                                       : lines,
                                   header.explode, form);
    });
    if (!reading.is_given && header.required && !is_of_the_hop(header.name)) {
      complaints_.add(rules.where, header.required_statement, "missing",
                      "must be given but is not");
    }
  }

  // Whether it is there is decided by the connection, or by what a client accepts, and not by the
  // service: a proxy on the way adds and removes them, and a response without Content-Encoding says
  // that there is none. Source: RFC 9110 §7.6.1, §8.4, §8.6, §12.5.3.
  static bool is_of_the_hop(std::string_view name) {
    constexpr std::array<std::string_view, 9> kNames{
        "Connection", "Content-Encoding", "Content-Length",    "Keep-Alive", "Proxy-Connection",
        "TE",         "Trailer",          "Transfer-Encoding", "Upgrade"};
    return std::ranges::any_of(
        kNames, [name](std::string_view known) { return text::equals_ignoring_case(name, known); });
  }

  static bool is_set_cookie(const Parameter& header) {
    return text::equals_ignoring_case(header.name, "Set-Cookie");
  }

  const Contract::State& state_;
  const Operation& operation_;
  const http::Response& response_;
  const ResponseOptions& options_;
  Complaints complaints_;
};

}  // namespace

std::vector<Violation> check_response(const Contract& contract, const Operation& operation,
                                      const http::Response& response,
                                      const ResponseOptions& options) {
  assert(operation.index < contract.operations().size());
  return ResponseReader(contract, operation, response, options).run();
}

}  // namespace spec::contract
