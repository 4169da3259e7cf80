#include "mock_server/examples/response_example.hpp"

#include "mock_server/examples/header_table.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/stream_items.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/media_type.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/random.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mock_server::examples {

using nlohmann::json;
using spec::Result;
using spec::contract::BodyKind;
using spec::contract::Contract;
using spec::contract::MediaTypeObject;
using spec::contract::without_write_only;
using spec::contract::write::Body;
using spec::contract::write::BodyForm;
using spec::schema::generate::GenerateFailure;
using spec::schema::generate::GenerateOptions;
using spec::schema::generate::Generator;

namespace {

// The form in which the content is written.
BodyForm form_of(const Contract& contract, const ResponseContent& response) {
  return spec::contract::write::form_of(contract, response.content, response.sent_as);
}

std::optional<json> first_example(const spec::contract::Parameter& header) {
  return header.examples.empty() ? std::nullopt : std::optional(*header.examples.front().value);
}

bool has_items(const Contract& contract, const ResponseContent& response) {
  return kind_of(form_of(contract, response)) == BodyKind::kItems;
}

// `value` without what the schema, of each item where there are several, keeps to requests.
json as_response(const Contract& contract, const ResponseContent& response, json value) {
  const MediaTypeObject& content = response.content;
  if (!has_items(contract, response)) {
    return without_write_only(contract, content.schema, std::move(value));
  }
  if (!value.is_array()) {
    return without_write_only(contract, content.item_schema, std::move(value));
  }
  for (json& each : value) {
    each = without_write_only(contract, content.item_schema, std::move(each));
  }
  return value;
}

}  // namespace

std::optional<Body> serialized_response_body(const Contract& contract,
                                             const ResponseContent& response,
                                             const std::string& text) {
  return serialized_body(form_of(contract, response), text, first_example);
}

std::optional<Body> write_response_body(const Contract& contract, const ResponseContent& response,
                                        const json& value) {
  return write_body(form_of(contract, response), as_response(contract, response, value),
                    first_example);
}

bool is_valid_example(const Contract& contract, const ResponseContent& response,
                      const json& value) {
  const MediaTypeObject& content = response.content;
  const BodyForm form = form_of(contract, response);
  if (!content.schema || kind_of(form) == BodyKind::kBytes) {
    return true;
  }
  if (kind_of(form) == BodyKind::kItems) {
    return value.is_string() || fits_response(contract, response, value);
  }
  if (value.is_string() && !form.media_type.is_json()) {
    const auto* shape = contract.state().shapes.find(content.shape);
    const bool takes_text = shape != nullptr && shape->allows(spec::schema::kStringType);
    if (!takes_text || !spec::text::is_utf8(value.get_ref<const std::string&>())) {
      return true;  // the body as it is written, in a form of its own
    }
  }
  return check(contract.schemas(), *content.schema,
               without_write_only(contract, content.schema, value),
               {spec::schema::Direction::kResponse}) != spec::schema::Verdict::kInvalid;
}

bool fits_response(const Contract& contract, const ResponseContent& response, const json& value) {
  const json sent = as_response(contract, response, value);
  if (has_items(contract, response)) {
    return check_items(contract, response.content, sent, spec::schema::Direction::kResponse) !=
           spec::schema::Verdict::kInvalid;
  }
  return !response.content.schema || fits(contract.schemas(), *response.content.schema, sent,
                                          {spec::schema::Direction::kResponse});
}

Result<Body, GenerateFailure> generate_response_body(const Contract& contract,
                                                     const Generator& generator,
                                                     const ResponseContent& response,
                                                     const GenerateOptions& options) {
  GenerateOptions own = options;
  own.direction = spec::schema::Direction::kResponse;
  const MediaTypeObject& content = response.content;
  json example;
  const bool takes_example = options.use_examples && !content.examples.empty() &&
                             is_valid_example(contract, response, *content.examples.front().value);
  if (takes_example) {
    example = as_response(contract, response, *content.examples.front().value);
  }
  const bool is_serialized = takes_example && content.examples.front().serialized;
  return generate_body(
      form_of(contract, response), generator, own,
      {.example = takes_example ? &example : nullptr,
       .serialized = is_serialized ? &*content.examples.front().serialized : nullptr});
}

using spec::contract::Parameter;
using spec::contract::write::generate_value;
using spec::contract::write::write_header;
using spec::text::equals_ignoring_case;

namespace {

bool is_redirect(int status) {
  return status / 100 == 3 && status != 304;
}

// True if a value that the contract does not state would mislead.
bool needs_statement(const std::string& name, const HeaderRow* row, int status) {
  constexpr int kCreated = 201;
  const auto starts = [&name](std::string_view start) {
    return equals_ignoring_case(name.substr(0, start.size()), start);
  };
  // A redirect and a created resource need a Location.
  const bool says_where =
      starts("Location") && name.size() == 8 && (status == kCreated || is_redirect(status));
  const bool is_row = row != nullptr && row->source == Source::kContractIfStated;
  return !says_where && (is_row || starts("Content-") || starts("Access-Control-"));
}

class HeaderWriter {
 public:
  HeaderWriter(const DeclaredHeaders& declared, const Generator& generator,
               const GenerateOptions& options, spec::http::Response& response)
      : declared_(declared), generator_(generator), options_(options), response_(response) {
    options_.direction = spec::schema::Direction::kResponse;
    // Times like those of bodies: some day of the year, and moved with the session's clock.
    constexpr std::int64_t kFirstOf2025 = 1'735'689'600;
    constexpr std::uint64_t kSecondsPerYear = 31'536'000;
    spec::text::Random random(spec::text::derive(options.seed, options.key));
    media_type_ = std::string(response.headers.find("Content-Type").value_or(""));
    context_ = {.seconds = kFirstOf2025 +
                           static_cast<std::int64_t>(random.next_below(kSecondsPerYear)) +
                           options.later.count(),
                .status = response.status,
                .path = declared.path,
                .body = response.body,
                .media_type = media_type_,
                .allow = declared.allow};
  }

  void add(const Parameter& header) {
    const HeaderRow* const row = find_header_row(header.name);
    const bool is_stated = header.required || !header.examples.empty();
    context_.seed = spec::text::derive(options_.seed, header.name);
    if (row != nullptr &&
        (row->source == Source::kTable || row->source == Source::kTableIfRequired)) {
      if (header.required || (is_stated && row->source == Source::kTable)) {
        add_text(header, from_table(header));
      }
    } else if (is_stated ||
               !(header.deprecated || needs_statement(header.name, row, context_.status))) {
      add_declared(header);
    }
  }

  std::vector<std::string> replaced() && { return std::move(replaced_); }

 private:
  void add_text(const Parameter& header, std::optional<std::string> text) {
    if (text) {
      response_.headers.add(header.name, std::move(*text));
    }
  }

  void add_declared(const Parameter& header) {
    const bool is_cookie = equals_ignoring_case(header.name, "Set-Cookie");
    if (is_cookie && (add_cookie_lines(header) || add_cookies(header))) {
      return;
    }
    auto text = says_value(header) ? std::nullopt : from_table(header);
    text = text ? std::move(text) : generated_text(header);
    // A redirect to where the request came from would never end.
    if (text == declared_.path && is_redirect(context_.status)) {
      text = from_table(header);
    }
    if (text && is_cookie) {
      std::string cookie = acceptable_cookie(*text);
      text = is_valid(header, cookie) || !is_valid(header, *text) ? std::move(cookie) : text;
    }
    add_text(header, std::move(text));
  }

  bool is_valid(const Parameter& header, const json& value) const {
    return !header.schema ||
           fits(declared_.contract.schemas(), *header.schema, value, {options_.direction});
  }

  // True if the contract states the value, by an example or a default.
  bool says_value(const Parameter& header) const {
    if (header.content_type || !header.examples.empty() || !options_.use_examples ||
        !header.schema) {
      return header.content_type || !header.examples.empty();
    }
    GenerateOptions options = options_;
    const auto with_examples = generator_.generate(*header.schema, options);
    options.use_examples = false;
    const auto without = generator_.generate(*header.schema, options);
    return with_examples && (!without || *with_examples != *without);
  }

  // A value of the form that HTTP fixes, also as the only element of a list.
  std::optional<std::string> from_table(const Parameter& header) const {
    const HeaderRow* const row = find_header_row(header.name);
    if (row == nullptr || row->make == nullptr) {
      return std::nullopt;
    }
    std::vector<json> values = row->make(context_);
    if (!values.empty()) {
      values.push_back(json::array({values.front()}));
    }
    for (const json& value : values) {
      auto text = is_valid(header, value) ? write_header(header, value) : std::nullopt;
      if (text) {
        return text;
      }
    }
    return std::nullopt;
  }

  // An example that is not valid gives way to a generated value.
  std::optional<std::string> generated_text(const Parameter& header) {
    constexpr std::uint64_t kDraws = 6;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      GenerateOptions drawn = options_;
      drawn.seed = i == 0 ? options_.seed : spec::text::derive(options_.seed, i);
      drawn.use_examples = options_.use_examples && i < kDraws / 2;
      const auto value = generate_value(generator_, header, drawn);
      const bool is_example = drawn.use_examples && !header.examples.empty();
      const bool is_wrong =
          is_example && !declared_.examples_as_written && !is_valid(header, *value);
      if (is_wrong && i == 0) {
        replaced_.push_back(header.name);
      }
      auto text = value && !is_wrong ? write_header(header, *value) : std::nullopt;
      if (is_example && !is_wrong && header.examples.front().serialized) {
        text = header.examples.front().serialized;
      }
      if (text) {
        return text;
      }
    }
    return std::nullopt;
  }

  // An example with a cookie on each line. False if there is none.
  bool add_cookie_lines(const Parameter& header) {
    if (header.examples.empty() || !options_.use_examples) {
      return false;
    }
    const spec::contract::Example& example = header.examples.front();
    const bool is_text = example.value->is_string() && header.content_type;
    if (!example.serialized && !is_text) {
      return false;
    }
    const std::string text =
        example.serialized.value_or(is_text ? example.value->get<std::string>() : std::string());
    for (const std::string& line : spec::contract::header_lines(header, text)) {
      response_.headers.add(header.name, acceptable_cookie(line));
    }
    return response_.headers.has(header.name);
  }

  // Each element of a list in a Set-Cookie field of its own: they cannot be joined. False when
  // there is no list. Source: RFC 9110 §5.3.
  bool add_cookies(const Parameter& header) {
    auto cookies = generate_value(generator_, header, options_);
    if (!cookies || !cookies->is_array()) {
      return false;
    }
    if (!says_value(header)) {
      json usual = *cookies;
      for (std::size_t i = 0; i < usual.size(); ++i) {
        usual[i] = "cookie" + std::to_string(i + 1) + "=sample; Path=/";
      }
      cookies = is_valid(header, usual) ? std::move(usual) : std::move(*cookies);
    }
    for (const json& each : *cookies) {
      if (const auto text = write_header({.name = header.name}, each)) {
        response_.headers.add(header.name, acceptable_cookie(*text));
      }
    }
    return response_.headers.has(header.name);
  }

  const DeclaredHeaders& declared_;
  const Generator& generator_;
  GenerateOptions options_;
  spec::http::Response& response_;
  HeaderContext context_;
  std::string media_type_;
  std::vector<std::string> replaced_;
};

bool has_rejected_attribute(const json& value) {
  if (value.is_array()) {
    return std::ranges::any_of(value, &has_rejected_attribute);
  }
  return value.is_string() &&
         acceptable_cookie(value.get_ref<const std::string&>()) != value.get<std::string>();
}

// The values that the table makes for some body and that are valid.
std::vector<json> own_values(const Contract& contract, const Parameter& header, int status) {
  const HeaderRow& row = *find_header_row(header.name);
  const HeaderContext some{.status = status, .path = {}, .body = "x", .media_type = {}};
  std::vector<json> values = row.make != nullptr ? row.make(some) : std::vector<json>{};
  std::erase_if(values, [&](const json& value) {
    return header.schema &&
           !fits(contract.schemas(), *header.schema, value, {spec::schema::Direction::kResponse});
  });
  return values;
}

// Why `header` is not sent with the value of its example, and what is sent instead; "" if it is.
std::string why_not_as_declared(const Contract& contract, const Parameter& header, int status) {
  const std::string name = "header " + header.name;
  if (equals_ignoring_case(header.name, "Set-Cookie")) {
    const bool is_cut = std::ranges::any_of(
        header.examples, [](const auto& each) { return has_rejected_attribute(*each.value); });
    return is_cut ? name +
                        ": is sent without Domain, Secure, SameSite=None and Partitioned: "
                        "browsers reject such cookies from a server on this machine"
                  : "";
  }
  const HeaderRow* const row = find_header_row(header.name);
  if (row == nullptr || row->why.empty() || (header.examples.empty() && !header.required)) {
    return "";
  }
  const bool is_sent = (header.required || row->source == Source::kTable) &&
                       !own_values(contract, header, status).empty();
  return name + (is_sent ? ": is sent with another value: " : ": is not sent: ") +
         std::string(row->why);
}

// True if `header` is required, of the table, and cannot be sent.
bool is_missed(const Contract& contract, const Parameter& header, int status) {
  const HeaderRow* const row = find_header_row(header.name);
  return header.required && row != nullptr && !row->why.empty() &&
         own_values(contract, header, status).empty();
}

}  // namespace

std::vector<std::string> add_declared_headers(const Generator& generator,
                                              const DeclaredHeaders& declared,
                                              const GenerateOptions& options,
                                              spec::http::Response& response) {
  HeaderWriter writer(declared, generator, options, response);
  for (const Parameter& header : declared.response.headers) {
    if (spec::http::is_token(header.name) && !response.headers.has(header.name) &&
        !equals_ignoring_case(header.name, "Content-Type")) {
      writer.add(header);
    }
  }
  return std::move(writer).replaced();
}

std::vector<spec::Problem> headers_not_as_declared(const Contract& contract, NotAsDeclared which) {
  std::vector<spec::Problem> found;
  std::set<std::pair<std::string, std::string>> places;  // a shared response is reported once
  const auto report = [&](const Parameter& header, int status) {
    if (which == NotAsDeclared::kMissed && !is_missed(contract, header, status)) {
      return;
    }
    std::string why = why_not_as_declared(contract, header, status);
    const auto place = header.node.place();
    if (!why.empty() && places.emplace(place.file, header.node.pointer()).second) {
      found.push_back({std::string(place.file), place.line, place.column, header.node.pointer(),
                       std::move(why)});
    }
  };
  for (const auto& operation : contract.operations()) {
    for (const auto& response : operation.responses) {
      for (const Parameter& header : response.headers) {
        report(header, response.status);
      }
    }
  }
  return found;
}

}  // namespace mock_server::examples
