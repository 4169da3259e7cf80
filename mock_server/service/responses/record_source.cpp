#include "mock_server/service/responses/record_source.hpp"

#include "mock_server/generated/response_body.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/request/seed.hpp"
#include "spec/contract/contract.hpp"
#include "spec/random.hpp"

#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;
using request::GenerationOptions;

const spec::contract::Example* json_example(const spec::contract::Operation& operation, int status,
                                            const spec::contract::MediaTypeObject*& of) {
  const auto* const response = operation.response(status);
  if (response == nullptr) {
    return nullptr;
  }
  of = spec::contract::json_content(response->contents);
  return of == nullptr || of->examples.empty() ? nullptr : &of->examples.front();
}

}  // namespace

RecordSource record_source(const RequestContext& context) {
  return fixtures::record_source(context.api.contract, context.api.fixtures.bindings(),
                                 *context.binding->collection);
}

fixtures::RecordMaker record_maker(const RequestContext& context) {
  return {context.api.contract, context.lazy_generator.generator(), dates_moved_by(context)};
}

json some_record(const RequestContext& context, const RecordSource& source, std::uint64_t seed) {
  json record = fixtures::generated_record(record_maker(context), source, seed);
  return record.is_object() ? record : example_record(context, source);
}

json example_record(const RequestContext& context, const RecordSource& source) {
  if (source.operation == nullptr) {
    return nullptr;
  }
  const spec::contract::MediaTypeObject* content = nullptr;
  const auto* const example = json_example(*source.operation, source.status, content);
  const GenerationOptions generation(context);
  json body;
  if (example != nullptr &&
      generated::is_valid_example(context.api.contract, {*content}, *example->value)) {
    body = *example->value;
  } else if (content != nullptr && content->schema) {
    auto made = context.lazy_generator.generator().generate(*content->schema, generation.options());
    body = made ? std::move(*made) : json(nullptr);
  }
  const json* const record = fixtures::walk(&body, source.at);
  if (record == nullptr || !record->is_object()) {
    return nullptr;
  }
  json shown = *record;
  generation.echo(shown);
  return shown;
}

void add_required(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                  const json& example, json& value, int depth) {
  constexpr int kMaxDepth = 6;
  if (depth > kMaxDepth || schemas.empty()) {
    return;
  }
  const auto& summary = contract.summaries().of(schemas);
  if (value.is_array() && example.is_array() && !example.empty()) {
    for (json& element : value) {
      add_required(contract, summary.elements, example.front(), element, depth + 1);
    }
  }
  if (!value.is_object() || !example.is_object()) {
    return;
  }
  for (const std::string& name : summary.required) {
    if (const auto given = example.find(name); given != example.end() && !value.contains(name)) {
      value[name] = *given;
    }
  }
  for (const auto& [name, inner] : summary.properties) {
    const auto own = value.find(name);
    const auto given = example.find(name);
    if (own != value.end() && given != example.end()) {
      add_required(contract, inner, *given, *own, depth + 1);
    }
  }
}

std::uint64_t seed_for(const RequestContext& context, std::string_view text) {
  return spec::text_hash(text, seed_of(context));
}

}  // namespace mock_server::service::responses
