#pragma once

// What a single response may say about the whole run: the token is rejected, the service is away,
// this is another server. A sign is no proof: watcher.hpp looks again. Pure functions.

#include "contract_tests/client/exchange.hpp"
#include "spec/contract/contract.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace contract_tests::run::watch {

enum class Sign : std::uint8_t {
  kNoResponse,     // no connection, or closed without a response, or nothing in time
  kRejectedToken,  // 401
  kUnavailable,    // 502, 503, 504
  kRedirected,     // to another host, or to one page of this one
  kNotFound,       // 404
  kPage            // an HTML page that the contract does not have
};

struct Signal {
  Sign sign = Sign::kNoResponse;
  // In words; of a redirect where it leads, of a missing response why it is missing.
  std::string what;

  friend bool operator==(const Signal&, const Signal&) = default;
};

// Of the response to a request of `operation` with its usual credentials; nothing where it is an
// ordinary one.
std::optional<Signal> signal_of(const spec::contract::Operation& operation,
                                const client::Exchange& exchange);

// Whether a response to plain HTTP may be that of a port for TLS: none, none that is HTTP, or one
// that says so.
bool may_be_tls(const client::Exchange& exchange);

}  // namespace contract_tests::run::watch
