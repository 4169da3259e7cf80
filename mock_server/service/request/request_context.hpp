#pragma once

// The pipeline's data about one request so far, also for the journal. Made by MockService::handle,
// passed by reference to every step.

#include "mock_server/api/binding.hpp"
#include "mock_server/api/loaded_api.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/request/preferences.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"
#include "spec/schema/generate/generator.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

class ResponseCache {
 public:
  static constexpr std::size_t kDefaultBytes = 8 * 1024 * 1024;

  explicit ResponseCache(std::size_t limit_bytes = kDefaultBytes) : limit_bytes_(limit_bytes) {}

  // Null if it is not cached.
  std::shared_ptr<const api::PreparedResponse> find(const std::string& key) const;
  void put(const std::string& key, std::shared_ptr<const api::PreparedResponse> response);

 private:
  std::size_t limit_bytes_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const api::PreparedResponse>> responses_;
  std::size_t used_bytes_ = 0;
};

struct RequestContext {
  const api::LoadedApi& api;
  ResponseCache& cache;  // of responses made from the loaded API's unchanged records
  const LazyGenerator& lazy_generator;
  const spec::http::Request& request;
  const reply::Peer& peer;

  std::shared_ptr<state::Session> session;
  std::string_view path;               // still encoded, without a session's prefix
  std::string_view prefix{};           // "/_s/NAME", or nothing
  std::string_view scheme = "http";    // what requests come by
  std::string_view ignored_session{};  // a different one in the header, beside the prefix
  const spec::contract::Operation* operation = nullptr;
  const api::Binding* binding = nullptr;
  const spec::contract::Response* only_error = nullptr;  // whose shape undeclared errors have
  std::vector<std::pair<std::string, std::string>> path_values{};
  Preferences preferences{};
  std::string credential{};                              // that was accepted; "" for none
  const api::CredentialLine* credential_line = nullptr;  // its restrictions
  // Nulls until the request is read.
  spec::contract::RequestReading reading{nullptr, nullptr, nullptr, nullptr, {}, {}};
  std::vector<std::string> unknown_query{};  // undeclared names that are no preferences
  std::optional<state::RateDecision> rate{};
  bool unknown_records_are_samples = false;
  bool examples_as_written = false;     // also those that violate their schemas
  bool strict_preferences = false;      // reject an undeclared preferred status
  bool chose_by_accept = false;         // the media type of the response
  std::vector<std::string> warnings{};  // for X-Counterpart-Warning and the log

  std::optional<api::StreamPlan> stream{};  // of the chosen response, if it is a stream

  std::vector<const nlohmann::json*> scenario_changes{};  // merged into the record by scenarios
  std::vector<std::shared_ptr<const api::Scenario>> scenarios{};  // that were played

  std::vector<std::string> created_keys{};  // of the records that the request created

  // With a real service: the server that responded, "upstream" or "mock; why"; "" without one.
  std::string served_by{};
  // Why the service sent no response, and the mock only an error; "" if either responded.
  std::string no_response{};

  // The service's response has items, which are validated as they pass; how they are recorded at
  // their end, with the time of each since the response began, and whether others than the service
  // ended them; empty if they are not.
  bool passes_items = false;
  std::function<void(const spec::http::Response& response,
                     const std::vector<std::chrono::milliseconds>& times, bool go_on)>
      record_items{};

  // For the journal.
  std::string chosen_by{};
  std::string scenario_steps{};  // of scenarios, that the call took; "" for none
  std::vector<spec::contract::Violation> violations{};           // of the request
  std::vector<spec::contract::Violation> response_violations{};  // of the response
  // Parts of the contract that are not understood, so that the request is undecided.
  std::vector<spec::contract::Violation> not_understood{};

  // Validates a response to the request, into `response_violations`; true when it is valid.
  // Precondition: `operation` is known.
  bool validate(const spec::http::Response& response) {
    response_violations = spec::contract::validate_response(api.contract, *operation, response);
    return response_violations.empty();
  }

  bool is_head() const { return request.method == "HEAD"; }

  // The method in messages, so that HEAD's response has the length of GET's.
  std::string_view method() const { return spec::http::response_method(request.method); }

  const api::ErrorTable& errors() const { return api.fixtures.errors(); }
};

// The response that a step chose. `validated`: it is known to be valid, or has a status of HTTP's
// own.
struct ChosenResponse {
  spec::http::Response response;
  bool validated = false;
};

struct SessionChoice {
  std::string_view name;     // "" for the default session
  std::string_view path;     // the request's path without the prefix, still encoded
  std::string_view prefix;   // "/_s/NAME", or ""
  std::string_view other{};  // a second name, which the header gives; "" for none
  bool readable = true;      // false: a name was given that is none, or two
};

// The prefix wins over the header; what another name there says is in `other`.
SessionChoice choose_session(const spec::http::Request& request);

}  // namespace mock_server::service::request
