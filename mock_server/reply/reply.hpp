#pragma once

// What service, control API, transport and a run's report hand each other: where a request came
// from, the response, and how it is to be delivered. Plain values.

#include "spec/http/message.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spec::contract {
class Contract;
struct Operation;
struct Violation;
}  // namespace spec::contract

namespace mock_server::reply {

// What the transport must do with a response besides sending it. Bodiless answers turn body faults
// into a reset.
enum class Fault : std::uint8_t {
  kNone,
  kReset,
  kEmpty,
  kTruncate,
  kWrongLength,
  kBadChunk,
  kGarbage,
  kSlowBody,
  kSlowClose,
  kStall,
  kSplitWrites
};

struct Delivery {
  std::chrono::milliseconds delay{0};  // before the first byte; a timer, not a sleeping thread
  Fault fault = Fault::kNone;
  std::uint32_t rate_bytes_per_second = 0;  // for kSlowBody; 0 means the default
};

// Asks again for a response that was not there yet. `last`: it will not be asked again and must
// answer. Called now and then from the connection's thread, so it must be quick; must not throw.
using Later = std::function<std::optional<spec::http::Response>(bool last)>;

struct Reply {
  spec::http::Response response;
  Delivery delivery;
  Later later{};  // when set, `response` is not sent, but what this gives in the end
};

// Where a request came from, as far as the service needs to know.
struct Peer {
  bool loopback = true;
  std::string address;  // "127.0.0.1"
};

// Must not throw; called from several threads at once.
using Handler = std::function<Reply(const spec::http::Request&, const Peer&)>;

// An exchange as the service shows it to somebody who watches, say to make a run's report. The
// references live during the call only.
struct Seen {
  const spec::contract::Contract& contract;
  const spec::contract::Operation* operation = nullptr;  // null: none of the contract's
  const std::vector<std::pair<std::string, std::string>>& path_values;
  const spec::http::Request& request;
  const spec::http::Response& response;
  const std::vector<spec::contract::Violation>& broken;  // what the response violates
};

}  // namespace mock_server::reply
