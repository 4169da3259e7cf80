#pragma once

// The sampler of a contract's schemas, made when it is first asked for: a double whose answers all
// stand in fixtures starts without it. Safe from any thread.

#include "spec/schema/samples/sampler.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

namespace mock_server::service {

class Samples {
 public:
  // `schemas` must outlive it. `seed` is that of samples that wish for none of their own.
  Samples(const spec::schema::SchemaSet& schemas, std::uint64_t seed)
      : schemas_(schemas), seed_(seed) {}

  const spec::schema::samples::Sampler& sampler() const;

  std::uint64_t seed() const { return seed_; }

 private:
  const spec::schema::SchemaSet& schemas_;
  std::uint64_t seed_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<const spec::schema::samples::Sampler> sampler_;
};

}  // namespace mock_server::service
