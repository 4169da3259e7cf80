#include "mock_server/api/record_source.hpp"

#include "mock_server/api/record_view.hpp"
#include "spec/json/number.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/identifiers.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

namespace mock_server::api {
namespace {

using nlohmann::json;
using spec::contract::Contract;
using spec::schema::Schemas;
using spec::schema::Summary;

std::string uuid_of(std::mt19937_64& random) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
  std::string text;
  for (const char c : kForm) {
    text += c == 'x' ? spec::text::kHexDigits[random() % spec::text::kHexDigits.size()] : c;
  }
  return text;
}

// "cus_L9xVQ2": the same form with other letters and digits after the last "_" or "-"; nothing for
// a text that shows no form.
std::optional<std::string> alike(const std::string& example, std::mt19937_64& random) {
  constexpr std::string_view kLetters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
  constexpr std::size_t kMinTail = 12;
  const std::size_t start = example.find_last_of("_-") + 1;  // 0 when there is none
  const bool is_plain =
      std::all_of(example.begin() + static_cast<std::ptrdiff_t>(start), example.end(),
                  [](char c) { return spec::text::is_letter_or_digit(c); });
  if (start == 0 || !is_plain) {
    return std::nullopt;
  }
  const std::size_t size = std::max(example.size() - start, kMinTail);
  std::string text = example.substr(0, start);
  while (text.size() < start + size) {
    text += kLetters[random() % kLetters.size()];
  }
  return text;
}

const std::vector<std::string>* id_of(const Collection& collection) {
  return collection.id() && !collection.id()->empty() ? &*collection.id() : nullptr;
}

// The schemas of the member that holds the key; empty if there is none.
Schemas key_schemas(const Contract& contract, const Collection& collection,
                    const RecordSource& source) {
  const auto* const id = id_of(collection);
  return id != nullptr ? schemas_at(contract, source.schemas, *id) : Schemas{};
}

bool has_form(const Contract& contract, const Schemas& schemas) {
  const auto& program = contract.schemas().program();
  const auto has = [&](std::string_view name) {
    return static_cast<bool>(
        keyword_value(program, schemas, spec::schema::Reach::kUnlessNull, name));
  };
  return has("pattern") || has("format");
}

// A text that the schema of the key allows, not its examples.
std::optional<std::string> generated_key(const RecordMaker& maker, const Schemas& schemas,
                                         std::uint64_t seed) {
  const std::string key = std::to_string(seed);
  spec::schema::generate::GenerateOptions options;
  options.seed = seed;
  options.key = key;
  options.use_examples = false;
  options.direction = spec::schema::Direction::kResponse;
  auto made = maker.generator.generate(schemas.front(), options);
  const bool is_text = made && made->is_string() && !made->get_ref<const std::string&>().empty();
  return is_text ? std::optional(made->get<std::string>()) : std::nullopt;
}

bool is_number_key(const Contract& contract, const Schemas& schemas, const json* example) {
  const bool shows_number = example != nullptr && spec::json::is_number(*example);
  if (schemas.empty()) {
    return shows_number;
  }
  const Summary& summary = contract.summaries().summary_of(schemas);
  return !summary.is_string() && (summary.is_number() || shows_number);
}

// The parameter of the path that names the record; null if there is none.
const spec::contract::Parameter* key_parameter(const Binding& binding) {
  const bool is_in_path =
      binding.key && binding.key->root == Place::Root::kPath && !binding.key->tokens.empty();
  return is_in_path ? binding.operation->parameter(spec::contract::Location::kPath,
                                                   binding.key->tokens.front())
                    : nullptr;
}

// The schema that paths have for keys of the collection.
Schemas key_in_paths(const Contract& contract, std::span<const Binding> bindings,
                     const Collection& collection) {
  for (const Binding& binding : bindings) {
    const auto* const parameter =
        binding.collection == &collection ? key_parameter(binding) : nullptr;
    if (parameter != nullptr && parameter->schema) {
      Schemas schemas{*parameter->schema};
      if (contract.summaries().summary_of(schemas).is_number() || has_form(contract, schemas)) {
        return schemas;
      }
    }
  }
  return {};
}

// A key that the contract shows: in an example of a response with the record, else of the parameter
// that names it, or the start of one in that parameter's description. "" if it shows none.
std::string shown_key(std::span<const Binding> bindings, const Collection& collection,
                      const RecordSource& source) {
  const auto* const response =
      source.operation != nullptr ? source.operation->response(source.status) : nullptr;
  const auto* const content =
      response != nullptr ? spec::contract::json_content(response->contents) : nullptr;
  const auto* const id = id_of(collection);
  if (content != nullptr && !content->examples.empty() && id != nullptr) {
    const json* const record = walk(&*content->examples.front().value, source.at);
    const json* const key = record != nullptr ? walk(record, *id) : nullptr;
    if (key != nullptr && key->is_string()) {
      return key->get<std::string>();
    }
  }
  for (const Binding& binding : bindings) {
    const auto* const parameter =
        binding.collection == &collection ? key_parameter(binding) : nullptr;
    if (parameter == nullptr) {
      continue;
    }
    if (!parameter->examples.empty() && parameter->examples.front().value->is_string()) {
      return parameter->examples.front().value->get<std::string>();
    }
    const auto text = parameter->node.find("description");
    auto start = spec::schema::generate::id_start_in(text.is_string() ? text.string() : "");
    if (!start.empty()) {
      return start;
    }
  }
  return "";
}

}  // namespace

RecordSource record_source(const Contract& contract, std::span<const Binding> bindings,
                           const Collection& collection) {
  RecordSource source;
  std::optional<int> best;
  for (const Binding& binding : bindings) {
    const auto rank = row_of(binding.behaviour).rank;
    if (binding.collection != &collection || !binding.shows_record || !rank) {
      continue;
    }
    const int status = binding.operation->success_status();
    const auto schema = response_schema(contract, *binding.operation, status);
    if (!schema) {
      continue;
    }
    RecordSource found{binding.operation, status, binding.into, {}};
    if (binding.shows() == Shows::kRecords) {
      found.at = binding.list.into;
      found.at.emplace_back("0");
      found.at.insert(found.at.end(), binding.list.element.begin(), binding.list.element.end());
    }
    found.schemas = schemas_at(contract, {schema->id}, found.at);
    // A choice of several shapes is a record in one of them only.
    const bool has_members = !found.schemas.empty() &&
                             !contract.summaries().summary_of(found.schemas).properties.empty();
    const int order = *rank + (has_members ? 0 : kMaxRank);
    if (!best || order < *best) {
      best = order;
      source = std::move(found);
    }
  }
  source.key = key_in_paths(contract, bindings, collection);
  source.key_example = shown_key(bindings, collection, source);
  return source;
}

Schemas schemas_at(const Contract& contract, Schemas schemas,
                   const std::vector<std::string>& tokens) {
  for (const std::string& token : tokens) {
    if (schemas.empty()) {
      return {};
    }
    const Summary& summary = contract.summaries().summary_of(schemas);
    const auto* const possible = contract.possible_summaries().summary_of(schemas).property(token);
    const bool is_chosen = possible != nullptr && summary.property(token) == nullptr;
    schemas = is_chosen ? *possible : summary.part(token);  // of a choice of shapes
  }
  return schemas;
}

json generated_body(const RecordMaker& maker, const spec::contract::Operation& operation,
                    int status, std::uint64_t seed) {
  const auto schema = response_schema(maker.contract, operation, status);
  if (!schema) {
    return nullptr;
  }
  const std::string key = std::to_string(seed);
  spec::schema::generate::GenerateOptions options;
  options.seed = seed;
  options.key = key;
  options.direction = spec::schema::Direction::kResponse;
  options.later = maker.later;
  options.row = maker.row;
  options.currency = maker.currency;
  options.thing = spec::contract::subject_of(operation);
  options.is_success = status < 400;
  auto made = maker.generator.generate(schema->id, options);
  return made ? std::move(*made) : json(nullptr);
}

json generated_record(const RecordMaker& maker, const RecordSource& source, std::uint64_t seed) {
  if (source.operation == nullptr) {
    return nullptr;
  }
  const json body = generated_body(maker, *source.operation, source.status, seed);
  const json* const record = walk(&body, source.at);
  return record != nullptr && record->is_object() ? *record : json(nullptr);
}

std::string make_key(const RecordMaker& maker, const Collection& collection,
                     const RecordSource& source, const KeySeed& of, const json* record) {
  const auto& [number, seed] = of;
  std::mt19937_64 random(seed);
  const auto* const id = id_of(collection);
  if (!source.key.empty()) {
    const bool is_number = maker.contract.summaries().summary_of(source.key).is_number();
    return is_number ? std::to_string(number)
                     : generated_key(maker, source.key, seed).value_or(uuid_of(random));
  }
  if (id == nullptr) {
    return uuid_of(random);
  }
  const Schemas schemas = key_schemas(maker.contract, collection, source);
  const json made = record == nullptr ? generated_record(maker, source, seed) : json(nullptr);
  const json* const example = walk(record == nullptr ? &made : record, *id);
  if (is_number_key(maker.contract, schemas, example)) {
    return std::to_string(number);
  }
  if (!schemas.empty() && has_form(maker.contract, schemas)) {
    if (auto key = generated_key(maker, schemas, seed)) {
      return *key;
    }
  }
  const bool states_own =
      !schemas.empty() && maker.contract.schemas().source(schemas.front()).find("example");
  if (auto key = states_own ? std::nullopt : alike(source.key_example, random)) {
    return *key;
  }
  if (example != nullptr && example->is_string()) {
    const auto& text = example->get_ref<const std::string&>();
    if (!text.empty() && std::ranges::all_of(text, spec::text::is_digit)) {
      return std::to_string(number);
    }
    if (auto key = alike(text, random)) {
      return *key;
    }
  }
  std::string uuid = uuid_of(random);
  const bool is_valid = std::ranges::all_of(schemas, [&](spec::schema::SchemaId one) {
    return spec::schema::validate(maker.contract.schemas(), one, uuid).empty();
  });
  return is_valid ? uuid : generated_key(maker, schemas, seed).value_or(uuid);
}

void set_key(const Contract& contract, const Collection& collection, const RecordSource& source,
             const std::string& own_key, json& record) {
  const auto* const id = id_of(collection);
  const json* const given = id != nullptr ? walk(&record, *id) : nullptr;
  if (id == nullptr || (given != nullptr && key_text(*given) == own_key)) {
    return;
  }
  const bool is_number =
      is_number_key(contract, key_schemas(contract, collection, source), given) &&
      spec::json::is_number_text(own_key);
  set_at(record, *id, is_number ? spec::json::make_number(own_key) : json(own_key));
}

}  // namespace mock_server::api
