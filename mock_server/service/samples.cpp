#include "mock_server/service/samples.hpp"

namespace mock_server::service {

const spec::schema::samples::Sampler& Samples::sampler() const {
  std::call_once(made_, [this] {
    sampler_ = std::make_unique<const spec::schema::samples::Sampler>(schemas_);
  });
  return *sampler_;
}

}  // namespace mock_server::service
