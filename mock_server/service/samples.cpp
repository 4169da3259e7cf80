#include "mock_server/service/samples.hpp"

namespace mock_server::service {

const spec::schema::generate::Generator& Samples::generator() const {
  std::call_once(made_, [this] {
    generator_ = std::make_unique<const spec::schema::generate::Generator>(schemas_);
  });
  return *generator_;
}

}  // namespace mock_server::service
