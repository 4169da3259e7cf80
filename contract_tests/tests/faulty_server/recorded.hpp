#pragma once

// Exchanges with the mock, recorded once: for each operation and status the first case of
// the plan that met it. What a mutant does to a response is applied to them, without a socket. For
// tests of the suite alone.

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "contract_tests/tests/faulty_server/mutant_case.hpp"

#include <string_view>
#include <vector>

namespace contract_tests::faulty_server {

struct RecordedExchange {
  const run::Case* item = nullptr;  // its request and what it expects; of the plan
  client::Exchange exchange;
};

// The exchange with these bytes as the response to the request of `original`.
client::Exchange received(const client::Exchange& original, std::string_view bytes);

// Sends the requests of the plan's cases to settings.url. A success is recorded of the operation's
// plain request alone. `plan` must outlive what is recorded.
std::vector<RecordedExchange> record(const run::Settings& settings, const run::Plan& plan,
                                     const std::string& session);

// The recorded exchanges that the row is about, as they are with its behaviours. A behaviour
// without `status` is about successes.
std::vector<RecordedExchange> apply(const MutantCase& item,
                                    const std::vector<RecordedExchange>& original);

// The findings in these exchanges.
std::vector<checks::Finding> validate(const run::Settings& settings,
                                      const std::vector<RecordedExchange>& exchanges);

}  // namespace contract_tests::faulty_server
