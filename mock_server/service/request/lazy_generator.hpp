#pragma once

// The generator of a contract's schemas, made when it is first used: a mock whose responses all
// come from fixtures starts without it. Safe from any thread.

#include "spec/schema/generate/generator.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

namespace mock_server::service::request {

class LazyGenerator {
 public:
  // `schemas` must outlive it. `seed` is the default seed.
  LazyGenerator(const spec::schema::SchemaSet& schemas, std::uint64_t seed)
      : schemas_(schemas), seed_(seed) {}

  const spec::schema::generate::Generator& generator() const {
    std::call_once(made_, [this] {
      generator_ = std::make_unique<const spec::schema::generate::Generator>(schemas_);
    });
    return *generator_;
  }

  std::uint64_t seed() const { return seed_; }

 private:
  const spec::schema::SchemaSet& schemas_;
  std::uint64_t seed_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<const spec::schema::generate::Generator> generator_;
};

}  // namespace mock_server::service::request
