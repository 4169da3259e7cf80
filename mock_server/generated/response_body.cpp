#include "mock_server/generated/response_body.hpp"

#include "spec/contract/state.hpp"
#include "spec/contract/write_only.hpp"
#include "spec/http/media_type.hpp"
#include "spec/text/utf8.hpp"

namespace mock_server::generated {

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

// How the content is written.
BodyForm form_of(const Contract& contract, const ResponseContent& response) {
  return spec::contract::write::form_of(contract, response.content, response.sent_as);
}

}  // namespace

std::optional<Body> write_response_body(const Contract& contract, const ResponseContent& response,
                                        const json& value) {
  const auto first_example = [](const spec::contract::Parameter& header) {
    return header.examples.empty() ? std::nullopt : std::optional(*header.examples.front().value);
  };
  return write_body(form_of(contract, response),
                    without_write_only(contract, response.content.schema, value), first_example);
}

bool is_valid_example(const Contract& contract, const ResponseContent& response,
                      const json& value) {
  const MediaTypeObject& content = response.content;
  const BodyForm form = form_of(contract, response);
  if (!content.schema || kind_of(form) == BodyKind::kBytes) {
    return true;
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
    example = without_write_only(contract, content.schema, *content.examples.front().value);
  }
  return generate_body(form_of(contract, response), generator, own,
                       {.example = takes_example ? &example : nullptr});
}

}  // namespace mock_server::generated
