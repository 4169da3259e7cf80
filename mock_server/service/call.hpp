#pragma once

// One call on its way through the pipeline: what is known of it so far, and what the journal will say.
// Made by MockService::handle, passed by reference to every step, gone with the response.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/response_cache.hpp"
#include "mock_server/service/lazy_generator.hpp"
#include "mock_server/service/preferences.hpp"
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

namespace mock_server::service {

struct Call {
  const fixtures::LoadedApi& api;
  ResponseCache& cache;  // of responses made from the loaded API's unchanged records
  const LazyGenerator& lazy_generator;
  const spec::http::Request& request;
  const reply::Peer& peer;

  std::shared_ptr<state::Session> session;
  std::string_view path;               // still encoded, without a session's prefix
  std::string_view prefix{};           // "/_s/NAME", or nothing
  std::string_view ignored_session{};  // another one, which the header names beside the prefix
  const spec::contract::Operation* operation = nullptr;
  const fixtures::Binding* binding = nullptr;
  std::vector<std::pair<std::string, std::string>> path_values{};
  Preferences preferences{};
  std::string credential{};                                   // that was taken; "" for none
  const fixtures::CredentialLine* credential_line = nullptr;  // what restricts it
  // Nulls until the request is read.
  spec::contract::RequestReading reading{nullptr, nullptr, nullptr, nullptr, {}, {}};
  std::vector<std::string> unknown_query{};  // names that neither operation nor preferences have
  std::optional<state::RateDecision> rate{};
  bool unknown_records_are_samples = false;
  bool examples_as_written = false;     // also those that violate their schemas
  bool chose_by_accept = false;         // the media type of the response
  std::vector<std::string> warnings{};  // what X-Counterpart-Warning and the log say

  std::vector<const nlohmann::json*> scenario_changes{};  // by scenarios: merged into the record it sees
  std::vector<std::shared_ptr<const fixtures::Scenario>> scenarios{};  // that were played

  // For the journal.
  std::string chosen_by{};
  std::string scenario_steps{};  // the scenarios' steps that the call took; "" for none
  std::vector<spec::contract::Violation> violations{};  // of the request
  std::vector<spec::contract::Violation> broken{};      // of the response
  // What the request rests on and is not understood, so that it is served undecided.
  std::vector<spec::contract::Violation> not_understood{};

  // Validates a response to the request, into `broken`; true when it is valid. Precondition:
  // `operation` is known.
  bool validate(const spec::http::Response& response) {
    broken = spec::contract::validate_response(api.contract, *operation, response);
    return broken.empty();
  }

  bool is_head() const { return request.method == "HEAD"; }

  const fixtures::ErrorTable& errors() const { return api.fixtures.errors(); }
};

// A response on its way out. `validated`: it is known to satisfy the contract, or is HTTP's own.
struct Outcome {
  spec::http::Response response;
  bool validated = false;
};

}  // namespace mock_server::service
