#pragma once

// A URL of an operation that works at once: the keys are those of records, else examples of the
// contract, else generated. Not safe from several threads.

#include "mock_server/fixtures/loaded_api.hpp"
#include "spec/schema/generate/generator.hpp"

#include <optional>
#include <string>

namespace mock_server::control {

class OperationUrls {
 public:
  // `api` must outlive it.
  explicit OperationUrls(const fixtures::LoadedApi& api) : api_(api) {}

  // Path and, where the contract requires parameters there, query.
  std::string url_of(const spec::contract::Operation& operation);

 private:
  std::string path_value(const spec::contract::Operation& operation, const std::string& name);
  std::optional<nlohmann::json> generated(const spec::contract::Parameter& parameter);

  const fixtures::LoadedApi& api_;
  std::optional<spec::schema::generate::Generator> generator_;  // made when it is first needed
};

}  // namespace mock_server::control
