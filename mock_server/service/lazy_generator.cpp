#include "mock_server/service/lazy_generator.hpp"

namespace mock_server::service {

const spec::schema::generate::Generator& LazyGenerator::generator() const {
  std::call_once(made_, [this] {
    generator_ = std::make_unique<const spec::schema::generate::Generator>(schemas_);
  });
  return *generator_;
}

}  // namespace mock_server::service
