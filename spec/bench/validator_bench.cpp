// Measures a validation beside the strict read of the same text, for each pair of
// validation/pairs.txt: "read/NAME" and "validate/NAME". scripts/bench.sh validate prints them side
// by side.

#include "spec/document/library.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/paths.hpp"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace spec::bench {
namespace {

namespace fs = std::filesystem;

struct Pair {
  std::string name;
  std::string text;
  nlohmann::json instance;
  document::Library library;
  schema::SchemaSet schemas;
  schema::SchemaId schema = 0;
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

[[noreturn]] void fail(const std::string& why) {
  std::cerr << why << '\n';
  std::exit(1);
}

std::shared_ptr<Pair> load(const fs::path& root, const fs::path& schema, const fs::path& document) {
  auto pair = std::make_shared<Pair>();
  pair->name = document.stem().string();
  pair->text = text_of(root / document);
  auto instance = json::read(pair->text);
  if (!instance) {
    fail(document.string() + " is no JSON");
  }
  pair->instance = std::move(*instance);
  schema::compiler::Compiler compiler(pair->library, {}, pair->schemas);
  pair->schema = compiler.compile(pair->library.open(root / schema));
  for (const schema::Violation& violation :
       schema::validate(pair->schemas, pair->schema, pair->instance)) {
    fail(document.string() + " must satisfy its schema: " + violation.instance + ' ' +
         violation.message.text());
  }
  return pair;
}

void measure(const std::shared_ptr<Pair>& pair) {
  benchmark::RegisterBenchmark(("read/" + pair->name).c_str(), [pair](benchmark::State& state) {
    for (auto _ : state) {
      benchmark::DoNotOptimize(json::read(pair->text));
    }
    state.counters["bytes"] = static_cast<double>(pair->text.size());
  });
  benchmark::RegisterBenchmark(("validate/" + pair->name).c_str(), [pair](benchmark::State& state) {
    for (auto _ : state) {
      benchmark::DoNotOptimize(schema::validate(pair->schemas, pair->schema, pair->instance));
    }
  });
}

void measure_all(const fs::path& root) {
  std::ifstream pairs(root / "spec/bench/validation/pairs.txt");
  for (std::string line; std::getline(pairs, line);) {
    std::istringstream words(line);
    std::string schema;
    std::string document;
    if (words >> schema >> document && schema != "#") {
      measure(load(root, schema, document));
    }
  }
}

}  // namespace
}  // namespace spec::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  spec::bench::measure_all(test_paths::source());
  benchmark::RunSpecifiedBenchmarks();
}
