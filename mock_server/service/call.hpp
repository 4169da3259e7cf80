#pragma once

// One call on its way through the spine: what is known of it so far, and what the journal will say.
// Made by MockService::handle, passed by reference to every step, gone with the answer.

#include "mock_server/fixtures/world.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/answer_cache.hpp"
#include "mock_server/service/samples.hpp"
#include "mock_server/service/wishes.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/session.hpp"
#include "spec/contract/checking/check.hpp"
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
  const fixtures::World& world;
  AnswerCache& cache;  // of answers made from the world's unchanged records
  const Samples& samples;
  const spec::http::Request& request;
  const reply::Peer& peer;

  std::shared_ptr<state::Session> session;
  std::string_view path;               // still encoded, without a session's prefix
  std::string_view prefix{};           // "/_s/NAME", or nothing
  std::string_view unheard_session{};  // another one, which the header names beside the prefix
  const spec::contract::Operation* operation = nullptr;
  const fixtures::Binding* binding = nullptr;
  std::vector<std::pair<std::string, std::string>> path_values{};
  Wishes wishes{};
  std::string credential{};                                   // that was taken; "" for none
  const fixtures::CredentialLine* credential_line = nullptr;  // what restricts it
  // Nulls until the request is read.
  spec::contract::RequestReading reading{nullptr, nullptr, nullptr, nullptr, {}, {}};
  std::vector<std::string> unknown_query{};  // names that neither operation nor wishes have
  std::optional<state::RateDecision> rate{};
  bool unknown_records_are_samples = false;
  bool examples_as_written = false;     // also those that break their schemas
  bool chose_by_accept = false;         // the media type of the response
  std::vector<std::string> warnings{};  // what X-Counterpart-Warning and the log say

  std::vector<const nlohmann::json*> staged{};  // by scenarios: merged into the record it sees
  std::vector<std::shared_ptr<const fixtures::Scenario>> scenarios{};  // that were played

  // For the journal.
  std::string chosen_by{};
  std::string staged_by{};  // the scenarios' steps that the call took; "" for none
  std::vector<spec::contract::Violation> violations{};  // of the request
  std::vector<spec::contract::Violation> broken{};      // of the answer
  // What the request rests on and is not understood, so that it is served undecided.
  std::vector<spec::contract::Violation> not_understood{};

  // Validates a response to the request, into `broken`; true when it is valid. Precondition:
  // `operation` is known.
  bool validate(const spec::http::Response& response) {
    broken = spec::contract::check_response(world.contract, *operation, response);
    return broken.empty();
  }

  bool is_head() const { return request.method == "HEAD"; }

  const fixtures::ErrorTable& errors() const { return world.fixtures.errors(); }
};

// An answer on its way out. `judged`: it is known to keep the contract, or is HTTP's own.
struct Outcome {
  spec::http::Response response;
  bool judged = false;
};

}  // namespace mock_server::service
