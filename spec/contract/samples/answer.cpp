#include "spec/contract/samples/compose.hpp"
#include "spec/contract/samples/message.hpp"
#include "spec/contract/samples/write_body.hpp"
#include "spec/contract/state.hpp"
#include "spec/contract/write_only.hpp"
#include "spec/http/accept.hpp"
#include "spec/schema/samples/random.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace spec::contract::samples {

namespace {

using nlohmann::json;

// The plan of a content of an answer: plans stand as the contents do.
PlannedContent planned(const Contract& contract, const AnswerContent& answer) {
  const auto& [operation, content, sent_as] = answer;
  const OperationPlan& plan = contract.state().plans[operation.index];
  for (std::size_t i = 0; i < operation.answers.size(); ++i) {
    const auto& contents = operation.answers[i].contents;
    for (std::size_t j = 0; j < contents.size(); ++j) {
      if (&contents[j] == &content) {
        return {contract, content, plan.answers[i].contents[j], sent_as};
      }
    }
  }
  assert(false && "the content is of an answer of the operation");
  return {contract, content, plan.answers.front().contents.front(), sent_as};
}

// Fields whose values mean something to HTTP: a made-up one would mislead.
bool has_meaning_of_its_own(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kNames{"Accept-Ranges",
                                                           "Allow",
                                                           "Connection",
                                                           "Date",
                                                           "ETag",
                                                           "Last-Modified",
                                                           "Location",
                                                           "Proxy-Authenticate",
                                                           "Retry-After",
                                                           "Server",
                                                           "Set-Cookie",
                                                           "Trailer",
                                                           "Transfer-Encoding",
                                                           "Upgrade",
                                                           "Vary",
                                                           "Via",
                                                           "WWW-Authenticate",
                                                           "Cache-Control"};
  const auto starts = [name](std::string_view start) {
    return http::equals_ignoring_case(name.substr(0, start.size()), start);
  };
  return starts("Content-") || starts("Access-Control-") || starts("Strict-Transport-") ||
         std::any_of(kNames.begin(), kNames.end(), [name](std::string_view known) {
           return http::equals_ignoring_case(known, name);
         });
}

// The text of a header that reads back as its value; nothing when none of a few draws does.
std::optional<std::string> header_text(const Sampler& sampler, const Parameter& header,
                                       const SampleOptions& options) {
  constexpr std::uint64_t kDraws = 6;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    SampleOptions drawn = options;
    drawn.seed = i == 0 ? options.seed : schema::samples::derive(options.seed, i);
    drawn.use_examples = options.use_examples && i < kDraws / 2;
    const auto value = sample_value(sampler, header, drawn);
    if (auto text = value ? write_header(header, *value) : std::nullopt) {
      return text;
    }
  }
  return std::nullopt;
}

// Each element of a list in a Set-Cookie field of its own: they cannot be joined.
// Source: RFC 9110 §5.3.
void add_set_cookies(const Sampler& sampler, const Parameter& header, const SampleOptions& options,
                     http::Response& response) {
  const auto value = sample_value(sampler, header, options);
  for (const json& each : value && value->is_array() ? *value : json::array()) {
    if (const auto text = write_header({.name = header.name}, each)) {
      response.headers.add(header.name, *text);
    }
  }
}

}  // namespace

std::optional<http::MediaType> accepted_type(const Contract& contract, const Operation& operation,
                                             const Content& content,
                                             std::optional<std::string_view> accept) {
  const PlannedContent own = planned(contract, {operation, content});
  BodyForm form = form_of(contract, content, own.plan);
  // Browsers name XML before "*/*": it goes to those who take nothing else.
  std::vector<http::MediaType> offered{form.media_type};
  std::vector<http::MediaType> last;
  if (content.media_type.subtype == "*") {
    for (http::MediaType& named : http::named_types(accept)) {
      form.media_type = std::move(named);
      if (http::includes(content.media_type, form.media_type) && can_be_written(form)) {
        (is_xml(form.media_type) ? last : offered).push_back(form.media_type);
      }
    }
  }
  if (const auto liked = http::negotiate(accept, offered)) {
    return offered[*liked];
  }
  const auto liked = http::negotiate(accept, last);
  return liked ? std::optional(last[*liked]) : std::nullopt;
}

std::optional<Body> answer_body(const Contract& contract, const AnswerContent& answer,
                                const json& value) {
  const auto first_example = [](const Parameter& header) {
    return header.examples.empty() ? std::nullopt : std::optional(*header.examples.front().value);
  };
  return body_of(planned(contract, answer),
                 without_write_only(contract, answer.content.schema, value), first_example);
}

Result<Body, Failure> sample_answer_body(const Contract& contract, const Sampler& sampler,
                                         const AnswerContent& answer,
                                         const SampleOptions& options) {
  SampleOptions sample = options;
  sample.direction = schema::Direction::kResponse;
  return sample_body(planned(contract, answer), sampler, sample, 0);
}

void add_declared_headers(const Sampler& sampler, const Answer& answer,
                          const SampleOptions& options, http::Response& response) {
  SampleOptions sample = options;
  sample.direction = schema::Direction::kResponse;
  for (const Parameter& header : answer.headers) {
    const bool is_wanted = header.required || !header.examples.empty() ||
                           !(has_meaning_of_its_own(header.name) || header.deprecated);
    if (!is_wanted || response.headers.has(header.name) ||
        http::equals_ignoring_case(header.name, "Content-Type")) {
      continue;
    }
    if (http::equals_ignoring_case(header.name, "Set-Cookie")) {
      add_set_cookies(sampler, header, sample, response);
      if (response.headers.has(header.name)) {
        continue;
      }
    }
    if (auto text = header_text(sampler, header, sample)) {
      response.headers.add(header.name, std::move(*text));
    }
  }
}

}  // namespace spec::contract::samples
