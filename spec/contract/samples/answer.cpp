#include "spec/contract/samples/compose.hpp"
#include "spec/contract/samples/header_values.hpp"
#include "spec/contract/samples/message.hpp"
#include "spec/contract/samples/own_headers.hpp"
#include "spec/contract/samples/write_body.hpp"
#include "spec/contract/samples/write_value.hpp"
#include "spec/contract/state.hpp"
#include "spec/contract/write_only.hpp"
#include "spec/http/accept.hpp"
#include "spec/http/bytes.hpp"
#include "spec/json/utf8.hpp"
#include "spec/schema/samples/random.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace spec::contract::samples {

namespace {

using Json = nlohmann::json;

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
  static constexpr std::array<std::string_view, 11> kNames{
      "Allow",  "Cache-Control", "Last-Modified", "Location", "Proxy-Authenticate", "Retry-After",
      "Server", "Set-Cookie",    "Vary",          "Via",      "WWW-Authenticate"};
  const auto starts = [name](std::string_view start) {
    return http::equals_ignoring_case(name.substr(0, start.size()), start);
  };
  return starts("Content-") || starts("Access-Control-") ||
         std::any_of(kNames.begin(), kNames.end(), [name](std::string_view known) {
           return http::equals_ignoring_case(known, name);
         });
}

// Whether the contract itself says what a header's value is: by an example or a default.
bool is_stated(const Sampler& sampler, const Parameter& header, SampleOptions options) {
  if (!header.examples.empty() || !options.use_examples || !header.schema) {
    return !header.examples.empty();
  }
  const auto with_examples = sampler.sample(*header.schema, options);
  options.use_examples = false;
  const auto without = sampler.sample(*header.schema, options);
  return with_examples && (!without || *with_examples != *without);
}

class DeclaredHeaders {
 public:
  DeclaredHeaders(const AnswerHeaders& declared, const Sampler& sampler,
                  const SampleOptions& options, http::Response& response)
      : declared_(declared), sampler_(sampler), options_(options), response_(response) {
    options_.direction = schema::Direction::kResponse;
    // Times like those of bodies: some day of the year, and moved with the session's clock.
    constexpr std::int64_t kFirstSecond = 1'735'689'600;  // 2025-01-01T00:00:00Z
    constexpr std::uint64_t kSecondsPerYear = 31'536'000;
    schema::samples::Random random(schema::samples::derive(options.seed, options.key));
    context_.seconds = kFirstSecond + static_cast<std::int64_t>(random.below(kSecondsPerYear)) +
                       options.later.count();
    context_.status = response.status;
    context_.path = declared.path;
    context_.body = response.body;
    media_type_ = std::string(response.headers.find("Content-Type").value_or(""));
    context_.media_type = media_type_;
  }

  void add(const Parameter& header) {
    context_.seed = schema::samples::derive(options_.seed, header.name);
    is_cookie_ = http::equals_ignoring_case(header.name, "Set-Cookie");
    if (is_cookie_ && add_set_cookies(header)) {
      return;
    }
    auto text = text_of(header);
    if (text && leads_back(header, *text)) {
      text = usual_text(header, true);
    }
    if (text) {
      response_.headers.add(header.name,
                            is_cookie_ ? kept_cookie(header, std::move(*text)) : std::move(*text));
    }
  }

  // A true value for a header of own_headers.hpp; nothing where there is none.
  void add_own(const Parameter& header, const OwnHeader& own) {
    for (const Json& value : own.make != nullptr ? own.make(context_) : std::vector<Json>{}) {
      auto text = keeps_schema(header, value) ? write_header(header, value) : std::nullopt;
      if (text) {
        response_.headers.add(header.name, std::move(*text));
        return;
      }
    }
  }

  std::vector<std::string> replaced() && { return std::move(replaced_); }

 private:
  std::optional<std::string> text_of(const Parameter& header) {
    auto text = usual_text(header, false);
    return text ? std::move(text) : sampled_text(header);
  }

  // A redirect to where the request came from would never end.
  bool leads_back(const Parameter& header, std::string_view text) const {
    return response_.status / 100 == 3 && http::equals_ignoring_case(header.name, "Location") &&
           text == declared_.path;
  }

  // A cookie as browsers take it, where its schema lets it be so.
  std::string kept_cookie(const Parameter& header, std::string text) const {
    std::string kept = acceptable_cookie(text);
    const bool fits = keeps_schema(header, kept) || !keeps_schema(header, text);
    return fits ? std::move(kept) : std::move(text);
  }

  // A value of the form that HTTP fixes, where the contract does not say more or is overruled.
  std::optional<std::string> usual_text(const Parameter& header, bool overrules) const {
    if (header.content_type || (!overrules && is_stated(sampler_, header, options_))) {
      return std::nullopt;
    }
    for (const Json& value : usual_values(header.name, context_)) {
      auto text = keeps_schema(header, value) ? write_header(header, value) : std::nullopt;
      if (text) {
        return text;
      }
    }
    return std::nullopt;
  }

  bool keeps_schema(const Parameter& header, const Json& value) const {
    return !header.schema ||
           fits(declared_.contract.schemas(), *header.schema, value, {options_.direction});
  }

  // A text that reads back as its value; nothing when none of a few draws does. An example that
  // breaks its schema gives way to a sample.
  std::optional<std::string> sampled_text(const Parameter& header) {
    constexpr std::uint64_t kDraws = 6;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      SampleOptions drawn = options_;
      drawn.seed = i == 0 ? options_.seed : schema::samples::derive(options_.seed, i);
      drawn.use_examples = options_.use_examples && i < kDraws / 2;
      const auto value = sample_value(sampler_, header, drawn);
      const bool is_example = drawn.use_examples && !header.examples.empty();
      if (is_example && !declared_.examples_as_written && !keeps_schema(header, *value)) {
        if (i == 0) {
          replaced_.push_back(header.name);
        }
        continue;
      }
      if (auto text = value ? write_header(header, *value) : std::nullopt) {
        return text;
      }
    }
    return std::nullopt;
  }

  // Each element of a list in a Set-Cookie field of its own: they cannot be joined. False when
  // there is no list. Source: RFC 9110 §5.3.
  bool add_set_cookies(const Parameter& header) {
    auto cookies = sample_value(sampler_, header, options_);
    if (!cookies || !cookies->is_array()) {
      return false;
    }
    if (!is_stated(sampler_, header, options_)) {
      Json usual = *cookies;
      for (std::size_t i = 0; i < usual.size(); ++i) {
        usual[i] = "cookie" + std::to_string(i + 1) + "=sample; Path=/";
      }
      cookies = keeps_schema(header, usual) ? std::move(usual) : std::move(*cookies);
    }
    for (const Json& each : *cookies) {
      if (const auto text = write_header({.name = header.name}, each)) {
        response_.headers.add(header.name, acceptable_cookie(*text));
      }
    }
    return response_.headers.has(header.name);
  }

  const AnswerHeaders& declared_;
  const Sampler& sampler_;
  SampleOptions options_;
  http::Response& response_;
  HeaderContext context_;
  std::string media_type_;
  bool is_cookie_ = false;
  std::vector<std::string> replaced_;
};

// A redirect and what was created say where: without it they lead nowhere.
bool says_where(int status, std::string_view name) {
  constexpr int kCreated = 201;
  const bool leads = status == kCreated || (status / 100 == 3 && status != 304);
  return leads && http::equals_ignoring_case(name, "Location");
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
                                const Json& value) {
  const auto first_example = [](const Parameter& header) {
    return header.examples.empty() ? std::nullopt : std::optional(*header.examples.front().value);
  };
  return body_of(planned(contract, answer),
                 without_write_only(contract, answer.content.schema, value), first_example);
}

bool is_sound_example(const Contract& contract, const AnswerContent& answer, const Json& value) {
  const Content& content = answer.content;
  const PlannedContent own = planned(contract, answer);
  const BodyForm form = form_of(contract, content, own.plan);
  if (!content.schema || kind_of(form) == BodyKind::kBytes) {
    return true;
  }
  if (value.is_string() && !content.media_type.is_json()) {
    const auto& shape = own.plan.value.shape;
    const bool takes_text = shape && contract.state().shapes[*shape].allows(kStringBit);
    if (!takes_text || !spec::json::is_utf8(value.get_ref<const std::string&>())) {
      return true;  // the body as it is written, in a form of its own
    }
  }
  return check(contract.schemas(), *content.schema,
               without_write_only(contract, content.schema, value),
               {schema::Direction::kResponse}) != schema::Verdict::kInvalid;
}

Result<Body, Failure> sample_answer_body(const Contract& contract, const Sampler& sampler,
                                         const AnswerContent& answer,
                                         const SampleOptions& options) {
  SampleOptions sample = options;
  sample.direction = schema::Direction::kResponse;
  const auto& examples = answer.content.examples;
  const bool is_sound =
      examples.empty() || is_sound_example(contract, answer, *examples.front().value);
  PlannedContent content = planned(contract, answer);
  content.takes_example = is_sound;
  return sample_body(content, sampler, sample, 0);
}

std::vector<std::string> add_declared_headers(const Sampler& sampler, const AnswerHeaders& declared,
                                              const SampleOptions& options,
                                              http::Response& response) {
  DeclaredHeaders headers(declared, sampler, options, response);
  for (const Parameter& header : declared.answer.headers) {
    if (!http::is_token(header.name) || response.headers.has(header.name) ||
        http::equals_ignoring_case(header.name, "Content-Type")) {
      continue;
    }
    const bool is_stated = header.required || !header.examples.empty();
    if (const OwnHeader* const own = find_own_header(header.name)) {
      if (header.required || (is_stated && !own->only_required)) {
        headers.add_own(header, *own);
      }
    } else if (is_stated || says_where(response.status, header.name) ||
               !(has_meaning_of_its_own(header.name) || header.deprecated)) {
      headers.add(header);
    }
  }
  return std::move(headers).replaced();
}

}  // namespace spec::contract::samples
