// Reading: JSON text to values beside nlohmann_json's own parser, and descriptions to documents.

#include "spec/bench/texts.hpp"
#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace spec::bench {
namespace {

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
  state.counters["text_bytes"] = static_cast<double>(text.size());
}

void read_usage_page(benchmark::State& state) {
  const std::string text = usage_page();
  for (auto _ : state) {
    benchmark::DoNotOptimize(json::read(text));
  }
  count_bytes(state, text);
}

void read_usage_page_with_nlohmann(benchmark::State& state) {
  const std::string text = usage_page();
  for (auto _ : state) {
    benchmark::DoNotOptimize(nlohmann::json::parse(text));
  }
  count_bytes(state, text);
}

void write_usage_page(benchmark::State& state) {
  const std::string text = usage_page();
  const auto value = nlohmann::json::parse(text);
  for (auto _ : state) {
    benchmark::DoNotOptimize(json::write(value));
  }
  count_bytes(state, text);
}

void write_usage_page_with_nlohmann(benchmark::State& state) {
  const std::string text = usage_page();
  const auto value = nlohmann::json::parse(text);
  for (auto _ : state) {
    benchmark::DoNotOptimize(value.dump());
  }
  count_bytes(state, text);
}

void is_multiple_of_a_cent(benchmark::State& state) {
  const auto number = json::make_number("12345.67");
  const auto divisor = json::make_number("0.01");
  for (auto _ : state) {
    benchmark::DoNotOptimize(json::is_multiple_of(number, divisor));
  }
}

void load(benchmark::State& state, const std::string& text, document::Format format) {
  for (auto _ : state) {
    document::Library library;
    benchmark::DoNotOptimize(library.add("bench:text", "bench", text, format));
  }
  count_bytes(state, text);
}

void load_yaml(benchmark::State& state) {
  load(state, yaml_description(static_cast<std::size_t>(state.range(0))), document::Format::kYaml);
}

void load_json(benchmark::State& state) {
  load(state, json_description(static_cast<std::size_t>(state.range(0))), document::Format::kJson);
}

BENCHMARK(read_usage_page)->Unit(benchmark::kMicrosecond);
BENCHMARK(read_usage_page_with_nlohmann)->Unit(benchmark::kMicrosecond);
BENCHMARK(write_usage_page)->Unit(benchmark::kMicrosecond);
BENCHMARK(write_usage_page_with_nlohmann)->Unit(benchmark::kMicrosecond);
BENCHMARK(is_multiple_of_a_cent);
BENCHMARK(load_yaml)->Arg(90)->Arg(900)->Unit(benchmark::kMillisecond);
BENCHMARK(load_json)->Arg(90)->Arg(900)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spec::bench
