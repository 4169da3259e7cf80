#pragma once

// What became of a request that was passed on to the real service, for who records it. Plain
// values.

#include "spec/http/message.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract {
class Contract;
struct Operation;
struct Violation;
}  // namespace spec::contract

namespace mock_server::upstream {

// An exchange with the service, whole. The references live during the call only.
struct ForwardedExchange {
  const spec::contract::Contract& contract;
  const spec::contract::Operation* operation = nullptr;  // null: none of the contract
  const std::vector<std::pair<std::string, std::string>>& path_values;
  std::string_view session;  // by name; "" for the default session
  std::string_view url;      // of the request, absolute, as the service was asked
  // As the client sent it, but for the session's prefix and our own fields; its body is without
  // content coding.
  const spec::http::Request& request;
  // As the service sent it: its body may have a content coding.
  const spec::http::Response& response;
  // The same without content coding; what was validated.
  const spec::http::Response& decoded;
  // False: longer than what is kept for validation. The body of `response` is "" then, and nothing
  // was validated.
  bool is_whole = true;
  const std::vector<spec::contract::Violation>& request_violations;
  // Also undecided ones (Violation::undecided).
  const std::vector<spec::contract::Violation>& response_violations;
  std::chrono::system_clock::time_point started{};  // by the clock of this machine
  std::chrono::microseconds to_first_byte{0};       // from `started`
  std::chrono::microseconds took{0};                // from `started` to the last byte that was read
};

// Called once for each exchange with the service, in mode `record`, when the service's response
// was read and before the client gets it. Called from several threads at once, never from an event
// loop; must not throw, and ought to be quick: the client waits for it.
using Recorder = std::function<void(const ForwardedExchange&)>;

}  // namespace mock_server::upstream
