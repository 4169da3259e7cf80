#pragma once

// What the pipeline knows of one request so far, also for the journal. Made by MockService::handle,
// passed by reference to every step.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/request/lazy_generator.hpp"
#include "mock_server/service/request/preferences.hpp"
#include "mock_server/service/request/response_cache.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/session.hpp"
#include "spec/contract/checking/validate.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::request {

struct RequestContext {
  const fixtures::LoadedApi& api;
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
  const fixtures::Binding* binding = nullptr;
  const spec::contract::Response* only_error = nullptr;  // whose shape undeclared errors have
  std::vector<std::pair<std::string, std::string>> path_values{};
  Preferences preferences{};
  std::string credential{};                                   // that was accepted; "" for none
  const fixtures::CredentialLine* credential_line = nullptr;  // its restrictions
  // Nulls until the request is read.
  spec::contract::RequestReading reading{nullptr, nullptr, nullptr, nullptr, {}, {}};
  std::vector<std::string> unknown_query{};  // undeclared names that are no preferences
  std::optional<state::RateDecision> rate{};
  bool unknown_records_are_samples = false;
  bool examples_as_written = false;     // also those that violate their schemas
  bool strict_preferences = false;      // reject an undeclared preferred status
  bool chose_by_accept = false;         // the media type of the response
  std::vector<std::string> warnings{};  // for X-Counterpart-Warning and the log

  std::vector<const nlohmann::json*> scenario_changes{};  // merged into the record by scenarios
  std::vector<std::shared_ptr<const fixtures::Scenario>> scenarios{};  // that were played

  // Who answered where there is a real service, "upstream" or "mock; why"; "" without one.
  std::string answered_by{};
  // Why the service sent no response, and the mock only an error; "" if either answered.
  std::string no_response{};

  // For the journal.
  std::string chosen_by{};
  std::string scenario_steps{};  // of scenarios, that the call took; "" for none
  std::vector<spec::contract::Violation> violations{};  // of the request
  std::vector<spec::contract::Violation> broken{};      // of the response
  // Parts of the contract that are not understood, so that the request is undecided.
  std::vector<spec::contract::Violation> not_understood{};

  // Validates a response to the request, into `broken`; true when it is valid. Precondition:
  // `operation` is known.
  bool validate(const spec::http::Response& response) {
    broken = spec::contract::validate_response(api.contract, *operation, response);
    return broken.empty();
  }

  bool is_head() const { return request.method == "HEAD"; }

  // As messages name it, so that HEAD's response has the length of GET's.
  std::string_view method() const { return spec::http::answered_method(request.method); }

  const fixtures::ErrorTable& errors() const { return api.fixtures.errors(); }
};

// The response that a step chose. `validated`: it is known to be valid, or has a status of HTTP's
// own.
struct ChosenResponse {
  spec::http::Response response;
  bool validated = false;
};

}  // namespace mock_server::service::request
