#include "spec/contract/samples/compose.hpp"

#include "spec/contract/samples/write_parts.hpp"
#include "spec/contract/write_only.hpp"
#include "spec/schema/samples/random.hpp"

#include <algorithm>

namespace spec::contract::samples {

namespace {

using Json = nlohmann::json;

BodyForm form_of(const PlannedContent& planned) {
  BodyForm form = samples::form_of(planned.contract, planned.content, planned.plan);
  if (planned.sent_as) {
    form.media_type = *planned.sent_as;
  }
  return form;
}

std::string path_of(const Operation& operation, const Parts& parts) {
  std::string path;
  std::string_view rest = operation.path;
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('{'), rest.size());
    const std::size_t close = rest.find('}', open);
    path += write_literal(rest.substr(0, open));
    if (close == std::string_view::npos) {
      break;
    }
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    const auto value = parts.path.find(name);
    path += value != parts.path.end() ? value->second : "sample";
    rest.remove_prefix(close + 1);
  }
  return path;
}

void add_api_key(const SecurityScheme& scheme, const std::string& credential, Parts& parts) {
  switch (scheme.location) {
    case Location::kQuery:
      parts.query.emplace_back(http::percent_encode(scheme.parameter),
                               http::percent_encode(credential));
      break;
    case Location::kCookie:
      parts.cookies.emplace_back(scheme.parameter, http::percent_encode(credential));
      break;
    default: parts.headers.set(scheme.parameter, credential);
  }
}

void add_credential(const SecurityScheme& scheme, const std::string& given, Parts& parts) {
  const std::string credential = given.empty() ? "sample" : given;
  switch (scheme.kind) {
    case SecurityKind::kApiKey: add_api_key(scheme, credential, parts); break;
    case SecurityKind::kBasic:  // "sample:sample" in base64
      parts.headers.set("Authorization",
                        "Basic " + (given.empty() ? "c2FtcGxlOnNhbXBsZQ==" : given));
      break;
    case SecurityKind::kBearer: parts.headers.set("Authorization", "Bearer " + credential); break;
    case SecurityKind::kOther:
      if (!scheme.http_scheme.empty()) {
        parts.headers.set("Authorization", scheme.http_scheme + ' ' + credential);
      }
  }
}

// The body in the character set that its media type names, or, where that cannot be, in UTF-8 and
// said to be so.
Body finish(BodyForm& form, std::string bytes) {
  if (auto encoded = encode_text(form, bytes)) {
    return {type_text(form), std::move(*encoded)};
  }
  for (auto& [name, value] : form.media_type.parameters) {
    value = name == "charset" ? "utf-8" : value;
  }
  return {type_text(form), std::move(bytes)};
}

}  // namespace

bool add_value(Parts& parts, const Parameter& parameter, const Json& value, Version version) {
  switch (parameter.location) {
    case Location::kPath: {
      auto text = write_path(parameter, value, version);
      const bool done = text.has_value();
      if (done) {
        parts.path[parameter.name] = std::move(*text);
      }
      return done;
    }
    case Location::kHeader: {
      auto text = write_header(parameter, value);
      const bool done = text.has_value();
      if (done) {
        parts.headers.set(parameter.name, std::move(*text));
      }
      return done;
    }
    case Location::kQuery:
    case Location::kCookie: break;
  }
  const auto fields = write_fields(parameter, value);
  if (fields) {
    Fields& into = parameter.location == Location::kQuery ? parts.query : parts.cookies;
    into.insert(into.end(), fields->begin(), fields->end());
  }
  return fields.has_value();
}

WrittenRequest compose(const Operation& operation, const Drawn& drawn,
                       const RequestOptions& options) {
  Parts parts;
  for (const Parts& each : drawn.parameters) {
    parts.path.insert(each.path.begin(), each.path.end());
    parts.query.insert(parts.query.end(), each.query.begin(), each.query.end());
    parts.cookies.insert(parts.cookies.end(), each.cookies.begin(), each.cookies.end());
    for (const auto& [name, value] : each.headers.lines()) {
      parts.headers.add(name, value);
    }
  }
  if (options.with_credentials && !operation.security.empty()) {
    for (const SecurityScheme& scheme : operation.security.front().schemes) {
      add_credential(scheme, options.credential ? options.credential(scheme) : std::string{},
                     parts);
    }
  }
  http::Request request{.method = operation.method,
                        .target = path_of(operation, parts),
                        .headers = std::move(parts.headers),
                        .body = {}};
  if (!parts.query.empty()) {
    request.target += '?' + join_fields(parts.query, "&");
  }
  if (!parts.cookies.empty()) {
    request.headers.set("Cookie", join_fields(parts.cookies, "; "));
  }
  if (drawn.body) {
    request.headers.set("Content-Type", drawn.body->media_type);
    request.body = drawn.body->bytes;
  }
  return {std::move(request), std::move(parts.path)};
}

MakeHeader header_maker(const Sampler& sampler, const SampleOptions& options) {
  return [&sampler, options](const Parameter& header) {
    return sample_value(sampler, header, options);
  };
}

std::optional<Body> body_of(const PlannedContent& planned, const Json& value,
                            const MakeHeader& make_header) {
  BodyForm form = form_of(planned);
  if (form.media_type.type == "multipart" && value.is_string()) {
    return written_multipart(form, value.get_ref<const std::string&>(), make_header);
  }
  auto bytes = write_body(form, value, make_header);
  return bytes ? std::optional(finish(form, std::move(*bytes))) : std::nullopt;
}

Result<Body, Failure> sample_body(const PlannedContent& planned, const Sampler& sampler,
                                  const SampleOptions& options, unsigned number) {
  constexpr unsigned kTries = 8;
  const Content& content = planned.content;
  const MakeHeader make_header = header_maker(sampler, options);
  if (options.use_examples && planned.takes_example && !content.examples.empty()) {
    const Json& example = *content.examples.front().value;
    const bool is_answer = options.direction == schema::Direction::kResponse;
    const Json value =
        is_answer ? without_write_only(planned.contract, content.schema, example) : example;
    if (auto body = body_of(planned, value, make_header)) {
      return std::move(*body);
    }
  }
  BodyForm form = form_of(planned);
  if (number < 2) {
    if (auto bytes = usual_body(form)) {
      return finish(form, std::move(*bytes));
    }
  }
  if (!content.schema) {
    auto body = body_of(planned, Json::object(), make_header);
    return body ? Result<Body, Failure>(std::move(*body))
                : Unexpected{Failure{content.node, "must have a schema but has none"}};
  }
  Failure failure{content.node,
                  "must have a value that its media type can carry but none was "
                  "found"};
  for (unsigned i = 0; i < kTries; ++i) {
    SampleOptions drawn = options;
    drawn.seed = i == 0 ? options.seed : schema::samples::derive(options.seed, std::uint64_t{i});
    const auto value = sampler.sample(*content.schema, drawn);
    if (!value) {
      return Unexpected{value.error()};
    }
    if (auto body = body_of(planned, *value, make_header)) {
      return std::move(*body);
    }
  }
  return Unexpected{std::move(failure)};
}

}  // namespace spec::contract::samples
