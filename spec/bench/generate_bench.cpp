// The cost of generated examples: of usual responses of the contract, and of three nested arrays.
// Each counts the bytes of its example, too.

#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/document/library.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/generate/generator.hpp"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace spec::bench {
namespace {

// Every iteration generates another record, as for a list of customers.
void generate(benchmark::State& state, const schema::SchemaSet& schemas, schema::SchemaId schema) {
  const schema::generate::Generator generator(schemas);
  std::uint64_t number = 0;
  std::size_t largest = 0;
  for (auto _ : state) {
    const std::string key = "cus_" + std::to_string(number % 1000);
    auto made = generator.generate(schema, {.seed = number / 1000,
                                            .key = key,
                                            .direction = schema::Direction::kResponse,
                                            .use_examples = false});
    if (!made) {
      state.SkipWithError(made.error().message.c_str());
      return;
    }
    if (number++ < 1000) {
      state.PauseTiming();
      largest = std::max(largest, json::write(*made).size());
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(made);
  }
  state.counters["bytes"] = static_cast<double>(largest);
}

void generate_response(benchmark::State& state, const char* operation) {
  const contract::Contract contract = contract::load_contract(COUNTERPART_CONTRACT);
  generate(state, contract.schemas(),
           *contract.operation(operation)->responses.front().contents.front().schema);
}

void usual_customer(benchmark::State& state) {
  generate_response(state, "get_customer_handler");
}

void usual_brand(benchmark::State& state) {
  generate_response(state, "patch_brand_handler");
}

void usual_usage_page(benchmark::State& state) {
  generate_response(state, "list_usage_history_handler");
}

// The number of elements is open.
void three_nested_arrays(benchmark::State& state) {
  document::Library library;
  schema::SchemaSet schemas;
  schema::compiler::Compiler compiler(library, {}, schemas);
  const schema::SchemaId schema = compiler.compile(library.add("bench:arrays", "arrays", R"({
    "type": "array", "items": {"type": "object", "required": ["rows"], "properties": {"rows": {
    "type": "array", "items": {"type": "object", "required": ["cells"], "properties": {"cells": {
    "type": "array", "items": {"type": "object", "required": ["id", "name", "amount"], "properties": {
      "id": {"type": "string", "format": "uuid"}, "name": {"type": "string"},
      "amount": {"type": "integer", "minimum": 0}, "at": {"type": "string", "format": "date-time"}
    }}}}}}}}})",
                                                               document::Format::kJson));
  generate(state, schemas, schema);
}

BENCHMARK(usual_customer);
BENCHMARK(usual_brand);
BENCHMARK(usual_usage_page);
BENCHMARK(three_nested_arrays);

}  // namespace
}  // namespace spec::bench
