#include "spec/contract/write/generate.hpp"

#include "spec/random.hpp"

#include <utility>

namespace spec::contract::write {

namespace {

using Json = nlohmann::json;

}  // namespace

std::optional<Json> generate_value(const Generator& generator, const Parameter& parameter,
                                   const GenerateOptions& options) {
  if (options.use_examples && !parameter.examples.empty()) {
    return *parameter.examples.front().value;
  }
  if (!parameter.schema) {
    return Json("sample");
  }
  GenerateOptions named = options;
  named.name = parameter.name;
  auto value = generator.generate(*parameter.schema, named);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

MakeHeader header_maker(const Generator& generator, const GenerateOptions& options) {
  return [&generator, options](const Parameter& header) {
    return generate_value(generator, header, options);
  };
}

Result<Body, GenerateFailure> generate_body(const BodyForm& form, const Generator& generator,
                                            const GenerateOptions& options,
                                            const BodySources& sources) {
  constexpr std::uint64_t kTries = 8;
  const MakeHeader make_header = header_maker(generator, options);
  auto body =
      sources.example != nullptr ? write_body(form, *sources.example, make_header) : std::nullopt;
  if (!body && sources.takes_usual) {
    body = usual_body(form);
  }
  const auto& schema = form.content.schema;
  if (!body && !schema) {
    body = write_body(form, Json::object(), make_header);
  }
  for (std::uint64_t i = 0; !body && schema && i < kTries; ++i) {
    GenerateOptions drawn = options;
    drawn.seed = i == 0 ? options.seed : derive(options.seed, i);
    const auto value = generator.generate(*schema, drawn);
    if (!value) {
      return Unexpected{value.error()};
    }
    body = write_body(form, *value, make_header);
  }
  if (body) {
    return std::move(*body);
  }
  return Unexpected{GenerateFailure{
      form.content.node,
      schema ? "no value was found that " + form.media_type.essence() + " can be written with"
             : "there is no schema"}};
}

}  // namespace spec::contract::write
