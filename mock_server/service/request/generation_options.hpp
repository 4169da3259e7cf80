#pragma once

// Settings of generated responses to a request: the seed, the key in the path, and the members that
// repeat that key. Pure functions of the request.

#include "mock_server/examples/response_example.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "spec/non_copyable.hpp"
#include "spec/schema/generate/generator.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace mock_server::service::request {

// The session's own, else the program's.
std::uint64_t seed_of(const RequestContext& context);

// Samples' dates lie in 2025 of themselves, and so much later (or earlier, when negative) that they
// are in the months before the session's day: that on which the mock was started, until its clock
// is moved. Whole days, so that a sample stays the same while the clock runs.
std::chrono::seconds dates_moved_by(const RequestContext& context);

class GenerationOptions : spec::NonCopyable {
 public:
  explicit GenerationOptions(const RequestContext& context);
  // The options point into it.
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

// True if the schema of `content` allows the body in a response, as far as it is understood.
bool satisfies_schema(const RequestContext& context, const spec::contract::MediaTypeObject& content,
                      const nlohmann::json& body);

// True if a generated example must replace this example of `content`, because it violates its
// schema.
bool must_replace(const RequestContext& context, const examples::ResponseContent& content,
                  const spec::contract::Example& example);
// Adds a warning about that to X-Counterpart-Warning and the log.
void warn_of_replaced(RequestContext& context, const spec::contract::Example& example);

// Adds the headers that the operation declares for the response's status and that are not there
// yet.
void add_declared_headers(RequestContext& context, spec::http::Response& response);

}  // namespace mock_server::service::request
