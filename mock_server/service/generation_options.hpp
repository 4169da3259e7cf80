#pragma once

// How a call's samples are made: its seed, the key in its path, and the members that repeat that
// key. Pure functions of the call.

#include "mock_server/service/call.hpp"
#include "spec/schema/generate/generator.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace mock_server::service {

class GenerationOptions {
 public:
  explicit GenerationOptions(const Call& call);
  // The options point into it.
  GenerationOptions(const GenerationOptions&) = delete;
  GenerationOptions& operator=(const GenerationOptions&) = delete;
  GenerationOptions(GenerationOptions&&) = delete;
  GenerationOptions& operator=(GenerationOptions&&) = delete;
  ~GenerationOptions() = default;

  // Lives as long as this.
  const spec::schema::generate::GenerateOptions& options() const { return options_; }

  // Sets the members of an example that repeat the path's values: those of the same name, and the
  // "id" of what the path ends in. Members of another type are left alone, and so is the "id" of
  // what lies behind a key ("/accounts/{id}/transfer").
  void echo(nlohmann::json& example) const;

 private:
  std::vector<spec::schema::generate::Given> given_;
  std::string key_;
  bool ends_with_key_;
  spec::schema::generate::GenerateOptions options_;
};

// Whether a sample takes the place of an example of `content`, which violates its own schema.
bool must_replace(const Call& call, const spec::contract::MediaTypeObject& content,
                  const spec::contract::Example& example);
// Notes for X-Counterpart-Warning and the log that it did.
void warn_of_replaced(Call& call, const spec::contract::Example& example);

// Adds the headers that the operation declares for the response's status and that it has not.
void add_declared_headers(Call& call, spec::http::Response& response);

}  // namespace mock_server::service
