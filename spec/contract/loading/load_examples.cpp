#include "spec/contract/contract.hpp"
#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/loading/load_steps.hpp"
#include "spec/contract/stream_items.hpp"
#include "spec/document/text_file.hpp"
#include "spec/document/uri.hpp"
#include "spec/http/media_type.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

std::optional<nlohmann::json> read_external(LoadContext& context, const Node& reference,
                                            const ExampleRules& rules) {
  const std::string uri = document::resolve_uri(document::base_uri(reference), reference.string());
  const auto path = document::file_path(uri);
  if (!path) {
    context.warn(reference, "only local files are read; the example is ignored");
    return std::nullopt;
  }
  try {
    if (rules.is_json) {
      return context.state.library.open(*path).value();
    }
  } catch (const LoadError& error) {
    context.add_violation(reference, "cannot read the file (" + to_line(error.problems().front()) +
                                         "); the example is ignored");
    return std::nullopt;
  }
  constexpr std::uintmax_t kMaxBytes = 64 * document::kMebibyte;
  auto bytes = document::read_file(*path, kMaxBytes);
  if (!bytes) {
    context.state.missing_external_files.push_back(*path);
    context.add_violation(reference, "cannot read \"" + path->string() +
                                         "\" as a file of at most 64 MiB; the example is ignored");
    return std::nullopt;
  }
  context.state.external_files.push_back(*path);
  return std::move(*bytes);
}

// The values that the schema of an example is about: those of its items but for the last word of
// chat services, or the one value.
std::vector<Node> values_of(const ExampleRules& rules, const Node& example) {
  if (!rules.of_items || !example.is_array()) {
    return {example};
  }
  std::vector<Node> values;
  for (const Node& element : example.elements()) {
    values.push_back(element);
  }
  const bool has_end =
      !values.empty() && values.back().is_string() && values.back().string() == kLastData;
  values.resize(values.size() - (has_end ? 1 : 0));
  return values;
}

void add(LoadContext& context, const ExampleRules& rules, std::vector<Example>& examples,
         Example example) {
  const bool is_bytes = !rules.is_json && example.value->is_string() &&
                        !text::is_utf8(example.value->get_ref<const std::string&>());
  const bool is_written = rules.may_be_text && example.value->is_string();
  const bool is_wrong_by_intent = rules.direction == schema::Direction::kRequest &&
                                  context.rejected_examples.contains(example.name);
  if (rules.compiled && !is_bytes && !is_written && !is_wrong_by_intent && example.has_data) {
    const bool is_list = rules.of_items && example.node.is_array();
    for (const Node& place : values_of(rules, example.node)) {
      context.check_example(place, is_list ? place.value() : *example.value, *rules.compiled,
                            rules.direction);
    }
  }
  examples.push_back(std::move(example));
}

std::shared_ptr<const nlohmann::json> share(nlohmann::json value) {
  return std::make_shared<const nlohmann::json>(std::move(value));
}

// The example of `dataValue` and its serialization, as far as they are given. Without data the text
// is the value until it is read (checking/serialized_examples.hpp). Source: OpenAPI 3.2.0, Example
// Object.
std::optional<Example> serialized_example(LoadContext& context, const ExampleRules& rules,
                                          const Member& member, const Node& object) {
  if (!has_field(ObjectKind::kExample, "dataValue", context.state.version)) {
    return std::nullopt;
  }
  const Node data = object.find("dataValue");
  const Node text = object.find("serializedValue");
  const Node external = object.find("externalValue");
  if (!data && !text.is_string()) {
    return std::nullopt;
  }
  Example example{std::string(member.key), nullptr, data ? data : text};
  if (text.is_string()) {
    example.serialized = text.string();
  } else if (external.is_string()) {
    ExampleRules bytes = rules;
    bytes.is_json = false;
    auto read = read_external(context, external, bytes);
    example.serialized = read ? std::optional(read->get<std::string>()) : std::nullopt;
  }
  example.has_data = bool{data};
  example.value = share(data ? data.value() : nlohmann::json(*example.serialized));
  return example;
}

void add_named(LoadContext& context, const ExampleRules& rules, const Member& member,
               std::vector<Example>& examples) {
  const Node object = context.follow(member.value);
  if (auto example = serialized_example(context, rules, member, object)) {
    add(context, rules, examples, std::move(*example));
    return;
  }
  const Node external = object.find("externalValue");
  if (const Node value = object.find("value")) {
    add(context, rules, examples, {std::string(member.key), share(value.value()), value});
  } else if (external && external.is_string()) {
    if (auto read = read_external(context, external, rules)) {
      add(context, rules, examples, {std::string(member.key), share(std::move(*read)), external});
    }
  }
}

// True if an example is valid; of a response, without the members that are left out of it.
bool is_valid_example(const schema::SchemaSet& schemas, const ExampleRules& rules,
                      const nlohmann::json& example) {
  const bool is_response = rules.direction == schema::Direction::kResponse;
  return check(schemas, *rules.compiled,
               is_response ? without_write_only(schemas, *rules.compiled, example) : example,
               {rules.direction}) != schema::Verdict::kInvalid;
}

// Adds the schema's own examples that are valid under the schema that is used here, which may
// require more than the schema with the example.
void add_schema_examples(LoadContext& context, const Node& schema, const ExampleRules& rules,
                         std::vector<Example>& examples) {
  const auto add_right = [&](const Node& example) {
    const bool is_written = rules.may_be_text && example.is_string();
    const auto is_valid = [&](const Node& each) {
      return is_valid_example(context.state.schemas, rules, each.value());
    };
    if (!rules.compiled || is_written || std::ranges::all_of(values_of(rules, example), is_valid)) {
      examples.push_back({"", share(example.value()), example});
    }
  };
  if (const Node example = schema.find("example")) {
    add_right(example);
    return;
  }
  for (const Node& example : schema.find("examples").elements()) {
    add_right(example);
  }
}

void check_other_holder(LoadContext& context, const Node& holder, bool is_json,
                        schema::Direction direction) {
  const bool has_examples = holder.find("example") || holder.find("examples");
  if (!has_examples || context.with_loaded_examples.contains(holder)) {
    return;
  }
  const Node schema = holder.find("schema");
  load_examples(context, holder,
                {.schema = schema,
                 .compiled = context.compile(schema),
                 .direction = direction,
                 .is_json = is_json,
                 .may_be_text = !is_json});
}

void check_other_contents(LoadContext& context, const Node& contents, schema::Direction direction) {
  for (const Member& content : contents.members()) {
    const auto type = http::parse_media_type(content.key);
    check_other_holder(context, context.follow_media_type(content.value), type && type->is_json(),
                       direction);
  }
}

}  // namespace

void note_rejected_examples(LoadContext& context, const Node& operation) {
  for (const Member& member : operation.find("responses").members()) {
    const Node response = member.key.starts_with('4') ? context.follow(member.value) : Node();
    for (const Member& content : response.find("content").members()) {
      const Node media_type = context.follow_media_type(content.value);
      for (const Member& example : media_type.find("examples").members()) {
        context.rejected_examples.emplace(example.key);
      }
    }
  }
}

void check_other_examples(LoadContext& context, const Inspection& inspection) {
  context.rejected_examples.clear();
  for (const TypedNode& typed : inspection.objects) {
    if (typed.kind == ObjectKind::kOperation) {
      note_rejected_examples(context, typed.node);
    }
  }
  for (const TypedNode& typed : inspection.objects) {
    const bool is_message =
        typed.kind == ObjectKind::kParameter || typed.kind == ObjectKind::kRequestBody ||
        typed.kind == ObjectKind::kHeader || typed.kind == ObjectKind::kResponse;
    if (!is_message || typed.target) {
      continue;
    }
    const bool is_sent = typed.kind == ObjectKind::kHeader || typed.kind == ObjectKind::kResponse;
    const auto direction = is_sent ? schema::Direction::kResponse : schema::Direction::kRequest;
    check_other_holder(context, typed.node, true, direction);
    check_other_contents(context, typed.node.find("content"), direction);
  }
}

std::vector<Example> load_examples(LoadContext& context, const Node& holder,
                                   const ExampleRules& rules) {
  context.with_loaded_examples.insert(holder);
  std::vector<Example> examples;
  if (const Node example = holder.find("example")) {
    add(context, rules, examples, {"", share(example.value()), example});
  }
  for (const Member& member : holder.find("examples").members()) {
    add_named(context, rules, member, examples);
  }
  Node schema = rules.schema;
  for (int step = 0; examples.empty() && schema && step < kMaxReferences; ++step) {
    add_schema_examples(context, schema, rules, examples);
    const auto reference = reference_in(schema);
    try {
      schema = reference ? context.state.library.resolve(schema, *reference) : Node();
    } catch (const LoadError&) {
      return examples;  // the schema compiler reports it
    }
  }
  return examples;
}

void check_schema_examples(LoadContext& context, const Node& node, schema::SchemaId schema) {
  if (const Node value = node.find("example")) {
    context.check_example(value, value.value(), schema, schema::Direction::kNone);
  }
  if (const Node value = node.find("default")) {
    context.check_default(value, schema);
  }
  for (const Node& value : node.find("examples").elements()) {
    context.check_example(value, value.value(), schema, schema::Direction::kNone);
  }
}

}  // namespace spec::contract::loading
